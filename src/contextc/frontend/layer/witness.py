"""Whether anything has changed since a layer was read, told by looks at the disk alone.

A witness remembers what git's own files said (HEAD, the branch, the index), the stamp of every tracked file and of the
local records, and what every directory was. It holds while all of them are the same. Nothing is assumed: a stamp is
kept only when it was settled before the snapshot began (`stamps.settled`), as git does for its index. Where one was
not, or where git keeps its references in a way that is not understood here, there is no witness and everything is read
again.

Asking costs one `lstat` for each tracked file: 3,000 files take about four milliseconds.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Sequence
from operator import attrgetter, eq
from pathlib import Path
from typing import NamedTuple

from contextc.frontend.layer.local import STATE
from contextc.frontend.sources import Snapshot
from contextc.frontend.sources.git import Git
from contextc.frontend.sources.stamps import SETTLED_NS, settled

#: Bytes at the end of an index that are the checksum of all before (git: gitformat-index), of either hash.
_CHECKSUM = 32
#: Bytes of the shorter hash.
_LEAST = 20
#: Bytes that are read of files which hold a name or a few.
_SMALL = 4096

_stamp = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
Stamp = tuple[int, int, int, int]


class Witness(NamedTuple):
    """What was seen. `files` are regular files with their stamps, `folders` what each directory was, `gone` paths where
    nothing was, `refs` what git's own files said."""

    git: Git
    refs: tuple[object, ...]
    files: tuple[str, ...]
    stamps: tuple[Stamp, ...]
    folders: tuple[tuple[str, tuple[int, int]], ...]
    gone: tuple[str, ...]
    local: tuple[tuple[str, object], ...]
    stores: tuple[tuple[str, object], ...]
    root: str
    top: str
    before: int

    @classmethod
    def begin(cls, git: Git | str, top: Path, root: Path) -> Witness | None:
        """What git's own files and the local half say before anything is read; None where that does not suffice."""
        if isinstance(git, str):
            return None
        before = time.time_ns()
        refs = _refs(git, before)
        local = _local(str(root))
        if refs is None or not all(_settled(seen, before) for _, seen in local):
            return None
        return cls(git, refs, (), (), (), (), local, (), str(root), str(top), before)

    def finish(self, snapshot: Snapshot, unknown: Iterable[str]) -> Witness | None:
        """The witness with the stamps of all that a snapshot listed; None where a stamp cannot be trusted yet.

        `unknown` are commits that are named and not known to git: the places where they would arrive are watched.
        """
        if snapshot.kind != "worktree":
            return None
        # Of a submodule only the index speaks.
        listed = dict.fromkeys(entry.path for entry in snapshot.entries if entry.kind != "submodule")
        listed.update(dict.fromkeys(item.path for item in snapshot.omitted if item.reason != "submodule"))
        files, stamps, gone = [], [], []
        for path in listed:
            place = f"{self.top}/{path}"
            try:
                found = os.lstat(place)
            except OSError:
                gone.append(place)
                continue
            if not settled(found, self.before):
                return None
            files.append(place)
            stamps.append(_stamp(found))
        folders = tuple((folder, _what(folder)) for folder in _folders(self.top, listed))
        stores = tuple((place, _look(place)) for place in _stores(self.git, unknown))
        if not all(_settled(seen, self.before) for _, seen in stores):
            return None
        return self._replace(files=tuple(files), stamps=tuple(stamps), folders=folders, gone=tuple(gone), stores=stores)

    def holds(self) -> bool:
        """Whether everything is as it was. A doubt counts as a change."""
        try:
            return (
                all(map(eq, map(_stamp, map(os.lstat, self.files)), self.stamps))
                and all(_what(folder) == what for folder, what in self.folders)
                and not any(map(os.path.lexists, self.gone))
                and _refs(self.git) == self.refs
                and _local(self.root) == self.local
                and all(_look(place) == seen for place, seen in self.stores)
            )
        except OSError:
            return False


