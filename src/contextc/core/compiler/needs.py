"""What a candidate cannot do without: strongly connected components, their closures and what they cost.

Two relations are condensed the same way: the published one (`depends_on` alone) and the legal one, in which the
members of a required group need one another as well. A group of k members costs 2k edges, not k * k: each member
needs a node that stands for the group, and that node needs each member.

Nothing recurses, so a chain may be as long as memory allows. A component is numbered after everything it needs:
a loop over ascending numbers meets dependencies first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextc.core.compiler.pool import Pool

#: Closures of at most this many components are kept as tuples; a longer one is walked when it is asked for.
#: Kept ones cost at most this factor in memory and in notices sent when something is admitted.
SHORT = 48


class Needs:
    """The condensed relation. `succ[c]` are the components that c needs directly, all of them below c."""

    __slots__ = ("comp", "jump", "linear", "members", "pred", "root", "short", "succ", "total", "weight")

    def __init__(self, pool: Pool, *, groups: bool, weight: Sequence[int]) -> None:
        self.comp: list[int]
        self.members: list[tuple[int, ...]]
        self.succ: list[tuple[int, ...]]
        self._condense(pool, groups)
        #: Cost of a component's own members.
        self.weight: list[int] = [weight[m[0]] if len(m) == 1 else sum([weight[i] for i in m]) for m in self.members]
        self._reverse()
        self._shorts()
        self._lines()

    def _condense(self, pool: Pool, groups: bool) -> None:
        size = pool.size
        group = pool.group if groups else None
        edges: list[Sequence[int]] = list(pool.depends)
        if group is not None and pool.groups:
            edges = [(*needs, size + g) if g >= 0 else needs for needs, g in zip(pool.depends, group, strict=True)]
            edges += pool.groups
        comp = [-1] * len(edges)
        members: list[tuple[int, ...]] = []
        for i in range(size):
            if not edges[i]:
                comp[i] = len(members)
                members.append((i,))
        plain = len(members)
        for root in range(size):
            if comp[root] < 0:
                _tarjan(root, edges, comp, members, size)
        self.comp = comp[:size]
        self.members = members
        self.succ = [()] * len(members)
        for c in range(plain, len(members)):
            inside = members[c]
            if len(inside) == 1 and len(edges[inside[0]]) < 2:
                # None, or one that is not the component itself: the common cases, without a set.
                self.succ[c] = tuple([comp[j] for j in edges[inside[0]] if comp[j] != c])
                continue
            nodes = list(inside)
            if group is not None:
                nodes += [size + g for g in dict.fromkeys(group[i] for i in inside) if g >= 0]
            targets = {comp[j] for i in nodes for j in edges[i]}
            targets.discard(c)
            self.succ[c] = tuple(sorted(targets))

    def _reverse(self) -> None:
        self.pred: list[list[int] | None] = [None] * len(self.members)
        pred = self.pred
        for c, needs in enumerate(self.succ):
            for d in needs:
                users = pred[d]
                if users is None:
                    pred[d] = [c]
                else:
                    users.append(c)

    def _shorts(self) -> None:
        """Closures without the component itself, ascending; None where one is longer than `SHORT`."""
        short: list[tuple[int, ...] | None] = [()] * len(self.members)
        succ = self.succ
        for c, needs in enumerate(succ):
            if not needs:
                continue
            if len(needs) == 1:
                below = short[needs[0]]
                short[c] = None if below is None or len(below) >= SHORT else (*below, needs[0])
                continue
            found: set[int] | None = set(needs)
            for d in needs:
                below = short[d]
                if below is None or found is None:
                    found = None
                    break
                found.update(below)
            short[c] = tuple(sorted(found)) if found is not None and len(found) <= SHORT else None
        self.short = short

    def _lines(self) -> None:
        """Where every component of a closure needs at most one other, the closure is a line to a root.

        `total` is the cost of the line, `jump` a second, longer link (skew-binary jump pointers): the first
        component on the line with a property that never ends once begun is found in O(log n) steps.
        """
        count = len(self.members)
        self.linear: list[bool] = [True] * count
        self.total: list[int] = list(self.weight)
        self.jump: list[int] = list(range(count))
        self.root: list[int] = list(range(count))
        depth = [0] * count
        jump, total, linear = self.jump, self.total, self.linear
        for c, needs in enumerate(self.succ):
            if not needs:
                continue
            up = needs[0]
            if len(needs) > 1 or not linear[up]:
                linear[c] = False
                continue
            total[c] += total[up]
            self.root[c] = self.root[up]
            depth[c] = depth[up] + 1
            far = jump[up]
            jump[c] = jump[far] if depth[up] - depth[far] == depth[far] - depth[jump[far]] else up

    def reach(self, starts: Iterable[int], stop: Sequence[int] = ()) -> list[int]:
        """The components in the closures of `starts`, each once, not entering those marked in `stop`."""
        succ = self.succ
        seen: dict[int, None] = {}
        stack = [c for c in starts if not stop or not stop[c]]
        while stack:
            c = stack.pop()
            if c not in seen:
                seen[c] = None
                for d in succ[c]:
                    if d not in seen and not (stop and stop[d]):
                        stack.append(d)
        return list(seen)

    def marginal(self, c: int, admitted: Sequence[int]) -> int:
        """Cost of the closure of `c` without what is admitted; `admitted` is closed under needs."""
        if admitted[c]:
            return 0
        if not self.succ[c]:
            return self.weight[c]
        if self.linear[c]:
            return self.total[c] - self._paid(c, admitted)
        weight = self.weight
        below = self.short[c]
        if below is not None:
            return weight[c] + sum([weight[d] for d in below if not admitted[d]])
        return sum([weight[d] for d in self.reach((c,), admitted)])

    def marginals(self, admitted: Sequence[int]) -> list[int]:
        """`marginal` of every component at once: along a line each adds its own weight to what the next one costs."""
        costs = [0] * len(self.members)
        weight = self.weight
        for c, needs in enumerate(self.succ):
            if not admitted[c]:
                if not needs:
                    costs[c] = weight[c]
                else:
                    costs[c] = weight[c] + costs[needs[0]] if self.linear[c] else self.marginal(c, admitted)
        return costs

    def _paid(self, c: int, admitted: Sequence[int]) -> int:
        """The cost of the admitted part of the line from `c`, which is its far end."""
        end = self.boundary(c, admitted)
        return self.total[end] if end >= 0 else 0

    def boundary(self, c: int, admitted: Sequence[int]) -> int:
        """The first admitted component on the line from `c`, which is not admitted itself; -1 when there is none.

        What is admitted is closed, so when the root of the line is not admitted nothing on it is.
        """
        if not admitted[self.root[c]]:
            return -1
        succ, jump = self.succ, self.jump
        while True:
            far = jump[c]
            if far != c and not admitted[far]:
                c = far
                continue
            needs = succ[c]
            if not needs:
                return -1
            if admitted[needs[0]]:
                return needs[0]
            c = needs[0]

    def above(self, starts: Iterable[int], stop: bytearray) -> list[int]:
        """Mark in `stop`, and return, `starts` and everything that needs one of them and is not marked yet."""
        pred = self.pred
        found: list[int] = []
        stack = [c for c in starts if not stop[c]]
        for c in stack:
            stop[c] = 1
        while stack:
            c = stack.pop()
            found.append(c)
            for user in pred[c] or ():
                if not stop[user]:
                    stop[user] = 1
                    stack.append(user)
        return found


def _tarjan(
    root: int, edges: Sequence[Sequence[int]], comp: list[int], members: list[tuple[int, ...]], size: int
) -> None:
    """Number the components reachable from `root` (Tarjan 1972, with an explicit stack)."""
    order: dict[int, int] = {root: 0}
    low: dict[int, int] = {root: 0}
    opened = [root]
    work: list[tuple[int, int]] = [(root, 0)]
    while work:
        node, at = work.pop()
        targets = edges[node]
        while at < len(targets):
            other = targets[at]
            at += 1
            if comp[other] >= 0:
                continue
            seen = order.get(other)
            if seen is None:
                work.append((node, at))
                order[other] = low[other] = len(order)
                opened.append(other)
                work.append((other, 0))
                break
            low[node] = min(low[node], seen)
        else:
            if low[node] == order[node]:
                _close(node, opened, comp, members, size)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])


def _close(node: int, opened: list[int], comp: list[int], members: list[tuple[int, ...]], size: int) -> None:
    """Take the finished component of `node` from the stack of open nodes."""
    inside: list[int] = []
    while True:
        last = opened.pop()
        comp[last] = len(members)
        if last < size:
            inside.append(last)
        if last == node:
            break
    inside.sort()
    members.append(tuple(inside))
