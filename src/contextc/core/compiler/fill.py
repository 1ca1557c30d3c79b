"""Filling the budget by worth (policy v2): greedy by density, then local improvement, then a last look.

greedy    the component that brings most for what it costs, with all it needs; a better form of a content that is
          already inside is a move like any other. Weights go stale as things come in, so an entry is weighed anew
          when it surfaces; what became denser because its needs came in is entered again.
improve   see `improve`.
last look what fits and has worth comes in. A component that does not fit will not fit later: what others bring in
          lowers its cost by no more than it lowers the room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextc.core.compiler.agenda import Agenda
from contextc.core.compiler.selection import Selection

#: Densities are compared as integers: worth per unit of cost, times this.
DENSITY = 1 << 16
#: Most components entered again after one admission; a hub that a thousand need is not worth a thousand weighings.
ECHO = 64
#: Most components with a long closure that is no plain line, weighed by walking it; the last look sees the others.
WALKS = 2_000

Entry = tuple[int, int, int]


def density(gain: int, cost: int) -> int:
    """Worth per unit; what costs nothing, or frees room, comes first."""
    return gain * DENSITY // cost if cost > 0 else gain * DENSITY * DENSITY


def boldness(gain: int, cost: int) -> int:
    """Gain squared per unit: prefers what is large, where by density small things would take its room."""
    return gain * gain // cost if cost > 0 else gain * gain * DENSITY


Rank = Callable[[int, int], int]


def greedy(selection: Selection, components: Sequence[int], keep: int, rank: Rank = density) -> list[int]:
    """Bring in components by falling rank, usually density, until none that fits brings anything.

    Returns the first `keep` that did not fit: those nearest to the edge between in and out.
    """
    fill = _Greedy(selection, keep, rank)
    agenda: Agenda[Entry] = Agenda(fill.enter(components))
    while (entry := agenda.peek()) is not None:
        agenda.drop()
        for again in fill.take(entry):
            agenda.push(again)
    return list(fill.edge)


class _Greedy:
    def __init__(self, selection: Selection, keep: int, rank: Rank) -> None:
        self.rank = rank
        self.selection = selection
        self.keep = keep
        self.walks = WALKS
        self.first = [m[0] for m in selection.needs.members]
        self.edge: dict[int, None] = {}

    def enter(self, components: Sequence[int]) -> list[Entry]:
        """Entries of the components that bring anything."""
        entries: list[Entry] = []
        first = self.first
        for c in components:
            found = self.weigh(c)
            if found is not None and found[0] > 0:
                entries.append((-self.rank(*found), first[c], c))
        return entries

    def weigh(self, c: int) -> tuple[int, int] | None:
        """Gain and cost; None also for a walk too many."""
        selection = self.selection
        if selection.needs.short[c] is None and not selection.lined[c]:
            if self.walks <= 0 or selection.cost(c) > selection.rest:
                return None
            self.walks -= 1
        return selection.weigh(c)

    def take(self, entry: Entry) -> list[Entry]:
        """Bring in what an entry stands for if it is still the densest; returns entries to add."""
        selection, c = self.selection, entry[2]
        found = self.weigh(c)
        if found is None or found[0] <= 0:
            return []
        if found[1] > selection.rest:
            if len(self.edge) < self.keep:
                self.edge[c] = None
            return []
        now = -self.rank(*found)
        if now > entry[0]:
            return [(now, self.first[c], c)]
        if selection.plain[c]:
            selection.apply((c,), ())
            users = selection.needs.pred[c]
            return self.enter(users[:ECHO]) if users else []
        move = selection.move(c)
        if move is None:
            return []
        selection.apply(move.fresh, move.gone)
        return self.enter(self._echoes(move.fresh)[:ECHO])

    def _echoes(self, fresh: Sequence[int]) -> list[int]:
        """What may have become denser: components that need something fresh, and other forms of fresh contents."""
        needs, pool = self.selection.needs, self.selection.pool
        found: dict[int, None] = {}
        for d in fresh:
            for user in needs.pred[d] or ():
                found[user] = None
                for further in needs.pred[user] or ():
                    found[further] = None
            for i in needs.members[d]:
                forms = pool.forms[pool.content[i]]
                if len(forms) > 1:
                    for other in forms:
                        found[needs.comp[other]] = None
            if len(found) > ECHO:
                break
        return list(found)


def last_look(selection: Selection, components: Sequence[int]) -> None:
    """Bring in whatever fits, displaces nothing and has worth, densest first."""
    entries: list[Entry] = []
    rest = selection.rest
    costs = selection.needs.marginals(selection.inside)
    for c in components:
        if selection.inside[c] or costs[c] > rest:
            continue
        move = selection.move(c)
        if move is not None and move.gain > 0 and not move.gone:
            entries.append((-density(move.gain, move.cost), selection.needs.members[c][0], c))
    for _, _, c in sorted(entries):
        move = selection.move(c)
        if move is not None and not move.gone and move.gain > 0 and move.cost <= selection.rest:
            selection.apply(move.fresh, ())
