"""The published algorithm (construction SPEC 4) with its quirks and its trace, without rescanning.

Its bundle need not be legal and its refusal need not be right: both are judged afterwards (`legal`, `settle`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from contextc.core.compiler.ledger import DETAIL_ALTERNATIVE, Rows
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.optional import Optional
from contextc.core.compiler.pool import DISCRETIONARY, MANDATORY, PREFERRED, REQUIRED, Pool
from contextc.core.compiler.repair import repair
from contextc.core.compiler.rounds import Rounds
from contextc.core.records.outcome import FailureReason


class Stop(NamedTuple):
    """A refusal of the published algorithm."""

    reason: FailureReason
    blocking: tuple[str, ...]
    diagnostic: str


class Published(NamedTuple):
    """What the published algorithm ends in: items in layout order, or where it stopped; the trace; what was spent."""

    stop: Stop | None
    items: list[int]
    rows: Rows
    used: int


def published(pool: Pool, needs: Needs) -> Published:
    """Run it. `needs` is the relation of `depends_on` alone, weighed in declared tokens."""
    if pool.missing:
        absent = ", ".join(pool.missing)
        ghosts = Stop(
            "REQUIRED_SOURCE_UNAVAILABLE", tuple(pool.missing), f"explicitly required candidates absent: {absent}"
        )
        return Published(ghosts, [], [None] * pool.size, 0)
    refused = bytearray(len(needs.members))
    needs.above([needs.comp[i] for i, gate in enumerate(pool.gate) if gate is not None], refused)
    rounds = Rounds(pool, needs, pool.tokens, pool.budget, refused)
    reject_gated(rounds)
    stop = _mandatory(rounds) or _required(rounds)
    items: list[int] = []
    if stop is None:
        for band, detail in ((PREFERRED, "preferred-greedy"), (DISCRETIONARY, "discretionary-greedy")):
            Optional(rounds, band, detail, pool.group).run()
        rounds.close()
        left = repair(rounds)
        if left is None:
            held = tuple([pool.ids[i] for i, row in enumerate(rounds.rows) if row and row.decision == "ADMITTED"])
            stop = Stop("INSUFFICIENT_BUDGET", held, "rendered cost exceeds the budget and nothing more can be removed")
        else:
            items = left
    return Published(stop, items, rounds.rows, pool.budget - rounds.rest)


def reject_gated(rounds: Rounds) -> None:
    """Record every candidate that fails a gate (step 2)."""
    for i, gate in enumerate(rounds.pool.gate):
        if gate is not None:
            rounds.reject((i,), "REJECTED_HARD", gate.code, gate.detail(rounds.pool.candidates[i]))


def _mandatory(rounds: Rounds) -> Stop | None:
    """Each content with a MANDATORY form, ascending (step 3)."""
    pool = rounds.pool
    for content in sorted({pool.content[i] for i, band in enumerate(pool.band) if band == MANDATORY}):
        if rounds.taken[content]:
            continue
        forms = [i for i in pool.forms[content] if pool.band[i] == MANDATORY]
        ids, name = tuple([pool.ids[i] for i in forms]), f"mandatory {pool.contents[content]}"
        legal = [i for i in forms if pool.gate[i] is None]
        if not legal:
            if all(gate is not None and gate.name == "floor" for gate in [pool.gate[i] for i in forms]):
                return Stop("NO_LEGAL_REPRESENTATION", ids, f"{name}: all forms violate floor")
            return Stop("REQUIRED_INELIGIBLE", ids, f"{name}: no form is eligible")
        units = {i: pool.groups[pool.group[i]] if pool.group[i] >= 0 else [i] for i in legal}
        stop = _first_affordable(rounds, legal, units, "mandatory", ids, name)
        if stop is not None:
            return stop
    return None


def _required(rounds: Rounds) -> Stop | None:
    """Units are collected once: groups first, then single candidates by content (step 4)."""
    pool = rounds.pool
    groups: dict[int, list[int]] = {}
    singles: dict[int, list[int]] = {}
    for i, band in enumerate(pool.band):
        if band == REQUIRED and rounds.rows[i] is None and not rounds.taken[pool.content[i]]:
            if pool.group[i] >= 0:
                groups.setdefault(pool.group[i], []).append(i)
            else:
                singles.setdefault(pool.content[i], []).append(i)
    for group, unit in groups.items():
        if rounds.blocked(unit) or rounds.marginal(unit) > rounds.rest:
            ids = tuple([pool.ids[i] for i in unit])
            return Stop(
                "UNRESOLVED_REQUIRED_GROUP", ids, f"required group {pool.group_name(group)} cannot be admitted whole"
            )
        rounds.commit(unit, "required")
    for content in sorted(singles):
        if rounds.taken[content]:
            continue
        forms = singles[content]
        ids = tuple([pool.ids[i] for i in forms])
        units = {i: [i] for i in forms}
        stop = _first_affordable(rounds, forms, units, "required", ids, f"required {pool.contents[content]}")
        if stop is not None:
            return stop
        displaced = [i for i in forms if rounds.rows[i] is None]
        rounds.reject(displaced, "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
    return None


def _first_affordable(
    rounds: Rounds, forms: Sequence[int], units: dict[int, list[int]], detail: str, ids: tuple[str, ...], name: str
) -> Stop | None:
    """Commit the unit of the cheapest affordable form; a blocked one ends the search."""
    pool = rounds.pool
    costs = [(rounds.marginal((i,)), i) for i in forms]
    for cost, form in sorted(costs):
        unit = units[form]
        if (cost if len(unit) == 1 else rounds.marginal(unit)) > rounds.rest:
            continue
        if rounds.blocked(unit):
            diagnostic = f"{name}: a dependency is ineligible or collides"
            return Stop("UNSATISFIED_DEPENDENCY", (pool.ids[form],), diagnostic)
        rounds.commit(unit, detail)
        return None
    return Stop("INSUFFICIENT_BUDGET", ids, f"{name} closure exceeds remaining budget")
