"""What a bundle costs: a table of additive units, and the rule that turns units into tokens.

Token counts do not add up in general (two halves of a word are two tokens, the word may be one). Units do: a
renderer cuts its text where no tokenizer joins (a line feed before a sign that is neither blank nor slash), so the
units of the whole are the sum over its parts, and the budget becomes one integer.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Record

#: How a number of units becomes a number of tokens.
#: tokens   one unit is one token (exact counters, declared counts)
#: bytes4   max(1, ceil(units / 4)), units are UTF-8 bytes (devcontext SPEC 7.21)
#: words13  units are words; units * 1.3 rounded half to even, at least 1, no words cost 0 (construction SPEC 2)
Unit = Literal["tokens", "bytes4", "words13"]


class Pricing(Record, frozen=True, kw_only=True):
    """`contextc.pricing.v1`: the cost of every candidate in one rendering, in units.

    A bundle of items i costs `base + sum(items[i])` units, an empty one `empty` units.
    """

    counter: Annotated[str, Meta(description="`declared`, or the name of the counter that measured the texts.")]
    renderer: Annotated[str, Meta(description="The rendering that was measured.")]
    unit: Unit = "tokens"
    base: Annotated[Count, Meta(description="Units of a bundle that holds something, beside its items.")]
    empty: Annotated[Count, Meta(description="Units of a bundle that holds nothing.")]
    items: Annotated[dict[str, int], Meta(description="Units of each candidate, its frame included.")]
    schema_version: Literal["contextc.pricing.v1"] = "contextc.pricing.v1"

    def tokens(self, units: int) -> int:
        """Tokens that `units` units cost; never falls as units grow."""
        return tokens_of(units, self.unit)

    def limit(self, budget: int) -> int:
        """The most units that cost at most `budget` tokens; -1 when not even 0 units fit."""
        return units_within(budget, self.unit)


def half_even(numerator: int, denominator: int) -> int:
    """`numerator / denominator` rounded to the nearest integer, halves to the even one, in exact arithmetic."""
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    if twice > denominator or (twice == denominator and whole % 2 == 1):
        return whole + 1
    return whole


def tokens_of(units: int, unit: Unit) -> int:
    """Tokens for a number of units (>= 0)."""
    if unit == "tokens":
        return units
    if unit == "bytes4":
        return max(1, -(-units // 4))
    return 0 if units == 0 else max(1, half_even(units * 13, 10))


def units_within(budget: int, unit: Unit) -> int:
    """The most units whose tokens are at most `budget` (>= 0); -1 when there are none."""
    if unit == "tokens":
        return budget
    if unit == "bytes4":
        return 4 * budget if budget >= 1 else -1
    guess = budget * 10 // 13
    while tokens_of(guess + 1, unit) <= budget:
        guess += 1
    while guess >= 0 and tokens_of(guess, unit) > budget:
        guess -= 1
    return guess
