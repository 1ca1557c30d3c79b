"""`contextc.toml`: classes, edges and conventions, strict errors with file and line; and `contextc init`."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests.devcontext.builder import commit, repository, write
from tests.devcontext.ordinary_builder import matter, ordinary, read
from tests.devcontext.test_ordinary_work import BACKLOG, SPECKIT, nygard

from contextc.capabilities.base import Session
from contextc.capabilities.init import InitInput, run
from contextc.core.devcontext.constants import EDGES
from contextc.errors import InputError
from contextc.frontend.ordinary.config import EDGE_KINDS, read_config

CODE = {"src/api/user.py": "x = 1\n", "src/web/app.ts": "export {}\n", "ops/restart.md": "# Restart\n\nSee src/api.\n"}


def test_a_class_gives_files_a_kind_and_comes_before_every_convention(tmp_path: Path) -> None:
    toml = """\
version = 1
[[class]]
id = "runbooks"
kind = "rule"
paths = ["ops/**"]
applies_to = ["src/api/**"]
class = "advisory"
[[class]]
id = "choices"
kind = "adr"
paths = ["log/*.md"]
[[class]]
id = "tickets"
kind = "issue"
paths = ["t/*.md"]
[[class]]
id = "left-out"
kind = "none"
paths = ["src/web/**", "ops/**"]
"""
    more = {"log/0001-a.md": nygard(1, "A", "Accepted"), "t/one.md": matter(id="9", title="Nine", depends_on="8")}
    layer = ordinary(tmp_path, CODE | more | {"contextc.toml": toml})
    assert layer.uris == ["adr/1", "implementation/src/api/user.py", "issue/9", "rule/ops/restart.md"]
    assert [layer[uri].source_class for uri in layer.uris] == ["choices", "source", "tickets", "runbooks"]
    assert layer.given(paths=["src/api/user.py"])["rule/ops/restart.md"] == "contract"
    assert [finding.reference for finding in layer.findings] == ["8"]


def test_an_edge_relates_all_files_of_two_groups(tmp_path: Path) -> None:
    toml = 'version = 1\n[[edge]]\nkind = "governed_by"\nfrom = ["src/**"]\nto = ["ops/restart.md"]\n'
    layer = ordinary(tmp_path, CODE | {"contextc.toml": toml})
    assert layer.edges("governed_by") == [
        ("implementation/src/api/user.py", "knowledge/ops/restart.md"),
        ("implementation/src/web/app.ts", "knowledge/ops/restart.md"),
    ]
    given = layer.given(uris=["contextc://implementation/src/api/user.py"])
    assert given["knowledge/ops/restart.md"] == "governed_by"


def test_a_class_and_an_edge_that_match_nothing_are_remarks(tmp_path: Path) -> None:
    toml = """\
