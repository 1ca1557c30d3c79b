"""What the simple strategies share: their pool, the gates, taking items while they fit, and the last word."""

from __future__ import annotations

from collections.abc import Iterable

from contextc.core.records.candidate import BAND_RANK, Candidate
from contextc.experiment.cost import Purse, rendered_tokens
from contextc.experiment.strategies.base import Choice, Problem, lay_out


def default_pool(problem: Problem) -> list[Candidate]:
    """The default forms, ascending by id; without any, the cheapest form of each content (section 3)."""
    ordered = sorted(problem.candidates, key=lambda c: c.candidate_id)
    defaults = [c for c in ordered if c.is_default_form]
    if defaults:
        return defaults
    cheapest: dict[str, Candidate] = {}
    for candidate in sorted(ordered, key=lambda c: (c.token_count, c.candidate_id)):
        cheapest.setdefault(candidate.content_identity, candidate)
    return sorted(cheapest.values(), key=lambda c: c.candidate_id)


def is_legal(candidate: Candidate) -> bool:
    """Whether a candidate passes all four gates (section 1)."""
    eligible = candidate.scope_eligible and candidate.freshness_eligible and candidate.authority_eligible
    return eligible and candidate.form_rank >= candidate.min_rank


def effective_band(candidate: Candidate, problem: Problem) -> str:
    """The declared band, lifted to REQUIRED when the request names the candidate (section 1)."""
    named = candidate.candidate_id in problem.request.required_ids
    return "REQUIRED" if named and BAND_RANK[candidate.requirement] > BAND_RANK["REQUIRED"] else candidate.requirement


def take_by_relevance(problem: Problem, pool: Iterable[Candidate]) -> list[str]:
    """Ids of what fits, visited by descending relevance, ties by ascending id."""
    return take_what_fits(problem, sorted(pool, key=lambda c: (-c.relevance, c.candidate_id)))


def take_what_fits(problem: Problem, ordered: Iterable[Candidate]) -> list[str]:
    """Ids of the candidates that fit, visited in the given order; one that does not fit is passed over."""
    purse = Purse(problem.pricing, problem.request.usable_token_budget)
    return [c.candidate_id for c in ordered if purse.pay([c.candidate_id])]


def deliver(ids: Iterable[str], problem: Problem, detail: str) -> Choice:
    """The items laid out. A baseline refuses only where even the empty bundle costs more than the budget."""
    if rendered_tokens(problem.pricing, []) > problem.request.usable_token_budget:
        return Choice(reason="INSUFFICIENT_BUDGET", detail=detail)
    return Choice(items=lay_out(ids, problem), detail=detail)
