"""Strategies against a second, naive writing of the rules on random pools, and what the runner holds them to."""

import json

import pytest
from experiment_reference import STRATEGIES as REFERENCE_STRATEGIES
from experiment_reference import choose
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.core.compiler import declared_pricing
from contextc.core.records.candidate import CandidatePool
from contextc.core.records.canonical import canonical_json
from contextc.core.records.codec import convert
from contextc.core.records.policy import POLICY_V1
from contextc.core.records.request import Request
from contextc.errors import PluginError
from contextc.experiment.corpora import load_corpus
from contextc.experiment.ledger import Labels, Weights
from contextc.experiment.places import OWN_CORPUS
from contextc.experiment.run import run_experiment
from contextc.experiment.strategies import PUBLISHED, STRATEGIES
from contextc.experiment.strategies.base import Choice, Problem, Registered

IDS = [f"c{number}" for number in range(8)]
FORMS = ["reference", "anchor", "compact", "full"]


@st.composite
def problems(draw):
    """A pool with forms, gates, dependencies and labels; groups are left to the compiler's own tests."""
    pool = []
    for name in draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=8, unique=True)):
        rank = draw(st.integers(0, 3))
        pool.append(
            {
                "candidate_id": name,
                "content_identity": draw(st.sampled_from([name, "shared-1", "shared-2"])),
                "representation_id": FORMS[rank],
                "form_rank": rank,
                "min_rank": draw(st.sampled_from([0, 0, 0, 2])),
                "token_count": draw(st.integers(0, 60)),
                "requirement": draw(st.sampled_from(["MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY"])),
                "order_role": draw(st.sampled_from(["instruction", "task", "evidence", "tool", "other"])),
                "relevance": draw(st.integers(0, 10)) / 10,
                "depends_on": [],
                "group_id": None,
                "group_required": False,
                "coverage_keys": [],
                "is_default_form": draw(st.booleans()) or not pool,
                "scope_eligible": draw(st.sampled_from([True, True, True, False])),
                "freshness_eligible": True,
                "authority_eligible": draw(st.sampled_from([True, True, True, False])),
                "source_kind": "repository",
                "kind": "evidence",
            }
        )
    names = [c["candidate_id"] for c in pool]
    for candidate in pool:
        candidate["depends_on"] = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    request = {
        "request_id": "r",
        "task_id": "t",
        "usable_token_budget": draw(st.integers(0, 300)),
        "required_ids": draw(st.lists(st.sampled_from([*IDS]), max_size=1)),
        "policy_version": "compiler-policy-v1",
    }
    labels = ["must", "should", "optional", "distractor"]
    identities = {
        name: {"label": draw(st.sampled_from(labels)), "minimum_form": draw(st.sampled_from(FORMS))}
        for name in sorted({c["content_identity"] for c in pool})
    }
    return pool, request, identities


def problem_of(pool, request, identities):
    candidates = convert({"candidates": pool}, CandidatePool).candidates
    return Problem(
        request=convert(request, Request),
        candidates=candidates,
        policy=POLICY_V1,
        pricing=declared_pricing(convert(request, Request), candidates),
        weights=Weights(),
        labels=Labels(
            label={name: entry["label"] for name, entry in identities.items()},
            minimum_form={name: entry["minimum_form"] for name, entry in identities.items()},
        ),
    )


LEDGER = {"policy": {"min_discretionary_relevance": 0.3}, "weights": {"relevance": 1.0, "priority": 0.5, "cost": 1.0}}


@pytest.mark.parametrize("name", [name for name in REFERENCE_STRATEGIES if name != "staged"])
@given(problems())
@settings(max_examples=150)
def test_a_strategy_agrees_with_the_second_writing_on_random_pools(name, drawn):
    pool, request, identities = drawn
    registered = next(entry for entry in STRATEGIES if entry.key == name)
    choice = registered.strategy(problem_of(pool, request, identities))
    fixture = {"identities": identities}
    expected = choose(name, {c["candidate_id"]: c for c in pool}, request, fixture, LEDGER)
    assert (None if choice.reason else list(choice.items), choice.reason) == expected


