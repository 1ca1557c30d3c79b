"""From what was found to a snapshot: order, one record a path, the digest."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Literal

from contextc.frontend.sources.base import Entry, EntryKind, Omission, Snapshot
from contextc.frontend.sources.paths import display_path, to_text

#: The modes git knows of (git: Documentation/gitformat-index). 100664 is an old form of 100644.
KINDS: dict[bytes, EntryKind] = {
    b"100644": "file",
    b"100664": "file",
    b"100755": "executable",
    b"120000": "symlink",
    b"160000": "submodule",
}

_PATH = attrgetter("path")


def assemble(
    kind: Literal["commit", "worktree", "directory"],
    commit: str | None,
    entries: Iterable[Entry],
    omitted: Iterable[Omission],
    *,
    dirty: bool = False,
    remarks: Sequence[str] = (),
) -> Snapshot:
    """The snapshot of entries and omissions given in any order."""
    listed = sorted(entries, key=_PATH)
    left_out = list(omitted)
    if len({entry.path for entry in listed}) != len(listed):
        listed = _once(listed, left_out)
    left_out.sort()
    return Snapshot(
        kind=kind,
        commit=commit,
        entries=tuple(listed),
        omitted=tuple(left_out),
        digest=digest_of(listed, left_out),
        dirty=dirty,
        remarks=tuple(remarks),
    )


def digest_of(entries: Iterable[Entry], omitted: Iterable[Omission]) -> str:
    """SHA-256 over all records in order. Injective: kinds, ids and reasons hold no blank, nothing holds a NUL."""
    records = [f"{entry.kind} {entry.oid} {entry.path}" for entry in entries]
    records.append("")
    records.extend(f"{item.reason} {item.path}\0{item.detail}" for item in omitted)
    return hashlib.sha256("\0".join(records).encode("utf-8", "surrogateescape")).hexdigest()


def symlink_omission(path: str, target: bytes) -> Omission:
    """What is said of a symlink: where it points when that is inside the root by name, and else only that it is not.

    A target outside is not repeated: it may be an absolute path of somebody's machine.
    """
    text = to_text(target)
    inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
    if not text or text.startswith("/") or inside == ".." or inside.startswith("../"):
        return Omission(path, "symlink", "it points outside the root")
    return Omission(path, "symlink", f"it points to {display_path(inside)}")


def submodule_omission(path: str, commit: str) -> Omission:
    """What is said of a submodule: the commit it points to, or (no commit) that it is a repository of its own."""
    return Omission(path, "submodule", f"a submodule at {commit}" if commit else "a repository of its own")


def _once(entries: Sequence[Entry], omitted: list[Omission]) -> list[Entry]:
    """A damaged or hostile tree can list one path twice; the first stays."""
    kept: list[Entry] = []
    for entry in entries:
        if kept and kept[-1].path == entry.path:
            omitted.append(Omission(entry.path, "unreadable", "listed twice in one tree; the first is taken"))
        else:
            kept.append(entry)
    return kept
