"""A snapshot as conventions ask about it: which paths there are, and the text of one of them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from contextc.errors import ContextError
from contextc.frontend.index.base import IndexView
from contextc.frontend.sources import Snapshot, parse_display_path

_POINTS_TO = "it points to "


class Tree:
    """The paths of a snapshot, its links as far as they lead to one of its files, and texts by the index."""

    def __init__(self, view: IndexView, snapshot: Snapshot) -> None:
        self._view = view
        self._snapshot = snapshot

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Readable text files, ascending."""
        return tuple(file.path for file in self._view.files)

    @cached_property
    def known(self) -> frozenset[str]:
        """`paths` for asking."""
        return frozenset(self.paths)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every directory that holds a listed path, the root ("") included."""
        found = {""}
        for entry in self._snapshot.entries:
            folder = posixpath.dirname(entry.path)
            while folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def links(self) -> dict[str, str]:
        """Symlinks by name that point to a readable file of the snapshot, and that file. Nothing is followed on disk:
        the target is a listed path or it is none."""
        found: dict[str, str] = {}
        for item in self._snapshot.omitted:
            if item.reason == "symlink" and item.detail.startswith(_POINTS_TO):
                target = parse_display_path(item.detail.removeprefix(_POINTS_TO))
                if target in self.known:
                    found[item.path] = target
        return found

    @cached_property
    def unread(self) -> dict[str, str]:
        """Listed paths that cannot be read as text, with the reason."""
        found = {entry.path: "is not text" for entry in self._snapshot.entries if entry.path not in self.known}
        found.update((item.path, f"is left out ({item.reason})") for item in self._view.left_out)
        return found

    def text(self, path: str) -> str:
        """The text of a file of `paths`, without a byte order mark."""
        return self._view.text(path)

    def readable(self, path: str) -> str | None:
        """The text, None when its bytes cannot be had any more."""
        try:
            return self.text(path)
        except ContextError:
            return None

    def below(self, folder: str) -> Iterator[str]:
        """Paths below a directory, ascending; all of them below ""."""
        prefix = f"{folder}/" if folder else ""
        return (path for path in self.paths if path.startswith(prefix))


def chain(path: str, folders: Iterable[str]) -> list[str]:
    """The directories from the root to a path (which is one itself when it is in `folders`), outermost first."""
    known = folders if isinstance(folders, (set, frozenset)) else set(folders)
    at = path if path in known else posixpath.dirname(path)
    found = [at]
    while at:
        at = posixpath.dirname(at)
        found.append(at)
    return found[::-1]


def chains(paths: Sequence[str], folders: frozenset[str]) -> list[str]:
    """The directories of all chains, each once, by depth and then by name; the root alone without paths."""
    found = {folder for path in paths for folder in chain(path, folders)} | {""}
    return sorted(found, key=lambda folder: (depth_of(folder), folder))


def depth_of(folder: str) -> int:
    """How many directories lie above: 0 for the root."""
    return folder.count("/") + 1 if folder else 0


def joined(folder: str, name: str) -> str:
    """The path of a name in a directory."""
    return f"{folder}/{name}" if folder else name
