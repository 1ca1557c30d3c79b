"""`pulled_in_by`: who came by itself, and who because another needed it."""

from __future__ import annotations

from contextc.core.checker.facts import Facts
from contextc.core.checker.graph import reach
from contextc.core.checker.ledger import Ledger, spends
from contextc.core.checker.listing import Entries
from contextc.core.checker.report import Notes

#: Steps of walks that explain entries, per candidate and need. A unit of k roots over a chain costs k times the chain;
#: beyond the limit the rest is left open.
STEPS = 60


def check_causes(facts: Facts, entries: Entries, ledger: Ledger, notes: Notes) -> None:
    """Each unit has a root: one candidate, or members of one required group; all others are there for the roots."""
    budget = STEPS * (facts.size + sum(map(len, facts.needs)))
    for entry in entries.values():
        if not spends(entry) and entry.pulled_in_by:
            _object(entry.candidate_id, "was not admitted", notes)
    for unit in ledger.units:
        budget -= _check_unit(facts, entries, unit, notes)
        if budget < 0:
            notes.leave_open(
                "trace.pulled_in_by", "$.result.trace", "too many walks; the later units were not followed"
            )
            return
    for number in ledger.free:
        _check_free(facts, entries, number, notes)


def _object(name: str, message: str, notes: Notes) -> None:
    notes.object("trace.pulled_in_by", f"$.result.trace.entries[{name}].pulled_in_by", message)


def _check_unit(facts: Facts, entries: Entries, unit: list[int], notes: Notes) -> int:
    """Check the candidates that were admitted in one step; gives the steps it took."""
    roots = [n for n in unit if not entries[n].pulled_in_by]
    if not roots:
        _object(facts.id(unit[0]), "nobody of those admitted with it came by itself", notes)
        return len(unit)
    groups = {facts.group_of[n] for n in roots}
    if len(roots) > 1 and (len(groups) > 1 or None in groups):
        _object(facts.id(roots[1]), f"came by itself although {facts.id(roots[0])!r} was admitted in that step", notes)
        return len(unit)
    if len(unit) == len(roots):
        return len(unit)
    pulled = [n for n in unit if entries[n].pulled_in_by]
    ways = _ways(facts)
    reached = [{root: reach(edges, [root]) for root in roots} for edges in ways]
    for number in pulled:
        due = [tuple([facts.id(r) for r in roots if number in by_root[r]]) for by_root in reached]
        if entries[number].pulled_in_by not in [names for names in due if names]:
            _object(facts.id(number), f"expected {list(due[-1])}, the roots of its step that need it", notes)
    return len(unit) + sum(len(seen) for by_root in reached for seen in by_root.values())


def _ways(facts: Facts) -> list[list[list[int]]]:
    """What a root may pull in: what it needs; the published way of policy v1 followed dependencies alone."""
    if facts.policy.policy_version == "compiler-policy-v1":
        return [facts.dependencies, facts.needs]
    return [facts.needs]


def _check_free(facts: Facts, entries: Entries, number: int, notes: Notes) -> None:
    """A candidate that cost nothing: at which step it came cannot be told, only that its causes need it."""
    for name in entries[number].pulled_in_by:
        root = facts.number.get(name)
        if root is None or root not in entries or not spends(entries[root]) or number not in reach(facts.needs, [root]):
            _object(facts.id(number), f"{name!r} was not admitted or does not need it", notes)
