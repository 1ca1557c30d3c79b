"""Damage to witnesses, and refusals of what could be had, each with a trace that agrees."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.forge import refused
from tests.corruptions.tools import (
    AMPLE,
    due,
    item_ids,
    kind,
    with_failure,
    with_outcome,
    with_witness,
)
from tests.oracle import legal_sets

from contextc.core.records.outcome import Witness


@kind("witness")
def witness_lost(case: Case) -> Case | None:
    return None if case.outcome.witness is None else with_outcome(case, replace(case.outcome, witness=None))


@kind("witness.obstacles")
def witness_without_obstacles(case: Case) -> Case | None:
    return with_witness(case, obstacles=()) if case.outcome.witness and case.outcome.witness.obstacles else None


@kind("witness.obstacles")
def witness_that_leaves_a_way_open(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or len(witness.obstacles) < 2:
        return None
    return with_witness(case, obstacles=witness.obstacles[1:])


def _with_obstacle(case: Case, **changes: Any) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    first = replace(witness.obstacles[0], **changes)
    return None if first == witness.obstacles[0] else with_witness(case, obstacles=(first, *witness.obstacles[1:]))


@kind("witness.obstacles")
def obstacle_at_a_gate_that_is_open(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    c = next(c for c in case.candidates if c.candidate_id == witness.obstacles[0].at)
    open_gates = {"scope": c.scope_eligible, "freshness": c.freshness_eligible, "authority": c.authority_eligible}
    gate = next((name for name, passed in open_gates.items() if passed), None)
    return None if gate is None else _with_obstacle(case, gate=gate)


@kind("witness.obstacles")
def obstacle_somewhere_else(case: Case) -> Case | None:
    """The path ends at a candidate that is not needed."""
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    old = witness.obstacles[0]
    by_id = {c.candidate_id: c for c in case.candidates}
    start = by_id[old.path[-1]]
    for c in case.candidates:
        apart = c.candidate_id not in start.depends_on and (c.group_id is None or c.group_id != start.group_id)
        if apart and c.candidate_id != start.candidate_id:
            return _with_obstacle(case, path=(*old.path, c.candidate_id), at=c.candidate_id)
    return None


@kind("witness.obstacles")
def clash_with_nothing(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles or witness.obstacles[0].gate != "form-clash":
        return None
    return _with_obstacle(case, other=witness.obstacles[0].at)


@kind("witness.obstacles")
def obligation_that_is_none(case: Case) -> Case | None:
    hit = case.outcome.witness is not None and case.outcome.witness.kind in ("gated", "blocked")
    return with_witness(case, ids=("no such obligation",)) if hit else None


@kind("witness.missing")
def missing_id_that_is_there(case: Case) -> Case | None:
    hit = case.outcome.witness is not None and case.outcome.witness.kind == "missing"
    return with_witness(case, ids=(case.candidates[0].candidate_id,)) if hit else None


def _budget_witness(case: Case) -> Witness | None:
    witness = case.outcome.witness
    return witness if witness is not None and witness.kind == "budget" else None


@kind("witness.budget")
def least_budget_one_too_low(case: Case) -> Case | None:
    witness = _budget_witness(case)
    return with_witness(case, least_budget=(witness.least_budget or 1) - 1) if witness else None


@kind("witness.budget")
def least_budget_one_too_high(case: Case) -> Case | None:
    witness = _budget_witness(case)
    return with_witness(case, least_budget=(witness.least_budget or 0) + 1) if witness else None


@kind("witness.budget")
def larger_bundle_than_the_least(case: Case) -> Case | None:
    """A legal bundle at exactly the price that is claimed, but a cheaper one exists."""
    if _budget_witness(case) is None or len(case.candidates) > 10:
        return None
    ample = replace(case.request, usable_token_budget=AMPLE)
    declared = case.pricing if case.pricing.counter != "declared" else None
    found = legal_sets(ample, case.candidates, case.policy, declared)
    priced = sorted(
        (case.pricing.tokens(case.pricing.base + sum(case.pricing.items[n] for n in ids)), ids) for ids in found if ids
    )
    if len(priced) < 2 or priced[-1][0] == priced[0][0]:
        return None
    return with_witness(case, least_budget=priced[-1][0], bundle_ids=priced[-1][1])


@kind("L3", "L4", "L5", "L6")
def witness_bundle_without_an_item(case: Case) -> Case | None:
    witness = _budget_witness(case)
    if witness is None or not witness.bundle_ids:
        return None
    prices = case.pricing
    ids = witness.bundle_ids[1:]
    units = prices.base + sum(prices.items[name] for name in ids) if ids else prices.empty
    return with_witness(case, bundle_ids=ids, least_budget=prices.tokens(units))


@kind("witness")
def reason_that_the_witness_does_not_prove(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    if failure is None:
        return None
    wrong = "REQUIRED_SOURCE_UNAVAILABLE" if failure.reason != "REQUIRED_SOURCE_UNAVAILABLE" else "INSUFFICIENT_BUDGET"
    return with_failure(case, reason=wrong)


@kind("witness")
def blocked_by_nobody(case: Case) -> Case | None:
    return with_failure(case, blocking_ids=("~ghost",))


@kind("witness.budget")
def refusal_for_a_budget_that_is_enough(case: Case) -> Case | None:
    ids, tokens = item_ids(case), case.outcome.result.bundle_tokens
    if ids is None:
        return None
    witness = Witness(kind="budget", ids=(), least_budget=tokens, bundle_ids=tuple(ids))
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.budget")
def refusal_for_a_price_that_is_made_up(case: Case) -> Case | None:
    ids = item_ids(case)
    if ids is None:
        return None
    more = case.request.usable_token_budget + 1
    witness = Witness(kind="budget", ids=(), least_budget=more, bundle_ids=tuple(ids))
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.unproved")
def refusal_for_a_cap_where_a_bundle_exists(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    more = case.request.usable_token_budget + 1
    witness = Witness(kind="unproved", ids=(), cap="10 steps", lower_bound=more)
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.contradiction")
def refusal_for_a_contradiction_that_is_none(case: Case) -> Case | None:
    if not case.outcome.result.success or not due(case):
        return None
    witness = Witness(kind="contradiction", ids=tuple(sorted(due(case))))
    return with_outcome(case, refused(case, witness, "UNSATISFIED_DEPENDENCY"))


@kind("witness.missing")
def refusal_for_an_id_that_nobody_asked_for(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    witness = Witness(kind="missing", ids=("~ghost",))
    return with_outcome(case, refused(case, witness, "REQUIRED_SOURCE_UNAVAILABLE"))


@kind("witness.budget")
def budget_witness_without_a_budget(case: Case) -> Case | None:
    return with_witness(case, least_budget=None) if _budget_witness(case) else None


@kind("witness.budget")
def budget_witness_with_an_item_that_is_no_candidate(case: Case) -> Case | None:
    witness = _budget_witness(case)
    return with_witness(case, bundle_ids=(*witness.bundle_ids, "~ghost")) if witness else None


@kind("witness.budget")
def budget_blamed_for_what_no_budget_helps(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or witness.kind not in ("gated", "blocked", "contradiction"):
        return None
    ids = tuple(sorted(forms[0].candidate_id for forms in due(case).values()))
    units = case.pricing.base + sum(case.pricing.items[name] for name in ids)
    budget = case.pricing.tokens(units)
    poorer = replace(case, request=replace(case.request, usable_token_budget=max(0, budget - 1)))
    claim = Witness(kind="budget", ids=(), least_budget=budget, bundle_ids=ids)
    return with_outcome(poorer, refused(poorer, claim, "INSUFFICIENT_BUDGET"))
