"""The independent checker has no objection to anything the compiler makes."""

from __future__ import annotations

import msgspec
import pytest
from tests.core.compiler_pools import random_pool
from tests.generator import REGIMES, instance, large_instance, table

from contextc.bench.compiler import SHAPES, generate
from contextc.bench.quality import instance as quality_instance
from contextc.core.checker import check
from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.policy import POLICY_V1, POLICY_V2

POLICIES = {"v1": POLICY_V1, "v2": POLICY_V2}


def judge(request, candidates, policy, pricing=None):
    request = msgspec.structs.replace(request, policy_version=policy.policy_version)
    pricing = pricing or declared_pricing(request, candidates)
    outcome = compile_candidates(request, candidates, policy, pricing)
    report = check(request, candidates, policy, pricing, outcome)
    assert report.findings == ()


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("regime", sorted(REGIMES))
def test_small_pools_of_every_regime(regime, policy):
    for seed in range(1000, 1150):
        request, candidates = instance(regime, seed)
        judge(request, candidates, policy, table(seed, candidates) if seed % 3 == 0 else None)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_larger_pools(policy):
    for seed in range(40):
        judge(*random_pool(seed, largest=30), policy)
        judge(*large_instance(seed, 60), policy)
        judge(*quality_instance(seed), policy)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_pools_of_every_shape_of_the_bench(shape, policy):
    judge(*generate(shape, 400, policy), policy)
