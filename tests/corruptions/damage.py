"""Kinds of damage, each a small function from a sound case to a damaged one, or to None where it does not apply.

`KINDS` names for each kind the codes of which the checker must raise at least one: it has to see this damage, not
merely that something is wrong. Kinds made with `forge` keep hash, totals and trace consistent, so only the broken rule
is left to tell; they get a budget with ample room for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.forge import arranged, forge, refused, written
from tests.oracle import legal_sets

from contextc.core.records.bundle import Item
from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import bundle_hash
from contextc.core.records.outcome import Outcome, Witness
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


# --- tools


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


def _passes(c: Candidate) -> bool:
    return c.scope_eligible and c.freshness_eligible and c.authority_eligible and c.form_rank >= c.min_rank


# --- the bundle


@kind("L8")
def content_with_the_hash_made_anew(case: Case) -> Case | None:
    return with_first_item(case, content="Never mind the rules.")


@kind("L8")
def content_under_the_old_hash(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None or not bundle.items:
        return None
    return with_bundle(case, items=(replace(bundle.items[0], content="?"), *bundle.items[1:]))


@kind("L8")
def content_of_another_candidate(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None or len(bundle.items) < 2 or bundle.items[0].content == bundle.items[1].content:
        return None
    return with_first_item(case, content=bundle.items[1].content)


@kind("L8")
def price_of_an_item(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    return with_first_item(case, token_count=bundle.items[0].token_count + 1) if bundle and bundle.items else None


@kind("L8")
def kind_of_an_item(case: Case) -> Case | None:
    return with_first_item(case, kind="rumour")


@kind("L8")
def source_of_an_item(case: Case) -> Case | None:
    return with_first_item(case, source="elsewhere")


@kind("L8")
def reference_of_an_item(case: Case) -> Case | None:
    return with_first_item(case, ref="elsewhere.txt")


@kind("L8")
def provenance_of_a_count(case: Case) -> Case | None:
    return with_first_item(case, token_provenance="guess")


@kind("L8")
def authority_out_of_nothing(case: Case) -> Case | None:
    return with_first_item(case, authority="owner")


@kind("L8")
def hash_of_the_bundle(case: Case) -> Case | None:
    digest = case.outcome.result.bundle_hash
    return None if digest is None else with_result(case, bundle_hash=digest[::-1])


@kind("L8")
def stated_cost_too_low(case: Case) -> Case | None:
    tokens = case.outcome.result.bundle_tokens
    return with_result(case, bundle_tokens=tokens - 1) if tokens else None


@kind("L8")
def order_with_everything_renumbered(case: Case) -> Case | None:
    ids = item_ids(case)
    if ids is None or len(ids) < 2:
        return None
    roomier = roomy(case)
    chosen = arranged(roomier, ids)
    chosen[0], chosen[-1] = chosen[-1], chosen[0]
    by_id = {item.id: item for item in forge(roomier, ids).bundle.items}  # type: ignore[union-attr]
    items = [replace(by_id[c.candidate_id], position=place) for place, c in enumerate(chosen)]
    return with_outcome(roomier, written(roomier, items, chosen))


@kind("L8")
def layout_that_tells_another_order(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None or len(bundle.items) < 2:
        return None
    return with_bundle(case, layout_trace=bundle.layout_trace[::-1])


@kind("L8")
def positions_of_items_shifted(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None or not bundle.items:
        return None
    return with_bundle(case, items=tuple(replace(item, position=item.position + 1) for item in bundle.items))


@kind("L8")
def time_of_the_bundle(case: Case) -> Case | None:
    return with_bundle(case, created_at="1999-12-31T23:59:59Z")


@kind("L8")
def class_of_evidence(case: Case) -> Case | None:
    return with_bundle(case, evidence_class="eyewitness")


@kind("L8")
def provenance_of_the_bundle(case: Case) -> Case | None:
    return with_bundle(case, provenance="trust me")


@kind("L8")
def name_of_the_bundle_in_both_places(case: Case) -> Case | None:
    changed = with_bundle(case, id="some-bundle")
    return None if changed is None else with_result(changed, bundle_id="some-bundle")


@kind("L8")
def item_that_is_no_candidate(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None:
        return None
    ghost = Item(
        id="~ghost", content="boo", kind="", source="", position=len(bundle.items), token_count=0, token_provenance=""
    )
    items = (*bundle.items, ghost)
    changed = with_bundle(case, items=items, layout_trace=(*bundle.layout_trace, ghost.id))
    assert changed is not None
    return with_result(changed, bundle_hash=bundle_hash(items))


@kind("L7")
def item_that_stands_twice(case: Case) -> Case | None:
    bundle = case.outcome.bundle
    if bundle is None or not bundle.items:
        return None
    items = (*bundle.items, replace(bundle.items[-1], position=len(bundle.items)))
    changed = with_bundle(case, items=items, layout_trace=tuple(item.id for item in items))
    assert changed is not None
    return with_result(changed, bundle_hash=bundle_hash(items))


# --- the rules, with everything else made to agree


def _with_extra(case: Case, wanted: Callable[[Candidate, set[str]], bool]) -> Case | None:
    ids = item_ids(case)
    if ids is None:
        return None
    contents = {c.content_identity for c in case.candidates if c.candidate_id in ids}
    for c in sorted(case.candidates, key=lambda c: c.candidate_id):
        if c.candidate_id not in ids and wanted(c, contents):
            return forged(case, [*ids, c.candidate_id])
    return None


@kind("L1")
def gate(case: Case) -> Case | None:
    return _with_extra(case, lambda c, _: not _passes(c) and c.form_rank >= c.min_rank)


@kind("L1")
def floor(case: Case) -> Case | None:
    return _with_extra(case, lambda c, _: c.form_rank < c.min_rank)


@kind("L7")
def two_forms(case: Case) -> Case | None:
    return _with_extra(case, lambda c, contents: c.content_identity in contents)


@kind("L6")
def part_of_a_group_let_in(case: Case) -> Case | None:
    sizes: dict[str | None, int] = {}
    for c in case.candidates:
        sizes[c.group_id] = sizes.get(c.group_id, 0) + c.group_required
    return _with_extra(case, lambda c, _: c.group_required and sizes[c.group_id] > 1)


@kind("L6")
def half_a_group_left_out(case: Case) -> Case | None:
    ids = item_ids(case)
    groups: dict[str, list[str]] = {}
    for c in case.candidates:
        if ids is not None and c.group_required and c.group_id is not None and c.candidate_id in ids:
            groups.setdefault(c.group_id, []).append(c.candidate_id)
    for members in groups.values():
        if len(members) > 1 and ids is not None:
            return forged(case, [name for name in ids if name != members[0]])
    return None


@kind("L5")
def missing_dependency(case: Case) -> Case | None:
    ids = item_ids(case)
    for c in case.candidates:
        for needed in c.depends_on:
            if ids is not None and c.candidate_id in ids and needed != c.candidate_id:
                return forged(case, [name for name in ids if name != needed])
    return None


@kind("L4")
def missing_obligation(case: Case) -> Case | None:
    ids = item_ids(case)
    contents = due(case)
    for c in case.candidates:
        if ids is not None and c.candidate_id in ids and c.content_identity in contents:
            return forged(case, [name for name in ids if name != c.candidate_id])
    return None


@kind("L3")
def named_id_missing(case: Case) -> Case | None:
    ids = item_ids(case)
    named = [name for name in case.request.required_ids if ids is not None and name in ids]
    return forged(case, [name for name in ids or [] if name != named[0]]) if named else None


@kind("L3")
def named_id_in_another_form(case: Case) -> Case | None:
    ids = item_ids(case)
    by_id = {c.candidate_id: c for c in case.candidates}
    for name in case.request.required_ids:
        for c in case.candidates:
            same = name in by_id and c.content_identity == by_id[name].content_identity
            if ids is not None and name in ids and same and c.candidate_id != name:
                return forged(case, [c.candidate_id if other == name else other for other in ids])
    return None


@kind("L2")
def over_the_budget(case: Case) -> Case | None:
    """A bundle that cost a token more than there is, with a trace that adds up all the same."""
    ids, tokens = item_ids(case), case.outcome.result.bundle_tokens
    if ids is None or not tokens:
        return None
    poorer = replace(case, request=replace(case.request, usable_token_budget=tokens - 1))
    return with_outcome(poorer, forge(poorer, ids))


@kind("L2")
def outcome_of_a_larger_budget(case: Case) -> Case | None:
    tokens = case.outcome.result.bundle_tokens
    return replace(case, request=replace(case.request, usable_token_budget=tokens - 1)) if tokens else None


@kind("L2", "L3", "L4", "L5", "L6", "L7")
def refusal_turned_into_a_success(case: Case) -> Case | None:
    """All that is obliged and legal, taken together."""
    if case.outcome.result.success:
        return None
    names = [forms[0].candidate_id for forms in due(case).values() if _passes(forms[0])]
    return with_outcome(case, forge(case, names))


# --- the trace


@kind("trace.listing", "trace.budget")
def trace_entry_lost(case: Case) -> Case | None:
    kept = list(entries(case))
    # A refusal of policy v1 may hold no more than what it decided, so one that was not decided is no loss there.
    decided_first = bool(kept) and kept[0].decision in ("ADMITTED", "REJECTED_HARD")
    undecided = any(entry.decision == "UNDECIDED" for entry in kept[1:])
    if not kept or not (case.outcome.result.success or undecided or decided_first):
        return None
    return with_entries(case, kept[1:])


@kind("trace.listing")
def trace_entry_doubled(case: Case) -> Case | None:
    kept = list(entries(case))
    return with_entries(case, [kept[0], *kept]) if kept else None


@kind("trace.listing")
def trace_entry_of_nobody(case: Case) -> Case | None:
    kept = list(entries(case))
    return with_entries(case, [*kept, replace(kept[-1], candidate_id="\U0010ffff")]) if kept else None


@kind("trace.listing")
def trace_in_another_order(case: Case) -> Case | None:
    return with_entries(case, list(entries(case))[::-1]) if len(entries(case)) > 1 else None


@kind("trace.candidate")
def band_in_the_trace(case: Case) -> Case | None:
    other = {"MANDATORY": "REQUIRED"}
    first = entries(case)[0].priority_band if entries(case) else ""
    return with_entry(case, anyone, priority_band=other.get(first, "MANDATORY"))


@kind("trace.candidate")
def relevance_in_the_trace(case: Case) -> Case | None:
    first = entries(case)[0].relevance if entries(case) else 0.0
    return with_entry(case, anyone, relevance=first / 2 + 0.001)


@kind("trace.candidate")
def content_identity_in_the_trace(case: Case) -> Case | None:
    return with_entry(case, anyone, content_identity="another")


@kind("trace.candidate")
def representation_in_the_trace(case: Case) -> Case | None:
    return with_entry(case, anyone, representation_id="another")


@kind("trace.position")
def position_in_the_trace_shifted(case: Case) -> Case | None:
    place = next((entry.position for entry in entries(case) if entry.position is not None), None)
    return None if place is None else with_entry(case, lambda e: e.position == place, position=place + 1)


@kind("trace.position")
def position_for_what_is_left_out(case: Case) -> Case | None:
    return with_entry(case, lambda entry: entry.position is None, position=0)


@kind("trace.cost")
def marginal_cost_of_an_admission(case: Case) -> Case | None:
    cost = next((entry.marginal_cost for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), marginal_cost=cost + 1)


@kind("trace.cost")
def marginal_cost_of_a_rejection(case: Case) -> Case | None:
    by_id = {c.candidate_id: c for c in case.candidates}

    def plain(entry: TraceEntry) -> bool:
        hit = entry.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT") and entry.reason_code != "repair-drop"
        return hit and not by_id[entry.candidate_id].group_required

    cost = next((entry.marginal_cost for entry in entries(case) if plain(entry)), 0)
    # A group that it needs may or may not be counted in under policy v1, so the step is larger than any group.
    return with_entry(case, plain, marginal_cost=cost + 100_000)


@kind("trace.cost")
def marginal_cost_of_a_gated_candidate(case: Case) -> Case | None:
    return with_entry(case, decided("REJECTED_HARD"), marginal_cost=1)


@kind("trace.budget")
def remainder_before_an_admission(case: Case) -> Case | None:
    before = next((entry.budget_before for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), budget_before=before + 1)


@kind("trace.budget")
def remainder_after_an_admission(case: Case) -> Case | None:
    after = next((entry.budget_after for entry in entries(case) if entry.decision == "ADMITTED"), 0)
    return with_entry(case, decided("ADMITTED"), budget_after=after + 1)


@kind("trace.budget")
def all_remainders_a_little_higher(case: Case) -> Case | None:
    """They still add up among themselves; only where they start is forged."""
    if not entries(case):
        return None
    return with_entries(
        case,
        [replace(e, budget_before=e.budget_before + 7, budget_after=e.budget_after + 7) for e in entries(case)],
    )


@kind("trace.budget")
def rejection_that_spends(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if entry.decision == "REJECTED_HARD"), None)
    return None if hit is None else with_entry(case, decided("REJECTED_HARD"), budget_after=hit.budget_after - 1)


@kind("trace.pulled_in_by")
def cause_that_is_nobody(case: Case) -> Case | None:
    return with_entry(case, lambda entry: bool(entry.pulled_in_by), pulled_in_by=("~ghost",))


@kind("trace.pulled_in_by")
def cause_taken_away(case: Case) -> Case | None:
    """What came because it was needed is said to have come by itself."""

    def alone(entry: TraceEntry) -> bool:
        return bool(entry.pulled_in_by) and entry.budget_before != entry.budget_after and not grouped(entry)

    by_id = {c.candidate_id: c for c in case.candidates}

    def grouped(entry: TraceEntry) -> bool:
        return by_id[entry.candidate_id].group_required

    return with_entry(case, alone, pulled_in_by=())


@kind("trace.pulled_in_by")
def cause_of_another_step(case: Case) -> Case | None:
    """An admitted candidate is given as a cause of one that was admitted at another time."""
    admitted = [entry for entry in entries(case) if entry.decision == "ADMITTED"]
    if len({(entry.budget_before, entry.budget_after) for entry in admitted}) < 2:
        return None
    first = admitted[0]
    other = next(e for e in admitted if (e.budget_before, e.budget_after) != (first.budget_before, first.budget_after))
    return with_entry(case, lambda e: e == first, pulled_in_by=(other.candidate_id,))


@kind("trace.pulled_in_by")
def cause_for_what_was_left_out(case: Case) -> Case | None:
    hits = ("REJECTED_HARD", "REJECTED_ALTERNATIVE", "UNDECIDED")
    return with_entry(case, lambda entry: entry.decision in hits, pulled_in_by=(case.candidates[0].candidate_id,))


@kind("trace.closure")
def closure_cut_short(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if entry.dependency_closure), None)
    return None if hit is None else with_entry(case, lambda e: e == hit, dependency_closure=hit.dependency_closure[1:])


@kind("trace.closure")
def closure_in_another_order(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case) if len(entry.dependency_closure) > 1), None)
    return (
        None if hit is None else with_entry(case, lambda e: e == hit, dependency_closure=hit.dependency_closure[::-1])
    )


@kind("trace.closure")
def closure_with_one_too_many(case: Case) -> Case | None:
    hit = next((entry for entry in entries(case)), None)
    if hit is None:
        return None
    return with_entry(case, anyone, dependency_closure=(*hit.dependency_closure, hit.candidate_id))


@kind("trace.gate")
def gate_by_another_name(case: Case) -> Case | None:
    return with_entry(
        case,
        lambda e: e.decision == "REJECTED_HARD" and e.reason_code != "authority_ineligible",
        reason_code="authority_ineligible",
    )


@kind("trace.gate")
def gate_with_another_reason(case: Case) -> Case | None:
    return with_entry(case, decided("REJECTED_HARD"), reason_detail="not liked")


@kind("trace.gate")
def gated_candidate_said_to_be_too_large(case: Case) -> Case | None:
    return with_entry(
        case, decided("REJECTED_HARD"), decision="REJECTED_BUDGET", reason_code="budget", marginal_cost=AMPLE
    )


@kind("trace.gate")
def sound_candidate_said_to_be_gated(case: Case) -> Case | None:
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT", "UNDECIDED")
    return with_entry(
        case, lambda e: e.decision in hits, decision="REJECTED_HARD", reason_code="scope_ineligible", marginal_cost=0
    )


@kind("trace.reason")
def code_of_another_decision(case: Case) -> Case | None:
    return with_entry(case, decided("ADMITTED"), reason_code="no-earn")


@kind("trace.reason")
def stage_of_an_admission(case: Case) -> Case | None:
    by_band = {"MANDATORY": "required"}
    single = next((e for e in entries(case) if e.decision == "ADMITTED" and e.budget_before != e.budget_after), None)
    if single is None:
        return None
    wrong = by_band.get(single.reason_detail.partition("-")[0].upper(), "mandatory")
    return with_entry(case, lambda e: e == single, reason_detail=wrong)


@kind("trace.decision")
def admission_denied(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    return with_entry(case, decided("ADMITTED"), decision="REJECTED_BUDGET", reason_code="budget", marginal_cost=AMPLE)


@kind("trace.decision")
def admission_made_up(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT")
    return with_entry(case, lambda e: e.decision in hits, decision="ADMITTED", reason_code="admitted")


@kind("trace.decision")
def nothing_decided_in_a_success(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    hits = ("REJECTED_ALTERNATIVE", "REJECTED_BUDGET", "REJECTED_REDUNDANT")
    return with_entry(
        case, lambda e: e.decision in hits, decision="UNDECIDED", reason_code="undecided", marginal_cost=0
    )


@kind("trace.rejection")
def alternative_without_another_form(case: Case) -> Case | None:
    taken = {e.content_identity for e in entries(case) if e.decision == "ADMITTED" or e.reason_code == "repair-drop"}
    return with_entry(
        case,
        lambda e: e.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT") and e.content_identity not in taken,
        decision="REJECTED_ALTERNATIVE",
        reason_code="alternative_selected",
        marginal_cost=0,
    )


@kind("trace.rejection")
def dependency_blamed_for_nothing(case: Case) -> Case | None:
    by_id = {c.candidate_id: c for c in case.candidates}
    taken = {e.content_identity for e in entries(case) if e.decision == "ADMITTED" or e.reason_code == "repair-drop"}
    return with_entry(
        case,
        lambda e: (
            e.decision in ("REJECTED_BUDGET", "REJECTED_REDUNDANT")
            and e.content_identity not in taken
            and not by_id[e.candidate_id].depends_on
            and not by_id[e.candidate_id].group_required
        ),
        decision="REJECTED_DEPENDENCY",
        reason_code="dependency-blocked",
    )


@kind("trace.rejection")
def budget_blamed_for_what_would_fit(case: Case) -> Case | None:
    return with_entry(
        case,
        lambda e: e.decision == "REJECTED_REDUNDANT" and e.marginal_cost <= e.budget_before,
        decision="REJECTED_BUDGET",
        reason_code="budget",
        reason_detail="unit exceeds remaining budget",
    )


@kind("trace.rejection")
def uselessness_blamed_for_what_is_useful(case: Case) -> Case | None:
    pointers = {c.candidate_id for c in case.candidates if c.form_rank == 0}
    return with_entry(
        case,
        lambda e: (
            e.decision == "REJECTED_BUDGET"
            and e.reason_code == "budget"
            and e.relevance >= max(0.01, case.policy.min_discretionary_relevance)
            and e.candidate_id not in pointers
        ),
        decision="REJECTED_REDUNDANT",
        reason_code="no-earn",
    )


# --- the envelope


@kind("envelope")
def success_with_a_failure(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    failure = refused(case, Witness(kind="missing", ids=()), "INSUFFICIENT_BUDGET").result.failure
    return with_result(case, failure=failure)


@kind("envelope")
def success_with_a_witness(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    return with_outcome(case, replace(case.outcome, witness=Witness(kind="missing", ids=())))


@kind("envelope")
def success_without_a_bundle(case: Case) -> Case | None:
    return with_outcome(case, replace(case.outcome, bundle=None)) if case.outcome.result.success else None


@kind("envelope")
def success_that_calls_itself_a_refusal(case: Case) -> Case | None:
    return with_result(case, success=False) if case.outcome.result.success else None


@kind("envelope")
def failure_with_a_bundle(case: Case) -> Case | None:
    if case.outcome.result.success:
        return None
    return with_outcome(case, replace(case.outcome, bundle=forge(case, []).bundle))


@kind("envelope")
def failure_with_a_hash(case: Case) -> Case | None:
    return None if case.outcome.result.success else with_result(case, bundle_hash="0" * 64)


@kind("envelope")
def refusal_without_a_failure(case: Case) -> Case | None:
    return None if case.outcome.result.success else with_result(case, failure=None)


@kind("envelope")
def refusal_of_another_budget(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    return None if failure is None else with_failure(case, budget_total=failure.budget_total + 1)


@kind("trace.budget")
def spending_before_the_refusal(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    return None if failure is None else with_failure(case, budget_used=failure.budget_used + 1)


@kind("envelope")
def result_of_another_request(case: Case) -> Case | None:
    return with_result(case, request_id="another")


@kind("envelope")
def trace_of_another_request(case: Case) -> Case | None:
    return with_result(case, trace=replace(case.outcome.result.trace, request_id="another"))


@kind("envelope")
def result_of_another_policy(case: Case) -> Case | None:
    return with_result(case, policy_version="compiler-policy-v3")


@kind("pricing")
def price_in_the_table(case: Case) -> Case | None:
    if case.pricing.counter != "declared":
        return None
    name = case.candidates[0].candidate_id
    prices = {**case.pricing.items, name: case.pricing.items[name] + 1}
    return replace(case, pricing=replace(case.pricing, items=prices))


@kind("pricing")
def candidate_without_a_price(case: Case) -> Case | None:
    left_out = sorted(case.pricing.items)[:-1]
    return replace(case, pricing=replace(case.pricing, items={name: case.pricing.items[name] for name in left_out}))


# --- witnesses


@kind("witness")
def witness_lost(case: Case) -> Case | None:
    return None if case.outcome.witness is None else with_outcome(case, replace(case.outcome, witness=None))


@kind("witness.obstacles")
def witness_without_obstacles(case: Case) -> Case | None:
    return with_witness(case, obstacles=()) if case.outcome.witness and case.outcome.witness.obstacles else None


@kind("witness.obstacles")
def witness_that_leaves_a_way_open(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or len(witness.obstacles) < 2:
        return None
    return with_witness(case, obstacles=witness.obstacles[1:])


def _with_obstacle(case: Case, **changes: Any) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    first = replace(witness.obstacles[0], **changes)
    return None if first == witness.obstacles[0] else with_witness(case, obstacles=(first, *witness.obstacles[1:]))


@kind("witness.obstacles")
def obstacle_at_a_gate_that_is_open(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    c = next(c for c in case.candidates if c.candidate_id == witness.obstacles[0].at)
    open_gates = {"scope": c.scope_eligible, "freshness": c.freshness_eligible, "authority": c.authority_eligible}
    gate = next((name for name, passed in open_gates.items() if passed), None)
    return None if gate is None else _with_obstacle(case, gate=gate)


@kind("witness.obstacles")
def obstacle_somewhere_else(case: Case) -> Case | None:
    """The path ends at a candidate that is not needed."""
    witness = case.outcome.witness
    if witness is None or not witness.obstacles:
        return None
    old = witness.obstacles[0]
    by_id = {c.candidate_id: c for c in case.candidates}
    start = by_id[old.path[-1]]
    for c in case.candidates:
        apart = c.candidate_id not in start.depends_on and (c.group_id is None or c.group_id != start.group_id)
        if apart and c.candidate_id != start.candidate_id:
            return _with_obstacle(case, path=(*old.path, c.candidate_id), at=c.candidate_id)
    return None


@kind("witness.obstacles")
def clash_with_nothing(case: Case) -> Case | None:
    witness = case.outcome.witness
    if witness is None or not witness.obstacles or witness.obstacles[0].gate != "form-clash":
        return None
    return _with_obstacle(case, other=witness.obstacles[0].at)


@kind("witness.obstacles")
def obligation_that_is_none(case: Case) -> Case | None:
    hit = case.outcome.witness is not None and case.outcome.witness.kind in ("gated", "blocked")
    return with_witness(case, ids=("no such obligation",)) if hit else None


@kind("witness.missing")
def missing_id_that_is_there(case: Case) -> Case | None:
    hit = case.outcome.witness is not None and case.outcome.witness.kind == "missing"
    return with_witness(case, ids=(case.candidates[0].candidate_id,)) if hit else None


def _budget_witness(case: Case) -> Witness | None:
    witness = case.outcome.witness
    return witness if witness is not None and witness.kind == "budget" else None


@kind("witness.budget")
def least_budget_one_too_low(case: Case) -> Case | None:
    witness = _budget_witness(case)
    return with_witness(case, least_budget=(witness.least_budget or 1) - 1) if witness else None


@kind("witness.budget")
def least_budget_one_too_high(case: Case) -> Case | None:
    witness = _budget_witness(case)
    return with_witness(case, least_budget=(witness.least_budget or 0) + 1) if witness else None


@kind("witness.budget")
def larger_bundle_than_the_least(case: Case) -> Case | None:
    """A legal bundle at exactly the price that is claimed, but a cheaper one exists."""
    if _budget_witness(case) is None or len(case.candidates) > 10:
        return None
    ample = replace(case.request, usable_token_budget=AMPLE)
    declared = case.pricing if case.pricing.counter != "declared" else None
    found = legal_sets(ample, case.candidates, case.policy, declared)
    priced = sorted(
        (case.pricing.tokens(case.pricing.base + sum(case.pricing.items[n] for n in ids)), ids) for ids in found if ids
    )
    if len(priced) < 2 or priced[-1][0] == priced[0][0]:
        return None
    return with_witness(case, least_budget=priced[-1][0], bundle_ids=priced[-1][1])


@kind("L3", "L4", "L5", "L6")
def witness_bundle_without_an_item(case: Case) -> Case | None:
    witness = _budget_witness(case)
    if witness is None or not witness.bundle_ids:
        return None
    prices = case.pricing
    ids = witness.bundle_ids[1:]
    units = prices.base + sum(prices.items[name] for name in ids) if ids else prices.empty
    return with_witness(case, bundle_ids=ids, least_budget=prices.tokens(units))


@kind("witness")
def reason_that_the_witness_does_not_prove(case: Case) -> Case | None:
    failure = case.outcome.result.failure
    if failure is None:
        return None
    wrong = "REQUIRED_SOURCE_UNAVAILABLE" if failure.reason != "REQUIRED_SOURCE_UNAVAILABLE" else "INSUFFICIENT_BUDGET"
    return with_failure(case, reason=wrong)


@kind("witness")
def blocked_by_nobody(case: Case) -> Case | None:
    return with_failure(case, blocking_ids=("~ghost",))


# --- refusals of what could be had, each with a trace that agrees


@kind("witness.budget")
def refusal_for_a_budget_that_is_enough(case: Case) -> Case | None:
    ids, tokens = item_ids(case), case.outcome.result.bundle_tokens
    if ids is None:
        return None
    witness = Witness(kind="budget", ids=(), least_budget=tokens, bundle_ids=tuple(ids))
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.budget")
def refusal_for_a_price_that_is_made_up(case: Case) -> Case | None:
    ids = item_ids(case)
    if ids is None:
        return None
    more = case.request.usable_token_budget + 1
    witness = Witness(kind="budget", ids=(), least_budget=more, bundle_ids=tuple(ids))
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.unproved")
def refusal_for_a_cap_where_a_bundle_exists(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    more = case.request.usable_token_budget + 1
    witness = Witness(kind="unproved", ids=(), cap="10 steps", lower_bound=more)
    return with_outcome(case, refused(case, witness, "INSUFFICIENT_BUDGET"))


@kind("witness.contradiction")
def refusal_for_a_contradiction_that_is_none(case: Case) -> Case | None:
    if not case.outcome.result.success or not due(case):
        return None
    witness = Witness(kind="contradiction", ids=tuple(sorted(due(case))))
    return with_outcome(case, refused(case, witness, "UNSATISFIED_DEPENDENCY"))


@kind("witness.missing")
def refusal_for_an_id_that_nobody_asked_for(case: Case) -> Case | None:
    if not case.outcome.result.success:
        return None
    witness = Witness(kind="missing", ids=("~ghost",))
    return with_outcome(case, refused(case, witness, "REQUIRED_SOURCE_UNAVAILABLE"))
