"""Packed segments: what goes in comes out."""

from __future__ import annotations

import zlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.frontend.index import segment as module
from contextc.frontend.index.compaction import MOST_DEAD, MOST_SEGMENTS, SOME_DEAD, compact
from contextc.frontend.index.facts import Document, read_document
from contextc.frontend.index.segment import Entry, Key, Segment, SegmentWriter

PROFILE = settings(derandomize=True, deadline=None, max_examples=60)
FACTS = read_document(b"def f(): pass\n", "python").facts
COUNTS = st.dictionaries(st.text("abcé", min_size=1, max_size=3), st.integers(0, 70_000), max_size=12)
DOCUMENTS = st.lists(st.tuples(COUNTS, COUNTS), max_size=8)


def document(text: dict[str, int], symbols: dict[str, int], length: int = 0) -> Document:
    facts = msgspec.structs.replace(FACTS, length=length)
    # As in real documents, a count is at least one.
    return Document(facts, {w: n + 1 for w, n in text.items()}, {w: n + 1 for w, n in symbols.items()})


def packed(documents: list[tuple[dict[str, int], dict[str, int]]], start: int = 0) -> bytes:
    writer = SegmentWriter()
    for number, (text, symbols) in enumerate(documents, start):
        writer.add((f"{number:040x}", "python"), document(text, symbols, number))
    return writer.pack()


def triples(entry: Entry) -> list[tuple[int, int, int]]:
    return list(zip(*entry, strict=True))


def expected(documents: list[tuple[dict[str, int], dict[str, int]]]) -> dict[str, list[tuple[int, int, int]]]:
    found: dict[str, list[tuple[int, int, int]]] = {}
    for number, (text, symbols) in enumerate(documents):
        for word in sorted(text.keys() | symbols.keys()):
            times = text[word] + 1 if word in text else 0
            found.setdefault(word, []).append((number, times, symbols[word] + 1 if word in symbols else 0))
    return found


@PROFILE
@given(DOCUMENTS, st.integers(1, 5))
def test_every_posting_is_found_again(documents: list[tuple[dict[str, int], dict[str, int]]], block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        segment = Segment(packed(documents))
    wanted = expected(documents)
    assert {word: triples(entry) for word, entry in segment.entries()} == wanted
    assert {word: triples(entry) for word, entry in segment.find([*wanted, "absent", "", "zz"]).items()} == wanted
    assert [segment.facts(number).length for number in range(len(documents))] == list(range(len(documents)))


@PROFILE
@given(DOCUMENTS, st.sets(st.integers(0, 7)))
def test_a_merged_segment_holds_what_is_kept(
    documents: list[tuple[dict[str, int], dict[str, int]]], dropped: set[int]
) -> None:
    writer = SegmentWriter()
    writer.add_segment(Segment(packed(documents)), lambda key: int(key[0], 16) not in dropped)
    merged = Segment(writer.pack())
    left = [(number, each) for number, each in enumerate(documents) if number not in dropped]
    assert {word: triples(entry) for word, entry in merged.entries()} == expected([each for _, each in left])
    assert [int(key[0], 16) for key in merged.docs] == [number for number, _ in left]
    assert [merged.facts(at).length for at in range(len(left))] == [number for number, _ in left]


def test_a_merge_of_one_segment_changes_no_byte() -> None:
    data = packed([({"a": 1, "b": 300}, {"a": 2}), ({"a": 70_000}, {"c": 1})])
    writer = SegmentWriter()
    writer.add_segment(Segment(data), lambda key: True)
    assert writer.pack() == data


@pytest.mark.parametrize("damage", [b"", b"\xc0", b"not a segment"])
def test_bytes_that_are_no_segment_are_refused(damage: bytes) -> None:
    with pytest.raises((ValueError, zlib.error)):
        Segment(damage)


def test_parts_that_do_not_fit_together_are_refused() -> None:
    parts = msgspec.msgpack.decode(packed([({"a": 1}, {})]))
    parts[0].append(["0" * 40, "python"])
    with pytest.raises(ValueError, match="do not fit"):
        Segment(msgspec.msgpack.encode(parts))


def stored(*sizes: int) -> list[tuple[int, Segment]]:
    """Segments of so many documents, numbered from 1; no two hold the same document."""
    made = []
    start = 0
    for number, size in enumerate(sizes, 1):
        made.append((number, Segment(packed([({"w": n}, {}) for n in range(size)], start))))
        start += size
    return made


def keys(segments: list[Segment]) -> list[Key]:
    return [key for segment in segments for key in segment.docs]


def test_few_segments_are_left_as_they_are() -> None:
    old = stored(3, 2)
    new = packed([({"x": 1}, {})], 90)
    plan = compact(old, [(new, Segment(new))], keys([segment for _, segment in old]))
    assert (plan.add, plan.remove) == ([new], [])


def test_many_segments_are_merged_the_small_ones_first() -> None:
    old = stored(50, *[1] * MOST_SEGMENTS)
    new = packed([({"x": 1}, {})], 90)
    every = keys([*(segment for _, segment in old), Segment(new)])
    plan = compact(old, [(new, Segment(new))], every)
    assert 1 not in plan.remove and len(plan.remove) > MOST_SEGMENTS // 2
    merged = Segment(plan.add[0])
    left = [segment for number, segment in old if number not in plan.remove]
    assert sorted(keys([merged, *left])) == sorted(every)
    assert len(left) + 1 <= MOST_SEGMENTS


def test_a_document_that_two_segments_hold_is_kept_once() -> None:
    one = packed([({"w": 1}, {})])
    old = [(number, Segment(one)) for number in range(1, MOST_SEGMENTS + 1)]
    plan = compact(old, [(one, Segment(one))], Segment(one).docs)
    everything = keys([Segment(plan.add[0]), *(s for n, s in old if n not in plan.remove)])
    assert len(Segment(plan.add[0]).docs) == 1
    assert set(everything) == set(Segment(one).docs)


def test_what_no_snapshot_wants_any_more_is_forgotten_the_oldest_first() -> None:
    old = stored(SOME_DEAD, MOST_DEAD + 3)
    new = packed([({"x": 1}, {})], 1 << 60)
    live = Segment(new).docs
    plan = compact(old, [(new, Segment(new))], live)
    kept = Segment(plan.add[0]).docs
    assert plan.remove == [1, 2]
    assert set(live) <= set(kept)
    assert len(kept) == 2 * len(live)
    assert set(kept) - set(live) <= set(old[1][1].docs)
