"""Refusals: that the witness proves them, by other means than it was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from contextc.core.checker import arithmetic
from contextc.core.checker.facts import Facts, failed_gates, gate_reason
from contextc.core.checker.feasibility import check_members
from contextc.core.checker.frontier import Duty, Least, duties_of, least_legal, least_units
from contextc.core.checker.graph import reach
from contextc.core.checker.report import Notes
from contextc.core.records.outcome import Failure, Obstacle, Outcome, Witness

PATH = "$.witness"

#: Which reasons a failure may give with a witness of a kind. A required group that is too large is
#: UNRESOLVED_REQUIRED_GROUP in the published way (construction SPEC 4, step 4), which the budget proves.
REASONS: dict[str, tuple[str, ...]] = {
    "missing": ("REQUIRED_SOURCE_UNAVAILABLE",),
    "gated": ("REQUIRED_INELIGIBLE", "NO_LEGAL_REPRESENTATION", "UNRESOLVED_REQUIRED_GROUP"),
    "blocked": ("UNSATISFIED_DEPENDENCY", "UNRESOLVED_REQUIRED_GROUP"),
    "contradiction": ("UNSATISFIED_DEPENDENCY", "UNRESOLVED_REQUIRED_GROUP"),
    "budget": ("INSUFFICIENT_BUDGET", "UNRESOLVED_REQUIRED_GROUP"),
    "unproved": ("INSUFFICIENT_BUDGET",),
}


#: What a witness of a kind says beside its ids. Anything more would be read by people and proved by nobody.
SAYS: dict[str, tuple[str, ...]] = {
    "missing": (),
    "gated": ("obstacles",),
    "blocked": ("obstacles",),
    "contradiction": (),
    "budget": ("least_budget", "bundle_ids"),
    "unproved": ("lower_bound", "cap"),
}


def check_refusal(facts: Facts, outcome: Outcome, notes: Notes) -> None:
    """The witness of a refusal, and that the failure's reason is what it proves."""
    failure, witness = outcome.result.failure, outcome.witness
    if failure is None or witness is None:
        return  # the envelope has objected already
    _check_reason(facts, failure, witness, notes)
    _check_blocking(facts, failure, witness, notes)
    _check_fields(witness, notes)
    CHECKS[witness.kind](facts, witness, notes)


def _check_reason(facts: Facts, failure: Failure, witness: Witness, notes: Notes) -> None:
    path = "$.result.failure"
    if failure.reason not in REASONS[witness.kind]:
        notes.object("witness", f"{path}.reason", f"{failure.reason} is not what a witness {witness.kind!r} proves")
    if witness.kind == "gated" and failure.reason != "UNRESOLVED_REQUIRED_GROUP":
        floor = all(obstacle.gate == "floor" for obstacle in witness.obstacles)
        due = "NO_LEGAL_REPRESENTATION" if floor else "REQUIRED_INELIGIBLE"
        if failure.reason != due:
            notes.object("witness", f"{path}.reason", f"expected {due} by the gates that fail")
    if failure.budget_used > failure.budget_total:
        notes.object("witness", f"{path}.budget_used", "more than the budget")


def _check_blocking(facts: Facts, failure: Failure, witness: Witness, notes: Notes) -> None:
    """Those said to block are what the witness speaks of; a lack of budget can be blamed on any candidates.

    The published way blames where it stopped, which under v1 need not be the obligation that is proved hopeless.
    """
    path = "$.result.failure.blocking_ids"
    names = failure.blocking_ids
    if names != tuple(sorted(set(names))):
        notes.object("witness", path, "expected ascending, once each")
    if witness.kind == "missing":
        known = set(witness.ids)
    elif witness.kind in ("budget", "unproved") or facts.policy.policy_version == "compiler-policy-v1":
        known = set(facts.number)
    else:
        duties = [duty for duty in duties_of(facts) if duty.name in witness.ids]
        known = {facts.id(n) for duty in duties for n in _part_of(facts, duty)}
    for name in names:
        if name not in known:
            notes.object("witness", path, f"{name!r} is not of what the witness speaks of")
    if not names and witness.kind not in ("budget", "unproved"):
        notes.object("witness", path, "expected those that are in the way")


