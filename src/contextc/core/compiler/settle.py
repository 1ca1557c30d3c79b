"""The cheapest set of candidates that meets every duty, or the duties that exclude one another.

Forcing leaves duties with a choice. They fall apart into clusters that share nothing: a duty alone takes its cheapest
way, a larger cluster is searched, and only what the search cannot finish is put to the exact solver, if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from contextc.core.compiler.cover import Cluster, Found, Way
from contextc.core.compiler.forcing import Forcing
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.search import WORK_CAP, Search


class ExactSolver(Protocol):
    """A solver for what the search could not finish; deterministic, and limited by a deterministic measure."""

    def solve(self, cluster: Cluster) -> Found:
        """The least cost, then the smallest vector of items; `proven` only when both are."""
        ...


class Settlement(NamedTuple):
    """`comps` is closed and meets every duty; `picks` are (duty number, candidate) where there was a choice.

    With `conflict`, those duties exclude one another. Otherwise `bound` units are needed at least, and `proven` says
    that `comps` costs no more than that and is the canonical choice; `found` that `comps` is a legal set at all.
    """

    comps: list[int]
    picks: list[tuple[int, int]]
    bound: int
    proven: bool
    found: bool
    conflict: list[int] | None


def settle(pool: Pool, needs: Needs, forcing: Forcing, exact: ExactSolver | None, cap: int = WORK_CAP) -> Settlement:
    """Choose ways for all duties."""
    forced = [c for c, mark in enumerate(forcing.forced) if mark]
    bound = sum([needs.weight[c] for c in forced])
    reached = _reached(needs, forcing)
    picks: list[tuple[int, int]] = []
    proven = found = True
    for cluster in _clusters(pool, needs, reached):
        if len(cluster) == 1:
            number = cluster[0]
            cost, item = min([(sum([needs.weight[c] for c in comps]), i) for i, comps in reached[number]])
            bound += cost
            picks.append((number, item))
            continue
        result = _solve(_build(pool, needs, [reached[number] for number in cluster]), exact, cap)
        if result.choice is None and result.proven:
            return Settlement([], [], 0, True, False, forcing.causes(cluster))
        bound += result.bound
        proven = proven and result.proven
        if result.choice is None:
            found = False
        else:
            picks += [(number, way.item) for number, way in zip(cluster, result.choice, strict=True)]
    picks.sort()
    chosen = needs.reach([needs.comp[i] for _, i in picks], forcing.forced)
    return Settlement([*forced, *sorted(chosen)], picks, bound, proven, found, None)


Reached = dict[int, list[tuple[int, list[int]]]]


def _reached(needs: Needs, forcing: Forcing) -> Reached:
    """For each duty with a choice: its living ways, each with the components it needs beside the forced ones."""
    found: Reached = {}
    for number in range(len(forcing.duties)):
        ways = forcing.open_ways(number)
        if ways:
            found[number] = [(i, needs.reach((needs.comp[i],), forcing.forced)) for i in ways]
    return found


def _clusters(pool: Pool, needs: Needs, reached: Reached) -> list[list[int]]:
    """Duties that share a content anywhere in what they need, and so may share a price or exclude one another."""
    root: dict[int, int] = {number: number for number in reached}

    def find(x: int) -> int:
        while root[x] != x:
            root[x] = root[root[x]]
            x = root[x]
        return x

    owner: dict[int, int] = {}
    for number, ways in reached.items():
        for _, comps in ways:
            for c in comps:
                for i in needs.members[c]:
                    other = find(owner.setdefault(pool.content[i], number))
                    mine = find(number)
                    root[max(mine, other)] = min(mine, other)
    clusters: dict[int, list[int]] = {}
    for number in reached:
        clusters.setdefault(find(number), []).append(number)
    return [sorted(clusters[key]) for key in sorted(clusters)]


def _build(pool: Pool, needs: Needs, duties: Sequence[Sequence[tuple[int, list[int]]]]) -> Cluster:
    """A cluster as a covering problem: atoms are shared components and those that exclude one another."""
    users: dict[int, set[tuple[int, int]]] = {}
    for duty, ways in enumerate(duties):
        for number, (_, comps) in enumerate(ways):
            for c in comps:
                users.setdefault(c, set()).add((duty, number))
    rivals = _rivals(pool, needs, users)
    atom: dict[int, int] = {}
    prices: list[int] = []
    same: dict[frozenset[tuple[int, int]], int] = {}
    for c in sorted(users):
        if c in rivals:
            atom[c] = len(prices)
            prices.append(needs.weight[c])
        elif len({duty for duty, _ in users[c]}) > 1:
            signature = frozenset(users[c])
            if signature not in same:
                same[signature] = len(prices)
                prices.append(0)
            atom[c] = same[signature]
            prices[atom[c]] += needs.weight[c]
    masks = [0] * len(prices)
    for c, others in rivals.items():
        for other in others:
            masks[atom[c]] |= 1 << atom[other]
    built = [
        [
            Way(
                sum([needs.weight[c] for c in comps if c not in atom]),
                sum(1 << a for a in {atom[c] for c in comps if c in atom}),
                i,
            )
            for i, comps in ways
        ]
        for ways in duties
    ]
    return Cluster(built, prices, masks)


def _rivals(pool: Pool, needs: Needs, users: dict[int, set[tuple[int, int]]]) -> dict[int, set[int]]:
    """For each component, those that hold another form of one of its contents, unless one duty alone has them both:
    of its ways only one is taken."""
    holders: dict[int, list[tuple[int, int]]] = {}
    for c in users:
        for i in needs.members[c]:
            if len(pool.forms[pool.content[i]]) > 1:
                holders.setdefault(pool.content[i], []).append((c, i))
    owners = {c: {duty for duty, _ in of} for c, of in users.items()}
    found: dict[int, set[int]] = {}
    for held in holders.values():
        for c, i in held:
            for d, j in held:
                if i != j and len(owners[c] | owners[d]) > 1:
                    found.setdefault(c, set()).add(d)
    return found


def _solve(cluster: Cluster, exact: ExactSolver | None, cap: int) -> Found:
    result = Search(cluster, cap).run()
    if result.proven or exact is None:
        return result
    better = exact.solve(cluster)
    return better if better.proven or better.bound >= result.bound else result
