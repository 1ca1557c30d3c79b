"""Damage to the decisions of a trace and their reasons."""

from __future__ import annotations

from tests.corruptions.cases import Case
from tests.corruptions.tools import (
    AMPLE,
    decided,
    entries,
    kind,
    with_entry,
)


@kind("trace.gate")
def gate_by_another_name(case: Case) -> Case | None:
    return with_entry(
        case,
        lambda e: e.decision == "REJECTED_HARD" and e.reason_code != "authority_ineligible",
        reason_code="authority_ineligible",
    )


@kind("trace.gate")
def gate_with_another_reason(case: Case) -> Case | None:
    return with_entry(case, decided("REJECTED_HARD"), reason_detail="not liked")


@kind("trace.gate")
def gated_candidate_said_to_be_too_large(case: Case) -> Case | None:
    return with_entry(
        case, decided("REJECTED_HARD"), decision="REJECTED_BUDGET", reason_code="budget", marginal_cost=AMPLE
    )


@kind("trace.gate")
def sound_candidate_said_to_be_gated(case: Case) -> Case | None:
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT", "UNDECIDED")
    return with_entry(
        case, lambda e: e.decision in hits, decision="REJECTED_HARD", reason_code="scope_ineligible", marginal_cost=0
    )


@kind("trace.reason")
def code_of_another_decision(case: Case) -> Case | None:
    return with_entry(case, decided("ADMITTED"), reason_code="no-earn")


@kind("trace.reason")
def stage_of_an_admission(case: Case) -> Case | None:
    by_band = {"MANDATORY": "required"}
    single = next((e for e in entries(case) if e.decision == "ADMITTED" and e.budget_before != e.budget_after), None)
    if single is None:
        return None
    wrong = by_band.get(single.reason_detail.partition("-")[0].upper(), "mandatory")
    return with_entry(case, lambda e: e == single, reason_detail=wrong)


@kind("trace.decision")
def admission_denied(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    return with_entry(case, decided("ADMITTED"), decision="REJECTED_BUDGET", reason_code="budget", marginal_cost=AMPLE)


@kind("trace.decision")
def admission_made_up(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT")
    return with_entry(case, lambda e: e.decision in hits, decision="ADMITTED", reason_code="admitted")


@kind("trace.decision")
def nothing_decided_in_a_success(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT")
    return with_entry(
        case, lambda e: e.decision in hits, decision="UNDECIDED", reason_code="undecided", marginal_cost=0
    )


@kind("trace.rejection")
def alternative_without_another_form(case: Case) -> Case | None:
    taken = {e.content_identity for e in entries(case) if e.decision == "ADMITTED" or e.reason_code == "repair-drop"}
    return with_entry(
        case,
        lambda e: e.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT") and e.content_identity not in taken,
        decision="REJECTED_ALTERNATIVE",
        reason_code="alternative_selected",
        marginal_cost=0,
    )


@kind("trace.rejection")
def dependency_blamed_for_nothing(case: Case) -> Case | None:
    by_id = {c.candidate_id: c for c in case.candidates}
    taken = {e.content_identity for e in entries(case) if e.decision == "ADMITTED" or e.reason_code == "repair-drop"}
    return with_entry(
        case,
        lambda e: (
            e.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT")
            and e.content_identity not in taken
            and not by_id[e.candidate_id].depends_on
            and not by_id[e.candidate_id].group_required
        ),
        decision="REJECTED_DEPENDENCY",
        reason_code="dependency-blocked",
    )


@kind("trace.rejection")
def budget_blamed_for_what_would_fit(case: Case) -> Case | None:
    return with_entry(
        case,
        lambda e: e.decision == "REJECTED_REDUNDANT" and e.marginal_cost <= e.budget_before,
        decision="REJECTED_BUDGET",
        reason_code="budget",
        reason_detail="unit exceeds remaining budget",
    )


@kind("trace.rejection")
def uselessness_blamed_for_what_is_useful(case: Case) -> Case | None:
    pointers = {c.candidate_id for c in case.candidates if c.form_rank == 0}
    return with_entry(
        case,
        lambda e: (
            e.decision == "REJECTED_BUDGET"
            and e.reason_code == "budget"
            and e.relevance >= max(0.01, case.policy.min_discretionary_relevance)
            and e.candidate_id not in pointers
        ),
        decision="REJECTED_REDUNDANT",
        reason_code="no-earn",
    )


@kind("trace.reason")
def repair_of_what_no_repair_may_drop(case: Case) -> Case | None:
    return with_entry(
        case,
        lambda e: e.decision == "REJECTED_BUDGET" and e.priority_band == "PREFERRED",
        reason_code="repair-drop",
    )
