"""Files indexed by other processes, one or several at once, and what to do when one of them dies.

A file that ends its worker must not take the others with it: what a dead worker had been given is done again in small
pieces. The file itself gets a second chance, by itself; then it is indexed by its words alone.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from contextc.frontend.index.facts import read_document
from contextc.frontend.index.segment import Key, SegmentWriter
from contextc.frontend.index.worker import Item, Worker, WorkerDied

#: Bytes and files of one piece of work: small enough to keep all workers busy to the end, large enough that sending
#: it costs nothing.
PIECE_BYTES = 1_000_000
PIECE_FILES = 200
#: Files of a piece that is done again: with each of them the others wait for one that may be bad.
CAREFUL_FILES = 25
#: Chances of a file whose worker died: it may have been ended from outside, by a system that ran out of memory.
CHANCES = 2


class Crewed(NamedTuple):
    """What workers made: packed segments, and the keys of files that must be done again."""

    packed: list[bytes]
    lost: list[Key]


def index_here(items: Iterable[Item], *, structure: bool = True) -> bytes | None:
    """Index files in this process; None when there are none."""
    writer = SegmentWriter()
    for key, data in items:
        writer.add(key, read_document(data, key[1], structure=structure))
    return writer.pack() if len(writer) else None


def index_by_crew(items: Iterable[Item], workers: int, tick: Callable[[int], None]) -> Crewed:
    """Index files by so many workers. `tick` is told from this thread how many files are done.

    The crew is gone when this returns or raises; what `items` raises is raised on.
    """
    crew = _Crew(workers)
    given = 0
    try:
        for piece in pieces(items, PIECE_BYTES, PIECE_FILES):
            crew.give(piece)
            given += len(piece)
            tick(crew.done)
        made = crew.result()
    finally:
        crew.end()
    tick(given)
    return made


def index_with_care(items: Iterable[Item]) -> list[bytes]:
    """Index files some of which may end their process. Where no process can be had, this one has to do."""
    made: list[bytes | None] = []
    strikes: Counter[Key] = Counter()
    todo = deque(pieces(items, PIECE_BYTES, CAREFUL_FILES))
    while todo:
        piece = todo.popleft()
        try:
            made.append(_alone(piece))
        except WorkerDied as died:
            bad = [item for item in piece if item[0] == died.culprit]
            good = [item for item in piece if item[0] != died.culprit]
            if not bad:
                made.append(index_here(good))
                continue
            strikes[bad[0][0]] += 1
            if strikes[bad[0][0]] >= CHANCES:
                made.append(index_here(bad, structure=False))
            else:
                todo.append(bad)
            if good:
                todo.append(good)
    return [packed for packed in made if packed is not None]


def pieces(items: Iterable[Item], most_bytes: int, most_files: int) -> Iterator[list[Item]]:
    """Items in pieces of work: each as small as a bound allows that its last file reaches."""
    piece: list[Item] = []
    size = 0
    for item in items:
        piece.append(item)
        size += len(item[1])
        if size >= most_bytes or len(piece) >= most_files:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _alone(items: Sequence[Item]) -> bytes:
    worker = Worker()
    try:
        worker.greet()
        worker.work(items)
        return worker.finish()
    finally:
        worker.close()


class _Crew:
    """Threads that each lead one worker; they share a queue of pieces. `None` in it is the end of the work."""

    def __init__(self, workers: int) -> None:
        self._queue: queue.Queue[list[Item] | None] = queue.Queue(maxsize=workers)
        self._ended = threading.Event()
        self._counting = threading.Lock()
        self.done = 0
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="contextc-index")
        self._leads = [self._pool.submit(self._lead) for _ in range(workers)]

    def give(self, piece: list[Item]) -> None:
        self._queue.put(piece)

    def result(self) -> Crewed:
        for _ in self._leads:
            self._queue.put(None)
        parts = [lead.result() for lead in self._leads]
        return Crewed([data for part in parts for data in part.packed], [key for part in parts for key in part.lost])

    def end(self) -> None:
        """Let no thread wait for more, whatever happened."""
        self._ended.set()
        for _ in self._leads:
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                break  # there is something to wake up for already
        self._pool.shutdown(wait=True)

    def _lead(self) -> Crewed:
        total = Crewed([], [])
        while True:
            given: list[Key] = []
            try:
                worker = Worker()
            except WorkerDied:
                return self._drained(total)
            try:
                try:
                    worker.greet()
                except WorkerDied:
                    return self._drained(total)
                while (piece := self._queue.get()) is not None and not self._ended.is_set():
                    given.extend(key for key, _ in piece)
                    worker.work(piece)
                    self._count(len(piece))
                if given and not self._ended.is_set():
                    total.packed.append(worker.finish())
                return total
            except WorkerDied:
                total.lost.extend(given)
            finally:
                worker.close()

    def _drained(self, total: Crewed) -> Crewed:
        """No worker can be had: take the work as lost, so that whoever gives it is not kept waiting."""
        while (piece := self._queue.get()) is not None and not self._ended.is_set():
            total.lost.extend(key for key, _ in piece)
        return total

    def _count(self, files: int) -> None:
        with self._counting:
            self.done += files