def _check_fields(witness: Witness, notes: Notes) -> None:
    """Ids ascending and once each; no field that belongs to another kind of witness."""
    for field in ("ids", "bundle_ids"):
        names = getattr(witness, field)
        if names != tuple(sorted(set(names))):
            notes.object("witness", f"{PATH}.{field}", "expected ascending, once each")
    for field in sorted({name for said in SAYS.values() for name in said} - set(SAYS[witness.kind])):
        if getattr(witness, field) not in (None, ()):
            notes.object("witness", f"{PATH}.{field}", f"does not belong to a witness {witness.kind!r}")
    if witness.ids and witness.kind in ("budget", "unproved"):
        notes.object("witness", f"{PATH}.ids", f"a witness {witness.kind!r} speaks of no obligation in particular")


def _part_of(facts: Facts, duty: Duty) -> Sequence[int]:
    """The candidates an obligation speaks of: its ways, or all members of its group."""
    return facts.groups[duty.name] if duty.group else duty.ways


def _check_missing(facts: Facts, witness: Witness, notes: Notes) -> None:
    absent = tuple(sorted({name for name in facts.request.required_ids if name not in facts.number}))
    if not absent or tuple(sorted(witness.ids)) != absent:
        notes.object("witness.missing", f"{PATH}.ids", f"the required ids that nobody has are {list(absent)}")


def _check_obstacles(facts: Facts, witness: Witness, notes: Notes) -> None:
    """Some obligation of that name has every one of its ways blocked by an obstacle that is there."""
    standing = {o.candidate_id for o in witness.obstacles if _stands(facts, o, notes)}
    given = [facts.number.get(o.candidate_id, -1) for o in witness.obstacles]
    named = [duty for duty in duties_of(facts) if (duty.name,) == witness.ids]
    if not named:
        notes.object("witness.obstacles", f"{PATH}.ids", f"{list(witness.ids)} is no obligation of the request")
    elif not any(_covered(facts, duty, standing) for duty in named):
        notes.object("witness.obstacles", f"{PATH}.obstacles", "a way to meet the obligation has no obstacle")
    elif len(set(given)) < len(given) or not any(set(given).issubset(_part_of(facts, duty)) for duty in named):
        notes.object("witness.obstacles", f"{PATH}.obstacles", "expected one for each way, and none beside them")
    single = all(len(o.path) == 1 and o.gate != "form-clash" for o in witness.obstacles)
    if (witness.kind == "gated") != single:
        notes.object("witness.obstacles", f"{PATH}.kind", "gated is when every way fails a gate itself, else blocked")


def _covered(facts: Facts, duty: Duty, standing: set[str]) -> bool:
    if duty.group:
        return any(facts.id(n) in standing for n in _part_of(facts, duty))
    return all(facts.id(n) in standing for n in duty.ways)


def _stands(facts: Facts, obstacle: Obstacle, notes: Notes) -> bool:
    """Whether an obstacle is a fact: its path is one of needs, and at its end something is in the way."""
    fault = _fault(facts, obstacle)
    if fault:
        notes.object("witness.obstacles", f"{PATH}.obstacles[{obstacle.candidate_id}]", fault)
    return not fault


def _fault(facts: Facts, obstacle: Obstacle) -> str:
    numbers = [facts.number.get(name, -1) for name in (*obstacle.path, obstacle.at)]
    if not obstacle.path or min(numbers) < 0:
        return "its path names something that is no candidate"
    if obstacle.path[0] != obstacle.candidate_id or obstacle.path[-1] != obstacle.at:
        return "its path does not lead from the candidate to the place in the way"
    for here, there in pairwise(numbers[:-1]):
        together = facts.group_of[here] is not None and facts.group_of[here] == facts.group_of[there]
        if there not in facts.dependencies[here] and not together:
            return f"{facts.id(here)!r} does not need {facts.id(there)!r}"
    at = numbers[-1]
    if obstacle.gate == "form-clash":
        return _clash_fault(facts, obstacle, numbers[0], at)
    if obstacle.other is not None:
        return "only a clash of forms has another candidate"
    if obstacle.gate not in failed_gates(facts.pool[at]):
        return f"{obstacle.at!r} does not fail the gate {obstacle.gate}"
    if obstacle.reason != gate_reason(facts.pool[at], obstacle.gate):
        return f"the gate's own reason is {gate_reason(facts.pool[at], obstacle.gate)!r}"
    return ""


