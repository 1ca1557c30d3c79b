"""A file cut into blocks: whole definitions where a grammar knows them, windows of lines where not.

Blocks follow each other without gaps and hold all lines. A class is its header and its members; a function is one
block, unless it is so long that windows of it are of use by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from contextc.frontend.index.base import Facts, Symbol

#: Lines of a function that are shown whole or not at all: nine of ten functions are shorter.
WHOLE = 80
#: Lines of a window where nothing else says where to cut.
WINDOW = 30
#: Lines before the end of a window in which a blank line is a better place to cut.
SLACK = 10

_CONTAINERS = frozenset(("class", "interface", "enum", "module"))
_SMALL = frozenset(("constant", "macro", "type"))


class Block(NamedTuple):
    """Lines `first` to `last` (from 1). `symbol` is the definition they belong to, `owners` those around it, outermost
    first; `whole` when the lines are all of the definition."""

    first: int
    last: int
    symbol: Symbol | None
    owners: tuple[Symbol, ...]
    whole: bool


def blocks_of(facts: Facts, lines: Sequence[str]) -> list[Block]:
    """The blocks of a file, in the order of its lines."""
    symbols = [symbol for symbol in facts.symbols if symbol.kind not in _SMALL]
    return list(_cut(1, len(lines), _nested(symbols), None, (), lines))


class _Node:
    __slots__ = ("inner", "symbol")

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol
        self.inner: list[_Node] = []


def _nested(symbols: Sequence[Symbol]) -> list[_Node]:
    """Symbols as a tree by their lines; what overlaps without nesting is dropped."""
    top: list[_Node] = []
    stack: list[_Node] = []
    for symbol in sorted(symbols, key=lambda item: (item.first_line, -item.last_line)):
        while stack and stack[-1].symbol.last_line < symbol.first_line:
            stack.pop()
        if stack and symbol.last_line > stack[-1].symbol.last_line:
            continue
        siblings = stack[-1].inner if stack else top
        if siblings and siblings[-1].symbol.last_line >= symbol.first_line:
            continue
        node = _Node(symbol)
        siblings.append(node)
        stack.append(node)
    return top


def _cut(
    first: int,
    last: int,
    inner: Sequence[_Node],
    symbol: Symbol | None,
    owners: tuple[Symbol, ...],
    lines: Sequence[str],
) -> Iterator[Block]:
    """The blocks of lines `first` to `last`, which belong to `symbol` but for the definitions `inner`."""
    around = (*owners, symbol) if symbol is not None else owners
    at = first
    for node in inner:
        own = node.symbol
        end = min(own.last_line, last)
        if own.first_line < at or end < own.first_line:
            continue
        if at < own.first_line:
            yield from _windows(at, own.first_line - 1, symbol, owners, lines)
        if _divisible(node):
            yield from _cut(own.first_line, end, node.inner, own, around, lines)
        else:
            yield Block(own.first_line, end, own, around, True)
        at = end + 1
    if at <= last:
        yield from _windows(at, last, symbol, owners, lines)


def _divisible(node: _Node) -> bool:
    symbol = node.symbol
    length = symbol.last_line - symbol.first_line + 1
    if symbol.kind == "heading" or symbol.kind in _CONTAINERS:
        return length > WINDOW or bool(node.inner)
    return length > WHOLE


def _windows(
    first: int, last: int, symbol: Symbol | None, owners: tuple[Symbol, ...], lines: Sequence[str]
) -> Iterator[Block]:
    """Lines without definitions of their own, in windows that end at blank lines where there are any."""
    while first <= last:
        end = min(first + WINDOW - 1, last)
        if last - first + 1 > WINDOW + SLACK:
            blanks = [at for at in range(end, end - SLACK, -1) if not lines[at - 1].strip()]
            end = blanks[0] if blanks else end
        else:
            end = last
        yield Block(first, end, symbol, owners, False)
        first = end + 1
