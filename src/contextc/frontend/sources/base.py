"""What a source of files is: a snapshot that lists entries, and bytes for each of them.

There is one enumerator. Everything that wants to know which files exist asks a snapshot, nothing walks again.

Paths are `str` relative to the root with `/`; bytes that are not UTF-8 are kept by surrogate escapes, so any name git
can hold survives a round trip. `display_path` gives the form that is fit for output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

from msgspec import Struct

EntryKind = Literal["file", "executable", "symlink", "submodule"]

#: Files larger than this many bytes are recorded as left out and never read whole.
SIZE_LIMIT = 2_000_000


class Entry(Struct, frozen=True, order=True):
    """One path of a snapshot. `oid` is the git blob id (SHA-1 or SHA-256 hex) of the raw bytes; for a submodule the
    commit it points to; for a symlink the blob of its target text."""

    path: str
    kind: EntryKind
    oid: str
    size: int


class Omission(Struct, frozen=True, order=True):
    """A path that exists and is not read, with the reason: oversized, submodule, symlink, unreadable, special."""

    path: str
    reason: str
    detail: str = ""


class Snapshot(Struct, frozen=True):
    """All paths at one moment, ascending by path (code point order).

    `commit` is the full id when the source is git (of HEAD for a working tree), `digest` a SHA-256 over
    (path, kind, oid) of all entries: two snapshots with one digest have the same content.
    """

    kind: Literal["commit", "worktree", "directory"]
    commit: str | None
    entries: tuple[Entry, ...]
    omitted: tuple[Omission, ...]
    digest: str
    dirty: bool = False


class Source(Protocol):
    """A place files come from. Read-only; runs no command that a repository's own configuration could set."""

    def snapshot(self) -> Snapshot:
        """List everything once."""
        ...

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The bytes of entries, in the order asked. Raises `SourceError` when an entry cannot be had any more."""
        ...
