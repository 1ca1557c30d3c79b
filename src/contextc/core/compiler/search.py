"""The cheapest forms for duties that share what they need: bounds first, then a bounded search.

A cluster of duties is a small covering problem. *Atoms* are what more than one duty may need, or what excludes
another atom (two forms of one content); everything else is a price of one way of one duty. Once it is decided which
atoms are open, every duty picks its cheapest way by itself, so the search branches on atoms and not on duties.

The bound shares the price of each atom among the duties that may need it: any shares that add up to at most the price
give a lower bound (Lagrangian duality), and a few rounds of subgradient steps find good ones. Shares are rounded down
to integers, so the bound is exact arithmetic.
"""

from __future__ import annotations

from contextc.core.compiler.cover import Cluster, Found, Way, bits_of, cost_of, undominated

#: Shares of prices are kept in this fraction of a unit.
SCALE = 1 << 12
#: Rounds of subgradient steps at the root; the bound hardly moves after this many on pools of 100 duties.
ROUNDS = 80
#: Evaluations of one duty that one cluster may cost: about a second. Deterministic, unlike a clock.
WORK_CAP = 1_500_000


class Search:
    """One cluster under one cap of work."""

    def __init__(self, cluster: Cluster, cap: int = WORK_CAP) -> None:
        self.cluster = cluster
        self.cap = cap
        self.work = 0
        self.capped = False
        self.reduced = [undominated(ways) for ways in cluster.duties]
        self._share: list[dict[int, int]] = []

    def run(self) -> Found:
        """The least cost, then the lexicographically smallest vector of items in the order of the duties."""
        start = self._descend(self._shares())
        bound = self._root()
        best = self._branch(self.reduced, start, None)
        if self.capped:
            cost = cost_of(self.cluster, best) if best is not None else None
            return Found(best, cost or 0, False, bound)
        if best is None:
            return Found(None, 0, True, bound)
        cost = cost_of(self.cluster, best) or 0
        best = self._canonical(best, cost)
        return Found(best, cost, not self.capped, cost)

    def _canonical(self, best: list[Way], cost: int) -> list[Way]:
        """Among choices of this cost, the smallest vector of items: duty by duty, can a smaller item do as well?"""
        allowed = [list(ways) for ways in self.reduced]
        for at in range(len(allowed)):
            for way in allowed[at]:
                if way.item >= best[at].item:
                    break
                trial = [*allowed[:at], [way], *allowed[at + 1 :]]
                other = self._branch(trial, None, cost)
                if self.capped:
                    return best
                if other is not None:
                    best = other
                    break
            allowed[at] = [best[at]]
        return best

    def _shares(self) -> list[Way]:
        """Split the prices of atoms among duties by subgradient steps; returns the picks at the best bound."""
        users: list[list[int]] = [[] for _ in self.cluster.prices]
        for duty, ways in enumerate(self.reduced):
            atoms = 0
            for way in ways:
                atoms |= way.atoms
            for at in bits_of(atoms):
                users[at].append(duty)
        shares: list[dict[int, float]] = [
            {duty: price / len(of) for duty in of} for price, of in zip(self.cluster.prices, users, strict=True)
        ]
        parts = [[(way, bits_of(way.atoms)) for way in ways] for ways in self.reduced]
        best_bound, best_shares, best_picks = -1.0, [dict(s) for s in shares], [ways[0] for ways in self.reduced]
        target: float | None = None
        factor = 1.0
        for _ in range(ROUNDS):
            bound = 0.0
            picks: list[Way] = []
            used: list[set[int]] = [set() for _ in shares]
            for duty, ways_parts in enumerate(parts):
                price, way, bits = min(
                    [(w.price + sum([shares[at][duty] for at in b]), w, b) for w, b in ways_parts],
                    key=lambda found: (found[0], found[1].item),
                )
                bound += price
                picks.append(way)
                for at in bits:
                    used[at].add(duty)
            self.work += len(parts)
            if bound > best_bound:
                best_bound, best_shares, best_picks = bound, [dict(s) for s in shares], picks
            else:
                factor *= 0.9
            total = cost_of(self.cluster, picks)
            if total is not None:
                target = total if target is None else min(target, total)
            gap = (target if target is not None else bound * 1.1 + 1) - bound
            if gap < 0.5 or not _step(shares, used, factor * gap):
                break
        self._fix(best_shares)
        return best_picks

    def _fix(self, shares: list[dict[int, float]]) -> None:
        """Round the shares down to integers that never add up to more than the price."""
        fixed: list[dict[int, int]] = []
        for price, share in zip(self.cluster.prices, shares, strict=True):
            whole = {duty: max(0, int(part * SCALE)) for duty, part in share.items()}
            over = sum(whole.values()) - price * SCALE
            for duty in whole:
                cut = min(whole[duty], max(0, over))
                whole[duty] -= cut
                over -= cut
            fixed.append(whole)
        self._share = fixed

    def _with_shares(self, duties: list[list[Way]]) -> list[list[tuple[int, int, list[tuple[int, int]], Way]]]:
        return [
            [
                (
                    way.price * SCALE,
                    way.atoms,
                    [(1 << at, self._share[at].get(duty, 0)) for at in bits_of(way.atoms)],
                    way,
                )
                for way in ways
            ]
            for duty, ways in enumerate(duties)
        ]

    def _descend(self, picks: list[Way]) -> list[Way] | None:
        """A good choice to start from: each duty in turn takes its cheapest way given the others, until none moves."""
        choice = list(picks)
        for _ in range(12):
            moved = False
            for at, ways in enumerate(self.reduced):
                rest = 0
                for other, way in enumerate(choice):
                    if other != at:
                        rest |= way.atoms
                self.work += 1
                barred = 0
                for bit in bits_of(rest):
                    barred |= self.cluster.rivals[bit]
                best = min(
                    ways,
                    key=lambda w: (
                        bool(w.atoms & barred),
                        w.price + sum([self.cluster.prices[b] for b in bits_of(w.atoms & ~rest)]),
                        w.item,
                    ),
                )
                if best != choice[at]:
                    choice[at] = best
                    moved = True
            if not moved:
                break
        return choice if cost_of(self.cluster, choice) is not None else None

    def _root(self) -> int:
        node = self._evaluate(self._with_shares(self.reduced), 0, 0)
        return 0 if node is None else node[0]

    def _branch(self, duties: list[list[Way]], start: list[Way] | None, target: int | None) -> list[Way] | None:
        """Depth first over open and closed atoms. With a target: the first choice that costs no more."""
        parts = self._with_shares(duties)
        best = start
        best_cost = cost_of(self.cluster, start) if start is not None else None
        limit = target + 1 if target is not None else best_cost
        stack = [(0, 0)]
        while stack:
            if self.work > self.cap:
                self.capped = True
                return best
            opened, closed = stack.pop()
            node = self._evaluate(parts, opened, closed)
            if node is None:
                continue
            bound, opened, closed, picks = node
            if limit is not None and bound >= limit:
                continue
            cost = cost_of(self.cluster, picks)
            if cost is not None and (limit is None or cost < limit):
                best, limit = picks, cost
                if target is not None:
                    return best
                if bound >= cost:
                    continue
            at = self._fork(picks, opened)
            if at is None:
                continue
            bit = 1 << at
            stack.append((opened, closed | bit))
            stack.append((opened | bit, closed | self.cluster.rivals[at]))
        return best if target is None else None

    def _evaluate(
        self, parts: list[list[tuple[int, int, list[tuple[int, int]], Way]]], opened: int, closed: int
    ) -> tuple[int, int, int, list[Way]] | None:
        """Lower bound, implied decisions and cheapest picks of a node; None when a duty has no way left."""
        while True:
            self.work += len(parts)
            if opened & closed:
                return None
            total = 0
            implied = 0
            picks: list[Way] = []
            for ways in parts:
                best = -1
                pick: Way | None = None
                common = -1
                for price, atoms, shared, way in ways:
                    if atoms & closed:
                        continue
                    common &= atoms
                    for bit, share in shared:
                        if not opened & bit:
                            price += share
                    if pick is None or price < best:
                        best, pick = price, way
                if pick is None:
                    return None
                total += best
                implied |= common
                picks.append(pick)
            implied &= ~opened
            if not implied:
                break
            opened |= implied
            for at in bits_of(implied):
                closed |= self.cluster.rivals[at]
        prices = sum([self.cluster.prices[at] for at in bits_of(opened)])
        return prices - (-total // SCALE), opened, closed, picks

    def _fork(self, picks: list[Way], opened: int) -> int | None:
        """The undecided atom to branch on: one in a conflict, else the one whose price the picks pay least of."""
        used = 0
        for way in picks:
            used |= way.atoms
        unpaid: dict[int, int] = {}
        for at in bits_of(used & ~opened):
            if self.cluster.rivals[at] & (used | opened):
                return at
            unpaid[at] = self.cluster.prices[at] * SCALE
        for duty, way in enumerate(picks):
            for at in bits_of(way.atoms & ~opened):
                unpaid[at] -= self._share[at].get(duty, 0)
        if not unpaid:
            return None
        return max(unpaid, key=lambda at: (unpaid[at], -at))


def _step(shares: list[dict[int, float]], used: list[set[int]], length: float) -> bool:
    """Move the shares of each atom towards the duties that use it, keeping their sum; False when nothing moves."""
    norm = 0.0
    for share, users in zip(shares, used, strict=True):
        if len(share) > 1:
            mean = len(users) / len(share)
            norm += len(users) * (1 - mean) ** 2 + (len(share) - len(users)) * mean**2
    if norm < 1e-9:
        return False
    step = length / norm
    for share, users in zip(shares, used, strict=True):
        count = len(share)
        if count < 2 or not users or len(users) == count:
            continue
        price = sum(share.values())
        mean = len(users) / count
        for duty in share:
            share[duty] = max(0.0, share[duty] + step * ((1.0 if duty in users else 0.0) - mean))
        total = sum(share.values())
        if total > 0:
            scale = price / total
            for duty in share:
                share[duty] *= scale
    return True
