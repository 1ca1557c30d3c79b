"""`gated`: `topk` over what passes the gates (construction experiment, section 3)."""

from __future__ import annotations

from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.common import default_pool, deliver, is_legal, take_by_relevance


def gated(problem: Problem) -> Choice:
    """Drop what is not legal, then go by relevance. Never falls back to another form of the same content."""
    legal = [candidate for candidate in default_pool(problem) if is_legal(candidate)]
    return deliver(take_by_relevance(problem, legal), problem, "gated-greedy")
