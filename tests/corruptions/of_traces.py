"""Damage to the trace: who is in it, figures, causes, closures."""

from __future__ import annotations

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.tools import (
    anyone,
    decided,
    entries,
    kind,
    with_entries,
    with_entry,
)

from contextc.core.records.trace import TraceEntry


@kind("trace.listing", "trace.budget")
def trace_entry_lost(case: Case) -> Case | None:
    kept = list(entries(case))
    # A refusal of policy v1 may hold no more than what it decided, so one that was not decided is no loss there.
    decided_first = bool(kept) and kept[0].decision in ("ADMITTED", "REJECTED_HARD")
    undecided = any(entry.decision == "UNDECIDED" for entry in kept[1:])
    if not kept or not (case.outcome.result.success or undecided or decided_first):
        return None
    return with_entries(case, kept[1:])


@kind("trace.listing")
def trace_entry_doubled(case: Case) -> Case | None:
    kept = list(entries(case))
    return with_entries(case, [kept[0], *kept]) if kept else None


@kind("trace.listing")
def trace_entry_of_nobody(case: Case) -> Case | None:
    kept = list(entries(case))
    return with_entries(case, [*kept, replace(kept[-1], candidate_id="\U0010ffff")]) if kept else None


@kind("trace.listing")
def trace_in_another_order(case: Case) -> Case | None:
    return with_entries(case, list(entries(case))[::-1]) if len(entries(case)) > 1 else None


@kind("trace.candidate")
def band_in_the_trace(case: Case) -> Case | None:
    other = {"MANDATORY": "REQUIRED"}
    first = entries(case)[0].priority_band if entries(case) else ""
    return with_entry(case, anyone, priority_band=other.get(first, "MANDATORY"))


@kind("trace.candidate")
def relevance_in_the_trace(case: Case) -> Case | None:
    first = entries(case)[0].relevance if entries(case) else 0.0
    return with_entry(case, anyone, relevance=first / 2 + 0.001)


@kind("trace.candidate")
def content_identity_in_the_trace(case: Case) -> Case | None:
    return with_entry(case, anyone, content_identity="another")


@kind("trace.candidate")
def representation_in_the_trace(case: Case) -> Case | None:
    return with_entry(case, anyone, representation_id="another")


@kind("trace.position")
def position_in_the_trace_shifted(case: Case) -> Case | None:
    place = next((entry.position for entry in entries(case) if entry.position is not None), None)
    return None if place is None else with_entry(case, lambda e: e.position == place, position=place + 1)


@kind("trace.position")
def position_for_what_is_left_out(case: Case) -> Case | None:
    return with_entry(case, lambda entry: entry.position is None, position=0)


@kind("trace.cost")
def marginal_cost_of_an_admission(case: Case) -> Case | None:
    cost = next((entry.marginal_cost for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), marginal_cost=cost + 1)


@kind("trace.cost")
def marginal_cost_of_a_rejection(case: Case) -> Case | None:
    by_id = {c.candidate_id: c for c in case.candidates}

    def plain(entry: TraceEntry) -> bool:
        hit = entry.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT") and entry.reason_code != "repair-drop"
        return hit and not by_id[entry.candidate_id].group_required

    cost = next((entry.marginal_cost for entry in entries(case) if plain(entry)), 0)
    # A group that it needs may or may not be counted in under policy v1, so the step is larger than any group.
    return with_entry(case, plain, marginal_cost=cost + 100_000)


@kind("trace.cost")
def marginal_cost_of_a_gated_candidate(case: Case) -> Case | None:
    return with_entry(case, decided("REJECTED_HARD"), marginal_cost=1)


@kind("trace.budget")
def remainder_before_an_admission(case: Case) -> Case | None:
    before = next((entry.budget_before for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), budget_before=before + 1)


@kind("trace.budget")
def remainder_after_an_admission(case: Case) -> Case | None:
    after = next((entry.budget_after for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), budget_after=after + 1)


@kind("trace.budget")
def all_remainders_a_little_higher(case: Case) -> Case | None:
    """They still add up among themselves; only where they start is forged."""
    if not entries(case):
        return None
    return with_entries(
        case,
        [replace(e, budget_before=e.budget_before + 7, budget_after=e.budget_after + 7) for e in entries(case)],
    )


@kind("trace.budget")
def rejection_that_spends(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if entry.decision == "REJECTED_HARD"), None)
    return None if hit is None else with_entry(case, decided("REJECTED_HARD"), budget_after=hit.budget_after - 1)


@kind("trace.pulled_in_by")
def cause_that_is_nobody(case: Case) -> Case | None:
    return with_entry(case, lambda entry: bool(entry.pulled_in_by), pulled_in_by=("~ghost",))


@kind("trace.pulled_in_by")
def cause_taken_away(case: Case) -> Case | None:
    """What came because it was needed is said to have come by itself."""

    def alone(entry: TraceEntry) -> bool:
        return bool(entry.pulled_in_by) and entry.budget_before != entry.budget_after and not grouped(entry)

    by_id = {c.candidate_id: c for c in case.candidates}

    def grouped(entry: TraceEntry) -> bool:
        return by_id[entry.candidate_id].group_required

    return with_entry(case, alone, pulled_in_by=())


@kind("trace.pulled_in_by")
def cause_of_another_step(case: Case) -> Case | None:
    """An admitted candidate is given as a cause of one that was admitted at another time."""
    admitted = [entry for entry in entries(case) if entry.decision == "ADMITTED"]
    if len({(entry.budget_before, entry.budget_after) for entry in admitted}) < 2:
        return None
    first = admitted[0]
    other = next(e for e in admitted if (e.budget_before, e.budget_after) != (first.budget_before, first.budget_after))
    return with_entry(case, lambda e: e == first, pulled_in_by=(other.candidate_id,))


@kind("trace.pulled_in_by")
def cause_for_what_was_left_out(case: Case) -> Case | None:
    hits = ("REJECTED_HARD", "REJECTED_ALTERNATIVE", "UNDECIDED")
    return with_entry(case, lambda entry: entry.decision in hits, pulled_in_by=(case.candidates[0].candidate_id,))


@kind("trace.closure")
def closure_cut_short(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if entry.dependency_closure), None)
    return None if hit is None else with_entry(case, lambda e: e == hit, dependency_closure=hit.dependency_closure[1:])


@kind("trace.closure")
def closure_in_another_order(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if len(entry.dependency_closure) > 1), None)
    return (
        None if hit is None else with_entry(case, lambda e: e == hit, dependency_closure=hit.dependency_closure[::-1])
    )


@kind("trace.closure")
def closure_with_one_too_many(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case)), None)
    if hit is None:
        return None
    return with_entry(case, anyone, dependency_closure=(*hit.dependency_closure, hit.candidate_id))
