"""A careful forger: the outcome for any set of items, written so that everything agrees but the rules.

Items are in policy order, positions, layout and hash are those of the items, the stated cost is their sum, and the
trace admits each of them at its price with remainders that add up. Only what the rules say of the set is left to tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.oracle import cost

from contextc.core.records.bundle import Bundle, Item
from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import bundle_hash
from contextc.core.records.outcome import Failure, FailureReason, Outcome, Result, Witness
from contextc.core.records.trace import Trace, TraceEntry


def forge(case: Case, ids: Sequence[str]) -> Outcome:
    """A success that holds exactly these candidates, whatever the outcome was."""
    chosen = arranged(case, ids)
    items = [replace(_item(case, c), position=place) for place, c in enumerate(chosen)]
    return written(case, items, chosen)


def written(case: Case, items: Sequence[Item], chosen: Sequence[Candidate]) -> Outcome:
    """These very items in this order, with hash, layout, cost and trace to match."""
    request = case.request
    declared = case.pricing if case.pricing.counter != "declared" else None
    entries = _entries(case, [c.candidate_id for c in chosen])
    return Outcome(
        result=Result(
            request_id=request.request_id,
            policy_version=request.policy_version,
            success=True,
            trace=Trace(request_id=request.request_id, policy_version=request.policy_version, entries=tuple(entries)),
            bundle_id=f"{request.request_id}-bundle",
            bundle_hash=bundle_hash(items),
            bundle_tokens=cost(chosen, request, declared),
        ),
        bundle=Bundle(
            id=f"{request.request_id}-bundle",
            items=tuple(items),
            layout_trace=tuple(item.id for item in items),
            created_at=request.created_at,
            evidence_class="synthetic" if request.policy_version == "compiler-policy-v1" else "compiled",
        ),
    )


def refused(case: Case, witness: Witness, reason: FailureReason) -> Outcome:
    """A refusal with this witness, its trace as of one that decided nothing."""
    request = case.request
    start = case.pricing.limit(request.usable_token_budget) - case.pricing.base
    entries = []
    for entry in _entries(case, []):
        if entry.decision != "REJECTED_HARD":
            entry = replace(entry, decision="UNDECIDED", reason_code="undecided", marginal_cost=0)
            entry = replace(entry, reason_detail="refused before this was decided")
        entries.append(replace(entry, budget_before=start, budget_after=start))
    return Outcome(
        result=Result(
            request_id=request.request_id,
            policy_version=request.policy_version,
            success=False,
            trace=Trace(request_id=request.request_id, policy_version=request.policy_version, entries=tuple(entries)),
            failure=Failure(
                request_id=request.request_id,
                policy_version=request.policy_version,
                reason=reason,
                blocking_ids=_blocking(case, witness),
                diagnostic="made up",
                budget_total=request.usable_token_budget,
                budget_used=0,
            ),
        ),
        witness=witness,
    )


def _blocking(case: Case, witness: Witness) -> tuple[str, ...]:
    """Those whom a careful forger blames: what the witness speaks of."""
    if witness.kind == "missing":
        return witness.ids
    blamed = {o.candidate_id for o in witness.obstacles}
    for c in case.candidates:
        strong = c.requirement in ("MANDATORY", "REQUIRED") or c.candidate_id in case.request.required_ids
        if witness.kind == "contradiction" and strong and c.content_identity in witness.ids:
            blamed.add(c.candidate_id)
    return tuple(sorted(blamed))


def arranged(case: Case, ids: Sequence[str]) -> list[Candidate]:
    """These candidates in policy order: by role and id; under v2 a required group together, where its first is."""
    roles = case.policy.order_roles
    chosen = [c for c in case.candidates if c.candidate_id in set(ids)]

    def place(c: Candidate) -> tuple[int, str]:
        return (roles.index(c.order_role) if c.order_role in roles else len(roles)), c.candidate_id

    def first(c: Candidate) -> tuple[int, str]:
        if case.policy.policy_version == "compiler-policy-v1" or not c.group_required or c.group_id is None:
            return place(c)
        return min(place(other) for other in chosen if other.group_required and other.group_id == c.group_id)

    return sorted(chosen, key=lambda c: (first(c), place(c)))


def _item(case: Case, c: Candidate) -> Item:
    alone = [c]
    if case.policy.policy_version == "compiler-policy-v1":
        empty = cost([], case.request, None)
        return Item(
            id=c.candidate_id,
            content=c.content,
            kind=c.kind,
            source=c.source_kind,
            position=0,
            token_count=cost(alone, case.request, None) - empty,
            token_provenance="approximation",
        )
    return Item(
        id=c.candidate_id,
        content=c.content,
        kind=c.kind,
        source=c.source_kind,
        position=0,
        token_count=case.pricing.tokens(case.pricing.items[c.candidate_id]),
        token_provenance=case.pricing.counter,
        ref=c.source_ref,
    )


def _entries(case: Case, ids: Sequence[str]) -> list[TraceEntry]:
    """Every candidate of the set admitted by itself, one after the other; the others rejected as well as can be."""
    left = case.pricing.limit(case.request.usable_token_budget) - case.pricing.base
    start = left
    entries: dict[str, TraceEntry] = {}
    by_id = {c.candidate_id: c for c in case.candidates}
    for place, name in enumerate(ids):
        units = case.pricing.items[name]
        entries[name] = replace(
            _entry(case, by_id[name], units),
            decision="ADMITTED",
            reason_code="admitted",
            reason_detail=_band(case, by_id[name]).lower(),
            budget_before=left,
            budget_after=left - units,
            position=place,
        )
        left -= units
    contents = {by_id[name].content_identity for name in ids}
    for name, c in by_id.items():
        if name not in entries:
            entries[name] = _rejected(case, c, contents, start, left)
    return [entries[name] for name in sorted(entries)]


def _rejected(case: Case, c: Candidate, contents: set[str], start: int, left: int) -> TraceEntry:
    gates = (
        ("scope_ineligible", c.scope_eligible, c.scope_reason),
        ("freshness_ineligible", c.freshness_eligible, c.freshness_reason),
        ("authority_ineligible", c.authority_eligible, c.authority_reason),
        ("illegal_representation", c.form_rank >= c.min_rank, f"form_rank {c.form_rank} below floor {c.min_rank}"),
    )
    for code, passed, reason in gates:
        if not passed:
            return replace(
                _entry(case, c, 0),
                decision="REJECTED_HARD",
                reason_code=code,
                reason_detail=reason,
                budget_before=start,
                budget_after=start,
            )
    if c.content_identity in contents:
        return replace(
            _entry(case, c, 0),
            decision="REJECTED_ALTERNATIVE",
            reason_code="alternative_selected",
            reason_detail="another form of this content admitted",
            budget_before=left,
            budget_after=left,
        )
    return replace(_entry(case, c, case.pricing.items[c.candidate_id]), budget_before=left, budget_after=left)


def _entry(case: Case, c: Candidate, units: int) -> TraceEntry:
    return TraceEntry(
        candidate_id=c.candidate_id,
        content_identity=c.content_identity,
        representation_id=c.representation_id,
        decision="REJECTED_BUDGET",
        reason_code="budget",
        reason_detail="unit exceeds remaining budget",
        priority_band=_band(case, c),
        relevance=c.relevance,
        marginal_cost=units,
        dependency_closure=_closure(case, c),
        pulled_in_by=(),
        budget_before=0,
        budget_after=0,
        position=None,
    )


def _band(case: Case, c: Candidate) -> str:
    weak = c.requirement in ("PREFERRED", "DISCRETIONARY")
    return "REQUIRED" if weak and c.candidate_id in case.request.required_ids else c.requirement


def _closure(case: Case, c: Candidate) -> tuple[str, ...]:
    by_id = {other.candidate_id: other for other in case.candidates}
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in found:
            found[name] = None
            for needed in by_id[name].depends_on:
                visit(needed)

    visit(c.candidate_id)
    return tuple(name for name in found if name != c.candidate_id)
