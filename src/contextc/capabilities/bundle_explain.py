"""`bundle.explain`: why a candidate is in or out, or why a request was refused, in words."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.bundle_inspect import accounted
from contextc.capabilities.cases import bundle_cases
from contextc.capabilities.documents import CaseInput, case_of
from contextc.core.records.base import Record
from contextc.core.records.trace import Trace
from contextc.errors import DocumentError, InputError, NotFound


class BundleExplainInput(CaseInput, frozen=True, kw_only=True):
    """What `bundle.explain` is asked with."""

    id: Annotated[
        str | None, Meta(description="The candidate; left out, the refusal, or all items of the bundle in order.")
    ] = None


class Told(Record, frozen=True, kw_only=True):
    """`contextc.explanation.v1`: sentences, each ending in a line feed."""

    text: str
    schema_version: Literal["contextc.explanation.v1"] = "contextc.explanation.v1"


def run(question: BundleExplainInput, session: Session) -> Told:
    """Explain. Raises `NotFound` for an id that no candidate has."""
    from contextc.core.explain import explain_candidate, explain_refusal

    case = case_of(question)
    candidates = case.candidates or ()
    result = case.result
    if question.id is None and result.failure is not None:
        told = explain_refusal(result.failure, case.witness, candidates, trace=result.trace, pricing=case.pricing)
        return Told(text=told.in_words())
    trace = Trace(request_id=result.request_id, policy_version=result.policy_version, entries=accounted(case))
    placed = sorted((entry.position, entry.candidate_id) for entry in trace.entries if entry.position is not None)
    names = [question.id] if question.id is not None else [name for _, name in placed]
    told_each = [
        explain_candidate(name, trace, candidates, witness=case.witness, pricing=case.pricing) for name in names
    ]
    return Told(text="\n".join(told_each) or "the bundle is empty\n")


def in_words(told: Told) -> str:
    """The sentences themselves."""
    return told.text


CAPABILITY = Capability(
    id="bundle.explain",
    summary="Say in words why a candidate is in or out, or why a request was refused.",
    input=BundleExplainInput,
    output=(Told,),
    effect="pure",
    errors=(DocumentError, InputError, NotFound),
    in_words=in_words,
    tags=("bundle", "audit"),
    positional=("document", "id"),
    exposed=("cli", "http"),
    cases=bundle_cases,
    run=run,
)
