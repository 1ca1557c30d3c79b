"""What is refused as an input error, with every fault named at once."""

from __future__ import annotations

import msgspec
import pytest

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.request import Request
from contextc.errors import DocumentError


def candidate(name, **more):
    fields = {
        "candidate_id": name,
        "content_identity": name,
        "representation_id": "full",
        "form_rank": 3,
        "token_count": 10,
        "requirement": "PREFERRED",
        "order_role": "evidence",
        "relevance": 0.5,
    }
    return Candidate(**{**fields, **more})


def request(**more):
    return Request(
        **{
            "request_id": "r",
            "task_id": "t",
            "usable_token_budget": 100,
            "policy_version": "compiler-policy-v1",
            **more,
        }
    )


def problems(candidates, policy=POLICY_V1, pricing=None, asked=None):
    with pytest.raises(DocumentError) as error:
        compile_candidates(asked or request(), candidates, policy, pricing)
    return [str(problem) for problem in error.value.problems]


def test_an_id_given_twice_is_named_with_both_places():
    (problem,) = problems([candidate("a"), candidate("b"), candidate("a")])
    assert problem == "$.candidates[2].candidate_id: expected a unique id; 'a' is also at [0]"


def test_a_dependency_on_nobody_is_named():
    (problem,) = problems([candidate("a", depends_on=("ghost",))])
    assert problem.startswith("$.candidates[0].depends_on[0]") and "'ghost'" in problem


def test_a_required_group_in_two_bands_is_named():
    group = {"group_id": "g", "group_required": True}
    (problem,) = problems([candidate("a", **group), candidate("b", requirement="REQUIRED", **group)])
    assert "'g'" in problem and "PREFERRED, REQUIRED" in problem


def test_naming_a_member_of_a_group_does_not_put_it_in_two_bands():
    group = {"group_id": "g", "group_required": True}
    pool = [candidate("a", **group), candidate("b", **group)]
    outcome = compile_candidates(request(required_ids=("a",)), pool, POLICY_V1)
    assert outcome.bundle is not None and outcome.bundle.layout_trace == ("a", "b")


def test_a_policy_of_another_version_than_the_request_asks_for_is_an_error():
    (problem,) = problems([], policy=POLICY_V2)
    assert problem.startswith("$.request.policy_version") and "compiler-policy-v2" in problem


def test_a_pricing_without_a_candidate_is_an_error():
    pricing = declared_pricing(request(), [candidate("a")])
    (problem,) = problems([candidate("a"), candidate("b")], pricing=pricing)
    assert "'b'" in problem


def test_negative_counts_and_prices_are_errors():
    assert "token_count" in problems([candidate("a", token_count=-1)])[0]
    pricing = msgspec.structs.replace(declared_pricing(request(), []), items={"a": -1})
    assert "$.pricing.items.a" in problems([candidate("a")], pricing=pricing)[0]


def test_all_faults_are_listed_at_once():
    pool = [candidate("a", depends_on=("x", "y")), candidate("a", token_count=-2)]
    assert len(problems(pool, policy=POLICY_V2)) == 5


def test_many_faults_are_counted():
    found = problems([candidate(f"c{i}", depends_on=("ghost",)) for i in range(50)])
    assert len(found) == 21 and found[-1] == "$: and 30 more problems"


def test_the_declared_pricing_is_the_published_arithmetic():
    pool = [candidate("a"), candidate("b", kind="tool definition", token_count=7)]
    pricing = declared_pricing(request(), pool)
    assert (pricing.counter, pricing.renderer, pricing.unit) == ("declared", "published", "tokens")
    assert (pricing.base, pricing.empty) == (3, 4)
    assert pricing.items == {"a": 10 + 3 + 1, "b": 7 + 4 + 1}
