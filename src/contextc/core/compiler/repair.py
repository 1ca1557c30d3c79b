"""The published repair (construction SPEC 4, step 8): drop what nobody needs, last in the layout first.

"Needs" is transitive over the relation as it was, also through items that have been removed since. An item is free
when its component holds no other item and no component above it is *live*: holds an item, or is itself below a live
one. Both are counted, so a removal costs what it changes.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from contextc.core.compiler.layout import by_role
from contextc.core.compiler.ledger import DETAIL_REPAIR
from contextc.core.compiler.pool import DISCRETIONARY
from contextc.core.compiler.rounds import Rounds


def repair(rounds: Rounds) -> list[int] | None:
    """Items in layout order that fit the budget as rendered; None when no removal is left."""
    pool = rounds.pool
    admitted = [i for i, row in enumerate(rounds.rows) if row is not None and row.decision == "ADMITTED"]
    order = by_role(pool, admitted)
    if pool.cost(order) <= pool.limit:
        return order
    if pool.policy.repair == "none":
        return None
    return _Repair(rounds, order).run()


class _Repair:
    def __init__(self, rounds: Rounds, order: list[int]) -> None:
        self.rounds = rounds
        self.order = order
        self.place = {i: at for at, i in enumerate(order)}
        self.items = set(order)
        needs = rounds.needs
        self.held: dict[int, int] = {}
        for i in order:
            self.held[needs.comp[i]] = self.held.get(needs.comp[i], 0) + 1
        self.live_above: dict[int, int] = {}
        for c in self.held:
            for d in needs.succ[c]:
                self.live_above[d] = self.live_above.get(d, 0) + 1
        self.free = [-self.place[i] for i in order if self._is_free(i)]
        heapify(self.free)

    def run(self) -> list[int] | None:
        pool = self.rounds.pool
        total = sum([pool.units[i] for i in self.order])
        while (pool.pricing.base + total if self.items else pool.pricing.empty) > pool.limit:
            last = self._last()
            if last is None:
                return None
            group = pool.group[last]
            gone = [last] if group < 0 else [i for i in pool.groups[group] if i in self.items]
            for i in gone:
                total -= pool.units[i]
                self._remove(i)
        return [i for i in self.order if i in self.items]

    def _last(self) -> int | None:
        """The free item that stands last; entries that are no longer free are forgotten, and come back when freed."""
        while self.free:
            i = self.order[-self.free[0]]
            if i in self.items and self._is_free(i):
                return i
            heappop(self.free)
        return None

    def _is_free(self, i: int) -> bool:
        c = self.rounds.needs.comp[i]
        return self.rounds.pool.band[i] == DISCRETIONARY and self.held[c] == 1 and not self.live_above.get(c, 0)

    def _remove(self, i: int) -> None:
        rounds, needs = self.rounds, self.rounds.needs
        row = rounds.rows[i]
        if row is not None:
            rounds.rows[i] = row._replace(decision="REJECTED_BUDGET", code="repair-drop", detail=DETAIL_REPAIR)
        self.items.discard(i)
        c = needs.comp[i]
        self.held[c] -= 1
        if self.held[c] == 1:
            self._offer(c)
        stack = [c] if not self.held[c] and not self.live_above.get(c, 0) else []
        while stack:
            for d in needs.succ[stack.pop()]:
                self.live_above[d] -= 1
                if not self.live_above[d]:
                    self._offer(d)
                    if not self.held[d]:
                        stack.append(d)

    def _offer(self, c: int) -> None:
        for i in self.rounds.needs.members[c]:
            if i in self.items and self._is_free(i):
                heappush(self.free, -self.place[i])
