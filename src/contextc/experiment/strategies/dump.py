"""`dump`: everything in ascending order of ids, cut from the end until it fits (construction experiment, section 3)."""

from __future__ import annotations

from contextc.experiment.cost import Purse
from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.common import default_pool, deliver


def dump(problem: Problem) -> Choice:
    """Keep the longest head of the list that fits. Items in the middle are never skipped."""
    purse = Purse(problem.pricing, problem.request.usable_token_budget)
    kept: list[str] = []
    for candidate in default_pool(problem):
        if not purse.pay([candidate.candidate_id]):
            break
        kept.append(candidate.candidate_id)
    return deliver(kept, problem, "dump-truncate")
