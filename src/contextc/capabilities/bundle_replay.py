"""`bundle.replay`: compile a stored request again and compare the bytes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.capabilities.cases import bundle_cases
from contextc.capabilities.documents import (
    CaseInput,
    case_of,
    complete,
)
from contextc.core.records.base import Record
from contextc.core.records.canonical import digest
from contextc.core.records.projection import project_v1
from contextc.errors import DocumentError, InputError, InternalError


class BundleReplayInput(CaseInput, frozen=True, kw_only=True):
    """What `bundle.replay` is asked with."""


class Replay(Record, frozen=True, kw_only=True):
    """`contextc.replay.v1`: whether compiling again gave the same bytes."""

    same: bool
    first_difference: Annotated[str | None, Meta(description="JSON path of the first difference.")]
    stored_digest: Annotated[str, Meta(description="SHA-256 of the canonical JSON of the stored outcome.")]
    replayed_digest: Annotated[str, Meta(description="SHA-256 of the canonical JSON of the outcome made now.")]
    schema_version: Literal["contextc.replay.v1"] = "contextc.replay.v1"


def run(question: BundleReplayInput, session: Session) -> Replay:
    """Compile again. A result of version 1 is compared with the projection of the new one."""
    from contextc.capabilities.differences import first_difference
    from contextc.checked import compile_checked

    read = case_of(question)
    case = complete(read)
    again = compile_checked(case.request, case.candidates, case.policy, case.pricing)
    version = project_v1 if case.first_version else (lambda result: result)
    # A result alone was stored without its witness; then there is none to compare.
    whole = read.witness is not None or again.witness is None
    parts = [
        {"result": version(o.result), "bundle": o.bundle, "witness": o.witness if whole else None}
        for o in (case.outcome, again)
    ]
    before, after = (digest(part) for part in parts)
    return Replay(
        same=before == after,
        first_difference=first_difference(parts[0], parts[1]),
        stored_digest=before,
        replayed_digest=after,
    )


def verdict(replay: Replay) -> Verdict:
    """Done when the bytes are the same, else problems."""
    return "done" if replay.same else "problems"


def in_words(replay: Replay) -> str:
    """One line."""
    if replay.same:
        return f"same bytes: {replay.stored_digest}"
    return f"different from {replay.first_difference} on: {replay.stored_digest} stored, {replay.replayed_digest} now"


CAPABILITY = Capability(
    id="bundle.replay",
    summary="Compile a stored request again and compare the bytes.",
    input=BundleReplayInput,
    output=(Replay,),
    effect="pure",
    errors=(DocumentError, InputError, InternalError),
    verdict=verdict,
    in_words=in_words,
    tags=("bundle", "audit"),
    positional=("document",),
    exposed=("cli", "http"),
    cases=bundle_cases,
    run=run,
)
