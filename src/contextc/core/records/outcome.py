"""What a compilation ends in: a bundle, or a refusal that proves itself.

A refusal is an answer and not an exception. Its reason is what its witness proves; a witness is of a kind that
the checker can judge by itself from the request, the candidates and the policy.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Record
from contextc.core.records.bundle import Bundle
from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.core.records.trace import Trace, TraceV1

FailureReason = Literal[
    "INSUFFICIENT_BUDGET",
    "UNSATISFIED_DEPENDENCY",
    "NO_LEGAL_REPRESENTATION",
    "UNRESOLVED_REQUIRED_GROUP",
    "REQUIRED_SOURCE_UNAVAILABLE",
    "REQUIRED_INELIGIBLE",
]


class Failure(Record, frozen=True, kw_only=True):
    """`project_context.compile_failure.v1`: why no bundle was made, in a word and in a sentence."""

    request_id: str
    policy_version: str
    reason: FailureReason
    blocking_ids: tuple[str, ...]
    diagnostic: str
    budget_total: Count
    budget_used: Count
    schema_version: Literal["project_context.compile_failure.v1"] = "project_context.compile_failure.v1"


class Result(Record, frozen=True, kw_only=True):
    """`project_context.compilation_result.v2`: success or failure, with the trace."""

    request_id: str
    policy_version: str
    success: bool
    trace: Trace
    bundle_id: str | None = None
    bundle_hash: str | None = None
    bundle_tokens: Count | None = None
    failure: Failure | None = None
    schema_version: Literal["project_context.compilation_result.v2"] = "project_context.compilation_result.v2"


class ResultV1(Record, frozen=True, kw_only=True):
    """`project_context.compilation_result.v1`, still read."""

    request_id: str
    policy_version: str
    success: bool
    trace: TraceV1
    bundle_id: str | None = None
    bundle_hash: str | None = None
    bundle_tokens: Count | None = None
    failure: Failure | None = None
    schema_version: Literal["project_context.compilation_result.v1"] = "project_context.compilation_result.v1"


WitnessKind = Literal["missing", "gated", "blocked", "contradiction", "budget", "unproved"]


class Obstacle(Record, frozen=True, kw_only=True):
    """One fact in the way of a candidate, to be checked against the candidates alone.

    `candidate_id` cannot be an item because `path` (ids, each needed by the one before it, the first being the
    candidate itself) ends at `at`, and `at` fails `gate` (scope, freshness, authority, floor), is `missing`, or
    shares its content with `other`, which the candidate needs as well (`gate` is then `form-clash`).
    """

    candidate_id: str
    path: tuple[str, ...]
    at: str
    gate: Literal["scope", "freshness", "authority", "floor", "form-clash", "missing"]
    reason: str
    other: str | None = None


class Witness(Record, frozen=True, kw_only=True):
    """`contextc.witness.v1`: the proof that goes with a refusal.

    missing        `ids` are required by name and no candidate has them.
    gated          every way to meet the obligation `ids` ends at a gate; `obstacles` has one for each way.
    blocked        the same, but some way ends at a dependency, a group or a clash of forms.
    contradiction  the obligations `ids` exclude one another whatever the budget (found by search).
    budget         `least_budget` tokens are enough, with the items `bundle_ids`; one token less is not.
    unproved       the search stopped at the cap `cap`; nothing is claimed beyond `lower_bound` tokens.
    """

    kind: WitnessKind
    ids: tuple[str, ...]
    obstacles: tuple[Obstacle, ...] = ()
    least_budget: Annotated[Count | None, Meta(description="In tokens.")] = None
    bundle_ids: tuple[str, ...] = ()
    lower_bound: Annotated[Count | None, Meta(description="In tokens.")] = None
    cap: str | None = None
    schema_version: Literal["contextc.witness.v1"] = "contextc.witness.v1"


class Outcome(Record, frozen=True, kw_only=True):
    """What the compiler returns: the result, the bundle when there is one, the witness when there is none."""

    result: Result
    bundle: Bundle | None = None
    witness: Witness | None = None


class Compilation(Record, frozen=True, kw_only=True):
    """`contextc.compilation.v1`: an outcome with all inputs but the candidates, as stored and replayed."""

    request: Request
    policy: Policy
    pricing: Pricing
    result: Result
    bundle: Bundle | None = None
    witness: Witness | None = None
    schema_version: Literal["contextc.compilation.v1"] = "contextc.compilation.v1"


class Stored(Record, frozen=True, kw_only=True):
    """`contextc.stored.v1`: a compilation and the candidates it was made from, complete for replay."""

    compilation: Compilation
    candidates: tuple[Candidate, ...]
    schema_version: Literal["contextc.stored.v1"] = "contextc.stored.v1"


def compilation_of(request: Request, policy: Policy, pricing: Pricing, outcome: Outcome) -> Compilation:
    """An outcome with its inputs."""
    return Compilation(
        request=request,
        policy=policy,
        pricing=pricing,
        result=outcome.result,
        bundle=outcome.bundle,
        witness=outcome.witness,
    )
