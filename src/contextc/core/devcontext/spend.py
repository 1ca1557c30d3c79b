"""Spending the budget: tier by tier, the most relevant first, with room kept for what is required (SPEC 4.9).

First fit, nothing is cut. While spending, the cost of required entries still to come is set aside, so the answer is
over budget exactly when the required entries alone cost more than the limit.
"""

from __future__ import annotations

from typing import NamedTuple

from contextc.core.devcontext.candidates import Candidate
from contextc.core.devcontext.constants import ALWAYS_GIVEN, BYTES_PER_TOKEN, TIER_RANK, TIERS
from contextc.core.devcontext.request import Resolved
from contextc.core.records.devcontext import Budget, Excluded, TierSpend


class Spent(NamedTuple):
    """The candidates that are given, in order; what did not fit; the account."""

    selected: list[Candidate]
    excluded: list[Excluded]
    budget: Budget


def is_required(one: Candidate, request: Resolved) -> bool:
    """What is given whatever it costs: what was named, policy and scope, and a blocking rule that the work reaches."""
    return one.id in request.object_seeds or one.kind in ALWAYS_GIVEN or one.blocking


def spend(candidates: list[Candidate], request: Resolved) -> Spent:
    """Select within the budget."""
    ordered = sorted(candidates, key=lambda one: (TIER_RANK[one.tier], -one.relevance, one.id))
    required = sum(one.cost for one in ordered if is_required(one, request))
    reserved = required
    used = 0
    selected: list[Candidate] = []
    excluded: list[Excluded] = []
    for one in ordered:
        if is_required(one, request):
            reserved -= one.cost
        elif used + one.cost + reserved > request.budget:
            excluded.append(one.excluded("budget", _detail(one.cost, used, reserved, request.budget)))
            continue
        selected.append(one)
        used += one.cost
    return Spent(selected, excluded, _account(selected, excluded, used, required, request))


def _detail(cost: int, used: int, reserved: int, limit: int) -> str:
    kept = f" and {reserved} kept for what is required" if reserved else ""
    left = max(0, limit - used - reserved)
    return f"it costs {cost} tokens; {used} of {limit} are used{kept}, {left} are left"


def _account(
    selected: list[Candidate], excluded: list[Excluded], used: int, required: int, request: Resolved
) -> Budget:
    rows = []
    for tier, meaning in TIERS.items():
        given = [one for one in selected if one.tier == tier]
        rows.append(
            TierSpend(
                tier=tier,
                meaning=meaning,
                selected=len(given),
                excluded=sum(row.tier == tier for row in excluded),
                tokens=sum(one.cost for one in given),
                required=sum(is_required(one, request) for one in given),
            )
        )
    return Budget(
        limit_tokens=request.budget,
        used_tokens=used,
        required_tokens=required,
        remaining_tokens=max(0, request.budget - used),
        over_budget=required > request.budget,
        bytes_per_token=BYTES_PER_TOKEN,
        tiers=tuple(rows),
    )
