"""Policy v1 where the published algorithm fails: its keys and its order, over the legal relation of needs.

Duties come from the proof; optional units are closed under dependencies and groups, and are admitted under the exact
price, so there is nothing to repair.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.duties import Duty
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
        Optional(rounds, band, detail, cluster).run()
    rounds.close()
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
