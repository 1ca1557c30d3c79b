"""The layer of a repository, whichever kind it is: the `.ai` layer it keeps, or the one that conventions make of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from contextc.core.records.layer import Layer
from contextc.errors import NotFound
from contextc.frontend.index import IndexView, open_index
from contextc.frontend.layer.gitfacts import git_at
from contextc.frontend.layer.manifest import MANIFEST
from contextc.frontend.layer.workspace import Reader, View, Workspace, layer_reader, state_of
from contextc.frontend.ordinary import layer_root, read_layer
from contextc.frontend.sources import Snapshot, Source


class Placed(NamedTuple):
    """The state of a layer. `prefix` is the path of its root in the snapshot: empty, or ending in `/`."""

    view: View
    prefix: str


def open_workspace(root: str, cache_dir: Path | None = None) -> Workspace:
    """The repository that `root` is in, opened to be asked often. Raises what opening a repository raises."""
    if not Path(root).is_dir():
        raise NotFound("there is no such directory", where=root)
    layered = layer_root(root)
    return Workspace(layered) if layered is not None else Workspace(root, _ordinary(cache_dir))


def _ordinary(cache_dir: Path | None) -> Reader:
    """Reads the layer of an ordinary repository from its snapshots, with the help of the index."""

    def read(source: Source, snapshot: Snapshot) -> Layer:
        return read_layer(source, snapshot, open_index(source, snapshot, cache_dir=cache_dir))

    return read


def layer_of(source: Source, snapshot: Snapshot, view: IndexView, start: Path) -> Placed:
    """The layer of a snapshot: the `.ai` layer nearest to `start` in it, else the ordinary one.

    Raises `InputError` for a layer whose manifest, classes or scope cannot be read.
    """
    git = git_at(str(source.root))
    prefix = _prefix(source, snapshot, start)
    if prefix is None:
        return Placed(state_of(read_layer(source, snapshot, view), source.root, git, snapshot), "")
    root = source.root / prefix
    return Placed(state_of(layer_reader(root)(source, snapshot), root, git, snapshot), prefix)


def _prefix(source: Source, snapshot: Snapshot, start: Path) -> str | None:
    """The directory of the nearest manifest that is listed, at `start` or above it; None without any."""
    listed = {entry.path for entry in snapshot.entries}
    top, place = source.root.resolve(), start.resolve()
    inside = place.relative_to(top).as_posix() if place.is_relative_to(top) else "."
    folder = "" if inside == "." else f"{inside}/"
    while f"{folder}{MANIFEST}" not in listed:
        if not folder:
            return None
        folder = folder.rstrip("/").rpartition("/")[0]
        folder = f"{folder}/" if folder else ""
    return folder
