"""Traces of strategies that are not the compiler, in the first version of the trace (section 9)."""

from __future__ import annotations

from contextc.core.records.candidate import Candidate
from contextc.core.records.trace import TraceEntryV1
from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.common import default_pool, effective_band


def entries_of(choice: Choice, problem: Problem) -> tuple[TraceEntryV1, ...]:
    """The trace of a choice: its own, or one entry for each default form and each selected candidate."""
    if choice.entries is not None:
        return choice.entries
    shown = {c.candidate_id: c for c in default_pool(problem)}
    shown.update({c.candidate_id: c for c in problem.candidates if c.candidate_id in choice.items})
    return tuple(
        entry_of(shown[name], problem, admitted=name in choice.items, detail=choice.detail) for name in sorted(shown)
    )


def entry_of(candidate: Candidate, problem: Problem, *, admitted: bool, detail: str) -> TraceEntryV1:
    """One candidate: admitted or not selected. Such strategies keep no account, so both budgets are 0."""
    return TraceEntryV1(
        candidate_id=candidate.candidate_id,
        content_identity=candidate.content_identity,
        representation_id=candidate.representation_id,
        decision="ADMITTED" if admitted else "REJECTED_BUDGET",
        reason_code="admitted" if admitted else "not-selected",
        reason_detail=detail,
        priority_band=effective_band(candidate, problem),
        relevance=candidate.relevance,
        marginal_cost=candidate.token_count,
        dependency_closure=(),
        budget_before=0,
        budget_after=0,
        position=None,
    )


def missing_entry(name: str) -> TraceEntryV1:
    """A candidate that the request names and nobody has."""
    return TraceEntryV1(
        candidate_id=name,
        content_identity=name,
        representation_id="?",
        decision="REJECTED_BUDGET",
        reason_code="missing",
        reason_detail="baseline rejection",
        priority_band="",
        relevance=0.0,
        marginal_cost=0,
        dependency_closure=(),
        budget_before=0,
        budget_after=0,
        position=None,
    )
