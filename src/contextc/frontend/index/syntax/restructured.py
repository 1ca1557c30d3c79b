"""Section titles of reStructuredText (docutils, "Sections"): a line with a line of punctuation below, and maybe above.

Which punctuation stands for which level is by order of first use, with and without the line above being different.
"""

from __future__ import annotations

import re

from contextc.frontend.index.base import Symbol
from contextc.frontend.index.syntax.sections import LONGEST_TITLE, Heading, sections

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_ROLE = re.compile(r":[\w:.+-]+:`([^`<]*?)(?:\s*<[^`>]*>)?`")
#: docutils takes a line shorter than its title from this length on (with a warning).
_SHORTEST = 4


def headings(text: str, lines: int) -> tuple[Symbol, ...]:
    """The sections of a text with LF line ends and so many lines."""
    rows = text.split("\n")
    levels: dict[tuple[str, bool], int] = {}
    found: list[Heading] = []
    for row in range(1, len(rows)):
        char = _title_above(rows, row)
        if char is None:
            continue
        over = row >= 2 and rows[row - 2].rstrip() == rows[row].rstrip()
        if not over and (rows[row - 1][0] in " \t" or (row >= 2 and rows[row - 2].strip())):
            continue
        level = levels.setdefault((char, over), len(levels) + 1)
        found.append(Heading(level, _plain(rows[row - 1]), row - 1 if over else row, row + 1))
    return sections(found, lines)


def _title_above(rows: list[str], row: int) -> str | None:
    """The punctuation, when this row underlines the one before."""
    title = rows[row - 1].rstrip()
    if not title or _ADORNMENT.fullmatch(rows[row]) is None or _ADORNMENT.fullmatch(title):
        return None
    length = len(rows[row].rstrip())
    return rows[row][0] if length >= _SHORTEST or length >= len(title) else None


def _plain(title: str) -> str:
    return " ".join(_ROLE.sub(r"\1", title[:LONGEST_TITLE]).replace("`", "").replace("*", "").split())
