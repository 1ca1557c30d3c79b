"""The small traps of the conformance data: what must hold under both policies."""

from __future__ import annotations

import json

import msgspec
import pytest
from tests.conftest import SHARED

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.candidate import CandidatePool
from contextc.core.records.codec import decode
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.request import Request

TRAPS = SHARED / "conformance" / "adversarial-v1"
EXPECTED = json.loads((TRAPS / "expected.json").read_text()) if TRAPS.is_dir() else {}

pytestmark = pytest.mark.skipif(not EXPECTED, reason="the published data is absent; set CONTEXTC_SHARED")


def read(folder, name, policy):
    request = decode((folder / f"{name}.request.json").read_bytes(), Request)
    pool = decode((folder / f"{name}.candidates.json").read_bytes(), CandidatePool)
    return msgspec.structs.replace(request, policy_version=policy.policy_version), pool.candidates


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_trap_ends_as_the_enumeration_says(name, policy):
    expected = EXPECTED[name]
    request, candidates = read(TRAPS, name, policy)
    outcome = compile_candidates(request, candidates, policy)
    assert outcome.result.success == (expected["outcome"] == "bundle")
    if outcome.witness is not None:
        assert outcome.witness.least_budget == expected["least_budget"]
    least = expected["least_budget"]
    if least is not None:
        enough = msgspec.structs.replace(request, usable_token_budget=least)
        assert compile_candidates(enough, candidates, policy).result.success
        short = msgspec.structs.replace(request, usable_token_budget=least - 1)
        refused = compile_candidates(short, candidates, policy)
        assert not refused.result.success
        assert refused.witness is not None and refused.witness.least_budget == least


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
def test_shared_dependencies_are_paid_once_before_a_refusal(policy):
    request, candidates = read(SHARED / "conformance" / "completeness-v1", "greedy-false-refusal", policy)
    outcome = compile_candidates(request, candidates, policy)
    assert outcome.bundle is not None
    assert sorted(outcome.bundle.layout_trace) == ["a1", "b1", "r"]
    pricing = declared_pricing(request, candidates)
    assert outcome.result.bundle_tokens == pricing.base + sum(pricing.items[i] for i in ("a1", "b1", "r"))
