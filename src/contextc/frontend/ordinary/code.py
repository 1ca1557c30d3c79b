"""Relations of code: what it imports, what a test tests, who owns it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from contextc.core.records.layer import Relation
from contextc.frontend.index import IndexView
from contextc.frontend.ordinary.base import Draft, Repository
from contextc.frontend.ordinary.imports import Imports
from contextc.frontend.select.tested import subject
from contextc.frontend.sources import display_path

#: Sources that a test may be of by its imports; one that imports more uses them.
MOST_TESTED = 3
#: Sources that a test may be of by its name; a name that fits more says nothing.
MOST_NAMED = 2

_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)


def go_modules(repository: Repository) -> list[tuple[str, str]]:
    """The Go modules of the snapshot: module path and directory."""
    found = []
    for path in repository.tree.paths:
        if path == "go.mod" or path.endswith("/go.mod"):
            match = _MODULE.search(repository.text(path) or "")
            if match:
                found.append((match.group(1), posixpath.dirname(path)))
    return found


def code_relations(
    view: IndexView, drafts: Sequence[Draft], modules: Sequence[tuple[str, str]]
) -> dict[str, tuple[Relation, ...]]:
    """For each file of code and each test, by path, what it imports and what it tests."""
    kinds = {draft.path: draft.kind for draft in drafts if draft.kind in ("implementation", "test")}
    imports = Imports(view.files, modules)
    stems = _stems(kinds)
    found: dict[str, tuple[Relation, ...]] = {}
    for file in view.files:
        kind = kinds.get(file.path)
        if kind is None:
            continue
        uses = [path for path in imports.of(file) if path in kinds]
        tested = _tested(file.path, uses, kinds, stems) if kind == "test" else []
        relations = [Relation("tests", f"file:{display_path(path)}") for path in tested]
        relations += [Relation("imports", f"file:{display_path(path)}") for path in uses if path not in tested]
        if relations:
            found[file.path] = tuple(relations)
    return found


def _stems(kinds: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, kind in kinds.items():
        if kind == "implementation":
            found.setdefault(_stem(path), []).append(path)
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower().strip("_-")


def _tested(path: str, uses: Sequence[str], kinds: Mapping[str, str], stems: Mapping[str, list[str]]) -> list[str]:
    """What a test is of: the sources that bear its name, and what it imports where that is little."""
    name = subject(path)
    named = stems.get(name, [])
    if len(name) < 2:  # says little, but beside the code
        named = [one for one in named if posixpath.dirname(one) == posixpath.dirname(path)]
    imported = [use for use in named if use in uses]
    if imported:
        named = imported
    elif len(named) > 1:
        folders = set(path.split("/")[:-1])
        shared = {one: len(folders & set(one.split("/")[:-1])) for one in named}
        named = [one for one in named if shared[one] == max(shared.values())]
    by_name = sorted(named) if len(named) <= MOST_NAMED else []
    sources = [use for use in uses if kinds[use] == "implementation"]
    return sorted({*by_name, *(sources if len(sources) <= MOST_TESTED else ())})
