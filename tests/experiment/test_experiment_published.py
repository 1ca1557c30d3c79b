"""The published run of the construction experiment, reproduced row by row and byte by byte."""

import hashlib
import json
from functools import cache

import pytest

from contextc.experiment import totals
from contextc.experiment.artifacts import ARTIFACTS
from contextc.experiment.corpora import load_corpus
from contextc.experiment.rows import COLUMNS
from contextc.experiment.run import run_experiment
from contextc.experiment.strategies import PUBLISHED


@cache
def run_of(folder):
    corpus = load_corpus(folder / "compiler-v1", folder / "construction-v1" / "ledger.json")
    results = json.loads((folder / "construction-v1" / "results.json").read_text())
    return corpus, run_experiment(corpus, PUBLISHED), results


@pytest.fixture(scope="module")
def run(shared):
    return run_of(shared / "conformance")


def typed(value):
    """JSON text, in which true and 1, and 1 and 1.0, are not the same."""
    return json.dumps(value, sort_keys=True)


def test_the_columns_are_the_published_ones(run):
    _, _, results = run
    assert list(COLUMNS) == results["columns"]


def test_all_252_rows_equal_the_published_ones(run):
    _, rows, results = run
    assert len(rows) == 252
    for row, published in zip(rows, results["rows"], strict=True):
        assert typed(row.published()) == typed(published)


def test_the_published_totals_are_equal(run):
    _, rows, results = run
    assert typed(totals.by_strategy(rows, totals.published)) == typed(results["published_per_strategy"])


def test_the_derived_totals_are_equal(run):
    _, rows, results = run
    assert typed(totals.by_strategy(rows, totals.derived)) == typed(results["derived_per_strategy"])


def test_the_totals_by_budget_are_equal(run):
    corpus, rows, results = run
    assert typed(totals.by_budget(rows, corpus.budgets())) == typed(results["per_strategy_by_budget"])


def test_the_compiler_costs_as_many_tokens_beyond_the_oracle_as_published(run):
    _, rows, results = run
    assert totals.tokens_beyond(rows, "staged", "oracle") == results["compiler_minus_oracle_tokens_feasible"]


@pytest.mark.parametrize("name", sorted(ARTIFACTS))
def test_an_artifact_equals_the_published_one_byte_for_byte(run, name):
    corpus, rows, results = run
    data = ARTIFACTS[name](corpus, rows)
    published = results["source"]["artifacts"][name]
    assert len(data) == published["bytes"]
    assert hashlib.sha256(data).hexdigest() == published["sha256"]


def test_the_readings_beside_the_metrics_see_what_the_metrics_do_not(run):
    _, rows, _ = run
    aids = totals.by_strategy(rows, totals.reading_aids)
    # The compiler's anchor where the ledger asks for the compact form, at each of three budgets.
    assert aids["staged"]["thin_forms"] == 3
    assert aids["oracle"]["thin_forms"] == 0
    # `dump` at the tight budget of `budget-slack` delivers nothing and is called right.
    assert aids["dump"]["empty_wrong"] == 1
    assert aids["staged"]["sound_cases"] == aids["oracle"]["sound_cases"] == 42
    assert aids["dump"]["sound_cases"] < aids["dump"]["clean_cases"]
