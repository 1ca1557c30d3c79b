"""Sources that tests watch: what is read of them, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contextc.errors import SourceError
from contextc.frontend.index.base import IndexView
from contextc.frontend.sources import Commit, Entry, Snapshot, Source


class WatchedSource:
    """A source that counts what is read, and cannot give some paths any more."""

    def __init__(self, source: Source, lost: Iterable[str] = ()) -> None:
        self._source = source
        self.lost = set(lost)
        self.reads: list[str] = []

    @property
    def root(self) -> Path:
        return self._source.root

    def snapshot(self) -> Snapshot:
        return self._source.snapshot()

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        for entry, data in self._source.read(entries):
            if entry.path in self.lost:
                raise SourceError("gone since it was listed", where=entry.path)
            self.reads.append(entry.path)
            yield entry, data

    def lineage(self, commit: str, most: int) -> list[str]:
        return self._source.lineage(commit, most)

    def commits(self, ids: Sequence[str]) -> list[Commit] | None:
        return self._source.commits(ids)


def everything(view: IndexView, words: Iterable[str]) -> object:
    """All that a view tells, to be compared."""
    names = sorted({symbol.name for file in view.files for symbol in file.facts.symbols})
    return (
        view.files,
        view.left_out,
        view.statistics,
        view.postings(sorted(words)),
        {name: view.definitions(name) for name in names},
    )


def vocabulary(view: IndexView) -> list[str]:
    """Every word of every text of a view, and some that are in none."""
    from contextc.frontend.index import words

    found = {"absent", "zzz", ""}
    for text in view.texts([file.path for file in view.files]).values():
        found.update(words.split(text))
    return sorted(found)
