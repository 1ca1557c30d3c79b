"""`topk`: the most relevant first, as long as they fit (construction experiment, section 3). There is no k."""

from __future__ import annotations

from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.common import default_pool, deliver, take_by_relevance


def topk(problem: Problem) -> Choice:
    """Go by relevance over the default forms; nothing else counts."""
    return deliver(take_by_relevance(problem, default_pool(problem)), problem, "topk-greedy")
