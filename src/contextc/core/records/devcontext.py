"""The records of `devcontext`: what is asked, and the answers of compile, explain and policy.

Field names and shapes are those of the published input and output schemas. Absent optional fields are omitted from the
JSON form, never null.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from contextc.core.records.base import Count, Record, Text

Tier = Literal["task", "governance", "source", "decision", "knowledge", "history"]
Selector = Literal["seed", "relation", "scope_path", "contract", "governance", "session_state", "intent_match"]
ExclusionReason = Literal["budget", "relevance", "depth", "stale", "superseded", "unresolved"]
Severity = Literal["info", "warning", "error"]
Standing = Literal["selected", "excluded", "deduplicated", "not_reached", "unknown"]


class DevContextInput(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What context is asked for. All fields may be left out; null is the same, but for the two lists."""

    issue: Annotated[str | None, Meta(description="An issue, by identifier, id or slug.")] = None
    milestone: Annotated[str | None, Meta(description="A milestone, by identifier, id or slug.")] = None
    intent: Annotated[str | None, Meta(description="The work in words; matched against titles and descriptions.")] = (
        None
    )
    paths: Annotated[tuple[str, ...], Meta(description="A file or directory the work touches. May be repeated.")] = ()
    uris: Annotated[tuple[str, ...], Meta(description="An object, by its whole identifier. May be repeated.")] = ()
    budget_tokens: Annotated[Count | None, Meta(description="The most tokens to select (24000).")] = None
    max_depth: Annotated[Count | None, Meta(description="How many relations away from the seeds (3).")] = None
    floor: Annotated[
        float | None, Meta(description="The least relevance, 0 to 1, of what is reached by relations (0.25).")
    ] = None
    all_blocking_rules: Annotated[bool | None, Meta(description="Add every blocking rule, reached or not.")] = None


class Discovery(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One way in which something was found. `via` is what it was found from; `weight` is the selector's or edge's."""

    selector: Selector
    reason: str
    via: str | None = None
    edge: str | None = None
    depth: Count
    confidence: float
    weight: float


class EntryProvenance(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Where an entry comes from; `bytes` is the size of the file."""

    path: str
    directory: str
    source_class: str
    section: str | None = None
    bytes: Count


class ContextEntry(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Something that was selected. Relevance and confidence are rounded to three decimals."""

    uri: str
    kind: str
    title: str | None = None
    provenance: EntryProvenance
    tier: Tier
    relevance: float
    confidence: float
    discovered_by: tuple[Discovery, ...]
    depth: Count
    cost_tokens: Count
    cost_bytes: Count
    version: str | None = None
    status: str | None = None
    required: bool
    facts: dict[str, str] = msgspec.field(default_factory=dict)


class Excluded(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Something that was reached and is not given, with the reason."""

    uri: str
    kind: str | None = None
    tier: Tier
    reason: ExclusionReason
    detail: str
    cost_tokens: Count
    relevance: float


class Deduplicated(Record, frozen=True, kw_only=True):
    """Several ways to one thing (`uri`), several things in one file (`path`), several versions (`identity`)."""

    kept: str
    dropped: tuple[str, ...]
    key: str
    detail: str
    paths: Count


class Conflict(Record, frozen=True, kw_only=True):
    """Two things that do not stand side by side: `current` stays."""

    current: str
    against: str
    kind: str
    detail: str


class TierSpend(Record, frozen=True, kw_only=True):
    """What a tier was given."""

    tier: Tier
    meaning: str
    selected: Count
    excluded: Count
    tokens: Count
    required: Count


class Budget(Record, frozen=True, kw_only=True):
    """The account, in tokens of four bytes. `over_budget`: what is required alone costs more than the limit."""

    limit_tokens: Count
    used_tokens: Count
    required_tokens: Count
    remaining_tokens: Count
    over_budget: bool
    bytes_per_token: Count
    tiers: tuple[TierSpend, ...]


class CommitReference(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A commit that a selected object names as evidence."""

    commit: str
    named_by: str
    covers: str | None = None


class GitContext(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Where the repository stands."""

    branch: str | None = None
    head: str | None = None
    working_tree: str
    commits: tuple[CommitReference, ...] = ()


class Seed(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What the request named."""

    uri: str
    kind: str
    from_: str = msgspec.field(name="from")
    resolved: str | None = None


class Diagnostic(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What a reader of the answer should know beside it."""

    severity: Severity
    code: str
    path: str | None = None
    message: str


class CompiledContext(Record, frozen=True, kw_only=True):
    """The answer of `devcontext.compile`: what work on this should be given, and why."""

    schema: Literal[1] = 1
    fingerprint: str
    git: GitContext
    seeds: tuple[Seed, ...]
    selected: tuple[ContextEntry, ...]
    excluded: tuple[Excluded, ...]
    deduplicated: tuple[Deduplicated, ...]
    conflicts: tuple[Conflict, ...]
    budget: Budget
    diagnostics: tuple[Diagnostic, ...]


class ExplainInput(DevContextInput, frozen=True, kw_only=True, omit_defaults=True):
    """A request, and the identifier whose standing in its answer is asked for."""

    uri: Annotated[str, Meta(description="The identifier to explain.")]


class Explanation(Record, frozen=True, kw_only=True, omit_defaults=True):
    """The standing of one identifier in the answer to a request."""

    uri: str
    standing: Standing
    detail: str
    entry: ContextEntry | None = None
    excluded: Excluded | None = None
    deduplicated: Deduplicated | None = None
    budget: Budget


class TierRule(Record, frozen=True, kw_only=True):
    """A tier: its position in the order of spending (from 1) and the kinds it holds."""

    tier: Tier
    position: Count
    meaning: str
    kinds: tuple[str, ...]


class EdgeRule(Record, frozen=True, kw_only=True, omit_defaults=True):
    """How a kind of edge is followed: weights in both directions, or why it is refused."""

    edge: Text
    meaning: str
    forward: float | None = None
    reverse: float | None = None
    refused: str | None = None


class SelectorRule(Record, frozen=True, kw_only=True):
    """A selector in rank order. `declared`: what it finds is written down somewhere, not inferred."""

    selector: Selector
    meaning: str
    declared: bool


class Defaults(Record, frozen=True, kw_only=True):
    """What holds when a request does not say."""

    budget_tokens: Count
    max_depth: Count
    floor: float
    bytes_per_token: Count


class DevContextPolicy(Record, frozen=True, kw_only=True):
    """The answer of `devcontext.policy`: the rules by which is selected."""

    schema: Literal[1] = 1
    graph: Literal["composed"] = "composed"
    tiers: tuple[TierRule, ...]
    edges: tuple[EdgeRule, ...]
    selectors: tuple[SelectorRule, ...]
    defaults: Defaults
