"""A breadth-first programme: duties one after the other, and of all choices that go on alike only the cheapest.

A state is the set of chosen items that later duties can still notice: because a later way needs them too, or because
one of its items is another form of their content. A narrow first pass that keeps only the most promising states gives
a sum that can be had; the full pass drops what cannot come below it (`bounds`). Sets are integers with a bit for each
item.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.checker.bounds import PARTS, Bounds, Way, items

#: States that the full pass may look at in all: two to four seconds. A pool beyond it is left open, never nodded at.
STATE_CAP = 30_000

#: States kept in the narrow pass.
NARROW = 60


class Capped(Exception):
    """The programme stopped at a named cap; nothing is known."""


def weigh(bits: int, prices: Sequence[int]) -> int:
    """Sum of the prices of a set."""
    total = 0
    while bits:
        low = bits & -bits
        total += prices[low.bit_length() - 1]
        bits ^= low
    return total


def least_sum(duties: list[list[Way]], prices: Sequence[int]) -> tuple[int, str] | None:
    """The least sum of prices that meets all duties, and an empty string; or a sum that can be had, and the cap that
    stopped the search for a lower one. None when the duties exclude one another. Raises `Capped` when nothing is known.
    """
    ordered = _ordered(duties)
    bounds = Bounds(ordered, prices)
    known = _narrow_pass(ordered, prices, bounds)
    if known is not None and bounds.rest(0, 0) > (known - 1) * PARTS:
        return known, ""
    try:
        found = _full_pass(ordered, prices, bounds, known)
    except Capped as cap:
        if known is None:
            raise
        return known, str(cap)
    least = known if found is None else found
    return None if least is None else (least, "")


def _narrow_pass(duties: list[list[Way]], prices: Sequence[int], bounds: Bounds) -> int | None:
    """A sum that can be had, if one is met among the most promising states."""
    states: dict[int, int] = {0: 0}
    for place in range(len(duties)):
        following = _step(duties[place], states, prices, bounds.noticed[place + 1])
        if len(following) > NARROW:
            rated = [(cost * PARTS + bounds.rest(place + 1, state), state) for state, cost in following.items()]
            following = {state: following[state] for _, state in sorted(rated)[:NARROW]}
        states = following
    return min(states.values(), default=None)


def _full_pass(duties: list[list[Way]], prices: Sequence[int], bounds: Bounds, known: int | None) -> int | None:
    """The least sum, if it is below the one that is known."""
    states: dict[int, int] = {0: 0}
    looked_at = 0
    for place in range(len(duties)):
        states = _step(duties[place], states, prices, bounds.noticed[place + 1])
        looked_at += len(states)
        if looked_at > STATE_CAP:
            raise Capped(f"{STATE_CAP} states")
        if known is not None:
            most = (known - 1) * PARTS
            states = {s: cost for s, cost in states.items() if cost * PARTS + bounds.rest(place + 1, s) <= most}
        states = _without_worse(states, prices)
    return min(states.values(), default=None)


def _step(ways: list[Way], states: dict[int, int], prices: Sequence[int], noticed: int) -> dict[int, int]:
    """All states after one more duty, each at its least cost."""
    following: dict[int, int] = {}
    for chosen, cost in states.items():
        for way in ways:
            if chosen & way.shuts:
                continue
            spent = cost + weigh(way.needs & ~chosen, prices)
            state = (chosen | way.needs) & noticed
            if spent < following.get(state, spent + 1):
                following[state] = spent
    return following


def _without_worse(states: dict[int, int], prices: Sequence[int]) -> dict[int, int]:
    """Without the states that another can stand in for by buying one item when it is needed: what it holds less shuts
    out nothing, and it is cheaper by at least the price of the item."""
    kept: dict[int, int] = {}
    for state, cost in states.items():
        worse = False
        bits = state
        while bits and not worse:
            low = bits & -bits
            other = states.get(state ^ low)
            worse = other is not None and other + prices[low.bit_length() - 1] <= cost
            bits ^= low
        if not worse:
            kept[state] = cost
    return kept


def _ordered(duties: list[list[Way]]) -> list[list[Way]]:
    """The order of the programme: next comes the duty after which the fewest items are both met and noticed."""
    touched = [0] * len(duties)
    users: dict[int, int] = {}
    for place, ways in enumerate(duties):
        for way in ways:
            touched[place] |= way.needs | way.shuts
        for item in items(touched[place]):
            users[item] = users.get(item, 0) + 1
    left = list(range(len(duties)))
    order: list[int] = []
    met = 0
    while left:
        several = sum(1 << item for item, count in users.items() if count > 1)
        once = sum(1 << item for item, count in users.items() if count == 1)
        best = min(left, key=lambda p: (((met | touched[p]) & (several | once & ~touched[p])).bit_count(), p))
        left.remove(best)
        order.append(best)
        met |= touched[best]
        for item in items(touched[best]):
            users[item] -= 1
    return [duties[place] for place in order]
