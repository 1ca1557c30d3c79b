"""contextc's own corpus: what every strategy answers, known from a second writing of the rules and by enumeration."""

import json
from collections import Counter

import pytest
from experiment_reference import cases, expected_lines, legal_sets

from contextc.experiment import totals
from contextc.experiment.corpora import load_corpus
from contextc.experiment.places import OWN_CORPUS
from contextc.experiment.run import run_experiment
from contextc.experiment.strategies import PUBLISHED, STRATEGIES

EXPECTED = [json.loads(line) for line in (OWN_CORPUS / "expected.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def rows():
    return {
        (row.case.fixture.name, row.case.budget, row.strategy): row
        for row in run_experiment(load_corpus(OWN_CORPUS), STRATEGIES)
    }


@pytest.fixture(scope="module")
def legal():
    """Every legal bundle of each case, as (tokens, ids in layout order)."""
    return {(name, budget): legal_sets(pool, request) for name, budget, pool, request, _, _ in cases(OWN_CORPUS)}


def test_the_expectations_are_those_of_the_second_writing_of_the_rules():
    assert list(expected_lines(OWN_CORPUS)) == EXPECTED


def test_most_answers_are_known_exactly():
    known = Counter(line["chosen"]["staged"]["known_by"] for line in EXPECTED)
    assert known == {
        "published rules": 59,
        "ledger": 6,
        "only legal bundle": 4,
        "by hand": 4,
        "any legal bundle": 2,
    }


@pytest.mark.parametrize("line", EXPECTED, ids=lambda line: f"{line['fixture']}-{line['budget']}")
def test_every_strategy_chooses_what_the_rules_say(rows, legal, line):
    case = (line["fixture"], line["budget"])
    for strategy in (entry.key for entry in PUBLISHED):
        row, chosen = rows[(*case, strategy)], line["chosen"][strategy]
        if chosen.get("known_by") == "any legal bundle":
            assert list(row.selected) in [ids for tokens, ids in legal[case] if tokens <= line["budget_tokens"]]
            continue
        selected = None if row.selected is None else list(row.selected)
        assert (selected, row.reason) == (chosen["selected"], chosen["reason"]), strategy


@pytest.mark.parametrize("strategy", ["staged", "compiled"])
def test_the_compiler_returns_a_legal_bundle_exactly_where_one_exists(rows, legal, strategy):
    for line in EXPECTED:
        row = rows[line["fixture"], line["budget"], strategy]
        every = {
            frozenset(ids) for tokens, ids in legal[line["fixture"], line["budget"]] if tokens <= row.case.budget_tokens
        }
        if every:
            assert frozenset(row.selected) in every, row.case.name
        elif (row.case.fixture.name, strategy) == ("group-too-large", "compiled"):
            # Policy v1 follows the published rules and names the group; policy v2 names what would cure it.
            assert row.reason == "INSUFFICIENT_BUDGET", row.case.name
        else:
            assert row.reason == row.case.expected.reason, row.case.name


def test_the_ledger_expects_a_bundle_exactly_where_a_legal_one_exists(legal):
    for line in EXPECTED:
        fitting = [ids for tokens, ids in legal[line["fixture"], line["budget"]] if tokens <= line["budget_tokens"]]
        assert len(fitting) == line["legal_bundles"]
    for case in load_corpus(OWN_CORPUS).cases():
        fitting = [ids for tokens, ids in legal[case.fixture.name, case.budget] if tokens <= case.budget_tokens]
        assert (case.expected.outcome == "bundle") == bool(fitting), case.name


def test_a_refusal_for_want_of_room_comes_just_below_the_least_budget():
    lines = {(line["fixture"], line["budget"]): line for line in EXPECTED}
    refused = [line for line in EXPECTED if line["least_budget"] and line["chosen"]["staged"]["reason"]]
    assert {line["fixture"] for line in refused} == {"two-large-obligations", "group-too-large"}
    for line in refused:
        assert line["budget_tokens"] < line["least_budget"] <= lines[line["fixture"], "roomy"]["budget_tokens"]


def test_the_corpus_tempts_every_reason_and_every_gate():
    corpus = load_corpus(OWN_CORPUS)
    reasons = {case.expected.reason for case in corpus.cases()} - {None}
    assert reasons == {
        "INSUFFICIENT_BUDGET",
        "UNSATISFIED_DEPENDENCY",
        "NO_LEGAL_REPRESENTATION",
        "UNRESOLVED_REQUIRED_GROUP",
        "REQUIRED_SOURCE_UNAVAILABLE",
        "REQUIRED_INELIGIBLE",
    }
    candidates = [candidate for fixture in corpus.fixtures for candidate in fixture.candidates]
    assert not all(c.scope_eligible for c in candidates)
    assert not all(c.freshness_eligible for c in candidates)
    assert not all(c.authority_eligible for c in candidates)
    assert any(c.form_rank < c.min_rank for c in candidates)


def test_the_published_rules_fail_where_the_published_corpus_never_looks():
    wrong = {line["fixture"] for line in EXPECTED if line["chosen"]["staged"]["known_by"] != "published rules"}
    assert wrong == {
        "broken-group",
        "frame-fills-up",
        "greedy-dead-end",
        "half-group-by-need",
        "ineligible-required",
        "named-full-form",
        "two-forms-in-a-closure",
    }


def test_the_compiler_is_sound_in_every_case_and_no_baseline_is(rows):
    aids = totals.by_strategy(list(rows.values()), totals.reading_aids)
    cases_ = len(EXPECTED)
    assert aids["staged"]["sound_cases"] == cases_
    assert aids["compiled"]["sound_cases"] == cases_ - 2  # the other reason for a group that is too large
    assert all(aids[name]["sound_cases"] < cases_ for name in ("dump", "topk", "weighted", "gated"))


def test_only_baselines_without_gates_take_what_has_no_authority(rows):
    figures = totals.by_strategy(list(rows.values()), totals.published)
    assert {name for name, own in figures.items() if own["authority_violations"]} == {"dump", "topk", "weighted"}


def test_no_text_or_id_is_taken_from_the_published_fixtures(shared):
    published = load_corpus(
        shared / "conformance" / "compiler-v1", shared / "conformance" / "construction-v1" / "ledger.json"
    )
    own = load_corpus(OWN_CORPUS)

    def of(corpus):
        pools = [candidate for fixture in corpus.fixtures for candidate in fixture.candidates]
        names = {fixture.name for fixture in corpus.fixtures}
        return names | {c.candidate_id for c in pools} | {c.content for c in pools}

    assert not of(published) & of(own)
