"""A result of today as the first version knew it (`--as v1`)."""

from __future__ import annotations

from contextc.core.records.outcome import Result, ResultV1
from contextc.core.records.trace import TraceEntry, TraceEntryV1, TraceV1


def project_v1(result: Result) -> ResultV1:
    """Project a v2 result on v1: no `pulled_in_by`, empty closures, both budgets those before the decision."""
    trace = TraceV1(
        request_id=result.trace.request_id,
        policy_version=result.trace.policy_version,
        entries=tuple(_entry(entry) for entry in result.trace.entries),
    )
    return ResultV1(
        request_id=result.request_id,
        policy_version=result.policy_version,
        success=result.success,
        trace=trace,
        bundle_id=result.bundle_id,
        bundle_hash=result.bundle_hash,
        bundle_tokens=result.bundle_tokens,
        failure=result.failure,
    )


def _entry(entry: TraceEntry) -> TraceEntryV1:
    return TraceEntryV1(
        candidate_id=entry.candidate_id,
        content_identity=entry.content_identity,
        representation_id=entry.representation_id,
        decision=entry.decision,
        reason_code=entry.reason_code,
        reason_detail=entry.reason_detail,
        priority_band=entry.priority_band,
        relevance=entry.relevance,
        marginal_cost=entry.marginal_cost,
        dependency_closure=(),
        budget_before=entry.budget_before,
        budget_after=entry.budget_before,
        position=entry.position,
    )
