"""Request, candidates, policy and pricing in; an outcome with bundle or witness out. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler import emit
from contextc.core.compiler.inputs import check_inputs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.prices import declared_pricing
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.published import published
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Outcome, Witness
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

__all__ = ["compile_candidates", "declared_pricing"]


def compile_candidates(
    request: Request,
    candidates: Sequence[Candidate],
    policy: Policy,
    pricing: Pricing | None = None,
) -> Outcome:
    """Compile candidates into a bundle, or refuse with a witness."""
    check_inputs(request, candidates, policy, pricing)
    pool = Pool(request, candidates, policy, pricing or declared_pricing(request, candidates))
    made = published(pool, Needs(pool, groups=False, weight=pool.tokens))
    stop = made.stop
    if stop is None:
        return emit.success(pool, made.items, made.rows)
    return emit.refusal(
        pool,
        made.rows,
        Witness(kind="unproved", ids=stop.blocking),
        reason=stop.reason,
        blocking=stop.blocking,
        diagnostic=stop.diagnostic,
        used=made.used,
    )
