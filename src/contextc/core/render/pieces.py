"""Lines of a file in words: which ones a block shows, what lies between them, and marks that a text cannot forge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from contextc.core.render.base import Block, Piece
from contextc.core.render.names import one_line, word

#: Kinds that go without saying: most items are plain sources.
UNSAID_KINDS = frozenset({"", "source", "evidence"})


def joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those that follow upon each other as one."""
    made: list[Piece] = []
    for piece in pieces:
        if made and made[-1].last + 1 == piece.first and ends_well(made[-1]):
            made[-1] = Piece(first=made[-1].first, last=piece.last, text=made[-1].text + piece.text)
        else:
            made.append(piece)
    return made


def label(block: Block, pieces: Sequence[Piece]) -> str:
    """What a block is: its kind where that is not plain, its form, its lines. Holds no bracket."""
    kind = () if block.kind in UNSAID_KINDS else (word(block.kind),)
    return ", ".join([*kind, word(block.form), shown(block, pieces)])


def shown(block: Block, pieces: Sequence[Piece]) -> str:
    """`42 lines` for all of them, else `lines 1-3, 7 of 42`, or `0 of 42 lines`."""
    total = block.total_lines
    if len(pieces) == 1 and pieces[0].first == 1 and pieces[0].last == total:
        return f"{total} line" if total == 1 else f"{total} lines"
    if not pieces:
        return f"0 of {total} lines"
    several = "" if len(pieces) == 1 and pieces[0].first == pieces[0].last else "s"
    return f"line{several} {ranges(pieces)}" + (f" of {total}" if total else "")


def shown_title(block: Block) -> str:
    """The title on one line; empty for a full text, which begins with its title anyway."""
    return "" if block.form == "full" else one_line(block.title)


def ranges(pieces: Sequence[Piece]) -> str:
    """`1-3, 7`: the lines of each piece."""
    return ", ".join([_range(piece.first, piece.last) for piece in pieces])


def gap(before: Piece, after: Piece) -> str:
    """`41-79`: the lines that lie between two pieces; empty when there are none."""
    return _range(before.last + 1, after.first - 1) if before.last + 1 < after.first else ""


def gap_in_words(before: Piece, after: Piece) -> str:
    """What lies between two pieces, and that the one before does not end in a line feed, if so."""
    lines = gap(before, after)
    said = f"line{'s' if '-' in lines else ''} {lines} left out" if lines else f"line {after.first} follows"
    return said if ends_well(before) else f"{said}, no line feed above"


def ends_well(piece: Piece) -> bool:
    """A piece ends in a line feed or is empty, so that a mark after it stands on a line of its own."""
    return not piece.text or piece.text.endswith("\n")


def mark(sign: str, least: int, texts: Iterable[str]) -> str:
    """A run of a sign, at least `least` long and longer than any in the texts: what no text can forge."""
    runs = _runs(sign, least)
    longest = max([len(run) for text in texts for run in runs.findall(text)], default=least - 1)
    return sign * (longest + 1)


@cache
def _runs(sign: str, least: int) -> re.Pattern[str]:
    return re.compile(f"{re.escape(sign)}{{{least},}}")


def _range(first: int, last: int) -> str:
    return f"{first}-{last}" if first != last else str(first)
