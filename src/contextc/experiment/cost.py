"""What the rendering of some items costs, by the pricing of a case. Every strategy and the judge use this one rule."""

from __future__ import annotations

from collections.abc import Iterable

from contextc.core.records.pricing import Pricing


def rendered_tokens(pricing: Pricing, ids: Iterable[str]) -> int:
    """Tokens of a bundle of these items; an empty bundle still has its head."""
    units = [pricing.items[name] for name in ids]
    return pricing.tokens(pricing.base + sum(units) if units else pricing.empty)


class Purse:
    """Adds items to a bundle while the rendering stays within a budget, at constant cost for each."""

    def __init__(self, pricing: Pricing, budget: int) -> None:
        self._pricing = pricing
        self._left = pricing.limit(budget) - pricing.base

    def pay(self, ids: Iterable[str]) -> bool:
        """Take the items if they fit beside what was taken before; otherwise change nothing."""
        units = sum(self._pricing.items[name] for name in ids)
        if units > self._left:
            return False
        self._left -= units
        return True
