"""The trace of a fill (policy v2): each admission replayed in a readable order, each rejection with a reason that is
true of the final bundle.

Local improvement has no order a reader could follow. What is inside is admitted again, duties first, then band by
band and by falling relevance, each with all it needs; the remainders add up to what is left in the end. The rest is
judged against the final selection.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.admission import commit_duties, judge_rest, roots
from contextc.core.compiler.duties import Duty
from contextc.core.compiler.ledger import Rows
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
    judge_rest(rounds)
    return rounds.rows


def _commit_optional(rounds: Rounds, inside: Sequence[int]) -> None:
    pool, needs = rounds.pool, rounds.needs
    order = sorted([i for i in inside if rounds.rows[i] is None], key=lambda i: (pool.band[i], -pool.relevance[i], i))
    for i in order:
        c = needs.comp[i]
        if not rounds.admitted[c]:
            rounds.commit(roots(pool, needs.members[c], i), DETAIL_FILL[max(pool.band[i], PREFERRED)])
