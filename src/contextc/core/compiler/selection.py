"""A legal selection under policy v2, and what it would take and bring to have one more component in it.

Everything is counted by component. A selection is closed under needs and holds each content once; `locked` components
are owed by name, by group or without a choice. A move brings in a component with all it needs, and takes out what
excludes it, with all that needs what is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.worth import Worth


class Move(NamedTuple):
    """What comes in, what goes out, what that brings, and what it costs (both may be negative)."""

    fresh: list[int]
    gone: list[int]
    gain: int
    cost: int


class Selection:
    """The state of a fill; `rest` is what is left to spend, in units."""

    def __init__(self, pool: Pool, needs: Needs, worth: Worth, rest: int, shut: bytearray) -> None:
        self.pool = pool
        self.needs = needs
        self.worth = worth
        self.rest = rest
        self.shut = bytearray(shut)
        self.inside = bytearray(len(needs.members))
        self.locked = bytearray(len(needs.members))
        self.holder = [-1] * len(pool.contents)
        self.users = [0] * len(needs.members)
        self.covered = [0] * len(worth.key)
        self.owed = bytearray(pool.size)
        # Components of one candidate that needs nothing are weighed without a walk: `lone` ones may displace another
        # form of their content, `plain` ones have no other form.
        self.lone = bytearray([not below and len(m) == 1 for below, m in zip(needs.succ, needs.members, strict=True)])
        self.plain = bytearray(
            [
                lone and len(pool.forms[pool.content[m[0]]]) == 1
                for lone, m in zip(self.lone, needs.members, strict=True)
            ]
        )
        self.lined_worth: list[int] = list(worth.own)
        self.lined = self._lines()

    def _lines(self) -> bytearray:
        """Long closures that are lines of single-form contents without coverage; their worth adds up."""
        needs, worth, pool = self.needs, self.worth, self.pool
        clean = bytearray(len(needs.members))
        lined = bytearray(len(needs.members))
        for c, below in enumerate(needs.succ):
            if not needs.linear[c] or worth.keys[c] or (below and not clean[below[0]]):
                continue
            if all(len(pool.forms[pool.content[i]]) == 1 for i in needs.members[c]):
                clean[c] = 1
                if below:
                    self.lined_worth[c] += self.lined_worth[below[0]]
                    lined[c] = 1
        return lined

    def weigh(self, c: int) -> tuple[int, int] | None:
        """Gain and cost of bringing in `c`; None when that is not legal."""
        if self.shut[c] or self.inside[c]:
            return None
        if self.plain[c]:
            gain = self.worth.own[c]
            for key in self.worth.keys[c]:
                if not self.covered[key]:
                    gain += self.worth.key[key]
            return gain, self.needs.weight[c]
        if self.lined[c]:
            return self._along(c)
        if self.lone[c]:
            return self._swap(c)
        move = self.move(c)
        return None if move is None else (move.gain, move.cost)

    def _swap(self, c: int) -> tuple[int, int] | None:
        """Gain and cost of a form that needs nothing, in place of the form that is inside, if one is."""
        needs = self.needs
        i = needs.members[c][0]
        held = self.holder[self.pool.content[i]]
        if held < 0:
            return self.gain((c,), ()), needs.weight[c]
        d = needs.comp[held]
        if self.users[d] or len(needs.members[d]) > 1:
            move = self.move(c)
            return None if move is None else (move.gain, move.cost)
        if self.locked[d] or (self.owed[held] and not self.owed[i]):
            return None
        return self.gain((c,), (d,)), needs.weight[c] - needs.weight[d]

    def cost(self, c: int) -> int:
        """Cost of `c` and what it needs that is not inside, whatever it displaces."""
        return self.needs.weight[c] if self.plain[c] else self.needs.marginal(c, self.inside)

    def _along(self, c: int) -> tuple[int, int]:
        """Gain and cost of a line that displaces and covers nothing: differences of sums, found by jumps."""
        end = self.needs.boundary(c, self.inside)
        if end < 0:
            return self.lined_worth[c], self.needs.total[c]
        return self.lined_worth[c] - self.lined_worth[end], self.needs.total[c] - self.needs.total[end]

    def move(self, c: int) -> Move | None:
        """The whole move of bringing in `c`; None when it is not legal."""
        if self.shut[c] or self.inside[c]:
            return None
        return self._judged(self.fresh(c))

    def joint(self, components: Sequence[int]) -> Move | None:
        """The move of bringing in several components at once; None when it is not legal."""
        if any(self.shut[c] or self.inside[c] for c in components):
            return None
        fresh = self.needs.reach(components, self.inside)
        contents = [self.pool.content[i] for d in fresh for i in self.needs.members[d]]
        return self._judged(fresh) if len(set(contents)) == len(contents) else None

    def _judged(self, fresh: list[int]) -> Move | None:
        needs = self.needs
        gone = self._displaced(fresh)
        if gone is None:
            return None
        weight = needs.weight
        cost = sum([weight[d] for d in fresh]) - sum([weight[d] for d in gone])
        return Move(fresh, gone, self.gain(fresh, gone), cost)

    def fresh(self, c: int) -> list[int]:
        """`c` and what it needs that is not inside."""
        below = self.needs.short[c]
        if below is None:
            return self.needs.reach((c,), self.inside)
        inside = self.inside
        return [*[d for d in below if not inside[d]], c]

    def above(self, starts: Iterable[int]) -> list[int] | None:
        """These components and all inside that need them; None when one is locked."""
        seen: dict[int, None] = {}
        stack = list(starts)
        while stack:
            c = stack.pop()
            if c in seen:
                continue
            if self.locked[c]:
                return None
            seen[c] = None
            if self.users[c]:
                stack += [user for user in self.needs.pred[c] or () if self.inside[user]]
        return list(seen)

    def _displaced(self, fresh: Sequence[int]) -> list[int] | None:
        """What has to go for `fresh` to come; None when that may not go."""
        pool, needs, holder = self.pool, self.needs, self.holder
        clashing: dict[int, None] = {}
        for d in fresh:
            for i in needs.members[d]:
                held = holder[pool.content[i]]
                if held >= 0:
                    clashing[needs.comp[held]] = None
        if not clashing:
            return []
        gone = self.above(clashing)
        if gone is None:
            return None
        out = set(gone)
        if any(e in out for d in fresh for e in needs.succ[d]):
            return None
        return gone if self._still_meets(fresh, gone) else None

    def _still_meets(self, fresh: Sequence[int], gone: Sequence[int]) -> bool:
        """Whether every content that is owed and goes comes back in one of its strongest forms."""
        pool, needs = self.pool, self.needs
        lost = {pool.content[i] for d in gone for i in needs.members[d] if self.owed[i]}
        if lost:
            lost -= {pool.content[i] for d in fresh for i in needs.members[d] if self.owed[i]}
        return not lost

    def gain(self, fresh: Sequence[int], gone: Sequence[int]) -> int:
        """Worth that these components bring and take."""
        own, keys, covered = self.worth.own, self.worth.keys, self.covered
        gain = 0
        change: dict[int, int] = {}
        for d in fresh:
            gain += own[d]
            for key in keys[d]:
                change[key] = change.get(key, 0) + 1
        for d in gone:
            gain -= own[d]
            for key in keys[d]:
                change[key] = change.get(key, 0) - 1
        for key, by in change.items():
            if by:
                now = covered[key]
                gain += ((now + by > 0) - (now > 0)) * self.worth.key[key]
        return gain

    def total(self) -> int:
        """Worth of all that is inside."""
        own, key = self.worth.own, self.worth.key
        return sum([own[c] for c, inside in enumerate(self.inside) if inside]) + sum(
            [key[k] for k, count in enumerate(self.covered) if count]
        )

    def loss(self, gone: Sequence[int]) -> int:
        """Worth that goes with these components."""
        return -self.gain((), gone)

    def apply(self, fresh: Iterable[int], gone: Iterable[int]) -> None:
        """Carry a move out."""
        pool, needs, users, covered = self.pool, self.needs, self.users, self.covered
        for d in gone:
            self.inside[d] = 0
            self.rest += needs.weight[d]
            for i in needs.members[d]:
                self.holder[pool.content[i]] = -1
            for e in needs.succ[d]:
                users[e] -= 1
            for key in self.worth.keys[d]:
                covered[key] -= 1
        for d in fresh:
            self.inside[d] = 1
            self.rest -= needs.weight[d]
            for i in needs.members[d]:
                self.holder[pool.content[i]] = i
            for e in needs.succ[d]:
                users[e] += 1
            for key in self.worth.keys[d]:
                covered[key] += 1

    def removable(self, c: int) -> bool:
        """Inside, needed by nothing inside, and not owed."""
        if not self.inside[c] or self.users[c] or self.locked[c]:
            return False
        return not any(self.owed[i] for i in self.needs.members[c])
