"""Real servers as child processes, a repository that has something of everything, and an in-process HTTP client."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.devcontext.builder import repository, small_layer
from tests.surfaces.conftest import GIT_ENVIRONMENT, SAMPLE

ADDRESS = re.compile(rb"contextc serves http://(.+):(\d+)/")


def everything(root: Path) -> Path:
    """A repository with a layer and with code in three languages."""
    return repository(root, {**SAMPLE, **small_layer()})


def environment(home: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONWARNINGS": "error", **GIT_ENVIRONMENT, **more}


class Response:
    """What came back over HTTP."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body


class Served:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[bytes], host: str, port: int) -> None:
        self.process = process
        self.host = host
        self.port = port

    def ask(self, method: str, target: str, body: bytes | None = None, **headers: str) -> Response:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, named)
            got = connection.getresponse()
            return Response(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()


@contextlib.contextmanager
def served(root: Path, home: Path, *arguments: str, command: str = "serve", **env: str) -> Iterator[Served]:
    """`contextc serve` for a repository, on a free port; it is stopped by SIGTERM and must end well."""
    process = subprocess.Popen(
        [sys.executable, "-m", "contextc", command, "-C", str(root), "--port", "0", *arguments],
        env=environment(home, **env),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = ADDRESS.search(line)
        assert found, line + process.stderr.read()
        yield Served(process, found[1].decode().strip("[]"), int(found[2]))
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        except ValueError:
            process.wait(20)


def call(app: Any, method: str, target: str, body: bytes = b"", **headers: str) -> Response:
    """One request to an application in this process."""
    path, _, query = target.partition("?")
    named = {"host": "localhost", **{name.replace("_", "-").lower(): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    chunks = [body[at : at + 65_536] for at in range(0, len(body), 65_536)] or [b""]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not chunks:
            return {"type": "http.disconnect"}
        chunk = chunks.pop(0)
        return {"type": "http.request", "body": chunk, "more_body": bool(chunks)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    start = next(message for message in sent if message["type"] == "http.response.start")
    got = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    return Response(start["status"], got, b"".join(message.get("body", b"") for message in sent))
