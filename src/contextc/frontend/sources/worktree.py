"""A working tree: the paths git tracks (and, when asked, those it would track), with the bytes that are on disk.

Ids are of the raw bytes. Where a checkout applies line ends (core.autocrlf) or filters (LFS), they differ from the ids
in git's index, because the bytes differ: applying the filters would mean running programs a repository names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contextc.errors import RepositoryError, SourceError
from contextc.frontend.sources.base import SIZE_LIMIT, Commit, Entry, EntryKind, Omission, Snapshot, StatCache
from contextc.frontend.sources.blobs import BlobReader, algorithm_of, blob_id, lost, sizes
from contextc.frontend.sources.disk import Blocked, Disk, oversized
from contextc.frontend.sources.git import Git, GitFailure, resolve_commit
from contextc.frontend.sources.listing import KINDS, assemble, submodule_omission, symlink_omission
from contextc.frontend.sources.past import lineage, read_commits
from contextc.frontend.sources.paths import display_path, to_bytes, to_text
from contextc.frontend.sources.stamps import MemoryStatCache
from contextc.frontend.sources.survey import Survey


class _Tracked(NamedTuple):
    """One path of the index; `sparse` when git was told to leave it out of the work tree (skip-worktree)."""

    raw: bytes
    path: str
    kind: EntryKind | None
    oid: str
    sparse: bool


class WorktreeSource:
    """The working tree of a git repository; `git.work_tree` must be set.

    `named` are paths (relative to the root) that are listed whether git tracks, ignores or does not know them.
    `cache` remembers ids by file stamps between runs; `clock` is nanoseconds since the epoch (it decides only what is
    remembered, never what is listed).
    """

    def __init__(
        self,
        git: Git,
        algorithm: str,
        *,
        untracked: bool = False,
        named: Sequence[str] = (),
        cache: StatCache | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        assert git.work_tree is not None
        self._git = git
        self._root = git.work_tree
        self._algorithm = algorithm
        self._untracked = untracked
        self._named = named
        self._cache: StatCache = cache if cache is not None else MemoryStatCache()
        self._clock = clock
        self._kept: dict[str, tuple[str, bytes]] = {}

    @property
    def root(self) -> Path:
        """The top of the work tree."""
        return Path(self._root)

    def snapshot(self) -> Snapshot:
        """What is tracked, as it is on disk now. Raises `RepositoryError` when the index cannot be read."""
        commit = resolve_commit(self._git, "HEAD")
        tracked, conflicts = self._index()
        others = self._others() if self._untracked else []
        hints = self._cache.get([item.path for item in tracked] + [to_text(raw) for raw in others])
        with Survey(os.fsencode(self._root), self._algorithm, hints, self._clock) as survey:
            changed = self._look(survey, tracked)
            before = len(survey.entries) + len(survey.omitted)
            for raw in others:
                survey.look_untracked(raw)
            survey.look_named(self._named)
            added = len(survey.entries) + len(survey.omitted) > before
        survey.remember(self._cache)
        self._kept = survey.kept
        dirty = changed or added or self._index_differs(commit, tracked)
        remarks = [
            f"{display_path(path)} has an unresolved merge; it is read as it stands on disk" for path in conflicts
        ]
        return assemble("worktree", commit, survey.entries, survey.omitted, dirty=dirty, remarks=remarks)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The bytes that were listed: from disk, or from git's store when the file is not (or no more) on disk so."""
        with Disk(os.fsencode(self._root)) as disk, BlobReader(self._git) as store:
            for entry in entries:
                kept = self._kept.get(entry.path)
                if kept is not None and kept[0] == entry.oid:
                    yield entry, kept[1]
                    continue
                data = read_listed(disk, entry)
                if data is None:
                    self._cache.put({entry.path: None})
                    data = store.one(entry.oid)
                if data is None:
                    raise lost(entry.path, entry.oid)
                yield entry, data

    def lineage(self, commit: str, most: int) -> list[str]:
        """A commit and its ancestors, newest first."""
        return lineage(self._git, commit, most)

    def commits(self, ids: Sequence[str]) -> list[Commit] | None:
        """Commits by their ids."""
        return read_commits(self._git, ids)

    def _index(self) -> tuple[list[_Tracked], list[str]]:
        """Each path of the index once, and the paths with an unresolved merge."""
        try:
            out = self._git.run("ls-files", "-s", "-t", "-z", "--full-name")
        except GitFailure as failure:
            raise RepositoryError(f"git cannot list its index: {failure.message}", where=self._root) from failure
        tracked: list[_Tracked] = []
        merges: dict[str, _Tracked] = {}
        for record in out.split(b"\0")[:-1]:
            meta, _, raw = record.partition(b"\t")
            tag, mode, oid, stage = meta.split()
            item = _Tracked(raw, to_text(raw), KINDS.get(mode), oid.decode("ascii"), tag == b"S")
            if stage == b"0":
                tracked.append(item)
            elif item.path not in merges or stage == b"2":  # our side, where there is one
                merges[item.path] = item
        return [*tracked, *merges.values()], sorted(merges)

    def _others(self) -> list[bytes]:
        try:
            out = self._git.run("ls-files", "-o", "--exclude-standard", "-z", "--full-name")
        except GitFailure as failure:
            raise RepositoryError(f"git cannot list untracked files: {failure.message}", where=self._root) from failure
        return out.split(b"\0")[:-1]

    def _index_differs(self, commit: str | None, tracked: list[_Tracked]) -> bool:
        return self._git.differs(commit) if commit is not None else bool(tracked)

    def _look(self, survey: Survey, tracked: list[_Tracked]) -> bool:
        """Record all tracked paths; whether any is not on disk as the index has it."""
        changed = False
        sparse: list[_Tracked] = []
        large: list[_Tracked] = []
        for item in tracked:
            if item.kind == "submodule":
                survey.entries.append(Entry(item.path, "submodule", item.oid, 0))
                survey.omitted.append(submodule_omission(item.path, item.oid))
                continue
            try:
                changed |= survey.look(item.raw, item.path, item.kind, item.oid) != item.oid
            except Blocked as blocked:
                if blocked.reason == "deleted" and item.sparse:
                    sparse.append(item)
                    continue
                survey.leave_out(item.path, blocked)
                if blocked.reason == "oversized":
                    large.append(item)
                else:
                    changed = True
        self._add_sparse(survey, sparse)
        return changed or self._resized(survey, large)

    def _resized(self, survey: Survey, large: list[_Tracked]) -> bool:
        """Whether a file too large to be read has another size than git has for it."""
        known = sizes(self._git, (item.oid for item in large))
        said = {(omission.path, omission.detail) for omission in survey.omitted}
        return any((item.path, oversized(known.get(item.oid, 0)).detail) not in said for item in large)

    def _add_sparse(self, survey: Survey, items: list[_Tracked]) -> None:
        """Paths a sparse checkout leaves out are read from the index's own blobs."""
        known = sizes(self._git, (item.oid for item in items))
        with BlobReader(self._git) as store:
            for item in items:
                size = known.get(item.oid)
                if size is None or item.kind is None:
                    reason = "outside the sparse checkout, and its object is not in this repository"
                    survey.omitted.append(Omission(item.path, "unreadable", reason))
                elif size > SIZE_LIMIT:
                    survey.leave_out(item.path, oversized(size))
                else:
                    survey.entries.append(Entry(item.path, item.kind, item.oid, size))
                    if item.kind == "symlink":
                        survey.omitted.append(symlink_omission(item.path, store.one(item.oid) or b""))


def read_listed(disk: Disk, entry: Entry) -> bytes | None:
    """The bytes of an entry when the disk still holds those that were listed, None when it does not."""
    if entry.kind == "submodule":
        raise SourceError("a submodule has no bytes of its own", where=entry.path)
    raw = to_bytes(entry.path)
    try:
        if entry.kind == "symlink":
            try:
                data = disk.readlink(raw)
            except Blocked:
                data = disk.read(raw)[0]
        else:
            data = disk.read(raw)[0]
    except Blocked:
        return None
    return data if blob_id(data, algorithm_of(entry.oid)) == entry.oid else None
