"""A decision trace: for every candidate the one decision it ended in, and why."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Record

Decision = Literal[
    "ADMITTED",
    "REJECTED_HARD",
    "REJECTED_ALTERNATIVE",
    "REJECTED_DEPENDENCY",
    "REJECTED_BUDGET",
    "REJECTED_REDUNDANT",
    "UNDECIDED",
]

#: `dependency_closure` lists at most this many ids. A longer closure is given by its direct dependencies only:
#: the whole of it follows from the candidates, and a chain of n would otherwise cost n * n ids.
CLOSURE_LIMIT = 64


class TraceEntry(Record, frozen=True, kw_only=True, gc=False):
    """One candidate's final decision. Budgets are the working remainder, in the units of the pricing."""

    candidate_id: str
    content_identity: str
    representation_id: str
    decision: Decision
    reason_code: str
    reason_detail: str
    priority_band: Annotated[str, Meta(description="The effective band: the declared one, lifted when required by id.")]
    relevance: float
    marginal_cost: Count
    dependency_closure: tuple[str, ...]
    pulled_in_by: Annotated[
        tuple[str, ...],
        Meta(description="Ids of the admitted unit that needed this candidate; empty if it came itself."),
    ]
    budget_before: int
    budget_after: int
    position: Count | None


class Trace(Record, frozen=True, kw_only=True):
    """`project_context.decision_trace.v2`: entries ascending by candidate id."""

    request_id: str
    policy_version: str
    entries: tuple[TraceEntry, ...]
    schema_version: Literal["project_context.decision_trace.v2"] = "project_context.decision_trace.v2"


class TraceEntryV1(Record, frozen=True, kw_only=True, gc=False):
    """An entry of the first trace version: no `pulled_in_by`, an empty closure, both budgets before the decision."""

    candidate_id: str
    content_identity: str
    representation_id: str
    decision: str
    reason_code: str
    reason_detail: str
    priority_band: str
    relevance: float
    marginal_cost: Count
    dependency_closure: tuple[str, ...]
    budget_before: int
    budget_after: int
    position: Count | None


class TraceV1(Record, frozen=True, kw_only=True):
    """`project_context.decision_trace.v1`, still read."""

    request_id: str
    policy_version: str
    entries: tuple[TraceEntryV1, ...]
    schema_version: Literal["project_context.decision_trace.v1"] = "project_context.decision_trace.v1"
