"""Cost, written anew: the declared arithmetic of construction SPEC section 2, and the sum over a price table."""

from __future__ import annotations

from collections.abc import Iterable

from contextc.core.checker.facts import Facts
from contextc.core.checker.report import Notes
from contextc.core.records.candidate import Candidate
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

#: The line with three hyphens between two items is one word: 1.3 tokens, rounded 1.
SEPARATOR = 1


def estimate(text: str) -> int:
    """Words times 1.3, rounded half to even, at least 1; an empty text costs nothing."""
    return _words(len(text.split()))


def _words(words: int) -> int:
    if words == 0:
        return 0
    whole, tenths = divmod(13 * words, 10)
    odd = whole % 2
    return max(1, whole + (tenths > 5 or (tenths == 5 and odd == 1)))


def header(request: Request) -> int:
    """Tokens of the header of a rendering."""
    return estimate(f"{request.request_id} {request.task_id} {request.policy_version}")


def decoration(c: Candidate) -> int:
    """Tokens of the decoration of an item."""
    return estimate(f"{c.source_kind} {c.kind}")


def bundle_units(numbers: Iterable[int], facts: Facts) -> int:
    """Units of a bundle of these candidates by the price table."""
    chosen = list(numbers)
    return facts.pricing.base + sum(facts.units[n] for n in chosen) if chosen else facts.pricing.empty


def in_tokens(units: int, pricing: Pricing) -> int:
    """Tokens that units cost (`records/pricing.py`, the three kinds of unit)."""
    if pricing.unit == "tokens":
        return units
    if pricing.unit == "bytes4":
        return max(1, (units + 3) // 4)
    return _words(units)


def most_units(tokens: int, pricing: Pricing) -> int:
    """The most units that cost at most this many tokens; -1 when there are none."""
    if pricing.unit == "tokens":
        return tokens
    low, high = -1, 4 * tokens + 1  # no unit costs less than a quarter of a token
    while low < high:
        middle = (low + high + 1) // 2
        if in_tokens(middle, pricing) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def check_pricing(facts: Facts, notes: Notes) -> None:
    """Every candidate has a price, nobody else has one, and a declared table is what the arithmetic gives."""
    pricing = facts.pricing
    for c in facts.pool:
        if pricing.items.get(c.candidate_id, -1) < 0:
            notes.object("pricing", f"$.pricing.items.{c.candidate_id}", "a candidate without a price of at least 0")
    for name in pricing.items:
        if name not in facts.number:
            notes.object("pricing", f"$.pricing.items.{name}", "a price for no candidate")
    if pricing.counter == "declared":
        _check_declared(facts, notes)


def _check_declared(facts: Facts, notes: Notes) -> None:
    """`header + sum(count + decoration) + (n - 1) * separator`, as a sum over a base and items."""
    pricing = facts.pricing
    expected = {"unit": "tokens", "base": header(facts.request) - SEPARATOR, "empty": header(facts.request)}
    for field, value in expected.items():
        if getattr(pricing, field) != value:
            notes.object("pricing", f"$.pricing.{field}", f"expected {value} by the declared arithmetic")
    for n, c in enumerate(facts.pool):
        units = c.token_count + decoration(c) + SEPARATOR
        if facts.units[n] != units:
            notes.object(
                "pricing", f"$.pricing.items.{c.candidate_id}", f"expected {units}, the table says {facts.units[n]}"
            )
