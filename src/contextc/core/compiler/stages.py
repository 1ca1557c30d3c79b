"""The stages of a compilation, in order: each sees what the ones before it found, and the first outcome ends it.

v1: the published algorithm, judged; duties; the cheapest legal set; admission in rounds
v2:                                  duties; the cheapest legal set; the fill by worth
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextc.core.compiler import emit, refusals
from contextc.core.compiler.account import account
from contextc.core.compiler.admission import admit
from contextc.core.compiler.duties import Duty, duties_of
from contextc.core.compiler.fill import Rank, boldness, density, greedy, last_look
from contextc.core.compiler.forcing import Forcing
from contextc.core.compiler.improve import improve, looks
from contextc.core.compiler.layout import by_role, by_role_and_group
from contextc.core.compiler.ledger import Row, Rows
from contextc.core.compiler.legal import is_legal
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.published import Published, published
from contextc.core.compiler.refusals import Refusal
from contextc.core.compiler.search import WORK_CAP
from contextc.core.compiler.selection import Selection
from contextc.core.compiler.settle import ExactSolver, settle
from contextc.core.compiler.soundness import doomed
from contextc.core.compiler.worth import Worth
from contextc.core.records.outcome import FailureReason, Outcome

#: Up to this many candidates local improvement looks at all of them, beyond it at those nearest to coming in.
SMALL = 500


class Work:
    """What the stages of one compilation share."""

    def __init__(self, pool: Pool, exact: ExactSolver | None) -> None:
        self.pool = pool
        self.exact = exact
        self.published: Published | None = None
        self.needs: Needs
        self.doomed: bytearray
        self.duties: list[Duty] = duties_of(pool)
        self.forcing: Forcing
        self.least: list[int] = []


def follow_the_publication(work: Work) -> Outcome | None:
    """The published outcome, when it is a legal bundle."""
    pool = work.pool
    made = published(pool, Needs(pool, groups=False, weight=pool.tokens))
    if made.stop is None and is_legal(pool, made.items, work.duties):
        return emit.success(pool, made.items, made.rows)
    work.published = made
    return None


def derive_duties(work: Work) -> Outcome | None:
    """Refuse what no budget can help: missing ids, duties without a way, duties that exclude one another."""
    pool = work.pool
    if pool.missing:
        return _refuse(work, [refusals.missing(pool)])
    work.needs = Needs(pool, groups=True, weight=pool.units)
    work.doomed = doomed(pool, work.needs)
    hopeless = refusals.hopeless(pool, work.needs, work.doomed, work.duties)
    if hopeless:
        return _refuse(work, hopeless)
    work.forcing = Forcing(pool, work.needs, work.doomed, work.duties)
    if work.forcing.conflict is not None:
        return _refuse(work, [refusals.contradiction(pool, work.duties, work.forcing.conflict)])
    return None


def settle_duties(work: Work) -> Outcome | None:
    """Find the cheapest legal set; refuse when it does not fit."""
    pool, needs = work.pool, work.needs
    settled = settle(pool, needs, work.forcing, work.exact)
    if settled.conflict is not None:
        return _refuse(work, [refusals.contradiction(pool, work.duties, settled.conflict)])
    items = sorted([i for c in settled.comps for i in needs.members[c]])
    if settled.found and not items:
        items = _cheaper_than_nothing(work)
    work.least = items
    if settled.found and pool.cost(items) <= pool.limit:
        return None
    if settled.proven:
        return _refuse(work, [refusals.over_budget(pool, items)])
    return _refuse(work, [refusals.unproved(pool, settled.bound, WORK_CAP)])


def admit_in_rounds(work: Work) -> Outcome | None:
    """Policy v1 over the legal relation."""
    rounds = admit(work.pool, work.needs, work.doomed, work.duties, work.least)
    items = [i for i, row in enumerate(rounds.rows) if row is not None and row.decision == "ADMITTED"]
    return emit.success(work.pool, by_role(work.pool, items), rounds.rows)


def fill_by_worth(work: Work) -> Outcome | None:
    """Policy v2: what is worth most of what the budget holds."""
    pool, needs = work.pool, work.needs
    components = [c for c, dead in enumerate(work.forcing.dead) if not dead]
    selection = _filled(work, components, density)
    if pool.size <= SMALL:
        other = _filled(work, components, boldness)
        if other.total() > selection.total():
            selection = other
    items = [i for c in components if selection.inside[c] for i in needs.members[c]]
    rows = account(selection, work.doomed, work.duties, pool.limit - pool.pricing.base)
    return emit.success(pool, by_role_and_group(pool, items), rows)


def _filled(work: Work, components: Sequence[int], rank: Rank) -> Selection:
    """The cheapest legal set, filled up from there."""
    pool, needs = work.pool, work.needs
    selection = Selection(pool, needs, Worth(pool, needs), pool.limit - pool.pricing.base, work.forcing.dead)
    start = sorted({needs.comp[i] for i in work.least})
    selection.apply(start, ())
    fixed = pool.policy.mandatory_form == "cheapest" or not work.duties
    for c in start:
        selection.locked[c] = 1 if fixed or work.forcing.forced[c] else 0
    for duty in work.duties:
        for i in duty.ways:
            selection.owed[i] = 1
    edge = greedy(selection, components, 2 * looks(pool.size), rank)
    improve(selection, edge if pool.size > SMALL else components)
    last_look(selection, components)
    return selection


Stage = Callable[[Work], Outcome | None]

STAGES: dict[str, tuple[Stage, ...]] = {
    "compiler-policy-v1": (follow_the_publication, derive_duties, settle_duties, admit_in_rounds),
    "compiler-policy-v2": (derive_duties, settle_duties, fill_by_worth),
}


def _cheaper_than_nothing(work: Work) -> list[int]:
    """When nothing is owed: the empty set, or the cheapest closure in the odd case that a pricing asks more for an
    empty bundle than the budget allows, and less for something."""
    pool, needs = work.pool, work.needs
    if pool.pricing.empty <= pool.limit:
        return []
    nothing = bytearray(len(needs.members))
    costs = [(needs.marginal(c, nothing), c) for c, dead in enumerate(work.doomed) if not dead]
    cost, c = min(costs, default=(pool.pricing.empty, -1))
    if c < 0 or pool.pricing.base + cost >= pool.pricing.empty:
        return []
    return sorted([i for d in needs.reach((c,)) for i in needs.members[d]])


def _refuse(work: Work, proven: list[Refusal]) -> Outcome:
    """Refuse for the first reason; where the published refusal has one of the reasons, keep it and its trace."""
    pool, made = work.pool, work.published
    if made is not None and made.stop is not None:
        for refusal in proven:
            if _agree(made.stop.reason, refusal):
                return emit.refusal(
                    pool,
                    made.rows,
                    refusal.witness,
                    reason=made.stop.reason,
                    blocking=made.stop.blocking,
                    diagnostic=made.stop.diagnostic,
                    used=made.used,
                )
    first = proven[0]
    return emit.refusal(
        pool,
        _undecided(pool),
        first.witness,
        reason=first.reason,
        blocking=first.blocking,
        diagnostic=first.diagnostic,
        used=0,
    )


def _agree(published: FailureReason, refusal: Refusal) -> bool:
    """Whether a proof bears a published reason out. By the published rules a required group that cannot be afforded, or
    that collides, is unresolved; a larger budget or another choice of forms is then what would be needed."""
    if published == refusal.reason:
        return True
    return published == "UNRESOLVED_REQUIRED_GROUP" and refusal.witness.kind in ("budget", "contradiction")


def _undecided(pool: Pool) -> Rows:
    """The trace of a refusal: gates are decided, the rest is not."""
    rest = pool.limit - pool.pricing.base
    undecided = Row("UNDECIDED", "undecided", "refused before this was decided", 0, (), rest, rest)
    return [
        undecided
        if gate is None
        else Row("REJECTED_HARD", gate.code, gate.detail(pool.candidates[i]), 0, (), rest, rest)
        for i, gate in enumerate(pool.gate)
    ]
