"""A plain directory that belongs to no repository. Ignore rules are git's own all the same."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from contextc.errors import RepositoryError
from contextc.frontend.sources.base import Commit, Entry, Snapshot, StatCache
from contextc.frontend.sources.blobs import lost
from contextc.frontend.sources.disk import Disk
from contextc.frontend.sources.git import Git, GitFailure
from contextc.frontend.sources.listing import assemble
from contextc.frontend.sources.paths import to_text
from contextc.frontend.sources.stamps import MemoryStatCache
from contextc.frontend.sources.survey import Survey
from contextc.frontend.sources.worktree import read_listed

_NO_GIT = "git is not installed: no ignore rules were applied"

# O_NOFOLLOW: a directory that becomes a link while we walk is not entered.
_LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class DirectorySource:
    """The files below `root` (absolute) that git would not ignore; without git (`program` None), all of them.

    Repositories inside are pointed to, not entered. `named`, `cache` and `clock` as for a working tree.
    """

    def __init__(
        self,
        root: Path,
        program: str | None,
        *,
        named: Sequence[str] = (),
        cache: StatCache | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._root = root
        self._program = program
        self._named = named
        self._cache: StatCache = cache if cache is not None else MemoryStatCache()
        self._clock = clock
        self._kept: dict[str, tuple[str, bytes]] = {}

    @property
    def root(self) -> Path:
        """The directory."""
        return self._root

    def snapshot(self) -> Snapshot:
        """What is in the directory now."""
        if self._program is not None:
            listed, remarks = list_with_git(self._program, self._root), []
        else:
            listed, remarks = sorted(list_plainly(os.fsencode(self._root))), [_NO_GIT]
        hints = self._cache.get([to_text(raw) for raw in listed])
        with Survey(os.fsencode(self._root), "sha1", hints, self._clock) as survey:
            for raw in listed:
                survey.look_untracked(raw)
            survey.look_named(self._named)
        survey.remember(self._cache)
        self._kept = survey.kept
        return assemble("directory", None, survey.entries, survey.omitted, remarks=remarks)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The bytes that were listed. Raises `SourceError` when the disk does not hold them any more."""
        with Disk(os.fsencode(self._root)) as disk:
            for entry in entries:
                kept = self._kept.get(entry.path)
                data = kept[1] if kept is not None and kept[0] == entry.oid else read_listed(disk, entry)
                if data is None:
                    self._cache.put({entry.path: None})
                    raise lost(entry.path, entry.oid)
                yield entry, data

    def lineage(self, commit: str, most: int) -> list[str]:
        """Nothing: a directory has no history."""
        return []

    def commits(self, ids: Sequence[str]) -> list[Commit] | None:
        """None: a directory has no history."""
        return None


def list_with_git(program: str, root: Path) -> list[bytes]:
    """Paths below `root` as git would list them as untracked in a fresh repository there; `name/` for a repository."""
    with tempfile.TemporaryDirectory(prefix="contextc-") as folder:
        try:
            Git(program, folder, None).run("init", "--quiet", "--bare", "--template=", folder)
            out = Git(program, folder, str(root)).run("ls-files", "-o", "--exclude-standard", "-z")
        except GitFailure as failure:
            raise RepositoryError(f"git cannot list the directory: {failure.message}", where=str(root)) from failure
    return out.split(b"\0")[:-1]


def list_plainly(root: bytes) -> Iterator[bytes]:
    """Every path below `root` but `.git`, with the same marks; directories that may not be listed are passed over."""
    pending = [b""]
    while pending:
        prefix = pending.pop()
        for name, is_directory in _names(root + b"/" + prefix):
            path = prefix + name
            if not is_directory:
                yield path
            elif os.path.lexists(root + b"/" + path + b"/.git"):
                yield path + b"/"
            else:
                pending.append(path + b"/")


def _names(folder: bytes) -> list[tuple[bytes, bool]]:
    try:
        descriptor = os.open(folder, _LISTED)
    except OSError:
        return []
    try:
        with os.scandir(descriptor) as found:
            return [
                (os.fsencode(item.name), item.is_dir(follow_symlinks=False)) for item in found if item.name != ".git"
            ]
    finally:
        os.close(descriptor)
