"""The least cost of meeting obligations, found otherwise than a compiler would: no search in depth, no guessing.

Each obligation (`Duty`) has ways to be met: a candidate with all that comes with it. The ways become bits; what is
settled at once is settled (`_reduced`), obligations that have nothing to do with one another are taken apart
(`_parts`), and each part goes to the breadth-first programme (`programme`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextc.core.checker.bounds import Way, items
from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach
from contextc.core.checker.programme import Capped, least_sum, weigh

#: Candidates over all ways that may be held, and bits over all ways: 40 million are some 5 MB.
HELD_CAP = 2_000_000
BIT_CAP = 40_000_000

#: Duties that hang together in one part; the time grows with the square of it.
PART_CAP = 600


class Duty(Struct, frozen=True):
    """An obligation: its name and the candidates of which one must be present."""

    name: str
    ways: tuple[int, ...]
    group: bool = False


class Least(Struct, frozen=True):
    """What the programme found: the least units of items; None: no choice exists.

    With a cap, `units` can be had but fewer may do; None: nothing is known.
    """

    units: int | None = None
    capped: str = ""


def duties_of(facts: Facts) -> list[Duty]:
    """All obligations of the request, by L3, L4 and L6."""
    duties = [
        Duty(name, (facts.number[name],)) for name in dict.fromkeys(facts.request.required_ids) if name in facts.number
    ]
    duties += [Duty(name, tuple(members[:1]), group=True) for name, members in facts.obliged_groups().items()]
    duties += [Duty(content, tuple(forms)) for content, forms in facts.obliged_forms().items()]
    return duties


def least_units(facts: Facts, duties: Sequence[Duty]) -> Least:
    """The least sum of units over all legal sets that meet these duties; 0 for no duties."""
    forced = {n for n in reach(facts.needs, [d.ways[0] for d in duties if len(d.ways) == 1]) if n < facts.size}
    if not _goes_together(facts, forced):
        return Least()
    open_duties = [duty for duty in duties if forced.isdisjoint(duty.ways)]
    total = sum(facts.units[n] for n in forced)
    try:
        least = _least_beside(facts, forced, open_duties)
    except Capped as cap:
        return Least(capped=str(cap))
    return Least() if least is None else Least(units=total + least[0], capped=least[1])


def _goes_together(facts: Facts, numbers: set[int]) -> bool:
    """Whether all are legal, miss nothing, and are of different contents."""
    contents = {facts.pool[n].content_identity for n in numbers}
    return len(contents) == len(numbers) and not any(
        facts.gates[n] is not None or facts.missing_dependencies(n) for n in numbers
    )


def _least_beside(facts: Facts, forced: set[int], duties: list[Duty]) -> tuple[int, str] | None:
    """The least units that these duties add to what is forced, and the cap if one stopped the search (`least_sum`)."""
    closures: dict[int, set[int]] = {}
    held = 0
    taken = {facts.pool[n].content_identity for n in forced}
    for way in dict.fromkeys(way for duty in duties for way in duty.ways):
        closure = {n for n in reach(facts.needs, [way], outside=forced) if n < facts.size}
        held += len(closure)
        if held > HELD_CAP:
            raise Capped(f"{HELD_CAP} needs")
        if _goes_together(facts, closure) and taken.isdisjoint([facts.pool[n].content_identity for n in closure]):
            closures[way] = closure
    members = sorted(set().union(*closures.values()))
    if len(members) * len(closures) > BIT_CAP:
        raise Capped(f"{BIT_CAP} bits")
    bit = {number: 1 << place for place, number in enumerate(members)}
    ways = {number: _way(facts, closure, bit) for number, closure in closures.items()}
    choices = [[ways[number] for number in duty.ways if number in ways] for duty in duties]
    return _least(choices, [facts.units[number] for number in members])


def least_legal(facts: Facts) -> Least:
    """The least units of any one candidate with all that comes with it, where nothing is due."""
    least: int | None = None
    held = 0
    for number in range(facts.size):
        closure = {n for n in reach(facts.needs, [number]) if n < facts.size}
        held += len(closure)
        if held > HELD_CAP:
            return Least(capped=f"{HELD_CAP} needs")
        if _goes_together(facts, closure):
            units = sum(facts.units[n] for n in closure)
            least = units if least is None else min(least, units)
    return Least(units=least)


def _way(facts: Facts, closure: set[int], bit: dict[int, int]) -> Way:
    """A way as bits: its members, and the other forms of their contents that some way holds."""
    needs = shuts = 0
    for number in closure:
        needs |= bit[number]
        for other in facts.forms[facts.pool[number].content_identity]:
            if other != number:
                shuts |= bit.get(other, 0)
    return Way(needs=needs, shuts=shuts)


def _least(choices: list[list[Way]], prices: Sequence[int]) -> tuple[int, str] | None:
    settled = _settled(choices)
    if settled is None:
        return None
    taken, choices = settled
    total = weigh(taken, prices)
    capped = ""
    for part in _parts(choices):
        if len(part) > PART_CAP:
            raise Capped(f"{PART_CAP} duties")
        least = least_sum(_without_worse(part, prices), prices)
        if least is None:
            return None
        total += least[0]
        capped = capped or least[1]
    return total, capped


def _settled(choices: list[list[Way]]) -> tuple[int, list[list[Way]]] | None:
    """What every solution holds, and the duties that are left, relative to it. None: there is no solution.

    What all ways of a duty share is held in any case; what is held shuts out ways of other duties, and so on.
    """
    taken = shut = 0
    while True:
        before = taken, shut
        left: list[list[Way]] = []
        for ways in choices:
            open_ = [way for way in ways if not way.needs & shut and not way.shuts & taken]
            if not open_:
                return None
            common, excluded = open_[0].needs, open_[0].shuts
            for way in open_:
                common &= way.needs
                excluded &= way.shuts
            taken |= common
            shut |= excluded
            if all(way.needs & ~taken for way in open_):
                left.append(open_)  # otherwise one way has everything it needs: the duty is met at no cost
        choices = left
        if (taken, shut) == before:
            return taken, [[Way(needs=way.needs & ~taken, shuts=way.shuts) for way in ways] for ways in left]


def _parts(choices: list[list[Way]]) -> list[list[list[Way]]]:
    """Duties in parts that share neither a candidate nor a content."""
    part_of: dict[int, int] = {}
    parts: dict[int, list[int]] = {}
    for place, ways in enumerate(choices):
        touched = 0
        for way in ways:
            touched |= way.needs | way.shuts
        bits = items(touched)
        merged = sorted({part_of[item] for item in bits if item in part_of})
        parts[place] = [duty for part in merged for duty in parts.pop(part)] + [place]
        for item in bits:
            part_of[item] = place
        if merged:
            part_of.update({item: place for item, part in part_of.items() if part in set(merged)})
    return [[choices[place] for place in part] for part in parts.values()]


def _without_worse(choices: list[list[Way]], prices: Sequence[int]) -> list[list[Way]]:
    """Ways that another way of the same duty can always stand in for are left out.

    It can when it shares no more with other duties, shuts out no more of them, and its own items cost no more: put in
    its place, everything that other duties need stays, and the sum does not grow.
    """
    once = several = 0
    for ways in choices:
        mine = _union(ways)
        several |= once & mine
        once |= mine
    kept: list[list[Way]] = []
    for ways in choices:
        needed = several | once & ~_union(ways)
        best: list[Way] = []
        for way in sorted(ways, key=lambda w: weigh(w.needs & ~needed, prices)):
            shared, shuts = way.needs & needed, way.shuts & needed
            if not any(not b.needs & needed & ~shared and not b.shuts & needed & ~shuts for b in best):
                best.append(way)
        kept.append(best)
    return kept


def _union(ways: list[Way]) -> int:
    needs = 0
    for way in ways:
        needs |= way.needs
    return needs
