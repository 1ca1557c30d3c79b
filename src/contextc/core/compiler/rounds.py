"""The state of an admission: what is admitted, what no longer can be, what is covered, what is left to spend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextc.core.compiler.ledger import DETAIL_ALTERNATIVE, DETAIL_NO_PATH, Row, Rows
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.records.trace import Decision


class Rounds:
    """Admission over one relation of needs.

    A component is *barred* when its closure holds something that can no longer be admitted: what `refused` marks from
    the start, or another form of a content that is admitted. Bars only ever spread to what needs a barred component,
    so each component is visited once in all.
    """

    def __init__(self, pool: Pool, needs: Needs, costs: Sequence[int], rest: int, refused: bytearray) -> None:
        self.pool = pool
        self.needs = needs
        self.costs = costs
        self.rest = rest
        self.rows: Rows = [None] * pool.size
        self.admitted = bytearray(len(needs.members))
        self.taken = bytearray(len(pool.contents))
        self.covered: set[str] = set()
        self.barred = bytearray(refused)
        self._refused = refused
        # What the last commit changed, for those who keep an index of units.
        self.new_components: list[int] = []
        self.new_bars: list[int] = []
        self.new_keys: list[str] = []

    def marginal(self, members: Sequence[int]) -> int:
        """Cost of what these candidates need and is not admitted yet."""
        comp = self.needs.comp
        if len(members) == 1:
            return self.needs.marginal(comp[members[0]], self.admitted)
        weight = self.needs.weight
        return sum([weight[c] for c in self.needs.reach([comp[i] for i in members], self.admitted)])

    def blocked(self, members: Sequence[int]) -> bool:
        """The closure holds something refused, or another form of an admitted content that is not a member."""
        comp = self.needs.comp
        if not any(self.barred[comp[i]] for i in members):
            return False
        content = self.pool.content
        if len(members) == 1 and not self.taken[content[members[0]]]:
            return True
        return any(
            self.pool.gate[i] is not None or (self.taken[content[i]] and i not in members)
            for c in self.needs.reach([comp[i] for i in members], self.admitted)
            for i in self.needs.members[c]
        )

    def commit(self, members: Sequence[int], detail: str) -> int:
        """Admit candidates with all they need; returns the cost. Records who came for whom."""
        needs, pool, rows, costs = self.needs, self.pool, self.rows, self.costs
        fresh = needs.reach([needs.comp[i] for i in members], self.admitted)
        cost = sum([needs.weight[c] for c in fresh])
        pullers = self._pullers(members, fresh)
        before, self.rest = self.rest, self.rest - cost
        forms = pool.forms
        rivals: list[int] = []
        unbarred = True
        self.new_keys = []
        for c in fresh:
            self.admitted[c] = 1
            unbarred = unbarred and not self.barred[c]
            for i in needs.members[c]:
                rows[i] = Row("ADMITTED", "admitted", detail, costs[i], pullers.get(i, ()), before, self.rest)
                content = pool.content[i]
                self.taken[content] = 1
                if len(forms[content]) > 1:
                    rivals += [needs.comp[other] for other in forms[content] if other != i]
                for key in pool.candidates[i].coverage_keys:
                    if key not in self.covered:
                        self.covered.add(key)
                        self.new_keys.append(key)
        self.new_components = fresh
        if unbarred:
            self.new_bars = needs.above([c for c in rivals if not self.admitted[c]], self.barred) if rivals else []
        else:
            self._bar_again()
        return cost

    def reject(self, members: Iterable[int], decision: Decision, code: str, detail: str, cost: int = 0) -> None:
        """Record the same rejection for each of these candidates."""
        row = Row(decision, code, detail, cost, (), self.rest, self.rest)
        for i in members:
            self.rows[i] = row

    def close(self) -> None:
        """Record what nobody decided: displaced by another form, or out of reach of the budget."""
        for i, row in enumerate(self.rows):
            if row is not None:
                continue
            if self.taken[self.pool.content[i]]:
                self.reject((i,), "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
            else:
                self.reject((i,), "REJECTED_BUDGET", "budget", DETAIL_NO_PATH, self.marginal((i,)))

    def _pullers(self, members: Sequence[int], fresh: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Which members needed each candidate that did not come by itself."""
        needs = self.needs
        if len(members) == 1:
            if len(fresh) == 1 and len(needs.members[fresh[0]]) == 1:
                return {}
            only = (members[0],)
            return {i: only for c in fresh for i in needs.members[c] if i != members[0]}
        inside = set(members)
        found: dict[int, tuple[int, ...]] = {}
        reached: dict[int, list[int]] = {}
        for i in members:
            reached.setdefault(needs.comp[i], []).append(i)
        for c, at in reached.items():
            for d in needs.reach((c,), self.admitted):
                for i in needs.members[d]:
                    if i not in inside:
                        found[i] = (*found.get(i, ()), *at)
        return {i: tuple(sorted(of)) for i, of in found.items()}

    def _bar_again(self) -> None:
        """Only the published rules admit what was barred (a second form in a group); then bars start afresh."""
        self.barred = bytearray(self._refused)
        rivals = [
            self.needs.comp[i]
            for content, taken in enumerate(self.taken)
            if taken
            for i in self.pool.forms[content]
            if not self.admitted[self.needs.comp[i]]
        ]
        self.new_bars = self.needs.above(rivals, self.barred)
