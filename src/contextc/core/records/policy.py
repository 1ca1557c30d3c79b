"""A policy: the numbers and choices by which a compiler works."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Ratio, Record, plain_float

PolicyVersion = Literal["compiler-policy-v1", "compiler-policy-v2"]


class Policy(Record, frozen=True, kw_only=True):
    """`project_context.compiler_policy.v1`: which rules (`policy_version`) and with which numbers."""

    policy_version: PolicyVersion
    min_discretionary_relevance: Annotated[
        Ratio, Meta(description="Below this, an optional candidate must cover something new to be admitted.")
    ] = 0.3
    mandatory_form: Annotated[
        Literal["cheapest", "worth"], Meta(description="How the form of an obligation is chosen.")
    ] = "cheapest"
    order_roles: Annotated[
        tuple[str, ...], Meta(description="Roles in the order of the layout; unknown roles stand last.")
    ] = ("instruction", "task", "state", "evidence", "support", "tool")
    repair: Annotated[
        Literal["drop-last-discretionary", "none"],
        Meta(description="What happens when the rendered cost is over the budget. v2 prices exactly and needs none."),
    ] = "drop-last-discretionary"
    schema_version: Literal["project_context.compiler_policy.v1"] = "project_context.compiler_policy.v1"

    def __post_init__(self) -> None:
        plain_float(self, "min_discretionary_relevance")


#: The published policy (conformance data `compiler-policy-v1.json`).
POLICY_V1 = Policy(policy_version="compiler-policy-v1")

#: The default for real work. What changes least between two requests stands first, so that a provider's
#: prompt cache keeps its prefix: rules, tools, background, then evidence, state, and the task at the end.
POLICY_V2 = Policy(
    policy_version="compiler-policy-v2",
    mandatory_form="worth",
    order_roles=("instruction", "tool", "support", "evidence", "state", "task"),
    repair="none",
)
