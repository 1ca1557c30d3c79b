"""The forms of one file: full, focused in several sizes, outline, anchor, reference.

The lines that a form names in its ranges are byte for byte those of the file. A line that is shown in part (a
signature whose body stands on the same line) is marked, and in no range. Nothing else is ever cut inside a line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from contextc.core.records.answer import Form
from contextc.core.render.base import Piece
from contextc.frontend.index.base import Facts, Symbol
from contextc.frontend.select.places import Scored

#: Stands for the rest of a line that is not shown.
CUT = "…"
#: Gaps of this many lines between shown blocks are shown too: a mark of the gap would cost as much.
GLUE = 2
#: Characters of a title.
LONGEST_TITLE = 120
#: Definitions that an anchor names.
ANCHOR_NAMES = 6
#: What an outline lists; values of constants are bodies.
_OUTLINED = frozenset(("function", "method", "class", "interface", "enum", "type", "module", "heading"))
#: What may follow a signature on its line without being a body.
_NO_BODY = re.compile(r"(?:[:{;]|=>\s*\{?|->\s*\{?|do|then|where|=)?\s*(?:[#/].*)?")
_DECORATION = re.compile(r"^[\s#/*\"'<!;=%\-]+|[\s*/\"'\->=]+$")
_WORD = re.compile(r"\w+")


class Shown(NamedTuple):
    """One form. `name` is its `representation_id`; `share` of the file's likely places that it shows; `held` are the
    task's words in the lines shown; `ranges` the lines shown byte for byte."""

    name: str
    form: Form
    pieces: tuple[Piece, ...]
    ranges: tuple[tuple[int, int], ...]
    share: float
    held: frozenset[str]
    remark: str

    @property
    def text(self) -> str:
        """What is shown of the file, lines in part included."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def exact(self) -> str:
        """The lines of `ranges`, byte for byte."""
        firsts = [first for first, _ in self.ranges]
        return "".join(piece.text for piece in self.pieces if self._covers(firsts, piece))

    def _covers(self, firsts: Sequence[int], piece: Piece) -> bool:
        at = bisect_right(firsts, piece.first) - 1
        return at >= 0 and piece.last <= self.ranges[at][1]


def full(lines: Sequence[str], scored: Iterable[Scored]) -> Shown:
    """The whole file."""
    ranges = ((1, len(lines)),) if lines else ()
    held = frozenset(word for item in scored for word in item.held)
    return Shown("full", "full", _pieces(lines, ranges), ranges, 1.0, held, "")


def focused(
    name: str, facts: Facts, lines: Sequence[str], scored: Sequence[Scored], size: int, *, neighbours: bool
) -> Shown | None:
    """The blocks where the task most likely is, at most about `size` bytes of them but at least the best one, with
    the headers around them and the imports they use; with `neighbours` the signatures beside them if these are small.

    None where no block holds anything of the task.
    """
    chosen = _choose(lines, scored, size)
    if not chosen:
        return None
    marked = bytearray(len(lines) + 2)
    for item in chosen:
        _mark(marked, item.block.first, item.block.last)
    context = bytearray(marked)
    for item in chosen:
        for owner in item.block.owners:
            _mark_signature(context, owner, lines)
        if item.block.symbol is not None and not item.block.whole:
            _mark_signature(context, item.block.symbol, lines)
    _mark_imports(context, facts, lines, chosen)
    if neighbours:
        _mark_neighbours(context, facts, lines, chosen, size // 5)
    ranges = _ranges(context, lines)
    inside = _inside(scored, ranges)
    share = sum(item.share for item in inside)
    held = frozenset(word for item in inside for word in item.held)
    return Shown(
        name, "focused", _pieces(lines, ranges), ranges, round(min(1.0, share), 6), held, _left_out(lines, ranges)
    )


def outline(facts: Facts, lines: Sequence[str]) -> Shown | None:
    """The signatures of all definitions, or the headings; None for a file without any."""
    pieces: list[Piece] = []
    ranges: list[tuple[int, int]] = []
    functions: list[Symbol] = []
    at = 0
    for symbol in facts.symbols:
        while functions and functions[-1].last_line < symbol.first_line:
            functions.pop()
        inside = any(symbol.last_line <= function.last_line for function in functions)
        if symbol.kind in ("function", "method"):
            functions.append(symbol)
        first, last = symbol.signature_first, min(symbol.signature_last, len(lines))
        if symbol.kind not in _OUTLINED or inside or first <= at or last < first:
            continue
        at = last
        whole = last if whole_signature(symbol, lines) else last - 1
        if whole >= first:
            pieces.append(Piece(first=first, last=whole, text="".join(lines[first - 1 : whole])))
            ranges.append((first, whole))
        if whole < last:
            start = lines[last - 1][: symbol.signature_end].rstrip()
            pieces.append(Piece(first=last, last=last, text=f"{start} {CUT}\n"))
    if not pieces:
        return None
    count = len(lines)
    what = "headings" if facts.parsed == "headings" else "signatures"
    remark = f"{what} only; the rest of {count:,} lines is left out"
    return Shown("outline", "outline", tuple(pieces), _joined(ranges, 0), 0.0, frozenset(), remark)


def anchor(facts: Facts, lines: Sequence[str]) -> Shown:
    """Path, title and one line about the content; shows no line of the file."""
    names = [symbol.name for symbol in facts.symbols if symbol.depth == 0 and symbol.kind in _OUTLINED]
    names = list(dict.fromkeys(names))
    said = f"{len(lines):,} lines, not shown"
    if names and facts.parsed != "headings":
        more = f" and {len(names) - ANCHOR_NAMES:,} more" if len(names) > ANCHOR_NAMES else ""
        said += f"; defines {', '.join(names[:ANCHOR_NAMES])}{more}"
    return Shown("anchor", "anchor", (), (), 0.0, frozenset(), said)


def reference(why: str) -> Shown:
    """A pointer alone: the path, and why nothing of it is shown."""
    return Shown("reference", "reference", (), (), 0.0, frozenset(), f"not shown: {why}")


def title_of(facts: Facts, lines: Sequence[str]) -> str:
    """One line that says what a file is: its first heading, else its first line of words."""
    heading = next((symbol.name for symbol in facts.symbols if symbol.kind == "heading"), "")
    if heading:
        return heading[:LONGEST_TITLE]
    for line in lines[:40]:
        line = line.strip()[:400]
        words = _DECORATION.sub("", line)
        if len(_WORD.findall(words)) >= 2 and not line.lstrip().startswith(
            ("#!", "<?", "import ", "from ", "package ")
        ):
            return words[:LONGEST_TITLE]
    return ""


def whole_signature(symbol: Symbol, lines: Sequence[str]) -> bool:
    """Whether nothing of a body stands on the lines of a signature."""
    if not symbol.signature_end or symbol.signature_last > len(lines):
        return True
    return _NO_BODY.fullmatch(lines[symbol.signature_last - 1][symbol.signature_end :].strip()) is not None


def size_of(lines: Sequence[str], first: int, last: int) -> int:
    """Bytes (as UTF-8) of the lines `first` to `last`."""
    return len("".join(lines[first - 1 : last]).encode("utf-8", "surrogatepass"))


def _choose(lines: Sequence[str], scored: Sequence[Scored], size: int) -> list[Scored]:
    """The best blocks that fit: the best always, then each next one that still fits."""
    order = sorted((item for item in scored if item.share > 0), key=lambda item: (-item.share, item.block.first))
    chosen: list[Scored] = []
    left = size
    for item in order:
        cost = size_of(lines, item.block.first, item.block.last)
        if not chosen or cost <= left:
            chosen.append(item)
            left -= cost
    return chosen


def _mark(marked: bytearray, first: int, last: int) -> None:
    marked[first : last + 1] = b"\1" * (last + 1 - first)


def _mark_signature(marked: bytearray, symbol: Symbol, lines: Sequence[str]) -> None:
    if symbol.signature_last <= len(lines) and symbol.signature_last - symbol.signature_first < 12:
        _mark(marked, symbol.signature_first, symbol.signature_last)


def _mark_imports(marked: bytearray, facts: Facts, lines: Sequence[str], chosen: Sequence[Scored]) -> None:
    """Imports of which the chosen blocks use a name."""
    if not facts.imports:
        return
    used = {
        word
        for item in chosen
        for line in lines[item.block.first - 1 : item.block.last]
        for word in _WORD.findall(line)
    }
    for item in facts.imports:
        names = item.names or (_WORD.findall(item.target) or [""])[-1:]
        if item.last_line <= len(lines) and item.last_line - item.first_line < 12 and not used.isdisjoint(names):
            _mark(marked, item.first_line, item.last_line)


def _mark_neighbours(
    marked: bytearray, facts: Facts, lines: Sequence[str], chosen: Sequence[Scored], size: int
) -> None:
    """Signatures of what stands beside the chosen blocks, all or none of them."""
    around = {item.block.owners[-1].qualified if item.block.owners else "" for item in chosen}
    beside = [
        symbol
        for symbol in facts.symbols
        if symbol.kind in _OUTLINED
        and symbol.kind != "heading"
        and symbol.qualified.rpartition(".")[0] in around
        and whole_signature(symbol, lines)
    ]
    cost = sum(size_of(lines, symbol.signature_first, symbol.signature_last) for symbol in beside)
    if cost <= size:
        for symbol in beside:
            _mark_signature(marked, symbol, lines)


def _ranges(marked: bytearray, lines: Sequence[str]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for at in range(1, len(lines) + 1):
        if marked[at]:
            if found and found[-1][1] == at - 1:
                found[-1] = (found[-1][0], at)
            else:
                found.append((at, at))
    return _joined(found)


def _joined(ranges: Sequence[tuple[int, int]], glue: int = GLUE) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for first, last in ranges:
        if joined and first - joined[-1][1] <= glue + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def _pieces(lines: Sequence[str], ranges: Iterable[tuple[int, int]]) -> tuple[Piece, ...]:
    return tuple(Piece(first=first, last=last, text="".join(lines[first - 1 : last])) for first, last in ranges)


def _inside(scored: Sequence[Scored], ranges: Sequence[tuple[int, int]]) -> list[Scored]:
    """The blocks that lie in one of the ranges (blocks and ranges ascend)."""
    found: list[Scored] = []
    at = 0
    for item in scored:
        while at < len(ranges) and ranges[at][1] < item.block.last:
            at += 1
        if at < len(ranges) and ranges[at][0] <= item.block.first:
            found.append(item)
    return found


def _left_out(lines: Sequence[str], ranges: Sequence[tuple[int, int]]) -> str:
    shown = sum(last - first + 1 for first, last in ranges)
    return f"{shown:,} of {len(lines):,} lines; the rest is left out"
