"""`weighted`: one fixed score of relevance, band and cost (construction experiment, section 3)."""

from __future__ import annotations

from contextc.core.records.candidate import Candidate
from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.common import default_pool, deliver, take_what_fits


def weighted(problem: Problem) -> Choice:
    """Visit by descending score, ties by ascending id. The score depends on the budget, and so does the order."""
    ordered = sorted(default_pool(problem), key=lambda c: (-_score(c, problem), c.candidate_id))
    return deliver(take_what_fits(problem, ordered), problem, "weighted-greedy")


def _score(candidate: Candidate, problem: Problem) -> float:
    weights = problem.weights
    share = candidate.token_count / max(1, problem.request.usable_token_budget)
    band = weights.band_value.of(candidate.requirement)
    return weights.relevance * candidate.relevance + weights.priority * band - weights.cost * share
