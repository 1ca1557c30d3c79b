"""Opening the index: what the store knows of the snapshot is read, the rest is made and remembered."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from contextc.errors import SourceError
from contextc.frontend.index.base import Facts, IndexedFile, IndexView
from contextc.frontend.index.cachedir import store_path
from contextc.frontend.index.compaction import compact
from contextc.frontend.index.crew import index_by_crew, index_here, index_with_care
from contextc.frontend.index.fingerprint import fingerprint
from contextc.frontend.index.generated import flag_of
from contextc.frontend.index.segment import Key, Segment
from contextc.frontend.index.store import Store
from contextc.frontend.index.syntax import LANGUAGES, language_of
from contextc.frontend.index.view import SnapshotView, locate
from contextc.frontend.index.worker import Item
from contextc.frontend.sources.base import SIZE_LIMIT, Entry, Omission, Snapshot, Source
from contextc.frontend.sources.secrets import secret_name

#: Called with files done and files to do.
Progress = Callable[[int, int], None]

#: Bytes to be read from which on a second process is worth its start of about 0.1 s.
CREW_BYTES = 3_000_000
#: Bytes of a source that no grammar can be kept busy with for more than some seconds. Larger ones are parsed in a
#: process that can be ended (see `worker.py`).
HARMLESS_BYTES = 8_000


def open_index(
    source: Source,
    snapshot: Snapshot,
    *,
    cache_dir: Path | None = None,
    progress: Progress | None = None,
    jobs: int = 2,
) -> IndexView:
    """The index of a snapshot. Only files whose content the store does not know are read.

    `cache_dir` is the directory of the stores, by default the user's (`cachedir.py`). `progress` is called from this
    thread. `jobs` is the number of processes a large first run may use; the answer does not depend on it, nor on what
    the store holds. A file whose bytes cannot be had is left out as `unreadable`; nothing is raised for it.
    """
    store = Store(store_path(source.root, cache_dir))
    build = _Build(source, snapshot, store, jobs, progress or (lambda done, total: None))
    return build.view()


class _Build:
    """One opening, step by step."""

    def __init__(self, source: Source, snapshot: Snapshot, store: Store, jobs: int, progress: Progress) -> None:
        self._source = source
        self._commit = snapshot.commit
        self._store = store
        self._jobs = jobs
        self._progress = progress
        self._left_out = list(snapshot.omitted)
        self._entries: dict[str, Entry] = {}
        self._wanted: dict[Key, list[Entry]] = {}
        for entry in snapshot.entries:
            self._sort(entry)

    def view(self) -> IndexView:
        """Read, make what is missing, remember it, and show it."""
        code = fingerprint()
        stored, foreign = _read_segments(self._store.segments(code))
        known = {key for _, segment in stored for key in segment.docs}
        missing = [entries[0] for key, entries in self._wanted.items() if key not in known]
        segments = [segment for _, segment in stored]
        if missing:
            packed = self._make(missing)
            made = [Segment(data) for data in packed]
            plan = compact(stored, list(zip(packed, made, strict=True)), self._wanted.keys())
            self._store.replace(code, plan.add, [*plan.remove, *foreign])
            segments += made
        return self._show(segments)

    def _sort(self, entry: Entry) -> None:
        if entry.kind not in ("file", "executable"):
            return
        reason = secret_name(entry.path)
        if reason is not None:
            self._left_out.append(Omission(entry.path, "secret", reason))
        elif entry.size > SIZE_LIMIT:
            self._left_out.append(Omission(entry.path, "oversized", f"{entry.size} bytes, the limit is {SIZE_LIMIT}"))
        else:
            self._entries[entry.path] = entry
            self._wanted.setdefault((entry.oid, language_of(entry.path)), []).append(entry)

    def _make(self, missing: Sequence[Entry]) -> list[bytes]:
        total = len(missing)
        self._progress(0, total)
        if all(map(_harmless, missing)):
            packed = index_here(self._counted(self._items(missing), total))
            return [packed] if packed is not None else []
        large = sum(entry.size for entry in missing) >= CREW_BYTES
        workers = max(1, min(self._jobs, os.cpu_count() or 1)) if large else 1
        made = index_by_crew(self._items(missing), workers, lambda done: self._progress(done, total))
        again = [self._wanted[key][0] for key in made.lost]
        return made.packed + index_with_care(self._items(again))

    def _counted(self, items: Iterable[Item], total: int) -> Iterator[Item]:
        for done, item in enumerate(items, 1):
            yield item
            self._progress(done, total)

    def _items(self, entries: Sequence[Entry]) -> Iterator[Item]:
        """Keys and bytes of entries. After one that cannot be had, reading goes on with the next."""
        at = 0
        while at < len(entries):
            try:
                for entry, data in self._source.read(entries[at:]):
                    yield (entry.oid, language_of(entry.path)), data
                    at += 1
                return
            except SourceError as error:
                self._drop(entries[at], error.message)
                at += 1

    def _drop(self, entry: Entry, detail: str) -> None:
        for same in self._wanted.pop((entry.oid, language_of(entry.path)), []):
            self._left_out.append(Omission(same.path, "unreadable", detail))

    def _show(self, segments: Sequence[Segment]) -> IndexView:
        facts: dict[str, Facts] = {}
        for segment, numbers in locate(segments, self._wanted):
            for number, entries in numbers.items():
                known = segment.facts(number)
                for entry in entries:
                    if known.status == "text":
                        facts[entry.path] = known
                    else:
                        self._left_out.append(Omission(entry.path, known.status, known.remark))
        files = [
            IndexedFile(path, self._entries[path].oid, facts[path], flag_of(path, facts[path].generated))
            for path in sorted(facts)
        ]
        position = {file.path: at for at, file in enumerate(files)}
        positions = {
            key: at
            for key, entries in self._wanted.items()
            if (at := [position[entry.path] for entry in entries if entry.path in position])
        }
        return SnapshotView(
            self._source,
            self._entries,
            files,
            sorted(self._left_out),
            locate(segments, positions),
            self._store,
            self._commit,
        )


def _harmless(entry: Entry) -> bool:
    return entry.size <= HARMLESS_BYTES or LANGUAGES[language_of(entry.path)].reader != "grammar"


def _read_segments(stored: Sequence[tuple[int, bytes]]) -> tuple[list[tuple[int, Segment]], list[int]]:
    """Stored segments by their numbers, and the numbers of what is none although its checksum holds."""
    segments: list[tuple[int, Segment]] = []
    foreign: list[int] = []
    for number, data in stored:
        try:
            segments.append((number, Segment(data)))
        except (ValueError, zlib.error):
            foreign.append(number)
    return segments, foreign
