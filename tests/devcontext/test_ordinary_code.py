"""Code, tests, documents, owners and history of an ordinary repository; and hostile ones."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.devcontext.builder import commit, git, repository, write
from tests.devcontext.ordinary_builder import matter, ordinary, read
from tests.devcontext.test_ordinary_work import BACKLOG

from contextc.core.records.canonical import canonical_json
from contextc.errors import NotFound, RepositoryError
from contextc.frontend.ordinary import layer_root
from contextc.frontend.ordinary.base import path_identity
from contextc.frontend.ordinary.commits import MOST_PATHS

#: Files; from which file to which an import leads.
IMPORTS = [
    ({"pkg/__init__.py": "", "pkg/a.py": "from . import b\n", "pkg/b.py": ""}, "pkg/a.py", ["pkg/b.py"]),
    ({"pkg/__init__.py": "", "pkg/a.py": "from .b import x\n", "pkg/b.py": "x = 1\n"}, "pkg/a.py", ["pkg/b.py"]),
    ({"src/pkg/__init__.py": "", "src/pkg/b.py": "", "a.py": "import pkg.b\n"}, "a.py", ["src/pkg/b.py"]),
    ({"src/pkg/__init__.py": "x = 1\n", "a.py": "from pkg import x\n"}, "a.py", ["src/pkg/__init__.py"]),
    ({"p/q/__init__.py": "", "p/q/a.py": "from ..r import b\n", "p/r/b.py": ""}, "p/q/a.py", ["p/r/b.py"]),
    ({"a.py": "import os\nfrom nothing import x\n"}, "a.py", []),
    ({"src/a.ts": 'import { b } from "./b";\n', "src/b.ts": "export const b = 1;\n"}, "src/a.ts", ["src/b.ts"]),
    ({"src/a.ts": 'import { b } from "./b.js";\n', "src/b.ts": "export const b = 1;\n"}, "src/a.ts", ["src/b.ts"]),
    ({"a.js": 'const b = require("./lib");\n', "lib/index.js": "module.exports = 1;\n"}, "a.js", ["lib/index.js"]),
    ({"a.tsx": 'import x from "react";\nimport "./gone";\n'}, "a.tsx", []),
    (
        {"go.mod": "module example.org/m\n", "main.go": 'package main\nimport "example.org/m/in"\n',
         "in/a.go": "package in\n",
         "in/a_test.go": "package in\n"},
        "main.go", ["in/a.go"],
    ),
    ({"src/lib.rs": "mod a;\nuse crate::a::x;\n", "src/a.rs": "pub fn x() {}\n"}, "src/lib.rs", ["src/a.rs"]),
    (
        {"src/lib.rs": "", "src/a/mod.rs": "", "src/a/b.rs": "use super::c;\nuse crate::d::Y;\n",
         "src/a/c.rs": "", "src/d.rs": ""},
        "src/a/b.rs", ["src/a/c.rs", "src/d.rs"],
    ),
    (
        {"m/src/org/A.java": "package org;\nimport org.in.B;\nclass A {}\n",
         "m/src/org/in/B.java": "package org.in;\nclass B {}\n"},
        "m/src/org/A.java", ["m/src/org/in/B.java"],
    ),
    ({"a.c": '#include "b.h"\n#include <stdio.h>\n', "b.h": "int x;\n"}, "a.c", ["b.h"]),
    ({"src/a.cpp": '#include <lib/b.hpp>\n', "include/lib/b.hpp": "int x;\n"}, "src/a.cpp", ["include/lib/b.hpp"]),
    ({"a.rb": 'require_relative "lib/b"\nrequire "json"\n', "lib/b.rb": "X = 1\n"}, "a.rb", ["lib/b.rb"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "origin", "targets"), IMPORTS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_imports_lead_to_files_of_the_repository(
    tmp_path: Path, files: dict[str, str], origin: str, targets: list[str]
) -> None:
    edges = ordinary(tmp_path, files).edges("imports")
    found = [target.partition("/")[2] for source, target in edges if source == f"implementation/{origin}"]
    assert found == targets


def test_of_two_modules_of_one_name_the_nearest_is_meant(tmp_path: Path) -> None:
    files = {"one/util.py": "", "two/util.py": "", "two/a.py": "import util\n", "one/a.py": "import util\n"}
    assert ordinary(tmp_path, files).edges("imports") == [
        ("implementation/one/a.py", "implementation/one/util.py"),
        ("implementation/two/a.py", "implementation/two/util.py"),
    ]


TESTS = [
    ({"src/session.py": "", "tests/test_session.py": "x = 1\n"}, [("tests/test_session.py", "src/session.py")]),
    ({"src/session.ts": "", "src/session.spec.ts": "export {};\n"}, [("src/session.spec.ts", "src/session.ts")]),
    ({"a/Session.java": "", "t/test/SessionTest.java": ""}, [("t/test/SessionTest.java", "a/Session.java")]),
    ({"in/a.go": "package in\n", "in/a_test.go": "package in\n"}, [("in/a_test.go", "in/a.go")]),
    ({"src/a.py": "", "tests/test_all.py": "from src import a\n"}, [("tests/test_all.py", "src/a.py")]),
    (
        {"src/cart.py": "", "tests/test_cart.py": "", "tests/test_flow.py": "from src import cart\n"},
        [("tests/test_cart.py", "src/cart.py")],
    ),
    ({"src/a.py": ""} | {f"tests/test_{n}x.py": "from src import a\n" for n in range(6)}, []),
    ({"one/s.py": "", "two/s.py": "", "tests/test_s.py": "", "three/s.py": ""}, []),
    (
        {"one/util.py": "", "two/util.py": "", "two/tests/test_util.py": ""},
        [("two/tests/test_util.py", "two/util.py")],
    ),
]


@pytest.mark.parametrize(("files", "pairs"), TESTS, ids=lambda value: "")
def test_a_test_is_of_the_code_it_is_named_after_or_imports(
    tmp_path: Path, files: dict[str, str], pairs: list[tuple[str, str]]
) -> None:
    found = ordinary(tmp_path, files).edges("tests")
    assert found == [(f"test/{test}", f"implementation/{code}") for test, code in pairs]


def test_files_are_what_their_names_say(tmp_path: Path) -> None:
    files = {
        "src/a.py": "x = 1\n", "pyproject.toml": "", "examples/e.py": "", "tests/test_b.py": "",
        "docs/guide.md": "# The guide\n",
        "README.md": "# Project\n", "CHANGELOG.md": "# Changes\n", "LICENSE": "MIT\n", "package-lock.json": "{}\n",
        "vendor/x.py": "", "gen.py": "# @generated\n", "data.csv": "a,b\n",
    }  # fmt: skip
    layer = ordinary(tmp_path, files)
    assert layer.uris == [
        "document/CHANGELOG.md", "document/LICENSE", "implementation/examples/e.py", "implementation/pyproject.toml",
        "implementation/src/a.py", "knowledge/README.md", "knowledge/docs/guide.md", "test/tests/test_b.py",
    ]  # fmt: skip
    assert layer["knowledge/docs/guide.md"].title == "The guide"
    tiers = {
        one.uri.partition("://")[2].partition("/")[0]: one.tier for one in layer.ask(intent="guide changes").selected
    }
    assert tiers == {"knowledge": "knowledge", "document": "history"}


def test_a_document_is_found_from_the_code_whose_path_it_names(tmp_path: Path) -> None:
    files = {
        "docs/guide.md": "# Guide\n\nSee `src/a.py`, [the other](other.md) and nothing/at/all.py.\n",
        "docs/other.md": "# Other\n",
        "src/a.py": "x = 1\n",
    }
    layer = ordinary(tmp_path, files)
    assert layer.edges("mentions") == [
        ("knowledge/docs/guide.md", "implementation/src/a.py"),
        ("knowledge/docs/guide.md", "knowledge/docs/other.md"),
    ]
    assert not layer.findings
    assert layer.given(uris=["contextc://implementation/src/a.py"])["knowledge/docs/guide.md"] == "mentions"


CODEOWNERS = """\
# everybody
*           @all
*.py        @python   # inline
/src/api/   @api @ann
docs/*      @docs
src/**/x.py @deep
/src/free/
!src/no
[Section] @group
sect/
"""
OWNERS = [
    ("a.ts", "@all"), ("a.py", "@python"), ("src/api/u.py", "@api, @ann"), ("in/src/api/u.ts", "@all"),
    ("docs/a.md", "@docs"), ("docs/in/a.md", "@all"), ("src/one/two/x.py", "@deep"), ("src/free/a.py", None),
    ("sect/a.py", "@group"),
]  # fmt: skip


@pytest.mark.parametrize("place", [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"])
def test_owners_are_facts_and_the_last_match_counts(tmp_path: Path, place: str) -> None:
    layer = ordinary(tmp_path, {path: "x\n" for path, _ in OWNERS} | {place: CODEOWNERS})
    uris = [f"contextc://{one.kind}/{one.identity}" for one in layer.layer.objects]
    facts = {one.provenance.path: one.facts.get("owners") for one in layer.ask(uris=uris).selected}
    assert {path: facts[path] for path, _ in OWNERS} == dict(OWNERS)
    assert layer.faults == [f"warning {place}:8 malformed_record"]


def test_recent_commits_are_given_to_work_on_what_they_changed(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", {"src/a.py": "x = 1\n", "src/b.py": "y = 1\n"})
    write(place, {"src/a.py": "x = 2\n"})
    git(place, "commit", "-q", "-a", "-m", "Make a two\n\nSee src/b.py.")
    head = git(place, "rev-parse", "HEAD")[:12]
    layer = read(place, tmp_path / "cache")
    assert layer[f"session/{head}"].title == "Make a two"
    answer = layer.ask(paths=["src/a.py"])
    entry = next(one for one in answer.selected if one.uri == f"contextc://session/{head}")
    assert (entry.tier, entry.discovered_by[0].selector) == ("knowledge", "session_state")
    assert "changed 1 file" in entry.discovered_by[0].reason
    assert f"session/{head}" not in layer.given(paths=["src/b.py"])


def test_a_commit_that_changes_very_much_says_nothing_and_a_secret_in_a_message_is_not_shown(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", {f"src/f{number}.py": "x = 1\n" for number in range(MOST_PATHS + 1)})
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"[:36]
    write(place, {"src/f1.py": "x = 2\n"})
    git(place, "commit", "-q", "-a", "-m", f"Use {token}")
    layer = read(place, tmp_path / "cache")
    (only,) = layer.of("session")
    assert only == git(place, "rev-parse", "HEAD")[:12]
    assert token.encode() not in canonical_json(layer.ask(paths=["src/f1.py"]))
    assert all(token not in one.content for one in layer.layer.objects)


def test_a_changed_byte_is_another_fingerprint_and_the_same_tree_the_same(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", BACKLOG)
    first = read(place, tmp_path / "one").layer
    assert read(place, tmp_path / "two").layer == first
    write(place, {"src/records.py": "def write():\n    return 2\n"})
    assert read(place, tmp_path / "one").layer.fingerprint != first.fingerprint


def test_the_kind_of_a_repository(tmp_path: Path) -> None:
    layered = repository(tmp_path / "layered", {".ai/manifest.yaml": "", "src/a.py": ""})
    assert layer_root(layered / "src") == layered.resolve()
    inner = repository(tmp_path / "layered" / "inner", {"a.py": ""})
    assert layer_root(inner) is None
    old = repository(tmp_path / "old", {".majordomus/x": ""})
    with pytest.raises(RepositoryError, match="legacy"):
        layer_root(old)
    with pytest.raises(NotFound):
        layer_root(tmp_path / "nothing")


def test_names_of_any_bytes_are_shown_quoted(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path / "repo")
    os.makedirs(root + b"/issues")
    for name in (b"bad\xff.py", b"new\nline.py", b"issues/7-\xfe.md"):
        with open(root + b"/" + name, "wb") as file:
            file.write(b"# Seven\n")
    layer = ordinary(tmp_path, {"AGENTS.md": "Rules.\n", "issues/8.md": "# Eight\n\nSee AGENTS.md.\n"})
    assert layer.of("implementation") == ['"bad\\377.py"', '"new\\nline.py"']
    assert layer.of("issue") == ["7", "8"]
    assert layer["issue/7"].path == '"issues/7-\\376.md"'
    assert layer.edges("touches") == [("issue/8", "rule/AGENTS.md")]
    answer = layer.ask(issue="7", paths=['"bad\\377.py"'])
    assert '"bad\\\\377.py"' in canonical_json(answer).decode().replace('\\"', '"')


def test_a_path_that_ends_like_a_version_is_none() -> None:
    assert [path_identity(path) for path in ("a@2", "a@2/b", "a@b")] == ["a%402", "a@2/b", "a@b"]


def test_links_huge_files_and_secrets_are_never_objects(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Outside\n")
    place = tmp_path / "repo"
    (place / "issues").mkdir(parents=True)
    (place / "issues" / "1.md").symlink_to(outside)
    (place / "docs").symlink_to(tmp_path)
    key = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2"[:36]
    files = {
        "issues/2.md": f"# Two\n\nUse {key}\n",
        "issues/3.md": "# Three\n" + "x" * 2_000_001,
        "issues/4.md": "# Four\n\nSee .env and issues/2.md.\n",
        ".env": "PASSWORD=hunter2-not-for-you\n",
        ".beads/issues.jsonl": json.dumps({"id": "bd-1", "title": key}) + "\n",
    }
    layer = ordinary(tmp_path, files)
    assert layer.of("issue") == ["4"]
    written = canonical_json(layer.ask(issue="4", paths=["issues", ".env"])) + canonical_json(
        [layer.layer.diagnostics, [one.content for one in layer.layer.objects]]
    )
    assert key.encode() not in written
    assert b"hunter2" not in written
    assert b"Outside" not in written


def test_half_characters_in_json_become_question_marks(tmp_path: Path) -> None:
    layer = ordinary(
        tmp_path, {".beads/issues.jsonl": '{"id": "bd-1", "title": "a\\ud800b", "description": "\\udfff"}\n'}
    )
    assert layer["issue/bd-1"].title == "a?b"
    layer.ask(issue="bd-1")


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"id":' * 50_000, '[{"number": 1, "title": "x", "body": ' + '"#' * 9 + "}]", "9" * 5_000, ""],
    ids=["lists", "maps", "quotes", "digits", "empty"],
)
def test_hostile_records_end_in_diagnostics(tmp_path: Path, text: str) -> None:
    files = {
        "issues.json": text, ".beads/issues.jsonl": text + "\n", "issues/1.yaml": text,
        "issues/2.md": f"---\nid: {text[:2000]}\n---\n", "specs/001-a/tasks.md": f"- [ ] T001 {text}\n- [ ] {text}",
        "CODEOWNERS": text,
    }  # fmt: skip
    layer = ordinary(tmp_path, files)
    layer.ask(paths=["issues"])


def test_long_records_are_read_in_linear_time(tmp_path: Path) -> None:
    # Each of these would take minutes where a pattern searched again and again from every place.
    text = (
        "a" * 50_000 + "\n" + "- " * 20_000 + "\n" + "#1, " * 10_000 + "\n" + "x/" * 30_000 + "\n" + "a-" * 20_000
    ) * 2
    files = {
        "issues/1.md": f"# One\n\n{text}",
        "issues.json": json.dumps([{"number": 2, "title": "T", "body": "blocked by " + text}]),
        "specs/001-a/spec.md": "# A\n", "specs/001-a/tasks.md": f"- [ ] T001 depends on T1{', T1' * 1000} {text}",
        "backlog/tasks/a-1 - A.md": matter(text, id="A-1", title="A"),
    }  # fmt: skip
    assert len(ordinary(tmp_path, files).of("issue")) == 4


def test_a_commit_of_a_branch_is_not_read_before_it_is_there(tmp_path: Path) -> None:
    place = repository(tmp_path / "repo", {"src/a.py": "x = 1\n"})
    before = read(place, tmp_path / "cache").of("session")
    git(place, "checkout", "-q", "-b", "ahead")
    write(place, {"src/a.py": "x = 3\n"})
    commit(place)
    git(place, "checkout", "-q", "master")
    assert read(place, tmp_path / "cache").of("session") == before
