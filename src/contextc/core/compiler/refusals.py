"""Why there is no bundle: for each kind of refusal the reason and the witness that proves it (CONTRACT 2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from contextc.core.compiler.duties import Duty, name_of
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.records.outcome import FailureReason, Obstacle, Witness


class Refusal(NamedTuple):
    """A refusal before it is a record."""

    reason: FailureReason
    blocking: tuple[str, ...]
    diagnostic: str
    witness: Witness


def missing(pool: Pool) -> Refusal:
    """Ids required by name that no candidate has."""
    names = tuple(pool.missing)
    return Refusal(
        "REQUIRED_SOURCE_UNAVAILABLE",
        names,
        f"explicitly required candidates absent: {', '.join(names)}",
        Witness(kind="missing", ids=names),
    )


def hopeless(pool: Pool, needs: Needs, doomed: bytearray, duties: Sequence[Duty]) -> list[Refusal]:
    """One refusal for each duty none of whose ways can ever be taken, in the order of the duties."""
    return [_unmeetable(pool, duty) for duty in duties if all(doomed[needs.comp[i]] for i in duty.ways)]


def contradiction(pool: Pool, duties: Sequence[Duty], numbers: Sequence[int]) -> Refusal:
    """Duties that exclude one another whatever the budget."""
    names = tuple(sorted({name_of(pool, duties[number]) for number in numbers}))
    ways = tuple([pool.ids[i] for i in sorted({i for number in numbers for i in duties[number].ways})])
    return Refusal(
        "UNSATISFIED_DEPENDENCY",
        ways,
        f"no choice of forms meets all of: {', '.join(names)}",
        Witness(kind="contradiction", ids=names),
    )


def over_budget(pool: Pool, items: Sequence[int]) -> Refusal:
    """The cheapest legal bundle is `items`, and it does not fit."""
    least = pool.pricing.tokens(pool.cost(items))
    ids = tuple([pool.ids[i] for i in items])
    return Refusal(
        "INSUFFICIENT_BUDGET",
        ids,
        f"the cheapest legal bundle costs {least} tokens, the budget is {pool.budget}",
        Witness(kind="budget", ids=(), least_budget=least, bundle_ids=ids),
    )


def unproved(pool: Pool, bound: int, cap: int) -> Refusal:
    """The search for a legal bundle that fits stopped at its cap."""
    lower = pool.pricing.tokens(pool.pricing.base + bound)
    return Refusal(
        "INSUFFICIENT_BUDGET",
        (),
        f"no legal bundle within {pool.budget} tokens was found before the search stopped; "
        f"none costs less than {lower} tokens",
        Witness(kind="unproved", ids=(), lower_bound=lower, cap=f"search work {cap}"),
    )


def _unmeetable(pool: Pool, duty: Duty) -> Refusal:
    obstacles = tuple([obstacle(pool, i) for i in duty.ways])
    gated = all(len(o.path) == 1 and o.gate != "form-clash" for o in obstacles)
    name = name_of(pool, duty)
    reason: FailureReason
    if duty.kind == "group":
        reason = "UNRESOLVED_REQUIRED_GROUP"
        diagnostic = f"required group {name} cannot be present whole"
    elif not gated:
        reason = "UNSATISFIED_DEPENDENCY"
        diagnostic = f"{name}: what every form needs is ineligible or collides"
    elif all(o.gate == "floor" for o in obstacles):
        reason = "NO_LEGAL_REPRESENTATION"
        diagnostic = f"{name}: all forms violate floor"
    else:
        reason = "REQUIRED_INELIGIBLE"
        diagnostic = f"{name}: no form is eligible"
    ids = pool.groups[duty.key] if duty.kind == "group" else duty.ways
    witness = Witness(kind="gated" if gated else "blocked", ids=(name,), obstacles=obstacles)
    return Refusal(reason, tuple([pool.ids[i] for i in ids]), diagnostic, witness)


def obstacle(pool: Pool, start: int) -> Obstacle:
    """The nearest thing in the way of a candidate that no legal bundle can hold: breadth first over what it needs."""
    came: dict[int, int] = {start: -1}
    held: dict[int, int] = {}
    clash: tuple[int, int] | None = None
    opened: set[int] = set()
    queue = deque([start])
    while queue:
        i = queue.popleft()
        gate = pool.gate[i]
        if gate is not None:
            return Obstacle(
                candidate_id=pool.ids[start],
                path=_path(pool, came, i),
                at=pool.ids[i],
                gate=gate.name,
                reason=gate.detail(pool.candidates[i]),
            )
        other = held.setdefault(pool.content[i], i)
        if other != i and clash is None:
            clash = (i, other)
        group = pool.group[i]
        following = list(pool.depends[i])
        if group >= 0 and group not in opened:
            opened.add(group)
            following += pool.groups[group]
        for j in following:
            if j not in came:
                came[j] = i
                queue.append(j)
    at, other = clash if clash is not None else (start, start)
    return Obstacle(
        candidate_id=pool.ids[start],
        path=_path(pool, came, at),
        at=pool.ids[at],
        gate="form-clash",
        reason=f"shares its content {pool.contents[pool.content[at]]} with {pool.ids[other]}, which is needed as well",
        other=pool.ids[other],
    )


def _path(pool: Pool, came: dict[int, int], end: int) -> tuple[str, ...]:
    path = [end]
    while came[path[-1]] >= 0:
        path.append(came[path[-1]])
    return tuple([pool.ids[i] for i in reversed(path)])
