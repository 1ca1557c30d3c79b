"""The index as seen through one snapshot: everything is read when it is opened, so that it cannot change or fail
later on, whatever other processes do to the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from contextc.errors import SourceError
from contextc.frontend.index import words
from contextc.frontend.index.base import History, IndexedFile, Posting, Statistics, Symbol
from contextc.frontend.index.history import read_history
from contextc.frontend.index.segment import Key, Segment
from contextc.frontend.index.store import Store
from contextc.frontend.sources.base import Entry, Omission, Source
from contextc.frontend.sources.decode import decode
from contextc.frontend.sources.paths import display_path

T = TypeVar("T")

#: Characters of decoded texts kept, so that the same file is not read again for each of its forms.
TEXT_MEMORY = 32_000_000


class SnapshotView:
    """An `IndexView`. `places` are, for each segment, the positions in `files` by document number."""

    def __init__(
        self,
        source: Source,
        entries: Mapping[str, Entry],
        files: Sequence[IndexedFile],
        left_out: Sequence[Omission],
        places: Sequence[tuple[Segment, Mapping[int, Sequence[int]]]],
        store: Store,
        commit: str | None,
    ) -> None:
        self._source = source
        self._entries = entries
        self._files = tuple(files)
        self._left_out = tuple(left_out)
        self._places = places
        self._store = store
        self._commit = commit
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._kept = 0

    @cached_property
    def history(self) -> History:
        """What led to the commit of the snapshot."""
        return read_history(self._source, self._commit, self._store)

    @property
    def files(self) -> Sequence[IndexedFile]:
        """All readable text files, ascending by path."""
        return self._files

    @property
    def left_out(self) -> Sequence[Omission]:
        """What is listed and not indexed, ascending by path."""
        return self._left_out

    @cached_property
    def statistics(self) -> Statistics:
        """Number of files, words of all of them, words of one on average (0.0 without files)."""
        total = sum(file.facts.length for file in self._files)
        return Statistics(len(self._files), total, total / len(self._files) if self._files else 0.0)

    def file(self, path: str) -> IndexedFile | None:
        """One file by its path."""
        return self._by_path.get(path)

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[Posting]]:
        """For each word the files of the snapshot that hold it, ascending by path; an unknown word has none."""
        found: dict[str, list[tuple[int, int, int]]] = {word: [] for word in words}
        for segment, places in self._places:
            for word, entry in segment.find(found).items():
                hits = found[word]
                for number, text, symbols in zip(*entry, strict=True):
                    for at in places.get(number, ()):
                        hits.append((at, text, symbols))
        files = self._files
        return {
            word: tuple(Posting(files[at].path, text, symbols) for at, text, symbols in sorted(hits))
            for word, hits in found.items()
        }

    def definitions(self, name: str) -> Sequence[tuple[str, Symbol]]:
        """Where a simple name is defined, ascending by path and line. Headings are no definitions."""
        return self._definitions.get(name, ())

    def path_words(self, path: str) -> Sequence[str]:
        """The words of a path, each once."""
        return words.of_path(path)

    def text(self, path: str) -> str:
        """The decoded text of a file, line ends as they are. Raises `SourceError` for one that is not readable text,
        or whose bytes cannot be had any more."""
        return self.texts((path,))[path]

    def texts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The texts of several files, read in one go. Raises `SourceError` as `text` does."""
        found: dict[str, str] = {}
        wanted: list[Entry] = []
        for path in dict.fromkeys(paths):
            if path in self._texts:
                found[path] = self._texts[path]
                self._texts.move_to_end(path)
            elif path in self._by_path:
                wanted.append(self._entries[path])
            else:
                raise self._refusal(path)
        for entry, data in self._source.read(wanted):
            found[entry.path] = decode(data).text
            self._keep(entry.path, found[entry.path])
        return found

    def count(self, counter: str, keys: Sequence[bytes]) -> Mapping[bytes, int]:
        """Remembered token counts by SHA-256 of the text; unknown keys are absent."""
        return self._store.counts(counter, keys)

    def remember(self, counter: str, counts: Mapping[bytes, int]) -> None:
        """Remember token counts, or forget silently where the store cannot be written."""
        self._store.remember(counter, counts)

    @cached_property
    def _by_path(self) -> dict[str, IndexedFile]:
        return {file.path: file for file in self._files}

    @cached_property
    def _definitions(self) -> dict[str, list[tuple[str, Symbol]]]:
        table: dict[str, list[tuple[str, Symbol]]] = {}
        for file in self._files:
            for symbol in file.facts.symbols:
                if symbol.kind != "heading":
                    table.setdefault(symbol.name, []).append((file.path, symbol))
        return table

    def _keep(self, path: str, text: str) -> None:
        self._texts[path] = text
        self._kept += len(text)
        while self._kept > TEXT_MEMORY:
            _, oldest = self._texts.popitem(last=False)
            self._kept -= len(oldest)

    def _refusal(self, path: str) -> SourceError:
        reason = next((item for item in self._left_out if item.path == path), None)
        why = f"it was left out: {reason.reason} {reason.detail}".rstrip() if reason else "it is not in the snapshot"
        return SourceError(f"expected a readable text file; {why}", where=display_path(path))


def locate(
    segments: Sequence[Segment], wanted: Mapping[Key, Sequence[T]]
) -> list[tuple[Segment, dict[int, Sequence[T]]]]:
    """For each segment that holds any of them, what is wanted by document number. A document that several segments
    hold is taken from the first."""
    left = dict(wanted)
    located = []
    for segment in segments:
        here = {number: left.pop(key) for number, key in enumerate(segment.docs) if key in left}
        if here:
            located.append((segment, here))
    return located
