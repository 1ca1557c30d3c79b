"""Damage to what holds an outcome together, and to the prices."""

from __future__ import annotations

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.forge import forge, refused
from tests.corruptions.tools import (
    kind,
    with_failure,
    with_outcome,
    with_result,
)

from contextc.core.records.outcome import Witness


@kind("envelope")
def success_with_a_failure(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    failure = refused(case, Witness(kind="missing", ids=()), "INSUFFICIENT_BUDGET").result.failure
    return with_result(case, failure=failure)


@kind("envelope")
def success_with_a_witness(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    return with_outcome(case, replace(case.outcome, witness=Witness(kind="missing", ids=())))


@kind("envelope")
def success_without_a_bundle(case: Case) -> Case | None:
    return with_outcome(case, replace(case.outcome, bundle=None)) if case.outcome.result.success else None


@kind("envelope")
def success_that_calls_itself_a_refusal(case: Case) -> Case | None:
    return with_result(case, success=False) if case.outcome.result.success else None


@kind("envelope")
def failure_with_a_bundle(case: Case) -> Case | None:
    if case.outcome.result.success:
        return None
    return with_outcome(case, replace(case.outcome, bundle=forge(case, []).bundle))


@kind("envelope")
def failure_with_a_hash(case: Case) -> Case | None:
    return None if case.outcome.result.success else with_result(case, bundle_hash="0" * 64)


@kind("envelope")
def refusal_without_a_failure(case: Case) -> Case | None:
    return None if case.outcome.result.success else with_result(case, failure=None)


@kind("envelope")
def refusal_of_another_budget(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    return None if failure is None else with_failure(case, budget_total=failure.budget_total + 1)


@kind("trace.budget")
def spending_before_the_refusal(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    return None if failure is None else with_failure(case, budget_used=failure.budget_used + 1)


@kind("envelope")
def result_of_another_request(case: Case) -> Case | None:
    return with_result(case, request_id="another")


@kind("envelope")
def trace_of_another_request(case: Case) -> Case | None:
    return with_result(case, trace=replace(case.outcome.result.trace, request_id="another"))


@kind("envelope")
def result_of_another_policy(case: Case) -> Case | None:
    return with_result(case, policy_version="compiler-policy-v3")


@kind("pricing")
def price_in_the_table(case: Case) -> Case | None:
    if case.pricing.counter != "declared":
        return None
    name = case.candidates[0].candidate_id
    prices = {**case.pricing.items, name: case.pricing.items[name] + 1}
    return replace(case, pricing=replace(case.pricing, items=prices))


@kind("pricing")
def candidate_without_a_price(case: Case) -> Case | None:
    left_out = sorted(case.pricing.items)[:-1]
    return replace(case, pricing=replace(case.pricing, items={name: case.pricing.items[name] for name in left_out}))


@kind("pricing")
def price_of_nobody(case: Case) -> Case | None:
    return replace(case, pricing=replace(case.pricing, items={**case.pricing.items, "~ghost": 1}))


@kind("pricing")
def frame_of_a_declared_table(case: Case) -> Case | None:
    declared = case.pricing.counter == "declared"
    return replace(case, pricing=replace(case.pricing, base=case.pricing.base + 1)) if declared else None


@kind("envelope")
def request_for_another_policy(case: Case) -> Case | None:
    return replace(case, request=replace(case.request, policy_version="compiler-policy-v3"))
