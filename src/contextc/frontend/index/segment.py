"""A segment: the documents of one indexing run with their facts and postings, packed into bytes and never changed.

    docs    (blob id, language key) by document number
    facts   the facts by document number, compressed together
    blocks  the postings of words in ascending order, BLOCK of them at a time, compressed one by one
    firsts  the first word of each block

A document is here once. Numbers mean something only inside their segment; which of its documents belong to the
snapshot at hand is the reader's business, so a segment that holds more than is asked for changes no answer.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Raw, Struct

from contextc.frontend.index.base import Facts
from contextc.frontend.index.facts import Document

#: What facts are kept under: the blob id (hex) and the key of the language, which the path decides.
Key: TypeAlias = tuple[str, str]

#: Postings (word and document) of a block before the next one begins. A query unpacks a block for each of its words:
#: 2,000 postings take about 0.1 ms and compress nearly as well as larger ones.
BLOCK = 2_000
#: The fastest level: levels above save a tenth of the space for twice the time (docs/internals-index.md).
_LEVEL = 1

_encoder = msgspec.msgpack.Encoder()
_facts_decoder = msgspec.msgpack.Decoder(Facts)
_raws_decoder = msgspec.msgpack.Decoder(list[Raw])


class Entry(NamedTuple):
    """The postings of one word in one segment, as parallel arrays: document numbers (ascending), times in the text,
    times in names."""

    numbers: array[int]
    text: array[int]
    symbols: array[int]


class _Block(Struct, frozen=True, array_like=True):
    words: list[str]
    sizes: bytes
    numbers: bytes
    text: bytes
    symbols: bytes
    codes: str


class _Packed(Struct, frozen=True, array_like=True):
    docs: list[Key]
    facts: bytes
    firsts: list[str]
    blocks: list[bytes]


_packed_decoder = msgspec.msgpack.Decoder(_Packed)
_block_decoder = msgspec.msgpack.Decoder(_Block)


class SegmentWriter:
    """Collects documents and packs them."""

    def __init__(self) -> None:
        self._docs: list[Key] = []
        self._facts: list[Raw] = []
        # Three numbers for each document that holds the word: document, times in the text, times in names.
        self._postings: dict[str, array[int]] = {}

    def __len__(self) -> int:
        return len(self._docs)

    def add(self, key: Key, document: Document) -> None:
        """Add one document."""
        number = len(self._docs)
        self._docs.append(key)
        self._facts.append(Raw(_encoder.encode(document.facts)))
        postings = self._postings
        symbols = document.symbols
        in_symbols = symbols.get
        for word, times in document.text.items():
            entry = postings.get(word)
            if entry is None:
                postings[word] = array("I", (number, times, in_symbols(word, 0)))
            else:
                entry.extend((number, times, in_symbols(word, 0)))
        for word in symbols.keys() - document.text.keys():
            postings.setdefault(word, array("I")).extend((number, 0, symbols[word]))

    def add_segment(self, segment: Segment, keep: Callable[[Key], bool]) -> None:
        """Add the documents of another segment that `keep` wants."""
        numbers: dict[int, int] = {}
        for old, key in enumerate(segment.docs):
            if keep(key):
                numbers[old] = len(self._docs)
                self._docs.append(key)
                self._facts.append(segment.raw_facts(old))
        for word, entry in segment.entries():
            triples = self._postings.setdefault(word, array("I"))
            for old, text, symbols in zip(*entry, strict=True):
                if old in numbers:
                    triples.extend((numbers[old], text, symbols))

    def pack(self) -> bytes:
        """The segment as bytes."""
        firsts: list[str] = []
        blocks: list[bytes] = []
        for words in self._groups():
            firsts.append(words[0])
            blocks.append(self._block(words))
        facts = zlib.compress(_encoder.encode(self._facts), _LEVEL)
        return _encoder.encode(_Packed(self._docs, facts, firsts, blocks))

    def _groups(self) -> Iterator[list[str]]:
        group: list[str] = []
        size = 0
        for word in sorted(word for word, triples in self._postings.items() if triples):
            group.append(word)
            size += len(self._postings[word]) // 3
            if size >= BLOCK:
                yield group
                group, size = [], 0
        if group:
            yield group

    def _block(self, words: list[str]) -> bytes:
        triples = array("I")
        for word in words:
            triples.extend(self._postings[word])
        numbers, text, symbols = (_narrow(triples[start::3]) for start in range(3))
        sizes = array("I", (len(self._postings[word]) // 3 for word in words))
        codes = numbers.typecode + text.typecode + symbols.typecode
        packed = _Block(words, sizes.tobytes(), numbers.tobytes(), text.tobytes(), symbols.tobytes(), codes)
        return zlib.compress(_encoder.encode(packed), _LEVEL)


def _narrow(values: array[int]) -> array[int]:
    """The same numbers in the fewest bytes each."""
    largest = max(values, default=0)
    return array("B" if largest < 1 << 8 else "H" if largest < 1 << 16 else "I", values)


class Segment:
    """A packed segment, read. Raises `ValueError` (of msgspec, too) or `zlib.error` when the bytes are not one."""

    def __init__(self, data: bytes) -> None:
        packed = _packed_decoder.decode(data)
        self.docs = packed.docs
        self.size = len(data)
        self._firsts = packed.firsts
        self._blocks = packed.blocks
        self._facts = _raws_decoder.decode(zlib.decompress(packed.facts))
        if len(self._facts) != len(self.docs) or len(self._firsts) != len(self._blocks):
            raise ValueError("a segment whose parts do not fit together")

    def raw_facts(self, number: int) -> Raw:
        """The facts of a document, packed."""
        return self._facts[number]

    def facts(self, number: int) -> Facts:
        """The facts of a document."""
        return _facts_decoder.decode(self._facts[number])

    def find(self, words: Iterable[str]) -> dict[str, Entry]:
        """The postings of those words that occur."""
        wanted: dict[int, list[str]] = {}
        for word in words:
            at = bisect_right(self._firsts, word) - 1
            if at >= 0:
                wanted.setdefault(at, []).append(word)
        found: dict[str, Entry] = {}
        for at, these in wanted.items():
            found.update(_unpack(self._blocks[at], set(these)))
        return found

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """All words with their postings, ascending."""
        for block in self._blocks:
            yield from _unpack(block, None)


def _unpack(data: bytes, wanted: set[str] | None) -> Iterator[tuple[str, Entry]]:
    """The postings of the wanted words of a block, or of all."""
    block = _block_decoder.decode(zlib.decompress(data))
    sizes = array("I", block.sizes)
    columns = (block.numbers, block.text, block.symbols)
    values = [array(code, column) for code, column in zip(block.codes, columns, strict=True)]
    at = 0
    for word, size in zip(block.words, sizes, strict=True):
        if wanted is None or word in wanted:
            yield word, Entry(*(column[at : at + size] for column in values))
        at += size
