"""The remainders of a trace, replayed: where they start, what each admission took, where they end.

Policy v2 counts in the units of the pricing and starts at what the budget leaves beside the frame of the bundle.
Policy v1 counts declared tokens and starts at the budget, as published; where the published way ends in no legal
bundle, v1 admits by exact price like v2, and its trace shows those figures.
"""

from __future__ import annotations

from msgspec import Struct

from contextc.core.checker import arithmetic
from contextc.core.checker.facts import Facts
from contextc.core.checker.listing import DROPPED, Entries
from contextc.core.checker.report import Notes
from contextc.core.records.outcome import Failure
from contextc.core.records.trace import TraceEntry


class Ledger(Struct):
    """A way of counting, and what replaying the trace by it gave."""

    exact: bool
    start: int
    costs: list[int]
    units: list[list[int]]  # admitted together, in order of admission
    free: list[int]  # admitted at no cost: at which moment cannot be told
    after: dict[int, int]  # the remainder after each admission, by candidate
    levels: set[int]
    final: int


def replays(facts: Facts, entries: Entries) -> list[tuple[Ledger, Notes]]:
    """The ways of counting that the trace may follow, replayed, each with its objections; at least one.

    The highest remainder in a trace is where it starts. Where both ways of policy v1 start at the same figure, it
    takes the prices in the rest of the trace to tell them apart.
    """
    ways = [_ledger(facts, exact=True)]
    if facts.policy.policy_version == "compiler-policy-v1":
        ways.insert(0, _ledger(facts, exact=False))
    top = max((entry.budget_before for entry in entries.values()), default=ways[0].start)
    tried: list[tuple[Ledger, Notes]] = []
    for way in [way for way in ways if way.start == top] or ways[:1]:
        notes = Notes()
        _replay(facts, entries, way, notes)
        tried.append((way, notes))
    return tried


def _ledger(facts: Facts, *, exact: bool) -> Ledger:
    budget = facts.request.usable_token_budget
    start = arithmetic.most_units(budget, facts.pricing) - facts.pricing.base if exact else budget
    costs = facts.units if exact else [c.token_count for c in facts.pool]
    return Ledger(exact=exact, start=start, costs=costs, units=[], free=[], after={}, levels={start}, final=start)


def spends(entry: TraceEntry) -> bool:
    """Whether an entry took from the remainder: admitted, also when a repair took it out again."""
    return entry.decision == "ADMITTED" or entry.reason_code == DROPPED


def _replay(facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
    together: dict[tuple[int, int], list[int]] = {}
    for number, entry in entries.items():
        if spends(entry):
            ledger.after[number] = entry.budget_after
            if entry.budget_before == entry.budget_after:
                ledger.free.append(number)
            else:
                together.setdefault((-entry.budget_before, entry.budget_after), []).append(number)
    for (minus_before, after), members in sorted(together.items()):
        path = f"$.result.trace.entries[{facts.id(members[0])}]"
        if -minus_before != ledger.final:
            notes.object("trace.budget", f"{path}.budget_before", f"expected {ledger.final}, what was left by then")
        spent = sum(ledger.costs[n] for n in members)
        if -minus_before - spent != after:
            notes.object(
                "trace.budget", f"{path}.budget_after", f"expected {-minus_before - spent}: {spent} were spent"
            )
        ledger.units.append(members)
        ledger.final = after
        ledger.levels.add(after)
    for number, entry in entries.items():
        _check_figures(facts, number, entry, ledger, notes)


def _check_figures(facts: Facts, number: int, entry: TraceEntry, ledger: Ledger, notes: Notes) -> None:
    """The figures of one entry that do not depend on what was decided between others."""
    path = f"$.result.trace.entries[{entry.candidate_id}]"
    if spends(entry):
        if entry.marginal_cost != ledger.costs[number]:
            notes.object("trace.cost", f"{path}.marginal_cost", f"expected {ledger.costs[number]}, its own price")
        if entry.reason_code == DROPPED and (ledger.exact or facts.rank[number] != 3):
            notes.object("trace.reason", f"{path}.reason_code", "nothing is dropped but DISCRETIONARY items, by v1")
    elif entry.budget_before != entry.budget_after:
        notes.object("trace.budget", f"{path}.budget_after", "takes from the remainder without being admitted")
    if entry.budget_after not in ledger.levels:
        notes.object("trace.budget", f"{path}.budget_after", "the remainder never had this value")
    if entry.decision == "REJECTED_HARD" and entry.budget_before != ledger.start:
        notes.object("trace.budget", f"{path}.budget_before", f"expected {ledger.start}: gates come first")
    late = ("REJECTED_ALTERNATIVE", "REJECTED_DEPENDENCY", "REJECTED_BUDGET", "REJECTED_REDUNDANT")
    if ledger.exact and entry.decision in late and entry.budget_before != ledger.final:
        notes.object("trace.budget", f"{path}.budget_before", f"expected {ledger.final}, what is left at the end")
    if entry.decision in ("REJECTED_HARD", "REJECTED_ALTERNATIVE", "UNDECIDED") and entry.marginal_cost != 0:
        notes.object("trace.cost", f"{path}.marginal_cost", "expected 0")


def check_spent(failure: Failure | None, ledger: Ledger, notes: Notes) -> None:
    """A failure says how much had been spent when it refused."""
    spent = ledger.start - ledger.final
    if failure is not None and failure.budget_used != spent:
        notes.object("trace.budget", "$.result.failure.budget_used", f"expected {spent}, as the trace says")
