"""Local improvement of a fill (policy v2): bring something in, and push out what is worth least for it.

Greedy by density errs in two ways: at the end, where a large good thing no longer fits and small ones took its room,
and where several components share something dear that none of them pays for alone. Both are mended by moves that
bring in one component, or all that share a dependency, and push out removable ones. Every accepted move raises the
worth, so this ends; caps on what is looked at keep it a small, fixed effort for pools of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from contextc.core.compiler.fill import density
from contextc.core.compiler.selection import Move, Selection

#: What one pass looks at on either side of the edge: this much divided by the size of the pool, within the limits.
#: In a small pool one item is a large part of the budget; in a large one greedy by density is nearly exact.
EFFORT, LEAST, MOST = 40_000, 16, 200
#: Passes; few pools change after the third.
PASSES = 8
#: Most components that share a dependency and are brought in together.
SHARERS = 12


class Unit(NamedTuple):
    """Something that can be pushed out: a component nothing needs, with or without what only it needs."""

    comps: tuple[int, ...]
    loss: int
    weight: int


def looks(size: int) -> int:
    """How many components a pass looks at in a pool of `size` candidates."""
    return min(MOST, max(LEAST, EFFORT // max(1, size)))


def improve(selection: Selection, edge: Sequence[int]) -> None:
    """Raise the worth of a selection by local moves; `edge` are components outside that nearly came in."""
    state = _Edge(selection, edge)
    for _ in range(PASSES):
        if not state.run():
            return


class _Edge:
    """The components on both sides of the edge; only these are looked at again after a move."""

    def __init__(self, selection: Selection, outside: Sequence[int]) -> None:
        self.selection = selection
        self.count = looks(selection.pool.size)
        self.outside: dict[int, None] = dict.fromkeys(outside)
        found = [
            (density(selection.worth.own[c], selection.needs.weight[c]), c)
            for c, inside in enumerate(selection.inside)
            if inside and selection.removable(c)
        ]
        found.sort()
        self.inside: dict[int, None] = dict.fromkeys([c for _, c in found[: 2 * self.count]])

    def run(self) -> bool:
        """One pass: try every entry once; whether any came in."""
        selection = self.selection
        moved = False
        singles = self._singles()
        units = self._units()
        for entry in [*[(c,) for c in singles], *_sharing(selection, singles)]:
            move = selection.move(entry[0]) if len(entry) == 1 else selection.joint(entry)
            if move is None or move.gain <= 0:
                continue
            pushed = _push(selection, move, units)
            if pushed is None:
                continue
            self._apply(move.fresh, [*move.gone, *pushed])
            for c in singles:
                self._refill(c)
            units = self._units()
            moved = True
        return moved

    def _apply(self, fresh: Sequence[int], gone: Sequence[int]) -> None:
        self.selection.apply(fresh, gone)
        for c in gone:
            self.outside[c] = None
        for d in fresh:
            self.inside[d] = None
        for d in gone:
            for e in self.selection.needs.succ[d]:
                self.inside[e] = None

    def _refill(self, c: int) -> None:
        """Use what room a move left."""
        weighed = self.selection.weigh(c)
        if weighed is not None and weighed[0] > 0 and weighed[1] <= self.selection.rest:
            move = self.selection.move(c)
            if move is not None:
                self._apply(move.fresh, move.gone)

    def _singles(self) -> list[int]:
        """What may come in, densest first."""
        selection = self.selection
        found: list[tuple[int, int]] = []
        for c in self.outside:
            weighed = selection.weigh(c)
            if weighed is not None and weighed[0] > 0:
                found.append((-density(*weighed), c))
        found.sort()
        return [c for _, c in found[: self.count]]

    def _units(self) -> list[Unit]:
        """What can be pushed out, least worth for its weight first."""
        selection, needs = self.selection, self.selection.needs
        found: list[tuple[int, int, Unit]] = []
        for c in self.inside:
            if not selection.removable(c):
                continue
            alone = Unit((c,), selection.loss((c,)), needs.weight[c])
            found.append((density(alone.loss, alone.weight), c, alone))
            comps = _exclusive(selection, c)
            if len(comps) > 1:
                whole = Unit(comps, selection.loss(comps), sum([needs.weight[d] for d in comps]))
                found.append((density(whole.loss, whole.weight), c, whole))
        found.sort(key=lambda entry: (entry[0], entry[1], len(entry[2].comps)))
        return [unit for _, _, unit in found[: self.count]]


def _sharing(selection: Selection, singles: Sequence[int]) -> list[tuple[int, ...]]:
    """Components that need the same thing, which is not inside: together they pay for it once."""
    sharers: dict[int, list[int]] = {}
    for c in singles:
        for d in selection.needs.short[c] or ():
            if not selection.inside[d]:
                sharers.setdefault(d, []).append(c)
    found: dict[tuple[int, ...], None] = {}
    for users in sharers.values():
        for count in range(2, min(len(users), SHARERS) + 1):
            found[tuple(users[:count])] = None
    return list(found)


def _exclusive(selection: Selection, c: int) -> tuple[int, ...]:
    """`c` and what it alone needs and nobody is owed."""
    needs = selection.needs
    found = [c]
    left: dict[int, int] = {}
    for d in found:
        for e in needs.succ[d]:
            left[e] = left.get(e, selection.users[e]) - 1
            if not left[e] and not selection.locked[e] and not any(selection.owed[i] for i in needs.members[e]):
                found.append(e)
    return tuple(found)


def _push(selection: Selection, move: Move, units: Sequence[Unit]) -> list[int] | None:
    """What to push out so that a move fits and still gains; None when there is no such thing."""
    short = move.cost - selection.rest
    if short <= 0:
        return []
    needed = _needed(selection, move)
    gone = set(move.gone)
    usable = [u for u in units if not any(c in needed or c in gone for c in u.comps)]
    best: list[int] | None = None
    best_gain = 0
    for choice in (_one(usable, short, move.gain), _several(usable, short, move.gain)):
        if choice is not None:
            gain = selection.gain(move.fresh, [*move.gone, *choice])
            if gain > best_gain:
                best, best_gain = choice, gain
    return best


def _needed(selection: Selection, move: Move) -> set[int]:
    """What is inside and must stay for the move to be closed."""
    needs = selection.needs
    return set(needs.reach([e for d in move.fresh for e in needs.succ[d]]))


def _one(units: Sequence[Unit], short: int, most: int) -> list[int] | None:
    """The single unit that frees enough at the least loss."""
    best: Unit | None = None
    for unit in units:
        if unit.weight >= short and unit.loss < most and (best is None or unit.loss < best.loss):
            best = unit
    return None if best is None else list(best.comps)


def _several(units: Sequence[Unit], short: int, most: int) -> list[int] | None:
    """Units by rising density until enough is free; then those that turn out not to be needed stay."""
    taken: list[Unit] = []
    used: set[int] = set()
    freed = loss = 0
    for unit in units:
        if any(c in used for c in unit.comps):
            continue
        taken.append(unit)
        used.update(unit.comps)
        freed += unit.weight
        loss += unit.loss
        if freed >= short:
            break
    if freed < short:
        return None
    for unit in sorted(taken, key=lambda u: (-u.loss, u.comps)):
        if freed - unit.weight >= short:
            taken.remove(unit)
            freed -= unit.weight
            loss -= unit.loss
    return [c for unit in taken for c in unit.comps] if loss < most else None
