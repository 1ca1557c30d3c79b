"""`devcontext.policy`: the rules of the selection as data (SPEC 5.1)."""

from __future__ import annotations

from contextc.core.devcontext.constants import (
    BUDGET_TOKENS,
    BYTES_PER_TOKEN,
    EDGES,
    FLOOR,
    INFERRING,
    MAX_DEPTH,
    REFUSED,
    REFUSED_MEANING,
    SELECTOR_MEANING,
    SELECTORS,
    TIER_KINDS,
    TIERS,
)
from contextc.core.records.devcontext import Defaults, DevContextPolicy, EdgeRule, SelectorRule, TierRule


def policy() -> DevContextPolicy:
    """Tiers, edges with their weights or why they are refused, selectors, defaults."""
    followed = [
        EdgeRule(edge=name, meaning=edge.meaning, forward=edge.forward, reverse=edge.reverse)
        for name, edge in EDGES.items()
    ]
    refused = [EdgeRule(edge=name, meaning=REFUSED_MEANING[name], refused=why) for name, why in REFUSED.items()]
    return DevContextPolicy(
        tiers=tuple(
            TierRule(tier=tier, position=position, meaning=meaning, kinds=TIER_KINDS[tier])
            for position, (tier, meaning) in enumerate(TIERS.items(), 1)
        ),
        edges=tuple(sorted(followed + refused, key=lambda rule: rule.edge)),
        selectors=tuple(
            SelectorRule(selector=selector, meaning=SELECTOR_MEANING[selector], declared=selector != INFERRING)
            for selector in SELECTORS
        ),
        defaults=Defaults(
            budget_tokens=BUDGET_TOKENS, max_depth=MAX_DEPTH, floor=FLOOR, bytes_per_token=BYTES_PER_TOKEN
        ),
    )
