"""The trace of a fill (policy v2): each admission replayed in a readable order, each rejection with a reason that is
true of the final bundle.

Local improvement has no order a reader could follow. What is inside is admitted again, duties first, then band by
band and by falling relevance, each with all it needs; the remainders add up to what is left in the end. The rest is
judged against the final selection.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.admission import commit_duties
from contextc.core.compiler.duties import Duty
from contextc.core.compiler.ledger import (
    DETAIL_ALTERNATIVE,
    DETAIL_BLOCKED,
    DETAIL_BUDGET,
    DETAIL_REDUNDANT,
    Rows,
)
from contextc.core.compiler.pool import PREFERRED, REQUIRED
from contextc.core.compiler.published import reject_gated
from contextc.core.compiler.rounds import Rounds
from contextc.core.compiler.selection import Selection

DETAIL_FILL = ("mandatory", "required", "preferred-worth", "discretionary-worth")


def account(selection: Selection, doomed: bytearray, duties: Sequence[Duty], rest: int) -> Rows:
    """Rows for every candidate of the pool; `rest` is the remainder before anything was admitted."""
    pool, needs = selection.pool, selection.needs
    rounds = Rounds(pool, needs, pool.units, rest, doomed)
    reject_gated(rounds)
    inside = [i for c, mark in enumerate(selection.inside) if mark for i in needs.members[c]]
    commit_duties(rounds, duties, [i for i in sorted(inside) if pool.band[i] <= REQUIRED], inside)
    _commit_optional(rounds, inside)
    _reject_rest(rounds, selection)
    return rounds.rows


def _commit_optional(rounds: Rounds, inside: Sequence[int]) -> None:
    pool, needs = rounds.pool, rounds.needs
    order = sorted([i for i in inside if rounds.rows[i] is None], key=lambda i: (pool.band[i], -pool.relevance[i], i))
    for i in order:
        c = needs.comp[i]
        if not rounds.admitted[c]:
            band = pool.band[i]
            rounds.commit([j for j in needs.members[c] if pool.band[j] == band], DETAIL_FILL[max(band, PREFERRED)])


def _reject_rest(rounds: Rounds, selection: Selection) -> None:
    """The true reason why each remaining candidate is not an item."""
    pool, needs, rest = rounds.pool, rounds.needs, rounds.rest
    for i, row in enumerate(rounds.rows):
        if row is not None:
            continue
        c = needs.comp[i]
        if selection.holder[pool.content[i]] >= 0:
            rounds.reject((i,), "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
            continue
        cost = needs.weight[c] if selection.plain[c] else rounds.marginal((i,))
        if rounds.barred[c]:
            rounds.reject((i,), "REJECTED_DEPENDENCY", "dependency-blocked", DETAIL_BLOCKED, cost)
        elif cost > rest:
            rounds.reject((i,), "REJECTED_BUDGET", "budget", DETAIL_BUDGET, cost)
        else:
            rounds.reject((i,), "REJECTED_REDUNDANT", "no-earn", DETAIL_REDUNDANT, cost)
