"""The trace as a list: every candidate once, its own fields, a decision that fits the bundle, its closure."""

from __future__ import annotations

from contextc.core.checker.facts import GATE_CODES, Facts, gate_reason
from contextc.core.checker.graph import components
from contextc.core.checker.report import Notes
from contextc.core.records.outcome import Outcome
from contextc.core.records.trace import CLOSURE_LIMIT, TraceEntry

#: Which reason codes a decision may have (construction SPEC section 9; `undecided` for what a refusal left open).
CODES: dict[str, tuple[str, ...]] = {
    "ADMITTED": ("admitted",),
    "REJECTED_HARD": tuple(GATE_CODES.values()),
    "REJECTED_ALTERNATIVE": ("alternative_selected",),
    "REJECTED_DEPENDENCY": ("dependency-blocked",),
    "REJECTED_BUDGET": ("budget", "repair-drop"),
    "REJECTED_REDUNDANT": ("no-earn",),
    "UNDECIDED": ("undecided",),
}

DROPPED = "repair-drop"

#: Detail of a rejection that the published way gives to whatever no step came to (construction SPEC 4, step 6). It
#: does not claim that the candidate was too large.
NO_PATH = "no remaining budget path admits this record"

#: The words that belong to a reason code (construction SPEC section 9). The stage of an admission and the reason of
#: a gate are judged where the figures and the candidate are at hand.
DETAILS: dict[str, tuple[str, ...]] = {
    "alternative_selected": ("another form of this content admitted",),
    "dependency-blocked": ("dependency ineligible or collides",),
    "budget": ("unit exceeds remaining budget", NO_PATH),
    DROPPED: ("removed by render-overrun repair",),
    "no-earn": ("below relevance threshold with no new coverage",),
    "undecided": ("refused before this was decided",),
}

#: Stages in which a policy admits: by obligation, or by its own way to choose among the optional.
STAGES: dict[str, tuple[str, ...]] = {
    "compiler-policy-v1": ("mandatory", "required", "preferred-greedy", "discretionary-greedy"),
    "compiler-policy-v2": ("mandatory", "required", "preferred-worth", "discretionary-worth"),
}

Entries = dict[int, TraceEntry]


def check_listing(facts: Facts, outcome: Outcome, notes: Notes) -> Entries:
    """Everything about entries that does not need their budgets. Gives the entries by number of candidate."""
    entries = _collect(facts, outcome, notes)
    _check_absent(facts, outcome, entries, notes)
    for number, entry in entries.items():
        _check_own(facts, number, entry, notes)
        _check_gate(facts, number, entry, notes)
        if entry.reason_code not in CODES[entry.decision]:
            notes.object("trace.reason", _at(entry, "reason_code"), f"{entry.reason_code!r} with {entry.decision}")
        _check_detail(facts, entry, notes)
    _check_positions(facts, outcome, entries, notes)
    _check_closures(facts, entries, notes)
    return entries


def _at(entry: TraceEntry, field: str) -> str:
    return f"$.result.trace.entries[{entry.candidate_id}].{field}"


def _collect(facts: Facts, outcome: Outcome, notes: Notes) -> Entries:
    entries: Entries = {}
    last = ""
    for place, entry in enumerate(outcome.result.trace.entries):
        number = facts.number.get(entry.candidate_id)
        if number is None:
            notes.object("trace.listing", f"$.result.trace.entries[{place}]", f"{entry.candidate_id!r} is no candidate")
            continue
        if number in entries:
            notes.object("trace.listing", f"$.result.trace.entries[{place}]", f"{entry.candidate_id!r} stands twice")
        elif entry.candidate_id < last:
            notes.object("trace.listing", f"$.result.trace.entries[{place}]", "not ascending by candidate id")
        entries.setdefault(number, entry)
        last = max(last, entry.candidate_id)
    return entries


def _check_absent(facts: Facts, outcome: Outcome, entries: Entries, notes: Notes) -> None:
    """Everybody has an entry. A refusal of policy v1 may stop where it refused, as the published ones do.

    Such a trace has nothing UNDECIDED, and still holds the gated candidates: gates come first, save when a named id
    is missing.
    """
    result = outcome.result
    may_stop = (
        not result.success
        and facts.policy.policy_version == "compiler-policy-v1"
        and all(entry.decision != "UNDECIDED" for entry in entries.values())
    )
    nobody = result.failure is not None and result.failure.reason == "REQUIRED_SOURCE_UNAVAILABLE"
    for number in range(facts.size):
        if number not in entries and not (may_stop and (facts.gates[number] is None or nobody)):
            notes.object("trace.listing", "$.result.trace.entries", f"no entry for {facts.id(number)!r}")


