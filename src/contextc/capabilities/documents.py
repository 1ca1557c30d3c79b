"""The documents a compilation can be kept in, and how one that is given back is read.

contextc.stored.v1       a compilation with its candidates: all that validation and replay need
contextc.compiled.v2     the answer of `bundle.compile`; candidates are given beside it
contextc.compiled.v1     the same as the first version of results knew it (`as` v1)
contextc.compilation.v1  an outcome with its request, policy and pricing; candidates are given beside it
contextc.answer.v1       the answer of `compile`; candidates are given beside it
project_context.compilation_result.v1, .v2
                         a result alone: request, policy and candidates are given beside it, and the bundle
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw

from contextc.core.records.answer import Answer
from contextc.core.records.base import Record
from contextc.core.records.bundle import Bundle
from contextc.core.records.candidate import Candidate, CandidatePool
from contextc.core.records.codec import decode
from contextc.core.records.outcome import Compilation, Outcome, Result, ResultV1, Stored, Witness
from contextc.core.records.policy import POLICY_V1, POLICY_V2, Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.projection import lift_v1
from contextc.core.records.request import Request
from contextc.errors import DocumentError, InputError, Problem


class Compiled(Record, frozen=True, kw_only=True):
    """`contextc.compiled.v2`: the answer of `bundle.compile`."""

    request: Request
    policy: Policy
    pricing: Pricing
    result: Result
    bundle: Bundle | None
    witness: Witness | None
    rendered_text: Annotated[str | None, Meta(description="The bundle as text; null when it was refused.")]
    schema_version: Literal["contextc.compiled.v2"] = "contextc.compiled.v2"


class CompiledV1(Record, frozen=True, kw_only=True):
    """`contextc.compiled.v1`: the answer of `bundle.compile` with the result projected on its first version."""

    request: Request
    policy: Policy
    pricing: Pricing
    result: ResultV1
    bundle: Bundle | None
    witness: Witness | None
    rendered_text: Annotated[str | None, Meta(description="The bundle as text; null when it was refused.")]
    schema_version: Literal["contextc.compiled.v1"] = "contextc.compiled.v1"


#: Every document that holds a compilation, by its schema string.
DOCUMENTS: dict[str, type[Record]] = {
    "contextc.stored.v1": Stored,
    "contextc.compiled.v2": Compiled,
    "contextc.compiled.v1": CompiledV1,
    "contextc.compilation.v1": Compilation,
    "contextc.answer.v1": Answer,
    "project_context.compilation_result.v2": Result,
    "project_context.compilation_result.v1": ResultV1,
}

DocumentField = Annotated[
    Raw,
    Meta(
        description="A stored compilation, or the JSON that `bundle compile` or `compile` wrote, or a result alone "
        "(versions 1 and 2)."
    ),
]
CandidatesField = Annotated[
    CandidatePool | None, Meta(description="The candidates, where the document does not hold them.")
]
RequestField = Annotated[Request | None, Meta(description="The request, where the document does not hold it.")]
PolicyField = Annotated[Policy | None, Meta(description="The policy, where the document does not hold it.")]
BundleField = Annotated[Bundle | None, Meta(description="The bundle, where the document is a result alone.")]


class CaseInput(Record, frozen=True, kw_only=True):
    """What every question about a stored compilation is asked with."""

    document: DocumentField
    request: RequestField = None
    candidates: CandidatesField = None
    policy: PolicyField = None
    bundle: BundleField = None


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A compilation that was read, with what came beside it. `first_version` marks a result of version 1, whose trace
    names neither closures nor who pulled a candidate in; `candidates` is None where nobody gave them."""

    result: Result
    bundle: Bundle | None
    witness: Witness | None
    request: Request | None
    policy: Policy | None
    pricing: Pricing | None
    candidates: tuple[Candidate, ...] | None
    first_version: bool = False

    @property
    def outcome(self) -> Outcome:
        """Result, bundle and witness together."""
        return Outcome(result=self.result, bundle=self.bundle, witness=self.witness)


