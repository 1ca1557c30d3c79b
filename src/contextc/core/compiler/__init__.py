"""Request, candidates, policy and pricing in; an outcome with bundle or witness out. Pure.

docs/compiler-internals.md says how it works and why its data structures are what they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.exact import load_exact
from contextc.core.compiler.inputs import check_inputs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.prices import declared_pricing
from contextc.core.compiler.settle import ExactSolver
from contextc.core.compiler.stages import STAGES, Work
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Outcome
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.errors import InternalError

__all__ = ["ExactSolver", "compile_candidates", "declared_pricing", "load_exact"]


def compile_candidates(
    request: Request,
    candidates: Sequence[Candidate],
    policy: Policy,
    pricing: Pricing | None = None,
    exact: ExactSolver | None = None,
) -> Outcome:
    """Compile candidates into a bundle, or refuse with a witness.

    The budget is in tokens; `pricing` says what each candidate costs in units (left out: declared token counts in
    the published rendering). The outcome does not depend on the order of `candidates`. `exact` is asked only for
    what the bounded search cannot finish. Raises `DocumentError`, naming every fault, when the inputs do not belong
    together.
    """
    check_inputs(request, candidates, policy, pricing)
    pool = Pool(request, candidates, policy, pricing or declared_pricing(request, candidates))
    work = Work(pool, exact)
    for stage in STAGES[policy.policy_version]:
        outcome = stage(work)
        if outcome is not None:
            return outcome
    raise InternalError("expected the last stage to give an outcome", hint="report this with the inputs")
