"""A refusal proves itself: its reason is what its witness shows."""

from __future__ import annotations

import msgspec
import pytest
from tests.core.test_compiler_inputs import candidate, request
from tests.core.test_compiler_search import shared_pool
from tests.generator import REGIMES, instance

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.compiler import stages as stages_module
from contextc.core.compiler.settle import settle
from contextc.core.records.policy import POLICY_V1, POLICY_V2


def refuse(pool, policy=POLICY_V2, **asked):
    outcome = compile_candidates(request(policy_version=policy.policy_version, **asked), pool, policy)
    assert not outcome.result.success and outcome.bundle is None
    assert outcome.result.failure is not None and outcome.witness is not None
    return outcome.result.failure.reason, outcome.witness


def test_a_missing_name_comes_before_everything_else():
    pool = [candidate("m", requirement="MANDATORY", scope_eligible=False)]
    reason, witness = refuse(pool, required_ids=("b", "a"))
    assert (reason, witness.kind, witness.ids) == ("REQUIRED_SOURCE_UNAVAILABLE", "missing", ("a", "b"))


def test_forms_below_their_floor_leave_no_legal_representation():
    pool = [
        candidate("m1", content_identity="m", requirement="MANDATORY", form_rank=1, min_rank=2),
        candidate("m2", content_identity="m", requirement="MANDATORY", form_rank=0, min_rank=2),
    ]
    reason, witness = refuse(pool)
    assert (reason, witness.kind, witness.ids) == ("NO_LEGAL_REPRESENTATION", "gated", ("m",))
    assert [(o.candidate_id, o.path, o.gate) for o in witness.obstacles] == [
        ("m1", ("m1",), "floor"),
        ("m2", ("m2",), "floor"),
    ]


def test_one_form_that_fails_another_gate_makes_it_ineligible():
    pool = [
        candidate("m1", content_identity="m", requirement="REQUIRED", form_rank=1, min_rank=2),
        candidate("m2", content_identity="m", requirement="REQUIRED", freshness_eligible=False, freshness_reason="old"),
    ]
    reason, witness = refuse(pool)
    assert (reason, witness.kind) == ("REQUIRED_INELIGIBLE", "gated")
    assert witness.obstacles[1].reason == "old"


def test_a_weaker_form_does_not_stand_in_for_the_strongest_band():
    pool = [
        candidate("m1", content_identity="m", requirement="MANDATORY", scope_eligible=False),
        candidate("m2", content_identity="m", requirement="REQUIRED"),
    ]
    assert refuse(pool)[0] == "REQUIRED_INELIGIBLE"


def test_a_path_leads_to_the_gate_that_a_dependency_fails():
    pool = [
        candidate("m", requirement="MANDATORY", depends_on=("x",)),
        candidate("x", depends_on=("y", "z")),
        candidate("y"),
        candidate("z", authority_eligible=False),
    ]
    reason, witness = refuse(pool)
    assert (reason, witness.kind) == ("UNSATISFIED_DEPENDENCY", "blocked")
    (obstacle,) = witness.obstacles
    assert (obstacle.path, obstacle.at, obstacle.gate) == (("m", "x", "z"), "z", "authority")


def test_a_path_leads_through_a_required_group():
    group = {"group_id": "g", "group_required": True}
    pool = [
        candidate("m", requirement="MANDATORY", depends_on=("a",)),
        candidate("a", **group),
        candidate("b", scope_eligible=False, **group),
    ]
    (obstacle,) = refuse(pool)[1].obstacles
    assert obstacle.path == ("m", "a", "b")


def test_two_forms_of_one_content_in_one_closure_are_named():
    pool = [
        candidate("m", requirement="MANDATORY", depends_on=("x1", "x2")),
        candidate("x1", content_identity="x"),
        candidate("x2", content_identity="x"),
    ]
    reason, witness = refuse(pool)
    assert (reason, witness.kind) == ("UNSATISFIED_DEPENDENCY", "blocked")
    (obstacle,) = witness.obstacles
    assert (obstacle.gate, {obstacle.at, obstacle.other}) == ("form-clash", {"x1", "x2"})


def test_a_required_group_with_an_illegal_member_is_unresolved():
    group = {"group_id": "g", "group_required": True, "requirement": "REQUIRED"}
    reason, witness = refuse([candidate("a", **group), candidate("b", scope_eligible=False, **group)])
    assert (reason, witness.ids) == ("UNRESOLVED_REQUIRED_GROUP", ("g",))


