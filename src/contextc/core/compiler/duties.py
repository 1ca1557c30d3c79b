"""What a bundle owes: named ids, required groups, contents of the two strong bands (CONTRACT 2, L3, L4, L6)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from contextc.core.compiler.pool import MANDATORY, REQUIRED, Pool

DutyKind = Literal["content", "named", "group"]


class Duty(NamedTuple):
    """One obligation: at least one of `ways` (candidates) must be an item.

    `key` is a content, a candidate or a required group by number; `band` the strength of the obligation.
    A group is met by any of its members, since each needs all the others.
    """

    kind: DutyKind
    key: int
    band: int
    ways: tuple[int, ...]


def duties_of(pool: Pool) -> list[Duty]:
    """All duties: MANDATORY contents, named ids, required groups, REQUIRED contents; each kind ascending."""
    strong = _strong_contents(pool)
    named = [Duty("named", i, pool.band[i], (i,)) for i in pool.named]
    groups = [
        Duty("group", g, band, (members[0],))
        for g, members in enumerate(pool.groups)
        if (band := min([pool.band[i] for i in members])) <= REQUIRED
    ]
    return [d for d in strong if d.band == MANDATORY] + named + groups + [d for d in strong if d.band == REQUIRED]


def _strong_contents(pool: Pool) -> list[Duty]:
    found: list[Duty] = []
    band = pool.band
    for content in sorted({pool.content[i] for i, b in enumerate(band) if b <= REQUIRED}):
        forms = pool.forms[content]
        strongest = min([band[i] for i in forms])
        found.append(Duty("content", content, strongest, tuple([i for i in forms if band[i] == strongest])))
    return found


def name_of(pool: Pool, duty: Duty) -> str:
    """The name a duty has in a witness: the content, the id, or the group."""
    if duty.kind == "content":
        return pool.contents[duty.key]
    return pool.ids[duty.key] if duty.kind == "named" else pool.group_name(duty.key)
