"""Where in a file the task is: a share for each of its blocks, by the words of the task in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from contextc.frontend.index import words
from contextc.frontend.index.base import IndexedFile
from contextc.frontend.select.blocks import Block, blocks_of
from contextc.frontend.select.query import Query
from contextc.frontend.select.rank import Concept, any_of
from contextc.frontend.select.weights import (
    BLOCK_LENGTH,
    LINE_NAMED,
    NAME_IN_BLOCK,
    NAMED_BLOCK,
    SHARPNESS,
)

_TOKEN = re.compile(r"\w+")
#: Saturation within a block: the second occurrence of a word says little, blocks are short.
_K = 0.8


class Scored(NamedTuple):
    """A block with its score (idf units) and its share of the file's likely places: shares of one file sum to 1, or
    are all 0 where nothing of the task is in it. `names` are the task's names the block defines."""

    block: Block
    score: float
    share: float
    held: frozenset[str]
    names: tuple[str, ...]


class Matcher:
    """The words of one task, ready to be found in lines of code."""

    def __init__(self, query: Query, concepts: Sequence[Concept]) -> None:
        self._owner: dict[str, tuple[str, float]] = {}
        self._idf: dict[str, float] = {}
        for concept in concepts:
            self._idf[concept.word] = concept.idf
            for form, weight in concept.forms.items():
                self._owner.setdefault(form, (concept.word, weight))
        self._memory: dict[str, tuple[tuple[str, float], ...]] = {}
        self._any = any_of(self._owner)
        self._names = {name.text: name.certain for name in query.names}
        self._qualified = {".".join(parts[-2:]) for parts in query.dotted if len(parts) > 1}

    def score(self, file: IndexedFile, lines: Sequence[str], named_lines: Sequence[int]) -> list[Scored]:
        """The blocks of a file with their shares, in the order of its lines."""
        blocks = blocks_of(file.facts, lines)
        raw = [self._score(block, lines, named_lines) for block in blocks]
        sharp = [score**SHARPNESS for score, _, _ in raw]
        total = sum(sharp) or 1.0
        return [
            Scored(block, round(score, 6), round(weight / total, 6), frozenset(held), names)
            for block, (score, held, names), weight in zip(blocks, raw, sharp, strict=True)
        ]

    def _score(
        self, block: Block, lines: Sequence[str], named_lines: Sequence[int]
    ) -> tuple[float, dict[str, float], tuple[str, ...]]:
        held: dict[str, float] = {}
        known = self._memory
        tokens = _TOKEN.findall("".join(lines[block.first - 1 : block.last]))
        for token in tokens:  # a loop over every word of the best files: kept flat on purpose
            hits = known.get(token)
            if hits is None:
                hits = self._of(token)
            if hits:
                for word, weight in hits:
                    held[word] = held.get(word, 0.0) + weight
        norm = 1.0 - BLOCK_LENGTH + BLOCK_LENGTH * len(tokens) / _AVERAGE_BLOCK
        score = sum(self._idf[word] * times * (_K + 1.0) / (times + _K * norm) for word, times in held.items())
        names = self._named(block)
        if block.symbol is not None and (block.whole or names):
            own = {word for word, _ in self._of(block.symbol.name)}
            score += NAME_IN_BLOCK * sum(self._idf[word] for word in sorted(own))
        score *= 1.0 + NAMED_BLOCK * len(names)
        if any(block.first <= line <= block.last for line in named_lines):
            score = score * LINE_NAMED + 1.0
        return score, held, names

    def _named(self, block: Block) -> tuple[str, ...]:
        symbol = block.symbol
        if symbol is None or symbol.kind == "heading":
            return ()
        if symbol.name in self._names and (self._names[symbol.name] or block.whole):
            return (symbol.name,)
        if ".".join(symbol.qualified.split(".")[-2:]) in self._qualified:
            return (symbol.qualified,)
        return ()

    def _of(self, token: str) -> tuple[tuple[str, float], ...]:
        known = self._memory.get(token)
        if known is None:
            found: dict[str, float] = {}
            for word in words.split(token) if self._any(token.lower()) else ():
                owner = self._owner.get(word)
                if owner is not None:
                    found[owner[0]] = max(found.get(owner[0], 0.0), owner[1])
            known = self._memory[token] = tuple(found.items())
        return known


#: Tokens of an average block: 20 lines of 6.
_AVERAGE_BLOCK = 120.0