def _clash_fault(facts: Facts, obstacle: Obstacle, start: int, at: int) -> str:
    other = facts.number.get(obstacle.other or "", -1)
    if other < 0 or other == at:
        return "a clash of forms needs two"
    if facts.pool[other].content_identity != facts.pool[at].content_identity:
        return f"{obstacle.at!r} and {obstacle.other!r} are not forms of one content"
    if other not in reach(facts.needs, [start]):
        return f"{obstacle.other!r} is not needed"
    reason = f"shares its content {facts.pool[at].content_identity} with {obstacle.other}, which is needed as well"
    return "" if obstacle.reason == reason else f"expected the reason {reason!r}"


def _check_contradiction(facts: Facts, witness: Witness, notes: Notes) -> None:
    """The obligations that are named, without any other, cannot be met together."""
    duties = duties_of(facts)
    if not witness.ids or not {duty.name for duty in duties}.issuperset(witness.ids):
        notes.object("witness.contradiction", f"{PATH}.ids", "names something that is no obligation")
        return
    found = least_units(facts, [duty for duty in duties if duty.name in witness.ids])
    if found.units is not None:
        notes.object("witness.contradiction", PATH, "these obligations can be met together")
    elif found.capped:
        notes.leave_open("witness.contradiction", PATH, f"not settled within {found.capped}")


def _check_budget(facts: Facts, witness: Witness, notes: Notes) -> None:
    numbers = [facts.number.get(name, -1) for name in witness.bundle_ids]
    if witness.least_budget is None or min(numbers, default=0) < 0:
        notes.object("witness.budget", PATH, "without a least budget, or with an item that is no candidate")
        return
    check_members(facts, numbers, notes, f"{PATH}.bundle_ids")
    cost = arithmetic.in_tokens(arithmetic.bundle_units(numbers, facts), facts.pricing)
    if cost != witness.least_budget:
        notes.object("witness.budget", f"{PATH}.least_budget", f"its items cost {cost} tokens")
    if witness.least_budget <= facts.request.usable_token_budget:
        notes.object("witness.budget", f"{PATH}.least_budget", "fits into the budget that was refused")
    least = _least_tokens(facts, notes, "witness.budget")
    if least is not None and least < witness.least_budget:
        notes.object("witness.budget", f"{PATH}.least_budget", f"a legal bundle costs {least} tokens")


def _check_unproved(facts: Facts, witness: Witness, notes: Notes) -> None:
    if not witness.cap or witness.lower_bound is None:
        notes.object("witness.unproved", PATH, "without the cap that stopped the search, or without a bound")
        return
    least = _least_tokens(facts, notes, "witness.unproved")
    if least is None:
        return
    if least < witness.lower_bound:
        notes.object("witness.unproved", f"{PATH}.lower_bound", f"a legal bundle costs {least} tokens")
    if least <= facts.request.usable_token_budget:
        notes.object("witness.unproved", PATH, f"a legal bundle of {least} tokens exists and fits")


def _least_tokens(facts: Facts, notes: Notes, code: str) -> int | None:
    """Tokens of the cheapest legal bundle, or of a cheap one, with a note, where a cap left open which is cheapest.
    None, with a note, when there is none at all or nothing is known."""
    duties = duties_of(facts)
    found = least_units(facts, duties) if duties else _undue(facts)
    sums = [] if found.units is None else [facts.pricing.base + found.units]
    if not duties:
        sums.append(facts.pricing.empty)
    if found.capped:
        notes.leave_open(code, PATH, f"not settled within {found.capped}")
    elif not sums:
        notes.object(code, PATH, "no legal bundle exists at any budget, for another reason than this one")
    return arithmetic.in_tokens(min(sums), facts.pricing) if sums else None


def _undue(facts: Facts) -> Least:
    """Where nothing is due: something can cost less than nothing only if the empty rendering has a longer frame."""
    return least_legal(facts) if facts.pricing.empty > facts.pricing.base else Least()


CHECKS: dict[str, Callable[[Facts, Witness, Notes], None]] = {
    "missing": _check_missing,
    "gated": _check_obstacles,
    "blocked": _check_obstacles,
    "contradiction": _check_contradiction,
    "budget": _check_budget,
    "unproved": _check_unproved,
}