version = 1
[[class]]
id = "a"
kind = "rule"
paths = ["none/*"]
[[edge]]
kind = "tests"
from = ["src/**"]
to = ["none/*"]
"""
    layer = ordinary(tmp_path, CODE | {"contextc.toml": toml})
    assert layer.faults == [
        "warning contextc.toml required_source_empty",
        "warning contextc.toml:7 unresolved_reference",
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("rules", "rule"), ("decisions", "adr"), ("backlog", "issue"), ("codeowners", "owners"), ("commits", "session")],
)
def test_a_convention_can_be_switched_off(tmp_path: Path, name: str, kind: str) -> None:
    files = BACKLOG | {"AGENTS.md": "Rules.\n", "CODEOWNERS": "* @all\n"}
    place = repository(tmp_path / "repo", files)

    def count() -> int:
        objects = read(place, tmp_path / "cache").layer.objects
        return sum(one.kind == kind or kind in one.metadata for one in objects)

    assert count() > 0
    write(place, {"contextc.toml": f"version = 1\n[conventions]\n{name} = false\n"})
    commit(place)
    assert count() == 0


def test_conventions_take_more_directories(tmp_path: Path) -> None:
    more = 'decisions = "log"\nissues = ["tickets"]\nbacklog = ["plan"]\nmilestones = ["goals/"]\n'
    toml = "version = 1\n[conventions]\n" + more
    files = {
        "log/0001-a.md": nygard(1, "A", "Accepted"),
        "tickets/7.md": "# Seven\n",
        "plan/tasks/t-1 - A.md": matter(id="T-1", title="A"),
        "goals/1.yaml": "id: G1\ntitle: Goal\n",
        "contextc.toml": toml,
    }
    assert ordinary(tmp_path, files).uris == ["adr/1", "issue/7", "issue/T-1", "milestone/G1"]


WRONG = [
    ("", 1, "version"),
    ("version = 2\n", 1, "version"),
    ("version = true\n", 1, "version"),
    ("version = 1\nversion = 1\n", 2, "TOML"),
    ("version = 1\n[[class]\n", 2, "TOML"),
    ("version = 1\n\nclasses = []\n", 3, "unknown key 'classes'"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "rule"\npaths = ["a"]\ncolour = 1\n', 6, "unknown key 'colour'"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "rules"\npaths = ["a"]\n', 4, "expected one of rule"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "rule"\n', 2, "paths"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "rule"\npaths = []\n', 5, "paths"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "rule"\npaths = ["../x"]\n', 5, "from the root"),
    ('version = 1\n[[class]]\nid = "a"\nkind = "adr"\npaths = ["x"]\napplies_to = ["y"]\n', 6, "rule"),
    ('version = 1\n[[class]]\nkind = "adr"\npaths = ["x"]\n', 2, "id"),
    (
        "version = 1\n" + '[[class]]\nid = "a"\nkind = "adr"\npaths = ["x"]\n' * 2,
        7,
        "two classes",
    ),
    ('version = 1\n[[edge]]\nkind = "is_a"\nfrom = ["a"]\nto = ["b"]\n', 3, "expected one of"),
    ('version = 1\n[[edge]]\nkind = "tests"\nfrom = "a"\n', 2, "`to`"),
    ("version = 1\nedge = 3\n", 2, r"\[\[edge\]\]"),
    ("version = 1\n[conventions]\nbeads = 3\n", 3, "true or false"),
    ("version = 1\n[conventions]\nbead = true\n", 3, "unknown key 'bead'"),
    ("version = 1\nconventions = 3\n", 2, "conventions"),
]


@pytest.mark.parametrize(("text", "line", "says"), WRONG)
def test_what_is_wrong_is_an_error_with_file_and_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        ordinary(tmp_path, CODE | {"contextc.toml": text})
    assert raised.value.where == f"contextc.toml:{line}"


def test_every_edge_that_may_be_declared_is_followed() -> None:
    assert set(EDGE_KINDS) == set(EDGES)


def test_a_configuration_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected text"):
        ordinary(tmp_path, CODE | {"contextc.toml": b"\0\0"})


def test_init_explains_what_is_found_and_changes_nothing(tmp_path: Path) -> None:
    files = BACKLOG | SPECKIT | CODE | {"AGENTS.md": "Rules.\n", "rfcs/001-a.md": "# A\n"}
    files |= {"rfcs/002-b.md": "# B\n", "rfcs/003-c.md": "# C\n"}
    place = repository(tmp_path / "repo", files)
    session = Session(cache_dir=str(tmp_path / "cache"))
    proposal = run(InitInput(root=str(place)), session)
    assert not (place / "contextc.toml").exists()
    lines = proposal.text.splitlines()
    assert "# Here: 1 of kind adr, in backlog/decisions." in lines
    assert "# 3 numbered documents in rfcs: if these are decisions, take the signs `# ` away." in lines
    # Every line that says something stands below one that explains it.
    assert all(before.startswith("#") for before, line in itertools.pairwise(lines) if "=" in line[:20])
    before = read(place, tmp_path / "cache").layer.objects
    write(place, {"contextc.toml": proposal.text})
    commit(place)
    after = read(place, tmp_path / "cache").layer.objects
    assert [one for one in after if one.kind != "session"] == [one for one in before if one.kind != "session"]


def test_what_init_proposes_in_comments_can_be_read_too(tmp_path: Path) -> None:
    files = CODE | {f"rfcs/00{number}-a.md": "# A\n" for number in (1, 2, 3)}
    place = repository(tmp_path / "repo", files)
    text = run(InitInput(root=str(place)), Session(cache_dir=str(tmp_path / "cache"))).text
    bare = "\n".join(line.removeprefix("# ") if " = " in line or "[[" in line else line for line in text.split("\n"))
    config = read_config(bare)
    assert [one.id for one in config.classes] == ["rfcs", "runbooks"]
    assert [one.kind for one in config.edges] == ["governed_by"]


def test_init_writes_only_where_nothing_is(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", CODE)
    session = Session(cache_dir=str(tmp_path / "cache"))
    written = run(InitInput(root=str(place / "src"), write=True), session)
    assert written.written
    assert (place / "contextc.toml").read_text() == written.text
    with pytest.raises(InputError, match="there is one"):
        run(InitInput(root=str(place), write=True), session)
    (place / "contextc.toml").unlink()
    (place / "contextc.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(InputError, match="there is one"):
        run(InitInput(root=str(place), write=True), session)
    assert not (tmp_path / "outside.toml").exists()


def test_init_leaves_a_repository_with_a_layer_alone(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", {".ai/manifest.yaml": "schema: ai-repository/v1\n"})
    with pytest.raises(InputError, match=r"has an .\.ai. layer"):
        run(InitInput(root=str(place)), Session())