def test_two_forms_required_by_name_exclude_one_another():
    pool = [candidate("a1", content_identity="a"), candidate("a2", content_identity="a"), candidate("b")]
    reason, witness = refuse(pool, required_ids=("a1", "a2", "b"))
    assert (reason, witness.kind) == ("UNSATISFIED_DEPENDENCY", "contradiction")
    assert set(witness.ids) >= {"a2"} and "b" not in witness.ids


def test_choices_that_exclude_one_another_are_found_by_search():
    pool = [candidate(f"x{k}", content_identity="x") for k in range(3)]
    for name, ways in (("p", (0, 1)), ("q", (1, 2)), ("r", (0, 2))):
        pool += [
            candidate(f"{name}{k}", content_identity=name, requirement="REQUIRED", depends_on=(f"x{k}",)) for k in ways
        ]
    reason, witness = refuse(pool)
    assert (reason, witness.kind, witness.ids) == ("UNSATISFIED_DEPENDENCY", "contradiction", ("p", "q", "r"))


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
def test_the_least_budget_is_enough_and_one_token_less_is_not(policy):
    pool = [
        candidate("a", requirement="MANDATORY", depends_on=("s",)),
        candidate("b", requirement="REQUIRED", depends_on=("s",)),
        candidate("s", token_count=50),
    ]
    reason, witness = refuse(pool, policy, usable_token_budget=60)
    pricing = declared_pricing(request(), pool)
    least = pricing.base + sum(pricing.items.values())
    assert (reason, witness.kind, witness.least_budget) == ("INSUFFICIENT_BUDGET", "budget", least)
    assert witness.bundle_ids == ("a", "b", "s")
    enough = request(policy_version=policy.policy_version, usable_token_budget=least)
    assert compile_candidates(enough, pool, policy).result.success
    assert refuse(pool, policy, usable_token_budget=least - 1)[1].least_budget == least


def test_a_search_that_stops_says_so_and_names_its_cap(monkeypatch):
    monkeypatch.setattr(stages_module, "settle", lambda *given: settle(*given, cap=10))
    asked = request(policy_version=POLICY_V2.policy_version, usable_token_budget=1)
    full = compile_candidates(asked, shared_pool(1, 30, 10), POLICY_V2)
    assert full.witness is not None and full.witness.kind == "unproved"
    assert full.witness.cap is not None and full.witness.lower_bound is not None
    monkeypatch.undo()
    proven = compile_candidates(asked, shared_pool(1, 30, 10), POLICY_V2)
    assert proven.witness is not None and proven.witness.least_budget is not None
    assert full.witness.lower_bound <= proven.witness.least_budget


def test_an_obstacle_is_true_of_the_candidates():
    """Each step of each path is a dependency or a shared required group, and its end is what the obstacle says."""
    seen = 0
    for seed in range(150):
        for regime in sorted(REGIMES):
            asked, candidates = instance(regime, seed, policy_version=POLICY_V2.policy_version)
            outcome = compile_candidates(asked, candidates, POLICY_V2)
            by = {c.candidate_id: c for c in candidates}
            for o in outcome.witness.obstacles if outcome.witness is not None else ():
                seen += 1
                assert o.path[0] == o.candidate_id and o.path[-1] == o.at
                for one, other in zip(o.path, o.path[1:], strict=False):
                    shared = by[one].group_required and by[one].group_id is not None
                    shared = shared and by[other].group_required and by[one].group_id == by[other].group_id
                    assert other in by[one].depends_on or shared
                end = by[o.at]
                assert {
                    "scope": not end.scope_eligible,
                    "freshness": not end.freshness_eligible,
                    "authority": not end.authority_eligible,
                    "floor": end.form_rank < end.min_rank,
                    "form-clash": o.other is not None and by[o.other].content_identity == end.content_identity,
                }[o.gate]
    assert seen > 200


def test_the_published_refusal_is_kept_with_its_trace_where_the_proof_agrees():
    pool = [candidate("m", requirement="MANDATORY", token_count=500), candidate("n", requirement="MANDATORY")]
    outcome = compile_candidates(request(), pool, POLICY_V1)
    assert outcome.result.failure is not None
    assert outcome.result.failure.diagnostic == "mandatory m closure exceeds remaining budget"
    assert outcome.result.trace.entries == ()
    assert msgspec.structs.asdict(outcome.result.failure)["budget_used"] == 0
