"""`bundle.validate`: judge a stored compilation against its inputs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.capabilities.cases import bundle_cases
from contextc.capabilities.documents import (
    CaseInput,
    Complete,
    case_of,
    complete,
)
from contextc.core.records.base import Record
from contextc.core.records.outcome import Outcome
from contextc.core.records.projection import project_v1
from contextc.errors import DocumentError, InputError, InternalError


class BundleValidateInput(CaseInput, frozen=True, kw_only=True):
    """What `bundle.validate` is asked with."""


class Fault(Record, frozen=True, kw_only=True):
    """One rule that a compilation breaks."""

    code: Annotated[str, Meta(description="A stable name of the rule that is broken.")]
    where: Annotated[str, Meta(description="The place in the document.")]
    message: str


class Validation(Record, frozen=True, kw_only=True):
    """`contextc.validation.v1`: valid exactly when there are no faults."""

    valid: bool
    faults: tuple[Fault, ...]
    remark: Annotated[str, Meta(description="How it was judged, where that is not the plain way.")] = ""
    schema_version: Literal["contextc.validation.v1"] = "contextc.validation.v1"


#: A first-version trace lacks closures and causes, so the checker cannot judge it as it stands.
FIRST_VERSION = (
    "a result of version 1: the bundle was judged by the rules, "
    "the trace by compiling again and projecting on version 1"
)


def run(question: BundleValidateInput, session: Session) -> Validation:
    """Judge. Raises `DocumentError` and `InputError` for documents that cannot be read or are not all there."""
    case = complete(case_of(question))
    if case.first_version:
        return _judge_first_version(case)
    return _judge(case, case.outcome)


def _judge(case: Complete, outcome: Outcome, remark: str = "") -> Validation:
    from contextc.core.checker import check

    report = check(case.request, case.candidates, case.policy, case.pricing, outcome)
    faults = tuple(Fault(code=f.code, where=f.path, message=f.message) for f in report.findings)
    return Validation(valid=not faults, faults=faults, remark=remark)


def _judge_first_version(case: Complete) -> Validation:
    """The trace of a compilation made anew stands in for the one that version 1 does not hold."""
    from contextc.capabilities.differences import first_difference
    from contextc.checked import compile_checked

    again = compile_checked(case.request, case.candidates, case.policy, case.pricing)
    stored = project_v1(case.outcome.result)
    place = first_difference(project_v1(again.result), stored)
    faults: tuple[Fault, ...] = ()
    if place is not None:
        faults = (Fault(code="replay", where=place, message="differs from what compiling again gives"),)
    if case.outcome.bundle != again.bundle:
        # Not what compiling again gives; the rules alone say whether it is legal.
        lifted = Outcome(result=again.result, bundle=case.outcome.bundle, witness=again.witness)
        faults += _judge(case, lifted).faults
    return Validation(valid=not faults, faults=faults, remark=FIRST_VERSION)


def verdict(validation: Validation) -> Verdict:
    """Done when valid, else problems."""
    return "done" if validation.valid else "problems"


def in_words(validation: Validation) -> str:
    """One line a fault, or that there are none."""
    lines = [f"{fault.where}: {fault.message} [{fault.code}]" for fault in validation.faults]
    lines.append("valid" if validation.valid else f"{len(validation.faults)} faults")
    if validation.remark:
        lines.append(f"({validation.remark})")
    return "\n".join(lines)


CAPABILITY = Capability(
    id="bundle.validate",
    summary="Judge a stored compilation against its inputs, by rules that share nothing with the compiler.",
    input=BundleValidateInput,
    output=(Validation,),
    effect="pure",
    errors=(DocumentError, InputError, InternalError),
    verdict=verdict,
    in_words=in_words,
    tags=("bundle", "audit"),
    positional=("document",),
    cases=bundle_cases,
    run=run,
)