def _refs(git: Git, before: int | None = None) -> tuple[object, ...] | None:
    """What decides HEAD, the branch and the index. With `before`, None where that cannot be trusted: a branch that
    points to another reference, a stamp that is not settled."""
    common = _common(git.git_dir)
    head = _content(f"{git.git_dir}/HEAD")
    name = head.removeprefix(b"ref:").strip() if head is not None and head.startswith(b"ref:") else b""
    own = _content(f"{common}/{os.fsdecode(name)}") if name else b""
    tables = tuple(_content(f"{folder}/reftable/tables.list") for folder in dict.fromkeys((git.git_dir, common)))
    stamps = tuple(_look(f"{common}/{name}") for name in ("packed-refs", "config", "shallow"))
    index, checksum = _index(git)
    if before is not None:
        indirect = head is None or (own is not None and own.startswith(b"ref:"))
        # With index.skipHash the checksum is zero, and the stamp alone has to do.
        trusted = any(checksum[-_LEAST:]) or _settled(index, before)
        large = any(len(table) == _SMALL for table in tables if table is not None)
        if indirect or large or not trusted or not all(_settled(stamp, before) for stamp in stamps):
            return None
    return head, own, tables, stamps, index, checksum


def _common(git_dir: str) -> str:
    """The git directory that linked work trees share."""
    said = _content(f"{git_dir}/commondir")
    return git_dir if said is None else os.path.normpath(Path(git_dir, os.fsdecode(said.strip())))


def _index(git: Git) -> tuple[Stamp | None, bytes]:
    """The stamp of the index and its checksum, which is that of its content."""
    try:
        with Path(git.git_dir, "index").open("rb", buffering=0) as file:
            found = os.fstat(file.fileno())
            file.seek(max(0, found.st_size - _CHECKSUM))
            return _stamp(found), file.read(_CHECKSUM)
    except FileNotFoundError:
        return None, b""


def _content(place: str) -> bytes | None:
    """The first bytes of a file, None where there is none."""
    try:
        with Path(place).open("rb", buffering=0) as file:
            return file.read(_SMALL)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _look(place: str) -> Stamp | None:
    try:
        return _stamp(os.lstat(place))
    except (FileNotFoundError, NotADirectoryError):
        return None


def _what(folder: str) -> tuple[int, int]:
    """Whether it is a directory still, and the same one."""
    found = os.lstat(folder)
    return stat.S_IFMT(found.st_mode), found.st_ino


def _folders(top: str, paths: Iterable[str]) -> list[str]:
    """Every directory above a path, the top included."""
    known: dict[str, None] = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in known:
            known[folder] = None
            folder = folder.rpartition("/")[0]
    places = [top, *(f"{top}/{folder}" for folder in known)]
    return [place for place in places if os.path.lexists(place)]


def _local(root: str) -> tuple[tuple[str, object], ...]:
    """What the local half is: its directories, and the stamp of each file in them."""
    seen: list[tuple[str, object]] = []
    folder = root
    for part in STATE.split("/"):
        folder = f"{folder}/{part}"
        seen.append((folder, _what(folder) if os.path.lexists(folder) else None))
    present = seen[-1][1] is not None
    for name in ("handovers", "checkpoints"):
        place = f"{folder}/{name}"
        if present and os.path.lexists(place):
            seen.append((place, _what(place)))
            seen += [(file, _look(file)) for file in _files_in(place)]
    return tuple(seen)


def _files_in(place: str) -> Sequence[str]:
    try:
        return sorted(str(file) for file in Path(place).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _stores(git: Git, unknown: Iterable[str]) -> list[str]:
    """The directories of git's store in which an unknown commit would appear."""
    objects = f"{_common(git.git_dir)}/objects"
    found = [f"{objects}/pack", f"{objects}/info/alternates"]
    return found + sorted({f"{objects}/{commit[:2]}" for commit in unknown if len(commit) > 2})


def _settled(stamp: object, before: int) -> bool:
    """Whether a stamp was old enough to be trusted; what is no stamp needs no trust."""
    return not isinstance(stamp, tuple) or len(stamp) < 4 or max(stamp[0], stamp[1]) + SETTLED_NS < before
