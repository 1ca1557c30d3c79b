"""Explanations are true of what they explain: over random pools, both policies, all budgets."""

from __future__ import annotations

import re

from explanation_cases import candidate, priced, request
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.core.compiler import compile_candidates
from contextc.core.explain import changes, difference, explain_candidate, explain_refusal, table
from contextc.core.records.candidate import BANDS, Candidate
from contextc.core.records.policy import POLICY_V1, POLICY_V2

FORMS = ["full", "focused", "outline", "reference"]


@st.composite
def pools(draw) -> list[Candidate]:
    """Up to eight candidates of few contents, with gates, dependencies (also in circles) and required groups."""
    names = [
        f"{content}#{form}"
        for content in draw(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=5))
        for form in draw(st.lists(st.sampled_from(FORMS), unique=True, min_size=1, max_size=2))
    ]
    made = []
    for name in names:
        group = draw(st.sampled_from([None, None, None, "g", "h"]))
        made.append(
            candidate(
                name,
                draw(st.integers(0, 60)),
                "PREFERRED" if group else draw(st.sampled_from(BANDS)),
                draw(st.sampled_from([0.0, 0.2, 0.3, 0.8])),
                depends_on=tuple(draw(st.lists(st.sampled_from(names), max_size=2, unique=True))),
                group_id=group,
                group_required=group is not None,
                min_rank=draw(st.sampled_from([0, 0, 0, 2])),
                scope_eligible=draw(st.sampled_from([True, True, True, False])),
                coverage_keys=tuple(draw(st.lists(st.sampled_from("xy"), max_size=1))),
            )
        )
    return made


@settings(max_examples=250)
@given(pool=pools(), budget=st.integers(0, 300), policy=st.sampled_from([POLICY_V1, POLICY_V2]))
def test_what_is_said_of_a_candidate_is_true(pool, budget, policy):
    outcome = compile_candidates(request(budget, policy=policy), pool, policy, priced(pool))
    trace, witness = outcome.result.trace, outcome.witness
    assert table(trace).count("\n") == len(trace.entries) + 1
    items = [entry.candidate_id for entry in trace.entries if entry.position is not None]
    for entry in trace.entries:
        text = explain_candidate(entry.candidate_id, trace, pool, witness=witness, pricing=priced(pool))
        assert (f"item {(entry.position or 0) + 1} of {len(items)} in the bundle" in text) == (
            entry.position is not None
        )
        if entry.reason_code == "dependency-blocked":
            assert "something it needs" not in text, text
        if entry.reason_code == "budget" and (
            said := re.search(r"added ([\d,]+) tokens, and (-?[\d,]+) were left", text)
        ):
            assert int(said[1].replace(",", "")) > int(said[2].replace(",", ""))
        if entry.pulled_in_by:
            assert all(name in text for name in entry.pulled_in_by)
        assert len(text.splitlines()) < 15


@settings(max_examples=100)
@given(pool=pools(), budget=st.integers(0, 300))
def test_a_refusal_says_what_is_enough(pool, budget):
    outcome = compile_candidates(request(budget), pool, POLICY_V2, priced(pool))
    if outcome.result.failure is None:
        return
    told = explain_refusal(outcome.result.failure, outcome.witness, pool, pricing=priced(pool))
    assert told.text.startswith("refused: ")
    assert told.hints
    least = outcome.witness.least_budget if outcome.witness else None
    if least is not None:
        assert f"at least {least:,} token" in told.text
        again = compile_candidates(request(least), pool, POLICY_V2, priced(pool))
        assert again.bundle is not None


@settings(max_examples=100)
@given(pool=pools(), budgets=st.tuples(st.integers(0, 300), st.integers(0, 300)))
def test_a_difference_names_each_content_that_differs_once(pool, budgets):
    one, other = (compile_candidates(request(budget), pool, POLICY_V2, priced(pool)).result for budget in budgets)
    found = changes(one, other)
    sides = [
        {(entry.content_identity, entry.candidate_id) for entry in result.trace.entries if entry.position is not None}
        for result in (one, other)
    ]
    assert {change.content_identity for change in found} == {content for content, _ in sides[0] ^ sides[1]}
    assert len({change.content_identity for change in found}) == len(found)
    text = difference(one, other)
    if one.success and other.success:
        assert all(f"{kind}: " in text for kind in {change.kind for change in found})
