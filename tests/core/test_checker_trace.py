"""The trace: what may differ between the two policies, closures of any depth, figures that cannot be told."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from test_checker_rules import candidate, case_of, codes
from tests.corruptions.cases import compiled, generated
from tests.corruptions.damage import KINDS
from tests.generator import instance, table

from contextc.core.checker import check
from contextc.core.checker.graph import components, reach, reverse
from contextc.core.checker.report import PER_CODE
from contextc.core.compiler import declared_pricing
from contextc.core.records.bundle import Bundle
from contextc.core.records.candidate import CandidatePool
from contextc.core.records.codec import convert, decode
from contextc.core.records.outcome import Outcome, Result
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.request import Request
from contextc.core.records.trace import CLOSURE_LIMIT


def published(shared: Path) -> list[tuple[str, Request, CandidatePool, Outcome]]:
    folder = shared / "conformance" / "compiler-v1"
    found = []
    for line in (folder / "expected.jsonl").read_text("utf-8").splitlines():
        stored = json.loads(line)
        bundle = convert(stored["bundle"], Bundle) if stored["bundle"] else None
        pool = decode((folder / f"{stored['fixture']}.candidates.json").read_bytes(), CandidatePool)
        outcome = Outcome(result=convert(stored["result"], Result), bundle=bundle)
        found.append((stored["name"], convert(stored["request"], Request), pool, outcome))
    return found


def test_the_published_successes_are_valid(shared: Path) -> None:
    judged = 0
    for name, request, pool, outcome in published(shared):
        if outcome.result.success:
            pricing = declared_pricing(request, pool.candidates)
            assert check(request, pool.candidates, POLICY_V1, pricing, outcome).findings == (), name
            judged += 1
    assert judged == 34


def test_a_published_refusal_lacks_nothing_but_a_witness(shared: Path) -> None:
    judged = 0
    for name, request, pool, outcome in published(shared):
        if not outcome.result.success:
            pricing = declared_pricing(request, pool.candidates)
            report = check(request, pool.candidates, POLICY_V1, pricing, outcome)
            assert [finding.path for finding in report.findings] == ["$.witness"], name
            judged += 1
    assert judged == 8


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
def test_a_chain_of_thousands_needs_no_recursion(policy: object) -> None:
    names = [f"n{place:05}" for place in range(5000)]
    chain = [candidate(name, token_count=1, depends_on=(following,)) for name, following in pairwise(names)]
    case = case_of([*chain, candidate(names[-1], token_count=1)], policy, budget=10_000)
    report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome)
    assert report.findings == ()
    assert report.settled
    left_out = [e for e in case.outcome.result.trace.entries if e.decision == "REJECTED_BUDGET"]
    assert left_out, "a budget at which part of the chain is left out"


@pytest.mark.parametrize(("length", "listed"), [(CLOSURE_LIMIT, CLOSURE_LIMIT), (CLOSURE_LIMIT + 1, 1)])
def test_a_closure_is_listed_up_to_the_limit_and_then_by_its_direct_dependencies(length: int, listed: int) -> None:
    names = [f"n{place:03}" for place in range(length + 1)]
    pool = [candidate(name, depends_on=tuple(names[place + 1 : place + 2])) for place, name in enumerate(names)]
    case = case_of(pool, budget=100_000)
    assert len(case.outcome.result.trace.entries[0].dependency_closure) == listed
    assert codes(case) == set()


def test_a_long_closure_written_out_is_rejected() -> None:
    names = [f"n{place:03}" for place in range(CLOSURE_LIMIT + 2)]
    pool = [candidate(name, depends_on=tuple(names[place + 1 : place + 2])) for place, name in enumerate(names)]
    case = case_of(pool, budget=100_000)
    entries = case.outcome.result.trace.entries
    trace = replace(
        case.outcome.result.trace, entries=(replace(entries[0], dependency_closure=tuple(names[1:])), *entries[1:])
    )
    changed = replace(case.outcome, result=replace(case.outcome.result, trace=trace))
    assert codes(replace(case, outcome=changed)) == {"trace.closure"}


@pytest.mark.parametrize("policy", [POLICY_V1, POLICY_V2], ids=["v1", "v2"])
def test_candidates_that_cost_nothing_are_no_trouble(policy: object) -> None:
    pool = [
        candidate("a", token_count=0, depends_on=("b",)),
        candidate("b", token_count=0),
        candidate("c", token_count=0, requirement="MANDATORY", coverage_keys=("k",)),
        candidate("d", token_count=0, relevance=0.1, coverage_keys=("k",)),
    ]
    assert codes(case_of(pool, policy)) == set()


@pytest.mark.parametrize("cause", ["c", "b", "d", "ghost"])
def test_a_wrong_cause_of_what_cost_nothing_is_rejected(cause: str) -> None:
    """b and a came at no cost, b because a needs it; c does not need it, d was left out."""
    pool = [
        candidate("a", token_count=0, depends_on=("b",), requirement="MANDATORY"),
        candidate("b", token_count=0),
        candidate("c", token_count=0, requirement="MANDATORY"),
        candidate("d", scope_eligible=False),
    ]
    case = case_of(pool, POLICY_V1)
    entries = list(case.outcome.result.trace.entries)
    assert entries[1].pulled_in_by == ("a",)
    entries[1] = replace(entries[1], pulled_in_by=(cause,))
    trace = replace(case.outcome.result.trace, entries=tuple(entries))
    changed = replace(case.outcome, result=replace(case.outcome.result, trace=trace))
    assert codes(replace(case, outcome=changed)) == {"trace.pulled_in_by"}


def test_each_root_that_depends_on_what_was_pulled_in_is_named() -> None:
    pool = [
        candidate("a", requirement="REQUIRED", group_id="g", group_required=True, depends_on=("x",)),
        candidate("b", requirement="REQUIRED", group_id="g", group_required=True, depends_on=("x",)),
        candidate("x"),
    ]
    case = case_of(pool, POLICY_V1)
    entries = list(case.outcome.result.trace.entries)
    assert entries[2].pulled_in_by == ("a", "b")
    entries[2] = replace(entries[2], pulled_in_by=("b",))
    trace = replace(case.outcome.result.trace, entries=tuple(entries))
    changed = replace(case.outcome, result=replace(case.outcome.result, trace=trace))
    assert codes(replace(case, outcome=changed)) == {"trace.pulled_in_by"}


def test_a_budget_of_nothing_is_judged_too() -> None:
    for policy in (POLICY_V1, POLICY_V2):
        assert codes(case_of([candidate("a", requirement="REQUIRED")], policy, budget=0)) == set()
        assert codes(case_of([], policy, budget=0)) == set()
        assert codes(case_of([], policy, budget=10)) == set()


def test_a_report_repeats_one_objection_only_so_often() -> None:
    case = case_of([candidate(f"n{place:03}") for place in range(100)], budget=100_000)
    entries = [replace(entry, relevance=0.25) for entry in case.outcome.result.trace.entries]
    trace = replace(case.outcome.result.trace, entries=tuple(entries))
    changed = replace(case.outcome, result=replace(case.outcome.result, trace=trace))
    found = check(case.request, case.candidates, case.policy, case.pricing, changed).findings
    assert [finding.code for finding in found] == ["trace.candidate"] * (PER_CODE + 1)
    assert str(found[-1]).endswith("and 80 more like this")


def test_where_both_ways_of_counting_start_alike_the_prices_tell_which_it_is() -> None:
    """Under v1 the remainder starts at the budget, or at what the pricing leaves of it: here 5 is both."""
    request, candidates = instance("forms", 3189)
    request = replace(request, usable_token_budget=5)
    pricing = table(3189, candidates)
    assert pricing.limit(5) - pricing.base == 5
    case = compiled("alike", request, candidates, POLICY_V1, pricing)
    assert {entry.budget_before for entry in case.outcome.result.trace.entries} == {5}
    assert codes(case) == set()


SOME = [case for case in generated(2) if case.candidates]


@given(st.sampled_from(SOME), st.lists(st.sampled_from(sorted(KINDS)), min_size=2, max_size=5))
def test_however_damaged_an_outcome_the_checker_answers(case: object, kinds: list[str]) -> None:
    for name in kinds:
        case = KINDS[name][0](case) or case  # type: ignore[arg-type]
    codes(case)  # type: ignore[arg-type]


EDGES = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n)
)


@given(EDGES)
def test_components_come_after_what_they_reach_and_hold_who_reach_each_other(edges: list[list[int]]) -> None:
    found = components(edges)
    place = {node: k for k, members in enumerate(found) for node in members}
    assert sorted(place) == list(range(len(edges)))
    for node in range(len(edges)):
        for other in reach(edges, [node]):
            assert place[other] <= place[node]
            assert (place[other] == place[node]) == (node in reach(edges, [other]))


@given(EDGES)
def test_reversed_edges_reach_the_other_way(edges: list[list[int]]) -> None:
    back = reverse(edges)
    for node in range(len(edges)):
        for other in range(len(edges)):
            assert (other in reach(edges, [node])) == (node in reach(back, [other]))
