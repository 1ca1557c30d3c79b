"""The budget is kept at every size, and more of it never refuses what less allowed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.capabilities.base import Session
from contextc.capabilities.compile import CompileInput, make_answer
from token_oracle import oracle


@pytest.fixture(scope="module")
def compiled(sample, intent, tmp_path_factory):
    """Compile the sample at a budget, in this process, remembering what was asked before."""
    cache = tmp_path_factory.mktemp("cache")
    known = {}

    def run(budget: int, path: str | None = None, form: str = "markdown"):
        key = (budget, path, form)
        if key not in known:
            question = CompileInput(
                intent=intent, root=str(sample.path), budget=budget, format=form, paths=(path,) if path else ()
            )
            known[key] = make_answer(question, Session(cache_dir=str(cache))).answer
        return known[key]

    return run


BUDGETS = st.one_of(st.integers(0, 400), st.integers(0, 6000))


@settings(max_examples=40)
@given(
    budget=BUDGETS, path=st.sampled_from([None, "shop/prices.py"]), form=st.sampled_from(["markdown", "xml", "plain"])
)
def test_the_delivered_text_counted_again_is_within_the_budget(compiled, budget, path, form):
    answer = compiled(budget, path, form)
    if answer.bundle is None:
        assert answer.text == ""
        assert answer.witness is not None
        return
    count = oracle(answer.text)
    assert count == answer.result.bundle_tokens
    assert count <= budget


@settings(max_examples=25)
@given(budgets=st.tuples(BUDGETS, BUDGETS), path=st.sampled_from([None, "shop/prices.py"]))
def test_more_budget_never_refuses_what_less_allowed(compiled, budgets, path):
    less, more = sorted(budgets)
    if compiled(less, path).bundle is not None:
        assert compiled(more, path).bundle is not None


@pytest.mark.parametrize("path", [None, "shop/prices.py"])
def test_a_refusal_names_the_least_budget(compiled, path):
    refused = compiled(0, path)
    assert refused.bundle is None
    least = refused.witness.least_budget
    assert compiled(least, path).bundle is not None
    assert compiled(least - 1, path).bundle is None
