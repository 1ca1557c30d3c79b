"""The parts of an outcome that must agree: success with a bundle, refusal with a failure and a witness."""

from __future__ import annotations

from contextc.core.checker.report import Notes
from contextc.core.records.outcome import Outcome
from contextc.core.records.policy import Policy
from contextc.core.records.request import Request


def check_envelope(request: Request, policy: Policy, outcome: Outcome, notes: Notes) -> None:
    """Names, versions, and which of bundle, failure and witness are there."""
    result = outcome.result
    named = [
        ("$.result", result.request_id, result.policy_version),
        ("$.result.trace", result.trace.request_id, result.trace.policy_version),
    ]
    if result.failure is not None:
        named.append(("$.result.failure", result.failure.request_id, result.failure.policy_version))
    for path, request_id, policy_version in named:
        if request_id != request.request_id:
            notes.object("envelope", f"{path}.request_id", f"expected {request.request_id!r}, the id of the request")
        if policy_version != policy.policy_version:
            notes.object("envelope", f"{path}.policy_version", f"expected {policy.policy_version!r}")
    if request.policy_version != policy.policy_version:
        notes.object("envelope", "$.request.policy_version", "the request asks for another policy")
    if result.success:
        _check_success(outcome, notes)
    else:
        _check_refusal(request, outcome, notes)


def _check_success(outcome: Outcome, notes: Notes) -> None:
    result = outcome.result
    due: dict[str, object] = {
        "$.bundle": outcome.bundle,
        "$.result.bundle_id": result.bundle_id,
        "$.result.bundle_hash": result.bundle_hash,
        "$.result.bundle_tokens": result.bundle_tokens,
    }
    for path, value in due.items():
        if value is None:
            notes.object("envelope", path, "a success without it")
    excess: dict[str, object] = {"$.result.failure": result.failure, "$.witness": outcome.witness}
    for path, value in excess.items():
        if value is not None:
            notes.object("envelope", path, "a success that has one")


def _check_refusal(request: Request, outcome: Outcome, notes: Notes) -> None:
    result = outcome.result
    absent: dict[str, object] = {
        "$.bundle": outcome.bundle,
        "$.result.bundle_id": result.bundle_id,
        "$.result.bundle_hash": result.bundle_hash,
        "$.result.bundle_tokens": result.bundle_tokens,
    }
    for path, value in absent.items():
        if value is not None:
            notes.object("envelope", path, "a refusal that has one")
    if result.failure is None:
        notes.object("envelope", "$.result.failure", "a refusal without a failure")
    elif result.failure.budget_total != request.usable_token_budget:
        notes.object("envelope", "$.result.failure.budget_total", f"expected {request.usable_token_budget}")
    if outcome.witness is None:
        notes.object("witness", "$.witness", "a refusal without a witness proves nothing")
