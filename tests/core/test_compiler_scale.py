"""Closures of any depth, and pools of every shape the bench makes."""

from __future__ import annotations

import pytest
from tests.core.test_compiler_inputs import candidate, request

from contextc.bench.compiler import SHAPES, generate
from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.compiler.duties import duties_of
from contextc.core.compiler.legal import is_legal
from contextc.core.compiler.pool import Pool
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.trace import CLOSURE_LIMIT

POLICIES = {"v1": POLICY_V1, "v2": POLICY_V2}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_pool_of_every_shape_gives_a_legal_bundle(shape, policy):
    asked, candidates = generate(shape, 600, policy)
    outcome = compile_candidates(asked, candidates, policy)
    assert outcome.bundle is not None
    pool = Pool(asked, candidates, policy, declared_pricing(asked, candidates))
    assert is_legal(pool, [pool.index[item.id] for item in outcome.bundle.items], duties_of(pool))


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_chain_deeper_than_any_stack_is_admitted_whole(policy):
    depth = 5000
    pool = [
        candidate(f"c{i:05}", token_count=1, depends_on=(f"c{i + 1:05}",) if i + 1 < depth else ())
        for i in range(depth)
    ]
    asked = request(policy_version=policy.policy_version, usable_token_budget=10 * depth, required_ids=("c00000",))
    outcome = compile_candidates(asked, pool, policy)
    assert outcome.bundle is not None and len(outcome.bundle.items) == depth


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_an_illegal_end_of_a_deep_chain_is_found(policy):
    depth = 3000
    pool = [
        candidate(
            f"c{i:05}",
            depends_on=(f"c{i + 1:05}",) if i + 1 < depth else (),
            scope_eligible=i + 1 < depth,
        )
        for i in range(depth)
    ]
    asked = request(policy_version=policy.policy_version, required_ids=("c00000",))
    outcome = compile_candidates(asked, pool, policy)
    assert outcome.witness is not None and len(outcome.witness.obstacles[0].path) == depth


def test_two_forms_far_apart_on_a_chain_exclude_the_upper_part_only():
    depth = 400
    pool = [
        candidate(
            f"c{i:05}",
            content_identity="twice" if i in (50, 350) else f"c{i:05}",
            token_count=1,
            depends_on=(f"c{i + 1:05}",) if i + 1 < depth else (),
        )
        for i in range(depth)
    ]
    asked = request(policy_version=POLICY_V2.policy_version, usable_token_budget=10 * depth)
    outcome = compile_candidates(asked, pool, POLICY_V2)
    assert outcome.bundle is not None
    assert {item.id for item in outcome.bundle.items} == {f"c{i:05}" for i in range(51, depth)}
    decisions = {e.candidate_id: e.decision for e in outcome.result.trace.entries}
    assert decisions["c00050"] == "REJECTED_ALTERNATIVE"
    assert all(decisions[f"c{i:05}"] == "REJECTED_DEPENDENCY" for i in range(50))


def test_a_long_closure_is_given_by_its_direct_dependencies():
    depth = CLOSURE_LIMIT + 3
    pool = [candidate(f"c{i:03}", depends_on=(f"c{i + 1:03}",) if i + 1 < depth else ()) for i in range(depth)]
    outcome = compile_candidates(request(), pool, POLICY_V1)
    closures = [entry.dependency_closure for entry in outcome.result.trace.entries]
    assert closures[1] == ("c002",)
    assert closures[2] == tuple(f"c{i:03}" for i in range(3, depth))
    assert len(closures[2]) == CLOSURE_LIMIT and closures[-1] == ()


def test_a_closure_is_listed_depth_first_and_ends_in_a_cycle():
    pool = [
        candidate("a", depends_on=("d", "b")),
        candidate("b", depends_on=("c",)),
        candidate("c", depends_on=("a",)),
        candidate("d", depends_on=("c",)),
    ]
    outcome = compile_candidates(request(), pool, POLICY_V1)
    closures = {entry.candidate_id: entry.dependency_closure for entry in outcome.result.trace.entries}
    assert closures["a"] == ("d", "c", "b")
    assert closures["c"] == ("a", "d", "b")