class Complete(msgspec.Struct, frozen=True, kw_only=True):
    """A case with all inputs, as validation and replay need it."""

    request: Request
    policy: Policy
    pricing: Pricing
    candidates: tuple[Candidate, ...]
    outcome: Outcome
    first_version: bool


class _Peek(msgspec.Struct, frozen=True):
    """Just enough of a document to know which it is."""

    schema_version: str = ""


def read_document(data: bytes | Raw, *, where: str = "document") -> Record:
    """Decode any document of `DOCUMENTS`, by its schema string.

    Raises `DocumentError`: not JSON, no schema string that is known, or a fault inside.
    """
    raw = bytes(data)
    peek = decode(raw, _Peek, where=where)
    record = DOCUMENTS.get(peek.schema_version)
    if record is None:
        known = ", ".join(DOCUMENTS)
        found = f"found {peek.schema_version!r}" if peek.schema_version else "found none"
        raise DocumentError([Problem("$.schema_version", f"expected one of {known}; {found}")], where=where)
    return decode(raw, record, where=where)


def read_case(
    data: bytes | Raw,
    *,
    where: str = "document",
    candidates: CandidatePool | None = None,
    request: Request | None = None,
    policy: Policy | None = None,
    bundle: Bundle | None = None,
) -> Case:
    """Read a compilation from a document and from what stands beside it.

    Giving a part that the document already holds raises `InputError`: neither of the two could be preferred.
    """
    document = read_document(data, where=where)
    held = _parts(document)
    beside = {
        "candidates": candidates.candidates if candidates is not None else None,
        "request": request,
        "policy": policy,
        "bundle": bundle,
    }
    for name, value in beside.items():
        if value is None:
            continue
        if held.get(name) is not None:
            raise InputError(f"the document already holds its {name}", where=where, hint=f"leave --{name} out")
        held[name] = value
    first_version = isinstance(held["result"], ResultV1)
    if first_version:
        held["result"] = lift_v1(held["result"])
    names = ("bundle", "witness", "request", "policy", "pricing", "candidates")
    return Case(result=held["result"], first_version=first_version, **{name: held.get(name) for name in names})


def case_of(question: CaseInput) -> Case:
    """The compilation a question is about."""
    return read_case(
        question.document,
        candidates=question.candidates,
        request=question.request,
        policy=question.policy,
        bundle=question.bundle,
    )


def complete(case: Case, *, where: str = "document") -> Complete:
    """The case with all inputs, or an `InputError` that names what is missing. Without a pricing, declared counts."""
    missing = [name for name in ("request", "candidates") if getattr(case, name) is None]
    if case.result.success and case.bundle is None:
        missing.append("bundle")
    if missing or case.request is None or case.candidates is None:
        options = " ".join(f"--{name} FILE" for name in missing)
        raise InputError(f"the document does not hold: {', '.join(missing)}", where=where, hint=f"give {options}")
    return Complete(
        request=case.request,
        policy=case.policy or policy_for(case.request),
        pricing=case.pricing or declared(case.request, case.candidates),
        candidates=case.candidates,
        outcome=case.outcome,
        first_version=case.first_version,
    )


def policy_for(request: Request) -> Policy:
    """The built-in policy a request names. Raises `InputError` for a version that is not built in."""
    for policy in (POLICY_V1, POLICY_V2):
        if policy.policy_version == request.policy_version:
            return policy
    raise InputError(
        f"no built-in policy is called {request.policy_version!r}",
        where="request",
        hint="give --policy FILE, or name compiler-policy-v1 or compiler-policy-v2 in the request",
    )


def declared(request: Request, candidates: tuple[Candidate, ...]) -> Pricing:
    """The pricing by declared counts, which is what a pool without measured texts has."""
    from contextc.core.compiler import declared_pricing

    return declared_pricing(request, candidates)


def _parts(document: Record) -> dict[str, Any]:
    """The parts of a compilation that a document holds, by name."""
    if isinstance(document, (Result, ResultV1)):
        return {"result": document}
    if isinstance(document, Stored):
        return {**_parts(document.compilation), "candidates": document.candidates}
    names = ("result", "bundle", "witness", "request", "policy", "pricing")
    return {name: getattr(document, name) for name in names}
