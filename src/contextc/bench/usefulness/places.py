"""The measure: which of the changed places stand in what was selected.

Items are taken in their order, each whole, while the budget lasts; one that no longer fits is skipped. Tokens are
bytes / 4 for everybody, with the line of the path. A range counts only for lines that the text really has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from contextc.bench.usefulness.cases import Case

#: Bytes beside text and path: the line of the path ends, and so does the text.
FRAME = 2
#: Tokens left over below which nothing more is tried.
FULL = 40
#: A rank that is none.
UNRANKED = 10**9

#: The bytes of a file at the parent commit, None where it is no regular file there.
Read = Callable[[str], bytes | None]


class Item(NamedTuple):
    """One selected piece. `text` None stands for the whole file, whose `size` in bytes then counts."""

    path: str
    text: str | None
    ranges: Sequence[tuple[int, int]]
    size: int = 0


class Score(Struct, frozen=True, kw_only=True):
    """What one budget gave. Shares in 0..1: `edit` of the changed places that are visible, `recall` of the changed
    files that are there in any form, `precision` of the tokens that were spent on changed files."""

    edit: float
    edit_all: float
    edit_any: float
    recall: float
    all: float
    any: float
    precision: float
    used: int
    files: int


class Ranks(Struct, frozen=True, kw_only=True):
    """Ranks of the changed files in the order of selection, from 1; 0 for one that is not there."""

    first: int
    last: int

    @property
    def reciprocal(self) -> float:
        """1 / rank of the first changed file."""
        return 1 / self.first if self.first else 0.0

    def within(self, count: int) -> float:
        """1.0 when all changed files are among the first `count`."""
        return float(0 < self.last <= count)


def tokens(size: int) -> int:
    """The one estimate of the measure: bytes / 4, rounded up."""
    return (size + 3) // 4


def score(case: Case, items: Sequence[Item], budget: int, read: Read) -> Score:
    """Pack the items and judge them."""
    packed = _pack(items, budget)
    spent: dict[str, int] = {}
    for item in packed:
        spent[item.path] = spent.get(item.path, 0) + _cost(item)
    hit = [path for path in case.gold if path in spent]
    seen = visible(case, packed, read)
    places = [place for found in seen.values() for place in found]
    used = sum(spent.values())
    return Score(
        edit=sum(places) / len(places) if places else 0.0,
        edit_all=float(all(places)),
        edit_any=float(any(places)),
        recall=len(hit) / len(case.gold),
        all=float(len(hit) == len(case.gold)),
        any=float(bool(hit)),
        precision=sum(spent[path] for path in hit) / used if used else 0.0,
        used=used,
        files=len(spent),
    )


def visible(case: Case, items: Sequence[Item], read: Read) -> Mapping[str, list[bool]]:
    """For each changed file whether each of its changed places is visible in the items."""
    found: dict[str, list[bool]] = {}
    for path, hunks in case.gold_hunks.items():
        own = [item for item in items if item.path == path]
        whole = any(item.text is None for item in own)
        lines = set() if whole or not own else _shown(own, read(path))
        found[path] = [whole or all(at in lines for at in range(first, last + 1)) for first, last in hunks]
    return found


def ranks(case: Case, items: Sequence[Item]) -> Ranks:
    """Where the changed files stand in the order of selection."""
    place = {path: at for at, path in enumerate(dict.fromkeys(item.path for item in items), 1)}
    found = sorted(place.get(path, UNRANKED) for path in case.gold)
    return Ranks(first=found[0] % UNRANKED, last=found[-1] % UNRANKED)


def _cost(item: Item) -> int:
    size = item.size if item.text is None else len(item.text.encode("utf-8", "replace"))
    return tokens(size + len(item.path) + FRAME)


def _pack(items: Sequence[Item], budget: int) -> list[Item]:
    used = 0
    packed: list[Item] = []
    whole: set[str] = set()
    for item in items:
        if item.text is None and item.path in whole:
            continue
        cost = _cost(item)
        if used + cost > budget:
            if budget - used < FULL:
                break
            continue
        if item.text is None:
            whole.add(item.path)
        used += cost
        packed.append(item)
    return packed


def _shown(items: Sequence[Item], data: bytes | None) -> set[int]:
    """Lines of the file that the items really show: in a range, and in the text."""
    if data is None or b"\0" in data[:8000]:
        return set()
    lines = data.decode("utf-8", "replace").split("\n")
    shown: set[int] = set()
    for item in items:
        have = _stripped(item.text or "")
        for first, last in item.ranges:
            shown.update(at for at in range(max(1, first), min(len(lines), last) + 1) if lines[at - 1].strip() in have)
    return shown


def _stripped(text: str) -> set[str]:
    """The lines of a text without margins, also behind line numbers (`12| code`, `12: code`)."""
    have: set[str] = set()
    for line in text.split("\n"):
        have.add(line.strip())
        number, bar, rest = line.partition("|")
        if bar and len(number) < 10:
            have.add(rest.strip())
        number, colon, rest = line.partition(":")
        if colon and len(number) < 8 and number.strip().isdigit():
            have.add(rest.strip())
    return have
