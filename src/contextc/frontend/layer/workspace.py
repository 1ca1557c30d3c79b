"""A repository with a layer, opened once and asked often: reads again only what has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from contextc.core.records.layer import GitFacts, Layer, LocalState
from contextc.errors import InputError
from contextc.frontend.layer.gitfacts import facts, git_at, named_commits, times
from contextc.frontend.layer.index import Files, build_layer
from contextc.frontend.layer.local import Here, local_state, thresholds
from contextc.frontend.layer.manifest import find_root
from contextc.frontend.sources import Entry, MemoryStatCache, Snapshot, Source, open_source


class View(NamedTuple):
    """All that an answer is made of: the layer, what git says, what this checkout keeps. Equal views, equal answers."""

    layer: Layer
    git: GitFacts
    local: LocalState


class Workspace:
    """The layer of the repository that `start` is in. Read-only.

    Raises `NotFound` without a layer, `RepositoryError` for a repository that cannot be opened.
    """

    def __init__(self, start: str | Path) -> None:
        self.root = find_root(os.fspath(start))
        self._source: Source = open_source(self.root, cache=MemoryStatCache())
        self._prefix = _below(self._source.root, self.root)
        self._git = git_at(str(self.root))
        self._known: tuple[str, Layer] | None = None

    def view(self) -> View:
        """The state of things now: files, branch, head, working tree and local records are looked at every time.

        Raises `InputError` for a manifest, classes or scope that cannot be read.
        """
        snapshot = self._source.snapshot()
        if self._known is None or self._known[0] != snapshot.digest:
            self._known = (snapshot.digest, build_layer(self._files(snapshot)))
        layer = self._known[1]
        git = facts(self._git, snapshot, named_commits(layer.objects))
        return View(layer, git, local_state(self._here(git), thresholds(layer.objects)))

    def _here(self, git: GitFacts) -> Here:
        head_time = None
        if git.head is not None and not isinstance(self._git, str):
            head_time = times(self._git, (git.head,)).get(git.head)
        return Here(self.root, self._git, git.branch, git.head, head_time)

    def _files(self, snapshot: Snapshot) -> Files:
        cut = len(self._prefix)
        originals = {entry.path[cut:]: entry for entry in snapshot.entries if entry.path.startswith(self._prefix)}

        def read(entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
            return self._source.read([originals[entry.path] for entry in entries])

        return Files(
            {path: structs.replace(entry, path=path) if cut else entry for path, entry in originals.items()},
            {item.path[cut:]: item for item in snapshot.omitted if item.path.startswith(self._prefix)},
            read,
        )


def _below(top: Path, root: Path) -> str:
    """The path of the layer's root relative to that of its repository, ending in `/`; empty when they are one."""
    place = os.path.relpath(root, os.path.realpath(top))
    if place == ".":
        return ""
    if place.startswith(".."):
        raise InputError("the layer lies outside the repository that holds it", where=str(root))
    return place + "/"
