"""Reasons for leaving a candidate out, each recomputed against what had been admitted by then.

`budget_before` of a rejection says when it was made: everything admitted at that remainder or above had been. Under
policy v2, and under v1 where it counts like v2, that is everything.
"""

from __future__ import annotations

from collections.abc import Callable

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach, reverse
from contextc.core.checker.ledger import Ledger
from contextc.core.checker.listing import DROPPED, NO_PATH, Entries
from contextc.core.checker.report import Notes
from contextc.core.checker.toll import Toll, WalkedTooFar
from contextc.core.records.trace import TraceEntry

#: Relevance counts in millionths: less than half of one is none (docs/compiler-internals.md, worth).
LEAST_RELEVANCE = 0.0000005


def check_rejections(facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
    """Objects to every rejection whose reason is not true. Gates need no more than the candidate (`listing`)."""
    _Judge(facts, entries, ledger, notes).check()


class _Judge:
    """What stays the same for all rejections of a trace."""

    def __init__(self, facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
        self.facts = facts
        self.entries = entries
        self.ledger = ledger
        self.notes = notes
        self.admitted: dict[str, list[int]] = {}
        for n in ledger.after:
            self.admitted.setdefault(facts.pool[n].content_identity, []).append(n)
        self.by_needs = Toll(facts, facts.needs, ledger)
        self.by_dependencies = self.by_needs if ledger.exact else Toll(facts, facts.dependencies, ledger)
        self.covered = self._coverage()
        self.doomed = self._doomed()

    def check(self) -> None:
        """Every rejection but those at a gate and those of a repair."""
        checks: dict[str, Callable[[int, TraceEntry], None]] = {
            "REJECTED_ALTERNATIVE": self._alternative,
            "REJECTED_DEPENDENCY": self._dependency,
            "REJECTED_BUDGET": self._budget,
            "REJECTED_REDUNDANT": self._redundant,
        }
        try:
            for number, entry in self.entries.items():
                if entry.decision in checks and entry.reason_code != DROPPED:
                    checks[entry.decision](number, entry)
        except WalkedTooFar:
            self.notes.leave_open("trace.rejection", "$.result.trace.entries", "too many paths to follow them all")

    def _alternative(self, number: int, entry: TraceEntry) -> None:
        """Another form of its content was admitted."""
        if not set(self._forms_admitted(number)) - {number}:
            self._object(entry, "decision", "no other form of this content was admitted")

    def _dependency(self, number: int, entry: TraceEntry) -> None:
        """It needs something illegal, or a form of a content admitted in another, or two forms of one content."""
        self._cost(number, entry)
        if number in self.doomed:
            return
        contents = [self.facts.pool[n].content_identity for n in self.by_needs.closure(number)]
        if len(set(contents)) == len(contents):
            self._object(entry, "decision", "nothing it needs is ineligible or collides with what is there")

    def _budget(self, number: int, entry: TraceEntry) -> None:
        """With all it needs it costs more than was left."""
        self._cost(number, entry)
        published = not self.ledger.exact and entry.reason_detail == NO_PATH
        if entry.marginal_cost <= entry.budget_before and not published:
            self._object(entry, "decision", f"{entry.marginal_cost} would have fitted into {entry.budget_before}")

    def _redundant(self, number: int, entry: TraceEntry) -> None:
        """It earns no place and covers nothing new; by exact price, neither does anything that would come with it."""
        self._cost(number, entry)
        comes = self.by_needs.closure(number) if self.ledger.exact else {number}
        for n in sorted(comes):
            if n in self.ledger.after:
                continue
            c = self.facts.pool[n]
            if self.ledger.exact and c.form_rank == 0 and not c.depends_on:
                continue  # a pointer to something that is not in the bundle is worth nothing under v2
            least = max(self.facts.policy.min_discretionary_relevance, LEAST_RELEVANCE if self.ledger.exact else 0.0)
            if c.relevance >= least:
                self._object(entry, "decision", f"{c.candidate_id!r} has relevance {c.relevance}, which earns a place")
            level = entry.budget_before
            new = sorted(key for key in c.coverage_keys if self.covered.get(key, level - 1) < level)
            if new:
                self._object(entry, "decision", f"{c.candidate_id!r} covers {new[0]!r}, as nothing admitted by then")

    def _cost(self, number: int, entry: TraceEntry) -> None:
        """What admitting it would have cost, less what was there. A group of v1 lies somewhere between two figures."""
        level = entry.budget_before
        least = self.by_dependencies.cost(number, level)
        most = least if self.ledger.exact else self.by_needs.cost(number, level)
        if not least <= entry.marginal_cost <= most:
            path = f"$.result.trace.entries[{entry.candidate_id}].marginal_cost"
            self.notes.object("trace.cost", path, f"expected {least}, what it and all it needs would add")

    def _forms_admitted(self, number: int) -> list[int]:
        return self.admitted.get(self.facts.pool[number].content_identity, [])

    def _coverage(self) -> dict[str, int]:
        """By coverage key the highest remainder at which an admission had covered it."""
        covered: dict[str, int] = {}
        for number, after in self.ledger.after.items():
            for key in self.facts.pool[number].coverage_keys:
                covered[key] = max(after, covered.get(key, after))
        return covered

    def _doomed(self) -> set[int]:
        """All that need an illegal candidate, or a form of a content that was admitted in another form."""
        stopped = {n for n in range(self.facts.size) if self.facts.gates[n] is not None}
        for content, taken in self.admitted.items():
            stopped.update(n for n in self.facts.forms[content] if set(taken) - {n})
        return reach(reverse(self.facts.needs), stopped)

    def _object(self, entry: TraceEntry, field: str, message: str) -> None:
        self.notes.object("trace.rejection", f"$.result.trace.entries[{entry.candidate_id}].{field}", message)
