"""A content held in two forms: the difference names the decision that set the forms apart."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace
from tests.core.compiler_pools import random_pool
from tests.explanations.explanation_cases import candidate, compiled, request

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.explain import changes
from contextc.core.records.policy import POLICY_V1, POLICY_V2


def compare(pool, low, high, policy=POLICY_V2):
    outcomes = [compile_candidates(request(b, policy=policy), pool, policy) for b in (low, high)]
    pricing = declared_pricing(request(low, policy=policy), pool)
    return changes(outcomes[0].result, outcomes[1].result, pricing=pricing)


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
def test_a_larger_form_comes_with_the_room_for_it(policy):
    pool = [candidate("a#full", 300, relevance=0.9), candidate("a#outline", 50, relevance=0.8)]
    (change,) = compare(pool, 100, 400, policy)
    assert (change.kind, change.before, change.after) == ("other form", ("a#outline",), ("a#full",))
    assert (change.decided_in, change.code) == ("before", "budget")
    assert "100" in change.words or "a#full" in change.words


def test_room_is_named_with_what_the_other_form_would_have_added():
    pool = [candidate("a#full", 300, relevance=0.9), candidate("a#outline", 50, relevance=0.8)]
    (change,) = compare(pool, 100, 400)
    left = 100 - declared_pricing(request(100), pool).base - declared_pricing(request(100), pool).items["a#outline"]
    assert change.words == f"a#outline and not a#full: the other would have cost 250 tokens more, and {left} were left"


def test_a_form_that_something_needs_is_named_with_what_needs_it():
    forms = [candidate("a#full", 60, relevance=0.9), candidate("a#outline", 50, relevance=0.2)]
    user = candidate("u", 100, relevance=1.0, depends_on=("a#outline",))
    before, after = compiled(forms, request(200)), compiled([*forms, user], request(250))
    (change,) = [c for c in changes(before.result, after.result) if c.content_identity == "a"]
    assert (change.decided_in, change.code) == ("after", "needed")
    assert change.words == "a#outline and not a#full: u cannot do without it"


def test_where_nothing_stands_in_the_way_the_policy_decides():
    pool = [candidate("a#full", 60, relevance=0.5), candidate("a#outline", 50, relevance=0.9)]
    v1 = compile_candidates(request(500, policy=POLICY_V1), pool, POLICY_V1)
    v2 = compiled([replace(c, relevance=0.5) for c in pool], request(500))
    (change,) = changes(v1.result, v2.result, pricing=declared_pricing(request(500), pool))
    assert (change.before, change.after, change.code) == (("a#outline",), ("a#full",), "worth")


def test_no_change_of_form_is_left_with_the_bare_code():
    seen = set()
    for seed in range(200):
        asked, pool = random_pool(seed, largest=30)
        pricing = declared_pricing(asked, pool)
        double = replace(asked, usable_token_budget=2 * asked.usable_token_budget)
        results = [
            compile_candidates(replace(each, policy_version=policy.policy_version), pool, policy, pricing).result
            for each, policy in ((asked, POLICY_V1), (asked, POLICY_V2), (double, POLICY_V2))
        ]
        for before, after in pairwise(results):
            for change in changes(before, after, pricing=pricing):
                if change.kind == "other form":
                    seen.add(change.code)
                    assert change.code != "alternative_selected" and change.words
    assert {"budget", "owed", "worth"} <= seen
