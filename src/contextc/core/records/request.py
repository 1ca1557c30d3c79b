"""A request: what is asked of one compilation."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Record, Text


class Request(Record, frozen=True, kw_only=True):
    """`project_context.context_request.v1`: the task, its budget in tokens, and what must be there by name."""

    request_id: Text
    task_id: Text
    usable_token_budget: Annotated[Count, Meta(description="The most the rendered bundle may cost, in tokens.")]
    created_at: Annotated[str | None, Meta(description="Given by the caller; contextc never reads a clock.")] = None
    active_scope: str = ""
    required_ids: Annotated[tuple[str, ...], Meta(description="Candidate ids that must be items of the bundle.")] = ()
    policy_version: Text
    schema_version: Literal["project_context.context_request.v1"] = "project_context.context_request.v1"
