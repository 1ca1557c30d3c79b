"""`bundle.compile`: request + candidates + policy -> bundle or refusal, at the JSON boundary."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from contextc.capabilities.base import Capability, Refusal, Session, Verdict
from contextc.capabilities.cases import bundle_compile_cases
from contextc.capabilities.documents import Compiled, CompiledV1, declared, policy_for
from contextc.core.records.base import Record
from contextc.core.records.candidate import Candidate, CandidatePool
from contextc.core.records.outcome import Outcome, Stored, compilation_of
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.projection import project_v1
from contextc.core.records.request import Request
from contextc.errors import DocumentError, InputError, InternalError


class BundleCompileInput(Record, frozen=True, kw_only=True):
    """What `bundle.compile` is asked with."""

    request: Annotated[Request, Meta(description="The request: budget, required ids, policy version.")]
    candidates: Annotated[CandidatePool, Meta(description="The candidates, each with its declared token count.")]
    policy: Annotated[Policy | None, Meta(description="The policy; left out, the built-in one the request names.")] = (
        None
    )
    pricing: Annotated[
        Pricing | None, Meta(description="Measured costs of the candidates; left out, their declared counts.")
    ] = None
    as_: Annotated[Literal["v1", "v2"], Meta(description="Version of the result that is returned.")] = msgspec.field(
        default="v2", name="as"
    )


def run(question: BundleCompileInput, session: Session) -> Compiled | CompiledV1:
    """Compile, check, and give the answer in the version asked for."""
    return answer(compile_pool(question), question.as_)


def compile_pool(question: BundleCompileInput) -> Stored:
    """Compile and check. Raises `InternalError` when the checker objects."""
    from contextc.checked import compile_checked

    policy = question.policy or policy_for(question.request)
    candidates = question.candidates.candidates
    pricing = question.pricing or declared(question.request, candidates)
    outcome = compile_checked(question.request, candidates, policy, pricing)
    return stored(question.request, candidates, policy, pricing, outcome)


def stored(
    request: Request, candidates: tuple[Candidate, ...], policy: Policy, pricing: Pricing, outcome: Outcome
) -> Stored:
    """The document that keeps a compilation with all its inputs."""
    return Stored(compilation=compilation_of(request, policy, pricing, outcome), candidates=candidates)


def answer(kept: Stored, version: Literal["v1", "v2"]) -> Compiled | CompiledV1:
    """The answer of `bundle.compile` for a compilation, in the version of the result that is asked for."""
    from contextc.core.render import render_published

    made = kept.compilation
    compiled = Compiled(
        request=made.request,
        policy=made.policy,
        pricing=made.pricing,
        result=made.result,
        bundle=made.bundle,
        witness=made.witness,
        rendered_text=render_published(made.bundle) if made.bundle is not None else None,
    )
    if version == "v2":
        return compiled
    return CompiledV1(
        request=made.request,
        policy=made.policy,
        pricing=made.pricing,
        result=project_v1(made.result),
        bundle=made.bundle,
        witness=made.witness,
        rendered_text=compiled.rendered_text,
    )


def verdict(compiled: Compiled | CompiledV1) -> Verdict:
    """Done with a bundle, else refused."""
    return "done" if compiled.result.success else "refused"


def refusal(compiled: Compiled | CompiledV1) -> Refusal:
    """The diagnostic of the published record, and what would be enough."""
    failure = compiled.result.failure
    if failure is None:
        return Refusal(message="")
    least = compiled.witness.least_budget if compiled.witness is not None else None
    return Refusal(message=failure.diagnostic, hint=f"give a budget of {least} tokens or more" if least else "")


CAPABILITY = Capability(
    id="bundle.compile",
    summary="Compile candidates into a bundle, or refuse with a proof. Reads and writes JSON.",
    input=BundleCompileInput,
    output=(Compiled, CompiledV1),
    effect="pure",
    errors=(DocumentError, InputError, InternalError),
    verdict=verdict,
    tags=("bundle",),
    refusal=refusal,
    cases=bundle_compile_cases,
    leading=("rendered_text",),
    run=run,
)
