"""Never illegal, never wrong to refuse: judged by an oracle that enumerates all subsets."""

from __future__ import annotations

import random

import msgspec
import pytest
from tests.generator import REGIMES, instance, table
from tests.oracle import legal_sets, verdict

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.policy import POLICY_V1, POLICY_V2

POLICIES = {"v1": POLICY_V1, "v2": POLICY_V2}
#: Instances of each regime in the default run; `slow` covers the full number.
QUICK, FULL = 120, 6000


def check(regime, seed, policy):
    """One instance, under declared prices or (every third) a measured table."""
    request, candidates = instance(regime, seed, policy_version=policy.policy_version)
    pricing = table(seed, candidates) if seed % 3 == 0 else None
    outcome = compile_candidates(request, candidates, policy, pricing)
    expected = verdict(request, candidates, policy, pricing)
    assert outcome.result.success == expected.satisfiable
    if outcome.bundle is not None:
        legal = legal_sets(request, candidates, policy, pricing)
        assert tuple(sorted(outcome.bundle.layout_trace)) in legal
        assert len(outcome.result.trace.entries) == len(candidates)
        return
    witness = outcome.witness
    assert witness is not None and witness.kind != "unproved"
    if witness.kind != "budget":
        assert expected.least_budget is None
        return
    assert witness.least_budget == expected.least_budget
    enough = msgspec.structs.replace(request, usable_token_budget=witness.least_budget)
    assert tuple(sorted(witness.bundle_ids)) in legal_sets(enough, candidates, policy, pricing)
    assert compile_candidates(enough, candidates, policy, pricing).result.success
    short = msgspec.structs.replace(request, usable_token_budget=witness.least_budget - 1)
    again = compile_candidates(short, candidates, policy, pricing)
    assert again.witness is not None and again.witness.least_budget == witness.least_budget


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("regime", sorted(REGIMES))
def test_a_bundle_is_legal_and_a_refusal_is_right(regime, policy):
    for seed in range(QUICK):
        check(regime, seed, policy)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("regime", sorted(REGIMES))
def test_a_bundle_is_legal_and_a_refusal_is_right_at_length(regime, policy):
    for seed in range(QUICK, FULL):
        check(regime, seed, policy)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_order_of_the_candidates_changes_nothing(policy):
    for seed in range(40):
        for regime in sorted(REGIMES):
            request, candidates = instance(regime, seed, policy_version=policy.policy_version)
            shuffled = list(candidates)
            random.Random(seed).shuffle(shuffled)
            assert compile_candidates(request, shuffled, policy) == compile_candidates(request, candidates, policy)


@pytest.mark.parametrize("regime", sorted(REGIMES))
def test_under_v2_what_is_left_out_for_its_price_does_not_fit(regime):
    for seed in range(QUICK):
        request, candidates = instance(regime, seed, policy_version=POLICY_V2.policy_version)
        outcome = compile_candidates(request, candidates, POLICY_V2)
        if outcome.bundle is None:
            continue
        pricing = declared_pricing(request, candidates)
        left = pricing.limit(request.usable_token_budget) - pricing.base
        left -= sum(pricing.items[item.id] for item in outcome.bundle.items)
        for entry in outcome.result.trace.entries:
            if entry.decision == "REJECTED_BUDGET":
                assert entry.marginal_cost > left
                assert entry.budget_before == entry.budget_after == left


def test_a_trace_of_a_refusal_under_v2_lists_everybody():
    seen = 0
    for seed in range(200):
        request, candidates = instance("everything", seed, policy_version=POLICY_V2.policy_version)
        outcome = compile_candidates(request, candidates, POLICY_V2)
        if outcome.bundle is None:
            seen += 1
            decisions = {entry.decision for entry in outcome.result.trace.entries}
            assert len(outcome.result.trace.entries) == len(candidates)
            assert decisions <= {"UNDECIDED", "REJECTED_HARD"}
    assert seen > 20
