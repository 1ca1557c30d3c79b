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
#: Tests by their imports that a source may have; what more of them import is a part of everything.
MOST_TESTS = 5
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
    uses = {file.path: [use for use in imports.of(file) if use in kinds] for file in view.files if file.path in kinds}
    tested = _tested(kinds, uses)
    found: dict[str, tuple[Relation, ...]] = {}
    for path, used in uses.items():
        of = tested.get(path, ())
        relations = [Relation("tests", f"file:{display_path(one)}") for one in of]
        relations += [Relation("imports", f"file:{display_path(one)}") for one in used if one not in of]
        if relations:
            found[path] = tuple(relations)
    return found


def _tested(kinds: Mapping[str, str], uses: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """What each test is of: the sources that bear its name; and of those that no test is named after, what it
    imports, where that is little and few tests do."""
    stems = _stems(kinds)
    tests = [path for path, kind in kinds.items() if kind == "test" and path in uses]
    found = {path: _by_name(path, uses[path], stems) for path in tests}
    named = {source for sources in found.values() for source in sources}
    by_import: dict[str, list[str]] = {}
    for path in tests:
        sources = [use for use in uses[path] if kinds[use] == "implementation"]
        for source in sources if len(sources) <= MOST_TESTED else ():
            if source not in named:
                by_import.setdefault(source, []).append(path)
    for source, importers in by_import.items():
        for path in importers if len(importers) <= MOST_TESTS else ():
            found[path].append(source)
    return {path: tuple(sorted(sources)) for path, sources in found.items()}


def _stems(kinds: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, kind in kinds.items():
        if kind == "implementation":
            found.setdefault(_stem(path), []).append(path)
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower().strip("_-")


def _by_name(path: str, uses: Sequence[str], stems: Mapping[str, list[str]]) -> list[str]:
    """The sources that bear the name of a test: those it imports, else those that share the most folders with it."""
    name = subject(path)
    named = stems.get(name, [])
    imported = [use for use in named if use in uses]
    if imported:
        named = imported
    elif len(name) < 2:  # says little, but beside the code
        named = [one for one in named if posixpath.dirname(one) == posixpath.dirname(path)]
    elif len(named) > 1:
        folders = set(path.split("/")[:-1])
        shared = {one: len(folders & set(one.split("/")[:-1])) for one in named}
        named = [one for one in named if shared[one] == max(shared.values())]
    return list(named) if len(named) <= MOST_NAMED else []
