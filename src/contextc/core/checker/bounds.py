"""Bounds from below on what duties must still cost, for the breadth-first programme.

An item that several duties can use is charged to each of them in shares that add up to at most its price. Then the sum
over duties of the cheapest way, by its shares, is never above the true sum, whatever is chosen. Equal shares are a
start; passing share from those who do not want an item to those who do raises the sum (a dual ascent). Shares are
integers, so nothing depends on rounding, and a bound is right whatever the ascent did.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

#: Shares are counted in parts of this size of a unit.
PARTS = 1 << 16

#: Rounds of the ascent, and the number of duties from which it pays.
ROUNDS = 80
FROM = 8

Shares = list[dict[int, int]]


class Way(Struct, frozen=True):
    """One way to meet a duty: all that comes with it, and all other forms of that, as bits."""

    needs: int
    shuts: int


def items(bits: int) -> list[int]:
    """The places of the bits of a set, ascending."""
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


class Bounds:
    """For each place in an order of duties: what later ones notice, and the least that they must still cost."""

    def __init__(self, duties: list[list[Way]], prices: Sequence[int]) -> None:
        ways = [[items(way.needs) for way in duty] for duty in duties]
        shares = _shares(ways, prices)
        self.noticed = _noticed(duties)
        self._near: list[list[list[tuple[int, list[tuple[int, int]]]]]] = []
        self._far: list[int] = []
        before = 0
        for place in range(len(duties) + 1):
            near, far = _charges(ways, shares, place, before)
            self._near.append(near)
            self._far.append(far)
            if place < len(duties):
                for way in duties[place]:
                    before |= way.needs

    def rest(self, place: int, state: int) -> int:
        """A bound from below, in parts, on what the duties from `place` on add to a state."""
        total = self._far[place]
        for split in self._near[place]:
            total += min([fixed + sum([share for bit, share in open_ if not state & bit]) for fixed, open_ in split])
        return total


def _charges(
    ways: list[list[list[int]]], shares: Shares, place: int, before: int
) -> tuple[list[list[tuple[int, list[tuple[int, int]]]]], int]:
    """Later duties that something chosen before may help, to be charged for each state; and the sum of the others."""
    near: list[list[tuple[int, list[tuple[int, int]]]]] = []
    far = 0
    for later in range(place, len(ways)):
        split: list[tuple[int, list[tuple[int, int]]]] = []
        for way in ways[later]:
            open_ = [(1 << item, shares[later][item]) for item in way if before >> item & 1]
            fixed = sum([shares[later][item] for item in way if not before >> item & 1])
            split.append((fixed, open_))
        if any(open_ for _, open_ in split):
            near.append(split)
        else:
            far += min(fixed for fixed, _ in split)
    return near, far


def _noticed(duties: list[list[Way]]) -> list[int]:
    """For each place, the bits that some duty from there on needs or shuts out."""
    noticed = [0] * (len(duties) + 1)
    for place in range(len(duties) - 1, -1, -1):
        noticed[place] = noticed[place + 1]
        for way in duties[place]:
            noticed[place] |= way.needs | way.shuts
    return noticed


def _shares(ways: list[list[list[int]]], prices: Sequence[int]) -> Shares:
    """Shares after the ascent; the best that was met."""
    users: dict[int, list[int]] = {}
    for duty, choices in enumerate(ways):
        for item in sorted(set().union(*choices)):
            users.setdefault(item, []).append(duty)
    shares: Shares = [{} for _ in ways]
    for item, duties in users.items():
        for duty in duties:
            shares[duty][item] = prices[item] * PARTS // len(duties)
    shared = [(item, duties) for item, duties in users.items() if len(duties) > 1]
    if len(ways) < FROM or not shared:
        return shares
    best, best_sum = shares, -1
    for turn in range(ROUNDS):
        wanted, total = _cheapest(ways, shares)
        if total > best_sum:
            best, best_sum = [dict(row) for row in shares], total
        for item, duties in shared:
            step = prices[item] * PARTS // (3 + turn)
            _pass_on(item, [d for d in duties if item in wanted[d]], duties, shares, step)
    return best


def _cheapest(ways: list[list[list[int]]], shares: Shares) -> tuple[list[list[int]], int]:
    """By the shares, the cheapest way of each duty and their sum."""
    wanted: list[list[int]] = []
    total = 0
    for duty, choices in enumerate(ways):
        row = shares[duty]
        sums = [sum([row[item] for item in way]) for way in choices]
        least = min(sums)
        wanted.append(choices[sums.index(least)])
        total += least
    return wanted, total


def _pass_on(item: int, takers: list[int], duties: list[int], shares: Shares, step: int) -> None:
    """Moves up to `step` of an item's price from those whose cheapest way does without it to those that want it."""
    if not takers or len(takers) == len(duties):
        return
    givers = [duty for duty in duties if duty not in takers]
    moved = 0
    for duty in givers:
        part = min(shares[duty][item], step // len(givers))
        shares[duty][item] -= part
        moved += part
    for duty in takers:
        shares[duty][item] += moved // len(takers)
