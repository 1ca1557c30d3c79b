"""`pulled_in_by`: who came by itself, and who because another needed it.

Those admitted together (same remainder before and after) are a unit. Its roots have an empty `pulled_in_by`: one
candidate, or members of one required group. Everybody else names the roots that needed it. A root needs another if
a path of dependencies leads there, or of dependencies and required groups; which of the roots of one group are named
for the latter is left to the compiler, since the members of a group need each other anyway.
"""

from __future__ import annotations

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach
from contextc.core.checker.ledger import Ledger, spends
from contextc.core.checker.listing import Entries
from contextc.core.checker.report import Notes

#: Nodes that may be visited for each candidate and need in explaining units. Only a group of many members that all
#: depend on one another in a row comes near it; what lies beyond is left open.
VISITS = 60


def check_causes(facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
    """The causes given are admitted, in one unit with what they caused, and really need it."""
    for entry in entries.values():
        if entry.pulled_in_by and not spends(entry):
            _object(entry.candidate_id, "was not admitted", notes)
    visits = VISITS * (facts.size + sum(map(len, facts.needs)))
    for unit in ledger.units:
        roots = _roots(facts, entries, unit, notes)
        if len(unit) > len(roots) > 0:
            visits -= _check_pulled(facts, entries, unit, roots, visits, notes)
    for number in ledger.free:
        _check_free(facts, entries, ledger, number, notes)
    if visits < 0:
        notes.leave_open("trace.pulled_in_by", "$.result.trace.entries", "too many paths to follow them all")


def _object(name: str, message: str, notes: Notes) -> None:
    notes.object("trace.pulled_in_by", f"$.result.trace.entries[{name}].pulled_in_by", message)


def _roots(facts: Facts, entries: Entries, unit: list[int], notes: Notes) -> list[int]:
    """The roots of a unit; none, with an objection, when they are not one candidate or fellows of one group."""
    roots = [n for n in unit if not entries[n].pulled_in_by]
    if not roots:
        _object(facts.id(unit[0]), "nobody of those admitted with it came by itself", notes)
        return []
    groups = {facts.group_of[n] for n in roots}
    if len(roots) > 1 and (len(groups) > 1 or None in groups):
        _object(facts.id(roots[-1]), f"as if {facts.id(roots[0])!r}, admitted with it, had not needed it", notes)
        return []
    bands = {facts.band(n).lower() for n in roots}
    for number in unit:
        entry = entries[number]
        if entry.decision == "ADMITTED" and entry.reason_detail.partition("-")[0] not in bands:
            path = f"$.result.trace.entries[{entry.candidate_id}].reason_detail"
            notes.object("trace.reason", path, f"the unit came for its band {', '.join(sorted(bands))}")
    return roots


def _check_pulled(facts: Facts, entries: Entries, unit: list[int], roots: list[int], visits: int, notes: Notes) -> int:
    """Judges all of a unit but its roots; gives the number of nodes visited."""
    inside = set(unit)
    inside.update(facts.group_node[group] for n in unit if (group := facts.group_of[n]) is not None)
    reached = reach(facts.needs, roots[:1], inside)  # fellows of one group reach the same
    used = len(reached)
    needed_by: dict[int, list[str]] = {}
    for root in roots:
        if used > visits:
            return used
        direct = reach(facts.dependencies, [root], inside) if len(roots) > 1 else {root}
        used += len(direct)
        for number in direct - {root}:
            needed_by.setdefault(number, []).append(facts.id(root))
    names = [facts.id(root) for root in roots]
    for number in unit:
        causes = entries[number].pulled_in_by
        if not causes:
            continue
        if number not in reached:
            _object(facts.id(number), "nobody admitted with it needs it", notes)
        elif list(causes) != [name for name in names if name in set(causes)]:
            _object(facts.id(number), f"expected, ascending and once each, of {', '.join(names)}", notes)
        elif not set(causes).issuperset(needed_by.get(number, ())):
            _object(facts.id(number), f"expected {', '.join(needed_by[number])}", notes)
        used += len(causes)
    return used


def _check_free(facts: Facts, entries: Entries, ledger: Ledger, number: int, notes: Notes) -> None:
    """An admission at no cost: units cannot be told apart, so only that each cause was admitted then and needs it."""
    entry = entries[number]
    for name in entry.pulled_in_by:
        cause = facts.number.get(name, -1)
        if ledger.after.get(cause) != entry.budget_after:
            _object(entry.candidate_id, f"{name!r} was not admitted with it", notes)
        elif cause == number or number not in reach(facts.needs, [cause]):
            _object(entry.candidate_id, f"{name!r} does not need it", notes)
