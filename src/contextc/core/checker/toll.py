"""What a candidate would cost with everything it needs, less what was already admitted.

Sums over closures cannot be had from the sums of the parts when parts are shared. They can where a component needs
only one other that was not yet admitted, as in chains and stars; the rest is walked, within a bound.
"""

from __future__ import annotations

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import components
from contextc.core.checker.ledger import Ledger

#: Nodes that may be visited for each node of the graph, over all walks of one trace.
VISITS = 40


class WalkedTooFar(Exception):
    """The bound on walks is reached; what was asked stays open."""


class Toll:
    """Costs of closures along one kind of edges, at given moments of a trace."""

    def __init__(self, facts: Facts, edges: list[list[int]], ledger: Ledger) -> None:
        self._edges = edges
        self._size = facts.size
        self._after = ledger.after
        self._costs = ledger.costs
        self._visits = VISITS * (len(edges) + sum(map(len, edges)))
        self._component: list[list[int]] = components(edges)
        self._of: list[int] = [0] * len(edges)
        for place, members in enumerate(self._component):
            for node in members:
                self._of[node] = place
        self._known: dict[tuple[int, int], int] = {}

    def cost(self, number: int, level: int) -> int:
        """Cost of a candidate's closure without what had been admitted when the remainder was `level`."""
        place = self._of[number]
        row: list[tuple[int, int]] = []
        while True:
            known = self._known.get((place, level))
            if known is not None:
                break
            weight, onward = self._look(place, level)
            if len(onward) > 1:
                known = self._walk(place, level)
                self._known[place, level] = known
                break
            row.append((place, weight))
            if not onward:
                known = 0
                break
            place = onward[0]
        for passed, weight in reversed(row):
            known += weight
            self._known[passed, level] = known
        return known

    def closure(self, number: int) -> set[int]:
        """All candidates that one needs, itself included."""
        seen = {number}
        stack = [number]
        while stack:
            for node in self._edges[stack.pop()]:
                if node not in seen:
                    seen.add(node)
                    stack.append(node)
        self._spend(len(seen))
        return {n for n in seen if n < self._size}

    def _spend(self, visits: int) -> None:
        self._visits -= visits
        if self._visits < 0:
            raise WalkedTooFar

    def _open(self, node: int, level: int) -> bool:
        """Whether a node still had to come; the node of a group costs nothing and is always passed through."""
        after = self._after.get(node)
        return after is None or after < level

    def _weight(self, place: int, level: int) -> int:
        return sum(self._costs[n] for n in self._component[place] if n < self._size and self._open(n, level))

    def _look(self, place: int, level: int) -> tuple[int, list[int]]:
        """A component's own weight and the other components it needs that still had to come."""
        members = self._component[place]
        onward = {
            self._of[target]
            for node in members
            if self._open(node, level)
            for target in self._edges[node]
            if self._of[target] != place and self._open(target, level)
        }
        self._spend(len(members))
        return self._weight(place, level), sorted(onward)

    def _walk(self, place: int, level: int) -> int:
        seen = {place}
        stack = [place]
        total = 0
        while stack:
            weight, onward = self._look(stack.pop(), level)
            total += weight
            for other in onward:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return total
