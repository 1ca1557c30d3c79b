"""Rejections: that each reason is true.

Under policy v2, and where policy v1 admits by exact price, a rejection is judged against the final bundle, so its
figures can be recomputed. The published way of v1 judged in the middle of its rounds; there the checker verifies what
can be told from the outside: the price was above the remainder, something is really in the way, another form really
was admitted.
"""

from __future__ import annotations

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach
from contextc.core.checker.ledger import Ledger, spends
from contextc.core.checker.listing import DROPPED, Entries
from contextc.core.checker.report import Notes
from contextc.core.records.trace import TraceEntry

#: Steps of walks over needs, per candidate and need. A chain in which everybody was rejected costs n * n / 2 steps;
#: beyond the limit the rest is left open.
STEPS = 60

#: Reason of a rejection that the published way gives to whatever no step came to (construction SPEC 4, step 6).
NO_PATH = "no remaining budget path admits this record"


def check_rejections(facts: Facts, entries: Entries, ledger: Ledger, success: bool, notes: Notes) -> None:
    """Every rejection that is not by a gate."""
    judge = _Judge(facts, entries, ledger, notes)
    for number, entry in entries.items():
        if entry.decision == "REJECTED_ALTERNATIVE":
            judge.alternative(number, entry)
        elif entry.decision in ("REJECTED_BUDGET", "REJECTED_DEPENDENCY", "REJECTED_REDUNDANT") and success:
            if judge.steps < 0:
                notes.leave_open(
                    "trace.rejection", "$.result.trace", "too many walks; later rejections were not followed"
                )
                return
            judge.rejection(number, entry)


class _Judge:
    """What stays the same for all rejections of a trace."""

    def __init__(self, facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
        self.facts = facts
        self.ledger = ledger
        self.notes = notes
        self.inside = {n for n, entry in entries.items() if spends(entry)}
        self.kept = {n for n in self.inside if entries[n].decision == "ADMITTED"}
        self.contents: dict[str, set[int]] = {}
        for n in self.inside:
            self.contents.setdefault(facts.pool[n].content_identity, set()).add(n)
        self.covered = {key for n in self.inside for key in facts.pool[n].coverage_keys}
        self.steps = STEPS * (facts.size + sum(map(len, facts.needs)))

    def alternative(self, number: int, entry: TraceEntry) -> None:
        """Another form of its content was admitted."""
        others = self.contents.get(self.facts.pool[number].content_identity, set())
        if not others - {number}:
            self._object(entry, "decision", "no other form of this content was admitted")

    def rejection(self, number: int, entry: TraceEntry) -> None:
        """Price, obstacle or lack of worth, with the figure."""
        closure = {n for n in reach(self.facts.needs, [number]) if n < self.facts.size}
        self.steps -= len(closure)
        if self.ledger.exact and entry.reason_code != DROPPED:
            due = sum(self.ledger.costs[n] for n in closure if n not in self.kept)
            if entry.marginal_cost != due:
                self._object(entry, "marginal_cost", f"expected {due}, what it and all it needs would add")
        if entry.decision == "REJECTED_BUDGET" and entry.reason_code != DROPPED:
            self._budget(entry)
        elif entry.decision == "REJECTED_DEPENDENCY":
            self._dependency(closure, entry)
        elif entry.decision == "REJECTED_REDUNDANT":
            self._redundant(number, closure, entry)

    def _budget(self, entry: TraceEntry) -> None:
        left = self.ledger.final if self.ledger.exact else entry.budget_before
        published = not self.ledger.exact and entry.reason_detail == NO_PATH
        if entry.marginal_cost <= left and not published:
            self._object(entry, "decision", f"{entry.marginal_cost} would have fitted into {left}")

    def _dependency(self, closure: set[int], entry: TraceEntry) -> None:
        if any(self.facts.gates[n] is not None for n in closure):
            return
        seen: dict[str, int] = {}
        for n in closure:
            content = self.facts.pool[n].content_identity
            if seen.setdefault(content, n) != n or self.contents.get(content, set()) - {n}:
                return
        self._object(entry, "decision", "nothing it needs is illegal or shares its content with what is there")

    def _redundant(self, number: int, closure: set[int], entry: TraceEntry) -> None:
        alone = {number} if not self.ledger.exact else {n for n in closure if n not in self.kept}
        for n in alone:
            c = self.facts.pool[n]
            pointer = self.ledger.exact and c.form_rank == 0 and not c.depends_on
            if pointer:
                continue
            worthy = c.relevance >= self.facts.policy.min_discretionary_relevance and c.relevance >= LEAST_RELEVANCE
            if (worthy and n == number) or (worthy and self.ledger.exact):
                self._object(entry, "decision", f"{c.candidate_id!r} has relevance {c.relevance}, which earns a place")
            elif not self.covered.issuperset(c.coverage_keys):
                self._object(entry, "decision", f"{c.candidate_id!r} covers something that nothing admitted covers")

    def _object(self, entry: TraceEntry, field: str, message: str) -> None:
        self.notes.object("trace.rejection", f"$.result.trace.entries[{entry.candidate_id}].{field}", message)


#: Relevance counts in millionths (docs/compiler-internals.md): less than half of one is none.
LEAST_RELEVANCE = 0.0000005
