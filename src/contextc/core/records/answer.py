"""The answer of the main job: a compilation of a repository for a task, with where everything came from."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Record
from contextc.core.records.bundle import Bundle
from contextc.core.records.outcome import Result, Witness
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

Form = Literal["full", "focused", "outline", "anchor", "reference"]


class Note(Record, frozen=True, kw_only=True):
    """Where one candidate came from: what a renderer, an explanation and a selection need beside the candidate."""

    path: Annotated[str, Meta(description="Relative to the root, with `/`; quoted like git quotes when not UTF-8.")]
    form: Form
    ranges: Annotated[
        tuple[tuple[int, int], ...],
        Meta(description="Lines shown byte for byte: first and last, from 1, inclusive."),
    ] = ()
    total_lines: Count = 0
    language: str = ""
    title: str = ""
    why: Annotated[tuple[str, ...], Meta(description="True reasons a person can check, the strongest first.")] = ()
    remark: Annotated[str, Meta(description="What was done to the text: decoding, line ends, what is left out.")] = ""


class Selected(Record, frozen=True, kw_only=True):
    """One item of the bundle as the text that was delivered for one path."""

    path: str
    text: Annotated[str, Meta(description="The lines of `ranges`, byte for byte after decoding, in order.")]
    ranges: tuple[tuple[int, int], ...]
    form: Form
    tokens: Annotated[Count, Meta(description="Cost of the item in the rendering, its frame included.")]
    id: str


class LeftOut(Record, frozen=True, kw_only=True):
    """A file that never became a candidate, and why."""

    path: str
    reason: Annotated[str, Meta(description="binary, oversized, symlink, submodule, secret, unreadable, generated ...")]
    detail: str = ""


class Answer(Record, frozen=True, kw_only=True):
    """`contextc.answer.v1`: everything `contextc compile` knows when it is done."""

    request: Request
    policy: Policy
    pricing: Pricing
    result: Result
    bundle: Bundle | None
    witness: Witness | None
    selection: tuple[Selected, ...]
    notes: Annotated[dict[str, Note], Meta(description="By candidate id.")]
    left_out: tuple[LeftOut, ...]
    fingerprint: Annotated[str, Meta(description="Digest of all inputs the answer depends on.")]
    source: Annotated[str, Meta(description="`commit <id>`, `working tree on <id>` or `directory`.")]
    text: Annotated[str, Meta(description="The rendered bundle; empty when refused.")]
    schema_version: Literal["contextc.answer.v1"] = "contextc.answer.v1"
