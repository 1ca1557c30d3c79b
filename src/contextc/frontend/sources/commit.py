"""A commit: its tree as git holds it. The working tree is not looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contextc.errors import RepositoryError, SourceError
from contextc.frontend.sources.base import SIZE_LIMIT, Commit, Entry, EntryKind, Omission, Snapshot
from contextc.frontend.sources.blobs import BlobReader, read_present, sizes
from contextc.frontend.sources.disk import oversized
from contextc.frontend.sources.git import Git, GitFailure
from contextc.frontend.sources.listing import KINDS, assemble, submodule_omission, symlink_omission
from contextc.frontend.sources.past import lineage, read_commits
from contextc.frontend.sources.paths import legal_path, to_text

#: The longest target a symlink can have on any system in use (PATH_MAX of Linux). A larger "link" is no link.
_TARGET_LIMIT = 4096
_NO_OBJECT = "its object is not in this repository"


class _Item(NamedTuple):
    path: str
    kind: EntryKind
    oid: str
    size: int | None


class CommitSource:
    """One commit, by its full id. Works in bare repositories, shallow clones and linked worktrees."""

    def __init__(self, git: Git, commit: str, root: Path) -> None:
        self._git = git
        self._commit = commit
        self._root = root

    @property
    def root(self) -> Path:
        """The top of the work tree, or the git directory of a bare repository."""
        return self._root

    def snapshot(self) -> Snapshot:
        """The tree of the commit. Raises `RepositoryError` when a directory of it is missing or damaged."""
        entries: list[Entry] = []
        omitted: list[Omission] = []
        links: list[Entry] = []
        for item in self._items(omitted):
            if item.kind == "submodule":
                entries.append(Entry(item.path, "submodule", item.oid, 0))
                omitted.append(submodule_omission(item.path, item.oid))
            elif item.size is None:
                omitted.append(Omission(item.path, "unreadable", _NO_OBJECT))
            elif item.size > SIZE_LIMIT:
                blocked = oversized(item.size)
                omitted.append(Omission(item.path, blocked.reason, blocked.detail))
            else:
                entry = Entry(item.path, item.kind, item.oid, item.size)
                entries.append(entry)
                if item.kind == "symlink":
                    links.append(entry)
        omitted.extend(self._targets(links))
        return assemble("commit", self._commit, entries, omitted)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The blobs of entries (of a symlink: its target), in the order asked."""
        wanted = list(entries)
        for entry in wanted:
            if entry.kind == "submodule":
                raise SourceError("a submodule has no bytes of its own", where=entry.path)
        yield from zip(wanted, read_present(self._git, ((e.path, e.oid) for e in wanted)), strict=True)

    def lineage(self, commit: str, most: int) -> list[str]:
        """A commit and its ancestors, newest first."""
        return lineage(self._git, commit, most)

    def commits(self, ids: Sequence[str]) -> list[Commit] | None:
        """Commits by their ids."""
        return read_commits(self._git, ids)

    def _items(self, omitted: list[Omission]) -> Iterator[_Item]:
        out, known = self._listing()
        for record in out.split(b"\0")[:-1]:
            meta, _, name = record.partition(b"\t")
            mode, _, oid_bytes, size = meta.split()
            path, oid, kind = to_text(name), oid_bytes.decode("ascii"), KINDS.get(mode)
            if not legal_path(name):
                omitted.append(Omission(path, "unreadable", "a name that no tree may hold"))
            elif kind is None:
                omitted.append(Omission(path, "special", f"git does not define the mode {mode.decode('ascii')}"))
            elif known is not None:
                yield _Item(path, kind, oid, known.get(oid))
            else:
                yield _Item(path, kind, oid, int(size) if size.isdigit() else None)

    def _listing(self) -> tuple[bytes, dict[str, int] | None]:
        """`ls-tree --long`, or (a partial clone without some of the blobs) without sizes, and those known by id."""
        try:
            return self._git.run("ls-tree", "-r", "-z", "--long", "--full-tree", self._commit), None
        except GitFailure:
            pass
        try:
            # A constant where the size stands in the long form, so that one parser serves both.
            out = self._git.run("ls-tree", "-r", "-z", "--full-tree", self._commit)
        except GitFailure as failure:
            raise RepositoryError(
                f"git cannot list the commit: {failure.message}",
                where=self._commit,
                hint="fetch the missing objects with git, or compile the working tree (without a revision)",
            ) from failure
        records = [record.partition(b"\t") for record in out.split(b"\0")[:-1]]
        oids = [meta.split()[2].decode("ascii") for meta, _, _ in records]
        long = b"".join(meta + b" -\t" + name + b"\0" for meta, _, name in records)
        return long, sizes(self._git, oids)

    def _targets(self, links: list[Entry]) -> Iterator[Omission]:
        with BlobReader(self._git) as reader:
            short = [entry for entry in links if entry.size <= _TARGET_LIMIT]
            for entry, target in zip(short, reader.read(e.oid for e in short), strict=True):
                yield symlink_omission(entry.path, target or b"")
        for entry in links:
            if entry.size > _TARGET_LIMIT:
                yield symlink_omission(entry.path, b"")
