"""The least cost of meeting all obligations, by a breadth-first programme over them.

Obligations are taken one after the other, those that share something next to each other. A state is the set of chosen
candidates that later obligations can still notice: because a later way needs them too, or because one of its members
is another form of their content. Two choices with the same state go on alike, so only the cheaper one is kept. Nothing
of the compiler's search (depth first, with bounds) is in here; that is the point.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach

#: States that may be alive at once. A pool beyond it is left open, never nodded at.
STATE_CAP = 20_000

#: Bits over all ways that may be held: 40 million are some 5 MB.
BIT_CAP = 40_000_000


class Duty(Struct, frozen=True):
    """An obligation: its name and the candidates of which one must be present."""

    name: str
    ways: tuple[int, ...]
    group: bool = False


class Least(Struct, frozen=True):
    """What the programme found: the least units of items (None: no choice exists), or that a cap stopped it."""

    units: int | None = None
    capped: str = ""


class _Way(Struct, frozen=True):
    """One way to meet an obligation: all that comes with it, and all forms that it shuts out."""

    needs: int
    shuts: int


def duties_of(facts: Facts) -> list[Duty]:
    """All obligations of the request, by L3, L4 and L6."""
    duties = [
        Duty(name, (facts.number[name],)) for name in dict.fromkeys(facts.request.required_ids) if name in facts.number
    ]
    duties += [Duty(name, tuple(members[:1]), group=True) for name, members in facts.obliged_groups().items()]
    duties += [Duty(content, tuple(forms)) for content, forms in facts.obliged_forms().items()]
    return duties


def least_units(facts: Facts) -> Least:
    """The least sum of units over all legal sets of obligations and what they need; 0 without obligations."""
    closures: dict[int, set[int]] = {}
    duties = duties_of(facts)
    total = 0
    for duty in duties:
        for way in duty.ways:
            if way not in closures:
                closures[way] = {n for n in reach(facts.needs, [way]) if n < facts.size}
                total += len(closures[way])
    members = sorted(set().union(*closures.values())) if closures else []
    if total + len(members) * len(closures) > BIT_CAP:
        return Least(capped=f"{BIT_CAP} bits")
    bit = {number: 1 << place for place, number in enumerate(members)}
    ways = {number: _way(facts, closure, bit) for number, closure in closures.items()}
    choices = [[found for number in duty.ways if (found := ways[number]) is not None] for duty in duties]
    units = [facts.units[number] for number in members]
    return _programme(_arranged(choices), units)


def _way(facts: Facts, closure: set[int], bit: dict[int, int]) -> _Way | None:
    """A way with its members as bits; None when it holds something illegal or two forms of one content."""
    needs = shuts = 0
    for number in closure:
        if facts.gates[number] is not None or facts.missing_dependencies(number):
            return None
        needs |= bit[number]
        for other in facts.forms[facts.pool[number].content_identity]:
            if other != number:
                if other in closure:
                    return None
                shuts |= bit.get(other, 0)
    return _Way(needs=needs, shuts=shuts)


def _arranged(choices: list[list[_Way]]) -> list[list[_Way]]:
    """Obligations in an order in which those that notice one another stand close, breadth first."""
    seen_by = [0] * len(choices)
    for place, options in enumerate(choices):
        for way in options:
            seen_by[place] |= way.needs | way.shuts
    left = list(range(len(choices)))
    order: list[int] = []
    while left:
        queue = [left.pop(0)]
        while queue:
            place = queue.pop(0)
            order.append(place)
            near = [other for other in left if seen_by[other] & seen_by[place]]
            left = [other for other in left if not seen_by[other] & seen_by[place]]
            queue.extend(near)
    return [choices[place] for place in order]


def _programme(choices: Sequence[list[_Way]], units: Sequence[int]) -> Least:
    noticed = _noticed_later(choices)
    states: dict[int, int] = {0: 0}
    for place, ways in enumerate(choices):
        following: dict[int, int] = {}
        for chosen, cost in states.items():
            for way in ways:
                if chosen & way.shuts:
                    continue
                state = (chosen | way.needs) & noticed[place]
                spent = cost + _sum(way.needs & ~chosen, units)
                if spent < following.get(state, spent + 1):
                    following[state] = spent
            if len(following) > STATE_CAP:
                return Least(capped=f"{STATE_CAP} states")
        states = following
    return Least(units=min(states.values(), default=None))


def _noticed_later(choices: Sequence[list[_Way]]) -> list[int]:
    """For each place, the bits that some later way needs or shuts out."""
    noticed = [0] * len(choices)
    later = 0
    for place in range(len(choices) - 1, -1, -1):
        noticed[place] = later
        for way in choices[place]:
            later |= way.needs | way.shuts
    return noticed


def _sum(bits: int, units: Sequence[int]) -> int:
    total = 0
    while bits:
        low = bits & -bits
        total += units[low.bit_length() - 1]
        bits ^= low
    return total