@pytest.mark.parametrize("registered", STRATEGIES, ids=lambda entry: entry.key)
@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_candidates_changes_nothing(registered, drawn, random):
    pool, request, identities = drawn
    shuffled = [*pool]
    random.shuffle(shuffled)
    first = registered.strategy(problem_of(pool, request, identities))
    second = registered.strategy(problem_of(shuffled, request, identities))
    assert canonical_json(first) == canonical_json(second)


@pytest.mark.parametrize("registered", STRATEGIES, ids=lambda entry: entry.key)
def test_no_strategy_exceeds_a_budget(registered):
    for row in run_experiment(load_corpus(OWN_CORPUS), [registered]):
        assert row.metrics.budget_compliant


def test_without_default_forms_a_baseline_takes_the_cheapest_form_of_each_content():
    def form(name, content, tokens):
        return {
            "candidate_id": name,
            "content_identity": content,
            "representation_id": "full",
            "form_rank": 3,
            "token_count": tokens,
            "requirement": "DISCRETIONARY",
            "order_role": "evidence",
            "relevance": 0.5,
            "is_default_form": False,
        }

    pool = [form("a-long", "a", 90), form("a-short", "a", 10), form("b", "b", 20), form("a-tie", "a", 10)]
    request = {"request_id": "r", "task_id": "t", "usable_token_budget": 500, "policy_version": "compiler-policy-v1"}
    problem = problem_of(pool, request, {})
    for registered in PUBLISHED[:4]:
        assert registered.strategy(problem).items == ("a-short", "b"), registered.key


def test_a_baseline_refuses_only_when_even_the_empty_bundle_is_too_much():
    corpus = load_corpus(OWN_CORPUS)
    case = corpus.cases()[0]
    pool = json.loads(canonical_json(list(case.fixture.candidates)))
    for budget, reason in ((3, "INSUFFICIENT_BUDGET"), (4, None)):
        request = {**json.loads(canonical_json(case.request)), "usable_token_budget": budget}
        for registered in PUBLISHED[:4]:
            choice = registered.strategy(problem_of(pool, request, {}))
            assert (choice.items, choice.reason) == ((), reason), registered.key


# --- the contract


def registered_as(choice, **settings_):
    return Registered(key="own", title="of a user", strategy=lambda problem: choice, **settings_)


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        (Choice(items=("nobody",)), "not a candidate"),
        (Choice(items=("house-rule", "house-rule")), "twice"),
        (Choice(items=("house-rule",), reason="INSUFFICIENT_BUDGET"), "together with a refusal"),
    ],
)
def test_a_strategy_that_breaks_its_contract_is_named_with_the_case(choice, fault):
    with pytest.raises(PluginError, match=fault) as caught:
        run_experiment(load_corpus(OWN_CORPUS), [registered_as(choice)])
    assert "'own'" in caught.value.message
    assert caught.value.where == "blocked-dependency/tight"


def test_a_strategy_of_a_user_is_judged_like_any_other():
    rows = run_experiment(load_corpus(OWN_CORPUS), [registered_as(Choice(items=(), detail="nothing at all"))])
    assert {row.strategy for row in rows} == {"own"}
    assert all(row.metrics.rendered_tokens == 4 for row in rows)
    assert all(row.aids.empty_wrong == (row.case.expected.outcome == "bundle") for row in rows)
    assert {entry.reason_detail for row in rows for entry in row.entries} == {"nothing at all"}


@pytest.mark.parametrize("sees", [True, False])
def test_labels_are_shown_only_to_a_strategy_registered_to_see_them(sees):
    seen = []

    def spy(problem):
        seen.append(problem.labels is not None)
        return Choice()

    run_experiment(load_corpus(OWN_CORPUS), [Registered(key="spy", title="", strategy=spy, sees_labels=sees)])
    assert set(seen) == {sees}


def test_the_published_six_are_in_their_order_and_only_the_oracle_sees_labels():
    assert [entry.key for entry in PUBLISHED] == ["dump", "topk", "weighted", "gated", "staged", "oracle"]
    assert [entry.key for entry in STRATEGIES if entry.sees_labels] == ["oracle"]
    assert len({entry.key for entry in STRATEGIES}) == len(STRATEGIES)
