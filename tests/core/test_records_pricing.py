"""From units to tokens and back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.core.records.pricing import Pricing, half_even, tokens_of, units_within

UNITS = ["tokens", "bytes4", "words13"]
COUNTS = st.integers(0, 10**12)


@given(COUNTS, st.integers(1, 10**6))
def test_rounding_is_that_of_exact_fractions(numerator, denominator):
    assert half_even(numerator, denominator) == round(Fraction(numerator, denominator))


@pytest.mark.parametrize(("words", "tokens"), [(0, 0), (1, 1), (2, 3), (3, 4), (5, 6), (10, 13), (15, 20), (25, 32)])
def test_words_cost_thirteen_tenths_and_halves_go_to_the_even_number(words, tokens):
    assert tokens_of(words, "words13") == tokens


@pytest.mark.parametrize(("size", "tokens"), [(0, 1), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_four_bytes_are_a_token_and_nothing_is_one_as_well(size, tokens):
    assert tokens_of(size, "bytes4") == tokens


@pytest.mark.parametrize("unit", UNITS)
@given(units=COUNTS)
def test_tokens_never_fall_as_units_grow(unit, units):
    assert tokens_of(units, unit) <= tokens_of(units + 1, unit)


@pytest.mark.parametrize("unit", UNITS)
@given(budget=COUNTS)
def test_the_limit_is_the_most_units_that_fit(unit, budget):
    limit = units_within(budget, unit)
    if limit >= 0:
        assert tokens_of(limit, unit) <= budget
    assert tokens_of(limit + 1, unit) > budget


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("budget", range(12))
def test_the_limit_is_right_for_the_smallest_budgets(unit, budget):
    fitting = [units for units in range(100) if tokens_of(units, unit) <= budget]
    assert units_within(budget, unit) == max(fitting, default=-1)


def test_a_pricing_uses_its_own_unit():
    pricing = Pricing(counter="bytes4", renderer="plain", unit="bytes4", base=8, empty=4, items={})
    assert (pricing.tokens(9), pricing.limit(3)) == (3, 12)
