"""One pass over paths on disk: what each of them is, and the blob id of its bytes."""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

from contextc.frontend.sources.base import SIZE_LIMIT, Entry, EntryKind, Omission, Stamp, StatCache
from contextc.frontend.sources.blobs import blob_id
from contextc.frontend.sources.disk import Blocked, Disk, not_regular, oversized
from contextc.frontend.sources.listing import submodule_omission, symlink_omission
from contextc.frontend.sources.paths import to_bytes, to_text
from contextc.frontend.sources.stamps import settled, stamp_of, unchanged

#: Hexadecimal digits of an id, to tell a hint made with the other hash.
_DIGITS = {"sha1": 40, "sha256": 64}

#: Bytes of files read while listing that are kept for `read`, so that a first run opens each file once. Larger trees
#: open some files a second time rather than fill the memory.
KEPT_BYTES = 64_000_000


class Survey:
    """Collects `entries` and `omitted`. Use as a context manager; give paths in git's order, so that a directory is
    opened once. `hints` are stamps of an earlier run; `clock` gives nanoseconds since the epoch.
    """

    def __init__(self, root: bytes, algorithm: str, hints: Mapping[str, Stamp], clock: Callable[[], int]) -> None:
        self.entries: list[Entry] = []
        self.omitted: list[Omission] = []
        self.kept: dict[str, tuple[str, bytes]] = {}
        self._room = KEPT_BYTES
        self._fresh: dict[str, Stamp | None] = {}
        self._hints = hints
        self._algorithm = algorithm
        self._before = clock()
        self._disk = Disk(root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._disk.__exit__(kind, error, at)

    def look(self, raw: bytes, path: str, tracked: EntryKind | None = None, known: str = "") -> str:
        """Record the path as it is on disk and return the blob id of its bytes, "" where they are not to be had.

        `tracked` is the kind git has for it (None: untracked), `known` the blob id git has. Whether a tracked file is
        executable is git's word: many file systems cannot tell. Raises `Blocked` for what is absent or may not be
        read; the caller records it.
        """
        found = self._disk.stat(raw)
        mode = found.st_mode
        if stat.S_ISREG(mode):
            hint = self._hints.get(path)
            if hint is not None and unchanged(hint, found) and len(hint.oid) == _DIGITS[self._algorithm]:
                oid, size = hint.oid, found.st_size
            else:
                oid, size = self._hash(raw, path, found.st_size)
            if tracked == "symlink" and oid == known:
                # core.symlinks=false: a link checked out as a small file that holds its target.
                return self._link(path, self._bytes(raw, path))
            executable = tracked == "executable" or (tracked != "file" and mode & stat.S_IXUSR != 0)
            self.entries.append(Entry(path, "executable" if executable else "file", oid, size))
            return oid
        if stat.S_ISLNK(mode):
            return self._link(path, self._disk.readlink(raw))
        raise not_regular(mode)

    def look_untracked(self, raw: bytes) -> None:
        """Record a path as git lists those it does not track: `name/` is another repository inside the tree."""
        path = to_text(raw)
        if raw.endswith(b"/"):
            self.omitted.append(submodule_omission(path.rstrip("/"), ""))
            return
        try:
            self.look(raw, path)
        except Blocked as blocked:
            self.leave_out(path, blocked)

    def look_named(self, named: Sequence[str]) -> None:
        """Record the paths somebody named that are not listed yet; a directory or nothing at a path says nothing."""
        if not named:
            return
        listed = {entry.path for entry in self.entries}.union(item.path for item in self.omitted)
        for path in sorted(set(named) - listed - {""}):
            raw = to_bytes(path)
            try:
                if not stat.S_ISDIR(self._disk.stat(raw).st_mode):
                    self.look(raw, path)
            except Blocked as blocked:
                if blocked.reason != "deleted":
                    self.leave_out(path, blocked)

    def leave_out(self, path: str, blocked: Blocked) -> None:
        """Record a path that is not read."""
        self.omitted.append(Omission(path, blocked.reason, blocked.detail))

    def remember(self, cache: StatCache) -> None:
        """Hand the stamps that can be trusted later to a cache."""
        if self._fresh:
            cache.put(self._fresh)

    def _hash(self, raw: bytes, path: str, size: int) -> tuple[str, int]:
        if size > SIZE_LIMIT:
            raise oversized(size)
        data, found = self._disk.read(raw)
        oid = blob_id(data, self._algorithm)
        if len(data) <= self._room:
            self._room -= len(data)
            self.kept[path] = (oid, data)
        if len(data) == found.st_size and settled(found, self._before):
            self._fresh[path] = stamp_of(found, oid)
        elif path in self._hints:
            self._fresh[path] = None
        return oid, len(data)

    def _bytes(self, raw: bytes, path: str) -> bytes:
        kept = self.kept.get(path)
        return kept[1] if kept is not None else self._disk.read(raw)[0]

    def _link(self, path: str, target: bytes) -> str:
        oid = blob_id(target, self._algorithm)
        self.entries.append(Entry(path, "symlink", oid, len(target)))
        self.omitted.append(symlink_omission(path, target))
        return oid
