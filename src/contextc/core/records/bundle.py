"""A bundle: the items an agent receives, in order."""

from __future__ import annotations

from typing import Literal

from contextc.core.records.base import Count, Record


class Item(Record, frozen=True, kw_only=True, gc=False):
    """`project_context.context_item.v1`: one admitted candidate as it stands in the bundle."""

    id: str
    content: str
    kind: str
    source: str
    position: Count
    token_count: Count
    token_provenance: str
    ref: str | None = None
    authority: str | None = None
    observed_at: str | None = None
    scope: str | None = None
    semantic_id: str | None = None
    schema_version: Literal["project_context.context_item.v1"] = "project_context.context_item.v1"


class Bundle(Record, frozen=True, kw_only=True):
    """`project_context.context_bundle.v1`: items in policy order; `layout_trace` repeats their ids."""

    id: str
    items: tuple[Item, ...]
    layout_trace: tuple[str, ...]
    created_at: str | None = None
    evidence_class: str = "synthetic"
    provenance: str | None = None
    schema_version: Literal["project_context.context_bundle.v1"] = "project_context.context_bundle.v1"
