"""`bundle.inspect`: the decision on every candidate of a compilation, or on one of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import bundle_cases
from contextc.capabilities.documents import Case, CaseInput, case_of
from contextc.core.records.base import Record
from contextc.core.records.candidate import BAND_RANK, Candidate
from contextc.core.records.trace import Trace, TraceEntry
from contextc.errors import DocumentError, InputError, NotFound


class BundleInspectInput(CaseInput, frozen=True, kw_only=True):
    """What `bundle.inspect` is asked with."""

    id: Annotated[str | None, Meta(description="One candidate; left out, all of them.")] = None


class Inspection(Record, frozen=True, kw_only=True):
    """`contextc.inspection.v1`: a decision for every candidate, ascending by id, undecided ones included."""

    request_id: str
    policy_version: str
    success: bool
    entries: tuple[TraceEntry, ...]
    schema_version: Literal["contextc.inspection.v1"] = "contextc.inspection.v1"


def run(question: BundleInspectInput, session: Session) -> Inspection:
    """Inspect. Raises `NotFound` for an id that no candidate has."""
    case = case_of(question)
    entries = accounted(case)
    if question.id is not None:
        entries = tuple(entry for entry in entries if entry.candidate_id == question.id)
        if not entries:
            raise NotFound(
                "no candidate has this id", where=question.id, hint="`bundle inspect` without an id lists all"
            )
    result = case.result
    return Inspection(
        request_id=result.request_id, policy_version=result.policy_version, success=result.success, entries=entries
    )


def accounted(case: Case) -> tuple[TraceEntry, ...]:
    """An entry for every candidate. The published failure traces stop where the compiler stopped; where the
    candidates are at hand, those it never came to are added as undecided."""
    entries = {entry.candidate_id: entry for entry in case.result.trace.entries}
    named = set(case.request.required_ids) if case.request is not None else set()
    left = case.result.trace.entries[-1].budget_after if case.result.trace.entries else 0
    for candidate in case.candidates or ():
        if candidate.candidate_id not in entries:
            entries[candidate.candidate_id] = _undecided(candidate, candidate.candidate_id in named, left)
    return tuple(entries[key] for key in sorted(entries))


def _undecided(candidate: Candidate, named: bool, left: int) -> TraceEntry:
    lifted = named and BAND_RANK[candidate.requirement] > BAND_RANK["REQUIRED"]
    return TraceEntry(
        candidate_id=candidate.candidate_id,
        content_identity=candidate.content_identity,
        representation_id=candidate.representation_id,
        decision="UNDECIDED",
        reason_code="undecided",
        reason_detail="the compilation was refused before it came to this candidate",
        priority_band="REQUIRED" if lifted else candidate.requirement,
        relevance=candidate.relevance,
        marginal_cost=0,
        dependency_closure=(),
        pulled_in_by=(),
        budget_before=left,
        budget_after=left,
        position=None,
    )


def in_words(inspection: Inspection) -> str:
    """The table of decisions."""
    from contextc.core.explain import table

    return table(
        Trace(request_id=inspection.request_id, policy_version=inspection.policy_version, entries=inspection.entries)
    )


CAPABILITY = Capability(
    id="bundle.inspect",
    summary="Show the decision on every candidate of a compilation, or on one.",
    input=BundleInspectInput,
    output=(Inspection,),
    effect="pure",
    errors=(DocumentError, InputError, NotFound),
    in_words=in_words,
    tags=("bundle", "audit"),
    positional=("document", "id"),
    cases=bundle_cases,
    leading=("entries",),
    run=run,
)
