"""A repository with a layer, opened once and asked often: reads again only what has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from contextc.core.records.layer import GitFacts, Layer, LocalState
from contextc.errors import InputError
from contextc.frontend.layer.gitfacts import facts, git_at, named_commits, times
from contextc.frontend.layer.index import Files, build_layer
from contextc.frontend.layer.local import Here, local_state, thresholds
from contextc.frontend.layer.manifest import find_root
from contextc.frontend.layer.witness import Witness
from contextc.frontend.sources import Entry, MemoryStatCache, Snapshot, Source, open_source
from contextc.frontend.sources.git import Git


class View(NamedTuple):
    """All that an answer is made of: the layer, what git says, what this checkout keeps. Equal views, equal answers."""

    layer: Layer
    git: GitFacts
    local: LocalState


#: Makes the layer of a snapshot.
Reader = Callable[[Source, Snapshot], Layer]


class Workspace:
    """The layer of a repository. Read-only. `root` is the directory that the paths of the layer are relative to, `read`
    makes the layer of a snapshot; without them those of the `.ai` layer that `start` is in.

    Raises `NotFound` without a layer, `RepositoryError` for a repository that cannot be opened.
    """

    def __init__(self, start: str | Path, read: Reader | None = None) -> None:
        if read is None:
            self.root = find_root(os.fspath(start))
        self._source: Source = open_source(start if read is not None else self.root, cache=MemoryStatCache())
        if read is not None:
            self.root = Path(os.path.realpath(self._source.root))
        self._read = read or layer_reader(self.root)
        self._git = git_at(str(self.root))
        self._known: tuple[str, Layer] | None = None
        self._kept: tuple[Witness, View] | None = None

    def view(self) -> View:
        """The state of things now: files, branch, head, working tree and local records are looked at every time.

        The same object as before while nothing has changed. Raises `InputError` for a manifest, classes or scope that
        cannot be read.
        """
        if self._kept is not None and self._kept[0].holds():
            return self._kept[1]
        self._kept = None
        witness = Witness.begin(self._git, self._source.root, self.root)
        snapshot = self._source.snapshot()
        key = f"{snapshot.commit} {snapshot.digest}"
        if self._known is None or self._known[0] != key:
            self._known = (key, self._read(self._source, snapshot))
        layer = self._known[1]
        view = state_of(layer, self.root, self._git, snapshot)
        if witness is not None:
            named = {*named_commits(layer.objects), *(record.facts.get("head", "") for record in view.local.records)}
            finished = witness.finish(snapshot, named - set(view.git.commit_times))
            self._kept = (finished, view) if finished is not None else None
        return view


def layer_reader(root: Path) -> Reader:
    """Reads the `.ai` layer at `root` from snapshots of the repository that holds it."""

    def read(source: Source, snapshot: Snapshot) -> Layer:
        return build_layer(files_of(source, snapshot, prefix_of(source.root, root)))

    return read


def state_of(layer: Layer, root: Path, git: Git | str, snapshot: Snapshot) -> View:
    """The layer of a snapshot with what git and this checkout say. A commit that was asked for has no local records."""
    commits = named_commits(layer.objects)
    if snapshot.kind == "commit":
        known = {} if isinstance(git, str) else times(git, commits)
        return View(layer, GitFacts(head=snapshot.commit, working_tree="clean", commit_times=known), LocalState())
    said = facts(git, snapshot, commits)
    head_time = None
    if said.head is not None and not isinstance(git, str):
        head_time = times(git, (said.head,)).get(said.head)
    here = Here(root, git, said.branch, said.head, head_time)
    return View(layer, said, local_state(here, thresholds(layer.objects)))


def files_of(source: Source, snapshot: Snapshot, prefix: str) -> Files:
    """The files of a snapshot below `prefix`, by their paths relative to it."""
    cut = len(prefix)
    originals = {entry.path[cut:]: entry for entry in snapshot.entries if entry.path.startswith(prefix)}

    def read(entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        return source.read([originals[entry.path] for entry in entries])

    return Files(
        {path: structs.replace(entry, path=path) if cut else entry for path, entry in originals.items()},
        {item.path[cut:]: item for item in snapshot.omitted if item.path.startswith(prefix)},
        read,
    )


def prefix_of(top: Path, root: Path) -> str:
    """The path of the layer's root relative to that of its repository, ending in `/`; empty when they are one."""
    place = os.path.relpath(root, os.path.realpath(top))
    if place == ".":
        return ""
    if place.startswith(".."):
        raise InputError("the layer lies outside the repository that holds it", where=str(root))
    return place + "/"
