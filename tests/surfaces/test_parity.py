"""Every capability gives the same bytes on every surface that offers it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import click
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from tests.surfaces.serving import Response, Served, environment, everything, served

from contextc.capabilities.base import Capability, Case, Session
from contextc.capabilities.registry import REGISTRY
from contextc.core.records.canonical import canonical_json, pretty_json
from contextc.core.records.codec import decode
from contextc.surfaces.asking import asked, question_of
from contextc.surfaces.cli.options import parameters
from contextc.surfaces.http.routes import Route, routes
from contextc.surfaces.mcp.pages import Piece, joined
from contextc.surfaces.mcp.tools import offered
from contextc.surfaces.outcomes import BY_VERDICT

#: What only a command line offers cannot differ from another surface.
COMPARED = [one for one in REGISTRY if one.exposed != ("cli",)]
ROUTES = {route.capability.id: route for route in routes()}
TOOLS = {tool.capability.id: name for name, tool in offered().items()}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return everything(tmp_path_factory.mktemp("parity") / "project")


@pytest.fixture(scope="module")
def cases(root: Path) -> dict[str, tuple[Case, ...]]:
    return {one.id: one.cases(str(root)) for one in COMPARED if one.cases is not None}


@pytest.fixture(scope="module")
def server(root: Path, home: Path) -> Any:
    with served(root, home, "--quiet") as running:
        yield running


@pytest.fixture(scope="module")
def tool_results(root: Path, home: Path, cases: dict[str, tuple[Case, ...]]) -> dict[tuple[str, str], Any]:
    """What MCP gives for every case: the whole value from all pages, or the result of a tool that failed."""
    found: dict[tuple[str, str], Any] = {}

    async def run() -> None:
        arguments = ["-m", "contextc", "mcp", "-C", str(root)]
        command = StdioServerParameters(command=sys.executable, args=arguments, env=environment(home), cwd=home)
        async with Client(command) as client:
            for identity, name in TOOLS.items():
                for case in cases[identity]:
                    found[identity, case.name] = await whole(client, name, case.given)
            for one in COMPARED:
                if one.resource:
                    read = await client.read_resource(one.resource)
                    found[one.id, "empty"] = json.loads(read.contents[0].text)  # type: ignore[union-attr]

    anyio.run(run)
    return found


async def whole(client: Client, name: str, given: dict[str, Any]) -> Any:
    result = await client.call_tool(name, given)
    if result.is_error:
        return result
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
    pieces: list[Piece] = []
    cursor = (result.meta or {}).get("contextc.cursor")
    while cursor is not None:
        page = await client.call_tool("more", {"cursor": cursor})
        pieces += [decode(canonical_json(piece), Piece) for piece in page.structured_content["pieces"]]
        cursor = page.structured_content["next"]
    return joined(result.structured_content, pieces)


def test_every_capability_that_is_compared_has_cases() -> None:
    assert [one.id for one in COMPARED if one.cases is None] == []


def test_all_surfaces_offer_what_the_registry_says() -> None:
    assert set(ROUTES) == {one.id for one in REGISTRY if "http" in one.exposed}
    assert set(TOOLS) == {one.id for one in REGISTRY if "mcp" in one.exposed and not one.resource}


@pytest.mark.parametrize("capability", COMPARED, ids=lambda one: one.id)
def test_the_same_bytes_on_every_surface(
    capability: Capability,
    root: Path,
    home: Path,
    cases: dict[str, tuple[Case, ...]],
    server: Served,
    tool_results: dict[tuple[str, str], Any],
    tmp_path: Path,
) -> None:
    assert cases[capability.id]
    for case in cases[capability.id]:
        sent = decode(canonical_json(case.given), asked(capability))
        answer = capability.run(question_of(capability, sent, {"root": str(root)}), Session())
        expected = pretty_json(answer).encode()
        ending = BY_VERDICT[capability.verdict(answer)]

        done = on_the_command_line(capability, case, root, home, tmp_path)
        assert (done.returncode, done.stdout) == (ending.exit_code, expected), done.stderr

        got = over_http(ROUTES[capability.id], case, server)
        assert got.status == ending.status
        if ending.code:
            refused = json.loads(got.body)
            assert pretty_json(refused["answer"]).encode() == expected
            assert refused["error"]["code"] == ending.code
        else:
            assert got.body == expected

        if "mcp" in capability.exposed:
            result = tool_results[capability.id, case.name]
            if ending.code:
                assert result.is_error and result.structured_content is None
                assert result.meta["contextc.error.code"] == ending.code
                assert result.content[0].text.split("\n")[0] in f"refused: {refused['error']['message']}"
            else:
                assert pretty_json(result).encode() == expected


def on_the_command_line(
    capability: Capability, case: Case, root: Path, home: Path, tmp_path: Path
) -> subprocess.CompletedProcess[bytes]:
    words = capability.id.split(".")
    last: list[str] = []
    for parameter in parameters(capability):
        value = case.given.get("as" if parameter.name == "as_" else str(parameter.name))
        if value is None:
            continue
        if isinstance(value, dict):
            file = tmp_path / f"{parameter.name}.json"
            file.write_bytes(canonical_json(value))
            value = str(file)
        each = [str(one) for one in value] if isinstance(value, list) else [str(value)]
        if isinstance(parameter, click.Argument):
            last += each
        else:
            words += [word for one in each for word in (parameter.opts[0], one)]
    if capability.in_words is not None or capability.id == "compile":
        words += ["--format", "json"]
    if any(parameter.name == "root" for parameter in parameters(capability)):
        words += ["-C", str(root)]
    return subprocess.run(
        [sys.executable, "-m", "contextc", *words, *last],
        cwd=root,
        env=environment(home),
        capture_output=True,
        check=False,
        timeout=120,
    )


def over_http(route: Route, case: Case, server: Served) -> Response:
    if route.method == "POST":
        return server.ask("POST", route.path, canonical_json(case.given), Content_Type="application/json")
    return server.ask("GET", target(route.path, case.given))


def target(path: str, given: dict[str, Any]) -> str:
    """The address of a question: lists as JSON in text."""
    pairs = [
        f"{name}={quote(value if isinstance(value, str) else canonical_json(value).decode(), safe='')}"
        for name, value in given.items()
    ]
    return f"{path}?{'&'.join(pairs)}" if pairs else path
