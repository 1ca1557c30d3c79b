"""Policy v1 where the published algorithm fails: its keys and its order, over the legal relation of needs.

Duties come from the proof; optional units are closed under dependencies and groups, and are admitted under the exact
price, so there is nothing to repair.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.duties import Duty
from contextc.core.compiler.ledger import (
    DETAIL_ALTERNATIVE,
    DETAIL_BLOCKED,
    DETAIL_BUDGET,
    DETAIL_REDUNDANT,
    DROPPED,
)
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.optional import Optional
from contextc.core.compiler.pool import DISCRETIONARY, MANDATORY, PREFERRED, Pool
from contextc.core.compiler.published import reject_gated
from contextc.core.compiler.rounds import Rounds


def admit(pool: Pool, needs: Needs, doomed: bytearray, duties: Sequence[Duty], least: Sequence[int]) -> Rounds:
    """Admit the cheapest legal set `least`, then what fits of the optional bands."""
    rounds = Rounds(pool, needs, pool.units, pool.limit - pool.pricing.base, doomed)
    reject_gated(rounds)
    commit_duties(rounds, duties, least)
    cluster = [c if len(needs.members[c]) > 1 else -1 for c in needs.comp]
    for band, detail in ((PREFERRED, "preferred-greedy"), (DISCRETIONARY, "discretionary-greedy")):
        Optional(rounds, band, detail, cluster, one_root=True).run()
    rounds.rows = [None if row is DROPPED else row for row in rounds.rows]
    judge_rest(rounds)
    return rounds


def commit_duties(rounds: Rounds, duties: Sequence[Duty], least: Sequence[int], inside: Sequence[int] = ()) -> None:
    """Commit each duty by the way that is taken, strongest first; then what `least` holds beside.

    `inside` is the whole bundle where that is known already; else the bundle so far is `least`.
    """
    pool, needs = rounds.pool, rounds.needs
    chosen = set(inside or least)
    for duty in duties:
        way = next(i for i in duty.ways if i in chosen)
        if not rounds.admitted[needs.comp[way]]:
            members = pool.groups[duty.key] if duty.kind == "group" else [way]
            rounds.commit(members, "mandatory" if duty.band == MANDATORY else "required")
    for i in least:
        if not rounds.admitted[needs.comp[i]]:
            rounds.commit([i], "required")


def roots(pool: Pool, members: Sequence[int], first: int) -> list[int]:
    """Who comes by itself when a component comes in: `first`, with the members of its required group."""
    group = pool.group[first]
    return [first] if group < 0 else [i for i in members if pool.group[i] == group]


def judge_rest(rounds: Rounds) -> None:
    """Give each undecided candidate the reason that is true of the final bundle."""
    pool, comp, rest = rounds.pool, rounds.needs.comp, rounds.rest
    costs = rounds.needs.marginals(rounds.admitted)
    for i, row in enumerate(rounds.rows):
        if row is not None:
            continue
        if rounds.taken[pool.content[i]]:
            rounds.reject((i,), "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
            continue
        cost = costs[comp[i]]
        if rounds.barred[comp[i]]:
            rounds.reject((i,), "REJECTED_DEPENDENCY", "dependency-blocked", DETAIL_BLOCKED, cost)
        elif cost > rest:
            rounds.reject((i,), "REJECTED_BUDGET", "budget", DETAIL_BUDGET, cost)
        else:
            rounds.reject((i,), "REJECTED_REDUNDANT", "no-earn", DETAIL_REDUNDANT, cost)
