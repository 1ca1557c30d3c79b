"""Which segments to merge when something new is written, and what to forget.

Every run that finds something new adds a segment; a query looks into all of them. Beyond MOST_SEGMENTS the smaller
half is merged into one, so large ones are rarely written again. Documents that are not in the snapshot at hand (other
commits, earlier contents) are kept while merging, the youngest first, up to as many as the snapshot has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from contextc.frontend.index.segment import Key, Segment, SegmentWriter

#: A query of 40 words takes about 1 ms for each small segment.
MOST_SEGMENTS = 8
#: All segments are merged when they hold this many times the documents of the snapshot, and at least so many more.
MOST_DEAD = 3
SOME_DEAD = 2_000


class Plan(NamedTuple):
    """Packed segments to add and numbers of segments to remove."""

    add: list[bytes]
    remove: list[int]


def compact(
    stored: Sequence[tuple[int, Segment]], made: Sequence[tuple[bytes, Segment]], live: Collection[Key]
) -> Plan:
    """What to write, given the segments of the store with their numbers, the new ones packed and read, and the
    documents of the snapshot."""
    everything = [(len(segment.docs), order, number, segment) for order, (number, segment) in enumerate(stored)]
    total = sum(size for size, *_ in everything) + sum(len(segment.docs) for _, segment in made)
    if total > MOST_DEAD * len(live) + SOME_DEAD:
        merged = everything
    elif len(stored) + len(made) > MOST_SEGMENTS:
        merged = sorted(everything)[: max(1, len(everything) - MOST_SEGMENTS // 2)]
    else:
        return Plan([data for data, _ in made], [])
    # The new ones are merged along: they are small, or everything is.
    by_age = [segment for _, _, _, segment in sorted(merged, key=lambda item: item[1])]
    data = _merge([*by_age, *(segment for _, segment in made)], live)
    return Plan([data] if data is not None else [], [number for _, _, number, _ in merged])


def _merge(segments: Sequence[Segment], live: Collection[Key]) -> bytes | None:
    kept: set[Key] = set()
    room = len(live)
    for segment in reversed(segments):
        for key in segment.docs:
            if key not in kept and (key in live or room > 0):
                room -= key not in live
                kept.add(key)
    writer = SegmentWriter()

    def keep(key: Key) -> bool:
        if key in kept:
            kept.discard(key)
            return True
        return False

    for segment in segments:
        writer.add_segment(segment, keep)
    return writer.pack() if len(writer) else None
