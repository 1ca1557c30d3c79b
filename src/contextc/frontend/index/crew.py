"""Files indexed by several processes at once, with what to do when one of them dies.

A grammar is native code: a hostile file could end the process that parses it. Such a file must not take the others
with it, so what a dead worker had been given is done again in ever smaller parts until the file is found; that one is
indexed by its words alone.
"""

from __future__ import annotations

import queue
import threading
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


class Crewed(NamedTuple):
    """What workers made: packed segments, and the keys of files whose worker died."""

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
        for piece in pieces(items):
            crew.give(piece)
            given += len(piece)
            tick(crew.done)
        made = crew.result()
    finally:
        crew.end()
    tick(given)
    return made


def index_with_care(
    items: Sequence[Item], *, alone: Callable[[Sequence[Item]], bytes | None] | None = None
) -> list[bytes]:
    """Index files of which one may end its process. `alone` indexes files in a process of their own, None if it died.

    Where no process can be started at all, this one has to do.
    """
    run = alone if alone is not None else _alone
    if run(()) is None:
        packed = index_here(items)
        return [packed] if packed is not None else []
    made: list[bytes] = []
    pending: list[Sequence[Item]] = [items]
    while pending:
        part = pending.pop()
        if not part:
            continue
        packed = run(part)
        if packed is None and len(part) == 1:
            packed = index_here(part, structure=False)
        if packed is not None:
            made.append(packed)
        else:
            pending += [part[len(part) // 2 :], part[: len(part) // 2]]
    return made


def pieces(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items in pieces of work."""
    piece: list[Item] = []
    size = 0
    for item in items:
        piece.append(item)
        size += len(item[1])
        if size >= PIECE_BYTES or len(piece) >= PIECE_FILES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _alone(items: Sequence[Item]) -> bytes | None:
    worker: Worker | None = None
    try:
        worker = Worker()
        worker.greet()
        if items:
            worker.work(items)
        return worker.finish()
    except WorkerDied:
        return None
    finally:
        if worker is not None:
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
        self._ended.set()
        for _ in self._leads:
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                break  # leads find the event at their next piece
        self._pool.shutdown(wait=True)

    def _lead(self) -> Crewed:
        total = Crewed([], [])
        over = False
        while not over:
            given: list[Key] = []
            try:
                worker = Worker()
                worker.greet()
            except WorkerDied:
                self._drain(total)
                return total
            try:
                while not over:
                    piece = self._queue.get()
                    if piece is None or self._ended.is_set():
                        over = True
                        continue
                    given.extend(key for key, _ in piece)
                    worker.work(piece)
                    self._count(len(piece))
                if given and not self._ended.is_set():
                    total.packed.append(worker.finish())
            except WorkerDied:
                total.lost.extend(given)
            finally:
                worker.close()
        return total

    def _drain(self, total: Crewed) -> None:
        """No worker can be had: take the work as lost, so that whoever gives it is not kept waiting."""
        while (piece := self._queue.get()) is not None and not self._ended.is_set():
            total.lost.extend(key for key, _ in piece)

    def _count(self, files: int) -> None:
        with self._counting:
            self.done += files
