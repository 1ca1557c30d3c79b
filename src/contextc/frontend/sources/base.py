"""What a source of files is: a snapshot that lists entries, and bytes for each of them.

There is one enumerator. Everything that wants to know which files exist asks a snapshot, nothing walks again.

Paths are `str` relative to the root with `/`; bytes that are not UTF-8 are kept by surrogate escapes, so any name git
can hold survives a round trip. `paths.display_path` gives the form that is fit for output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

EntryKind = Literal["file", "executable", "symlink", "submodule"]

#: How blob ids are made, by repository (`git rev-parse --show-object-format`). A plain directory uses SHA-1.
Algorithm = Literal["sha1", "sha256"]

#: Files larger than this many bytes are recorded as left out and never read whole.
SIZE_LIMIT = 2_000_000


class Entry(Struct, frozen=True, order=True):
    """One path of a snapshot. `oid` is the git blob id (SHA-1 or SHA-256 hex) of the raw bytes; for a submodule the
    commit it points to; for a symlink the blob of its target text. `size` is in bytes, 0 for a submodule."""

    path: str
    kind: EntryKind
    oid: str
    size: int


class Omission(Struct, frozen=True, order=True):
    """A path that is listed and not read, with the reason.

    `oversized` above SIZE_LIMIT; `submodule` another repository, only pointed to; `symlink` itself or a directory on
    its way is a link, never followed; `special` not a regular file (a pipe, a socket, a device, a directory where a
    file is tracked); `deleted` tracked but absent from the working tree; `unreadable` no permission, no object, or a
    name that no tree may hold.
    """

    path: str
    reason: str
    detail: str = ""


class Snapshot(Struct, frozen=True):
    """All paths at one moment, ascending by path (code point order), each path once.

    A symlink or a submodule has an entry and an omission; every other omitted path has no entry.

    `commit` is the full id when the source is git (of HEAD for a working tree, None before the first commit).
    `digest` is a SHA-256 over (path, kind, oid) of all entries and (path, reason, detail) of all omissions: two
    snapshots with one digest have the same content, whatever they were taken of.
    `dirty`: the raw bytes on disk are not those of `commit` (an edited file, a staged change, an untracked file that
    was asked for, or line ends and filters that a checkout has applied). `remarks` are sentences about the listing.
    """

    kind: Literal["commit", "worktree", "directory"]
    commit: str | None
    entries: tuple[Entry, ...]
    omitted: tuple[Omission, ...]
    digest: str
    dirty: bool = False
    remarks: tuple[str, ...] = ()


class Commit(Struct, frozen=True, array_like=True):
    """One commit: its id, its message, and the paths that it changed against its first parent (all of them in the
    oldest commit of a repository)."""

    id: str
    message: str
    paths: tuple[str, ...]


class Source(Protocol):
    """A place files come from. Read-only; runs no command that a repository's own configuration could set."""

    @property
    def root(self) -> Path:
        """The absolute path of the top. For messages to a person on this machine only: never in an answer."""
        ...

    def snapshot(self) -> Snapshot:
        """List everything once."""
        ...

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The bytes of entries, in the order asked. Raises `SourceError` when an entry cannot be had any more."""
        ...

    def lineage(self, commit: str, most: int) -> list[str]:
        """Ids of a commit and of its ancestors, see `past.lineage`; empty where there is no history."""
        ...

    def commits(self, ids: Sequence[str]) -> list[Commit] | None:
        """Commits by their ids, see `past.read_commits`; None where they cannot be had."""
        ...


class Stamp(Struct, frozen=True, array_like=True, gc=False):
    """What `lstat` said of a file when its bytes were hashed (times in nanoseconds), and the blob id they had."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    oid: str


class StatCache(Protocol):
    """Remembers stamps between runs, for one root. Only a hint: a lost or stale one costs a second reading, and one
    that turns out wrong is forgotten.

    Only stamps that are safe to trust are ever put (`stamps.settled`). Keys are paths with surrogate escapes; a store
    that cannot hold those should keep `paths.to_bytes(path)`.
    """

    def get(self, paths: Sequence[str]) -> Mapping[str, Stamp]:
        """The stamps known for these paths; more than were asked for do no harm."""
        ...

    def put(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Remember stamps, and forget those that are None. A store that cannot be written forgets silently."""
        ...
