"""From headings to sections: each ends before the next heading of the same or a higher level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from contextc.frontend.index.base import Symbol
from contextc.frontend.index.syntax.names import LONGEST_NAME

#: Characters of a title that are looked at, before its markup is taken away.
LONGEST_TITLE = 500
#: Between the headings of a qualified name.
SEPARATOR = " > "


class Heading(NamedTuple):
    """A heading: its level from 1 (the highest), its words, and its lines from 1, inclusive."""

    level: int
    title: str
    first_line: int
    last_line: int


def sections(headings: Sequence[Heading], lines: int) -> tuple[Symbol, ...]:
    """Symbols of kind `heading` in the order of the text; `lines` is the number of lines of the whole."""
    ends = _ends(headings, lines)
    symbols: list[Symbol] = []
    stack: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        while stack and stack[-1][0] >= heading.level:
            stack.pop()
        name = heading.title[:LONGEST_NAME]
        if not name:  # it ends sections and is none
            continue
        qualified = f"{stack[-1][1]}{SEPARATOR}{name}" if stack else name
        first, last = heading.first_line, heading.last_line
        symbols.append(Symbol("heading", name, qualified, first, first, last, end, len(stack)))
        stack.append((heading.level, qualified))
    return tuple(symbols)


def _ends(headings: Sequence[Heading], lines: int) -> list[int]:
    ends = [lines] * len(headings)
    open_: list[int] = []
    for number, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.first_line - 1
        open_.append(number)
    return ends
