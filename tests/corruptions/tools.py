"""What the kinds of damage are made with, and the table they enter themselves in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.forge import forge

from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import bundle_hash
from contextc.core.records.outcome import Outcome
from contextc.core.records.trace import TraceEntry

Damage = Callable[[Case], Case | None]
KINDS: dict[str, tuple[Damage, tuple[str, ...]]] = {}

#: A budget in which every set of candidates of a case fits.
AMPLE = 1_000_000


def kind(*codes: str) -> Callable[[Damage], Damage]:
    """Enters a kind of damage in the table under the words of its name."""

    def enter(damage: Damage) -> Damage:
        KINDS[damage.__name__.strip("_").replace("_", " ")] = (damage, codes)
        return damage

    return enter


def with_outcome(case: Case, outcome: Outcome) -> Case:
    return replace(case, outcome=outcome)


def with_result(case: Case, **changes: Any) -> Case:
    return with_outcome(case, replace(case.outcome, result=replace(case.outcome.result, **changes)))


def with_failure(case: Case, **changes: Any) -> Case | None:
    failure = case.outcome.result.failure
    return None if failure is None else with_result(case, failure=replace(failure, **changes))


def with_witness(case: Case, **changes: Any) -> Case | None:
    witness = case.outcome.witness
    return None if witness is None else with_outcome(case, replace(case.outcome, witness=replace(witness, **changes)))


def with_bundle(case: Case, **changes: Any) -> Case | None:
    bundle = case.outcome.bundle
    return None if bundle is None else with_outcome(case, replace(case.outcome, bundle=replace(bundle, **changes)))


def with_first_item(case: Case, **changes: Any) -> Case | None:
    """Another first item, and the hash of the items to match."""
    bundle = case.outcome.bundle
    if bundle is None or not bundle.items:
        return None
    items = (replace(bundle.items[0], **changes), *bundle.items[1:])
    changed = with_bundle(case, items=items)
    assert changed is not None
    return with_result(changed, bundle_hash=bundle_hash(items))


def entries(case: Case) -> tuple[TraceEntry, ...]:
    return case.outcome.result.trace.entries


def with_entries(case: Case, new: list[TraceEntry]) -> Case:
    return with_result(case, trace=replace(case.outcome.result.trace, entries=tuple(new)))


def with_entry(case: Case, choose: Callable[[TraceEntry], bool], **changes: Any) -> Case | None:
    """Another entry in the place of the first one that is chosen."""
    for place, entry in enumerate(entries(case)):
        if choose(entry):
            new = list(entries(case))
            new[place] = replace(entry, **changes)
            return with_entries(case, new)
    return None


def anyone(entry: TraceEntry) -> bool:
    return True


def decided(decision: str) -> Callable[[TraceEntry], bool]:
    return lambda entry: entry.decision == decision


def item_ids(case: Case) -> list[str] | None:
    bundle = case.outcome.bundle
    return None if bundle is None else [item.id for item in bundle.items]


def roomy(case: Case) -> Case:
    return replace(case, request=replace(case.request, usable_token_budget=AMPLE))


def forged(case: Case, ids: list[str]) -> Case:
    roomier = roomy(case)
    return with_outcome(roomier, forge(roomier, ids))


def due(case: Case) -> dict[str, list[Candidate]]:
    """Contents with a MANDATORY or REQUIRED form, by declared or lifted band."""
    found: dict[str, list[Candidate]] = {}
    for c in case.candidates:
        if c.requirement in ("MANDATORY", "REQUIRED") or c.candidate_id in case.request.required_ids:
            found.setdefault(c.content_identity, []).append(c)
    return found


def passes(c: Candidate) -> bool:
    return c.scope_eligible and c.freshness_eligible and c.authority_eligible and c.form_rank >= c.min_rank
