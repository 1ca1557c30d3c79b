"""What a refusal owes: the least budget is enough and one token less is not; every candidate is accounted for; and
the extra solver changes no byte of what both settle. Pools are drawn from the regimes of the generator."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.test_compiler_search import shared_pool
from tests.generator import REGIMES, instance, large_instance, table

from contextc.capabilities.bundle_inspect import CAPABILITY as INSPECT
from contextc.capabilities.bundle_inspect import BundleInspectInput
from contextc.core.checker import check
from contextc.core.compiler import compile_candidates, declared_pricing, load_exact
from contextc.core.compiler import stages as stages_module
from contextc.core.compiler.settle import settle
from contextc.core.records.canonical import canonical_json
from contextc.core.records.outcome import Stored, compilation_of
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.request import Request

POLICIES = {"v1": POLICY_V1, "v2": POLICY_V2}

pools = st.one_of(
    st.builds(instance, st.sampled_from(sorted(REGIMES)), st.integers(0, 1_000_000)),
    st.builds(large_instance, st.integers(0, 1_000_000), st.integers(10, 40)),
)
budgets = st.integers(0, 400)


def asked(request, policy, budget):
    return msgspec.structs.replace(request, policy_version=policy.policy_version, usable_token_budget=budget)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@settings(max_examples=300)
@given(pool=pools, budget=budgets, measured=st.booleans())
def test_the_least_budget_is_enough_and_one_token_less_is_refused(policy, pool, budget, measured):
    request, candidates = pool
    pricing = table(budget, candidates) if measured else declared_pricing(request, candidates)
    witness = compile_candidates(asked(request, policy, budget), candidates, policy, pricing).witness
    if witness is None or witness.least_budget is None:
        return
    least = witness.least_budget
    assert least > budget
    enough = asked(request, policy, least)
    success = compile_candidates(enough, candidates, policy, pricing)
    assert success.bundle is not None and success.result.bundle_tokens <= least
    assert check(enough, candidates, policy, pricing, success).findings == ()
    refused = compile_candidates(asked(request, policy, least - 1), candidates, policy, pricing)
    assert refused.witness is not None
    assert (refused.witness.kind, refused.witness.least_budget) == ("budget", least)
    assert refused.witness.bundle_ids == witness.bundle_ids


def test_the_pools_of_the_property_above_are_refused_often_enough():
    kinds = set()
    for seed in range(60):
        for regime in sorted(REGIMES):
            request, candidates = instance(regime, seed)
            for policy in POLICIES.values():
                witness = compile_candidates(asked(request, policy, 20), candidates, policy).witness
                kinds.add((policy.policy_version, witness.kind if witness else None))
    assert {(p.policy_version, k) for p in POLICIES.values() for k in ("budget", "gated", "blocked", None)} <= kinds


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@settings(max_examples=200)
@given(pool=pools, budget=budgets)
def test_a_refusal_accounts_for_every_candidate(policy, pool, budget):
    request, candidates = pool
    request = asked(request, policy, budget)
    outcome = compile_candidates(request, candidates, policy)
    pricing = declared_pricing(request, candidates)
    entries = outcome.result.trace.entries
    names = sorted(c.candidate_id for c in candidates)
    if outcome.result.success or policy is POLICY_V2:
        assert [entry.candidate_id for entry in entries] == names
    # Where the trace ends as the published one does, the inspection names those that were not decided.
    made = Stored(compilation=compilation_of(request, policy, pricing, outcome), candidates=tuple(candidates))
    seen = INSPECT.run(BundleInspectInput(document=msgspec.Raw(canonical_json(made))), None)
    assert [row.candidate_id for row in seen.entries] == names
    traced = {entry.candidate_id for entry in entries}
    for row in seen.entries:
        if row.candidate_id not in traced:
            assert (row.decision, row.reason_code) == ("UNDECIDED", "undecided")
        assert outcome.result.success <= (row.decision != "UNDECIDED")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_exact_solver_alone_and_the_search_alone_give_the_same_bytes(policy, monkeypatch):
    """Not one byte: once the search is stopped, so that the solver settles all; once it is left to itself."""
    exact = load_exact()
    if exact is None:
        pytest.skip("the extra `exact` is not installed")
    settled = 0
    cases = [(shared_pool(seed, 14, 6), budget) for seed in range(6) for budget in (1, 3_000, 6_000)]
    cases += [(list(large_instance(seed, 30)[1]), budget) for seed in range(6) for budget in (1, 300, 900)]
    for pool, budget in cases:
        request = Request(request_id="r", task_id="t", usable_token_budget=budget, policy_version=policy.policy_version)
        searched = compile_candidates(request, pool, policy)
        monkeypatch.setattr(stages_module, "settle", lambda *given: settle(*given, cap=0))
        solved = compile_candidates(request, pool, policy, None, exact)
        stopped = compile_candidates(request, pool, policy)
        monkeypatch.undo()
        settled += stopped != solved
        assert canonical_json(solved) == canonical_json(searched)
    assert settled > 5, "the solver settled what the stopped search could not"
