"""Filling the budget by worth (policy v2): greedy by density, then local improvement, then a last look.

    greedy    the component that brings most for what it costs, with all it needs; a better form of a content that is
              already inside is a move like any other. Weights go stale as things come in, so an entry is weighed anew
              when it surfaces; what became denser because its needs came in is entered again.
    improve   see `improve`.
    last look what fits and has worth comes in. A component that does not fit will not fit later: what others bring in
              lowers its cost by no more than it lowers the room.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.agenda import Agenda
from contextc.core.compiler.selection import Selection

#: Densities are compared as integers: worth per unit of cost, times this.
DENSITY = 1 << 16
#: Most components entered again after one admission; a hub that a thousand need is not worth a thousand weighings.
ECHO = 64

Entry = tuple[int, int, int]


def density(gain: int, cost: int) -> int:
    """Worth per unit; what costs nothing, or frees room, comes first."""
    return gain * DENSITY // cost if cost > 0 else gain * DENSITY * DENSITY


def greedy(selection: Selection, components: Sequence[int]) -> None:
    """Bring in components by falling density until none that fits brings anything."""
    first = [m[0] for m in selection.needs.members]
    entries: list[Entry] = []
    for c in components:
        found = selection.weigh(c)
        if found is not None and found[0] > 0:
            entries.append((-density(*found), first[c], c))
    agenda: Agenda[Entry] = Agenda(entries)
    while (entry := agenda.peek()) is not None:
        agenda.drop()
        c = entry[2]
        found = selection.weigh(c)
        if found is None or found[0] <= 0 or found[1] > selection.rest:
            continue
        now = -density(*found)
        if now > entry[0]:
            agenda.push((now, first[c], c))
            continue
        if selection.plain[c]:
            selection.apply((c,), ())
            echoes = selection.needs.pred[c] or ()
        else:
            move = selection.move(c)
            if move is None:
                continue
            selection.apply(move.fresh, move.gone)
            echoes = _echoes(selection, move.fresh)
        for user in echoes[:ECHO]:
            found = selection.weigh(user)
            if found is not None and found[0] > 0 and found[1] <= selection.rest:
                agenda.push((-density(*found), first[user], user))


def _echoes(selection: Selection, fresh: Sequence[int]) -> list[int]:
    """What may have become denser: components that need something fresh, and other forms of fresh contents."""
    needs, pool = selection.needs, selection.pool
    found: dict[int, None] = {}
    for d in fresh:
        for user in needs.pred[d] or ():
            found[user] = None
            for further in needs.pred[user] or ():
                found[further] = None
            if len(found) > ECHO:
                return list(found)
        for i in needs.members[d]:
            for other in pool.forms[pool.content[i]]:
                if other != i:
                    found[needs.comp[other]] = None
    return list(found)


def last_look(selection: Selection, components: Sequence[int]) -> None:
    """Bring in whatever fits, displaces nothing and has worth, densest first."""
    entries: list[Entry] = []
    for c in components:
        found = selection.weigh(c)
        if found is not None and found[0] > 0 and found[1] <= selection.rest:
            entries.append((-density(*found), selection.needs.members[c][0], c))
    for _, _, c in sorted(entries):
        move = selection.move(c)
        if move is not None and not move.gone and move.gain > 0 and move.cost <= selection.rest:
            selection.apply(move.fresh, ())
