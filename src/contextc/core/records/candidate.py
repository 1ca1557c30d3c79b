"""A candidate: one form of one piece of content that may enter a bundle."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.core.records.base import Count, Ratio, Record, Text, plain_float

Band = Literal["MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY"]

#: Bands from the strongest to the weakest; a band's index is its rank.
BANDS: tuple[Band, ...] = ("MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY")
BAND_RANK: dict[str, int] = {band: rank for rank, band in enumerate(BANDS)}

#: `form_rank` by the name of a form (construction experiment, section 1). Outline and focused are ours.
FORM_RANKS: dict[str, int] = {
    "reference": 0,
    "anchor": 1,
    "outline": 1,
    "focused": 2,
    "compact": 2,
    "full": 3,
}


class Candidate(Record, frozen=True, kw_only=True, gc=False):
    """`project_context.context_candidate.v1`: one form of one content, with what speaks for and against it.

    Several candidates with one `content_identity` are forms of the same content: a bundle holds at most one.
    """

    candidate_id: Annotated[Text, Meta(description="Unique name of this form of this content.")]
    content_identity: Annotated[Text, Meta(description="What the forms of one content share.")]
    representation_id: Annotated[Text, Meta(description="Name of the form: full, focused, outline, anchor, reference.")]
    form_rank: Annotated[Count, Meta(description="How much the form shows: reference 0, anchor 1, compact 2, full 3.")]
    min_rank: Annotated[Count, Meta(description="The floor: a form of a lower rank is not legal.")] = 0
    token_count: Annotated[Count, Meta(description="Declared cost of the content, in tokens.")]
    token_source: Annotated[str, Meta(description="Who counted the tokens.")] = "declared"
    requirement: Annotated[Band, Meta(description="How strongly the content is asked for.")]
    order_role: Annotated[
        Text, Meta(description="Place in the layout: instruction, task, state, evidence, support, tool.")
    ]
    relevance: Annotated[Ratio, Meta(description="How much this form helps the task.")]
    depends_on: Annotated[tuple[str, ...], Meta(description="Ids of candidates that this one cannot do without.")] = ()
    group_id: Annotated[str | None, Meta(description="Name of the group this candidate belongs to.")] = None
    group_required: Annotated[bool, Meta(description="The group is present whole or not at all.")] = False
    coverage_keys: Annotated[tuple[str, ...], Meta(description="Aspects of the task this candidate covers.")] = ()
    is_default_form: Annotated[bool, Meta(description="The form a compiler without alternatives would take.")] = True
    scope_eligible: bool = True
    scope_reason: str = ""
    freshness_eligible: bool = True
    freshness_reason: str = ""
    authority_eligible: bool = True
    authority_reason: str = ""
    source_kind: Annotated[str, Meta(description="What kind of source the content came from.")] = "synthetic"
    source_ref: Annotated[str, Meta(description="Where in that source: a path, an identifier.")] = ""
    kind: Annotated[str, Meta(description="What the content is: rule, decision, source, evidence ...")] = "evidence"
    content: Annotated[str, Meta(description="The text itself.")] = ""
    schema_version: Literal["project_context.context_candidate.v1"] = "project_context.context_candidate.v1"

    def __post_init__(self) -> None:
        plain_float(self, "relevance")


class CandidatePool(Record, frozen=True, kw_only=True):
    """The document that holds all candidates of one compilation."""

    candidates: tuple[Candidate, ...]