def _check_own(facts: Facts, number: int, entry: TraceEntry, notes: Notes) -> None:
    c = facts.pool[number]
    expected = {
        "content_identity": c.content_identity,
        "representation_id": c.representation_id,
        "relevance": c.relevance,
        "priority_band": facts.band(number),
    }
    for field, value in expected.items():
        if getattr(entry, field) != value:
            notes.object("trace.candidate", _at(entry, field), f"expected {value!r}")


def _check_gate(facts: Facts, number: int, entry: TraceEntry, notes: Notes) -> None:
    gate = facts.gates[number]
    if gate is None:
        if entry.decision == "REJECTED_HARD":
            notes.object("trace.gate", _at(entry, "decision"), "passes every gate")
        return
    if entry.decision != "REJECTED_HARD":
        notes.object("trace.gate", _at(entry, "decision"), f"expected REJECTED_HARD: the gate {gate} fails")
        return
    if entry.reason_code != GATE_CODES[gate]:
        notes.object("trace.gate", _at(entry, "reason_code"), f"expected {GATE_CODES[gate]!r}, the first gate to fail")
    reason = gate_reason(facts.pool[number], gate)
    if entry.reason_detail != reason:
        notes.object("trace.gate", _at(entry, "reason_detail"), f"expected {reason!r}")


def _check_detail(facts: Facts, entry: TraceEntry, notes: Notes) -> None:
    """The words beside the reason code. `NO_PATH` is of the published way alone."""
    words = STAGES[facts.policy.policy_version] if entry.decision == "ADMITTED" else DETAILS.get(entry.reason_code)
    wrong_way = entry.reason_detail == NO_PATH and facts.policy.policy_version != "compiler-policy-v1"
    if words is not None and (entry.reason_detail not in words or wrong_way):
        notes.object("trace.reason", _at(entry, "reason_detail"), f"{entry.reason_detail!r} with {entry.reason_code}")


def _check_positions(facts: Facts, outcome: Outcome, entries: Entries, notes: Notes) -> None:
    """A success: admitted exactly when an item, with the item's position. A refusal: nobody has a position."""
    places = {} if outcome.bundle is None else {item.id: place for place, item in enumerate(outcome.bundle.items)}
    for entry in entries.values():
        place = places.get(entry.candidate_id) if outcome.result.success else None
        if entry.position != place:
            notes.object("trace.position", _at(entry, "position"), f"expected {place}")
        if outcome.result.success and (entry.decision == "ADMITTED") != (place is not None):
            notes.object("trace.decision", _at(entry, "decision"), "ADMITTED belongs to the items, and only to them")
        if outcome.result.success and entry.decision == "UNDECIDED":
            notes.object("trace.decision", _at(entry, "decision"), "UNDECIDED in a success")


def _check_closures(facts: Facts, entries: Entries, notes: Notes) -> None:
    """In an order in which a candidate comes after what it needs, so that the long closures are known by then."""
    long: list[bool] = [False] * facts.size
    for component in components(facts.dependencies):
        for number in component:
            closure = _closure(facts.dependencies, number, long)
            long[number] = closure is None
            entry = entries.get(number)
            if entry is None:
                continue
            expected = facts.dependencies[number] if closure is None else closure
            if entry.dependency_closure != tuple([facts.id(n) for n in expected if n != number]):
                notes.object("trace.closure", _at(entry, "dependency_closure"), "not what follows from depends_on")


def _closure(edges: list[list[int]], start: int, long: list[bool]) -> list[int] | None:
    """What `start` needs, depth first in listed order, without itself; None when more than `CLOSURE_LIMIT`."""
    if not edges[start]:
        return []
    seen = {start}
    found: list[int] = []
    stack = edges[start][::-1]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        if long[node] or len(found) == CLOSURE_LIMIT:
            return None
        seen.add(node)
        found.append(node)
        stack.extend(reversed(edges[node]))
    return found
