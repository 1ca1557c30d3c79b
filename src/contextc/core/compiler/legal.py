"""The compiler's own test of a bundle against L1-L7 (CONTRACT 2); the checker has another one, written anew."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.duties import Duty
from contextc.core.compiler.pool import REQUIRED, Pool


def is_legal(pool: Pool, items: Sequence[int], duties: Sequence[Duty]) -> bool:
    """Whether these candidates may be a bundle."""
    inside = bytearray(pool.size)
    for i in items:
        inside[i] = 1
    return (
        pool.cost(items) <= pool.limit
        and all(pool.gate[i] is None for i in items)
        and all(inside[j] for i in items for j in pool.depends[i])
        and len({pool.content[i] for i in items}) == len(items)
        and _groups_whole(pool, inside)
        and not pool.missing
        and all(any(inside[i] for i in duty.ways) for duty in duties)
    )


def _groups_whole(pool: Pool, inside: bytearray) -> bool:
    for members in pool.groups:
        held = sum([inside[i] for i in members])
        owed = min([pool.band[i] for i in members]) <= REQUIRED
        if held != len(members) and (held or owed):
            return False
    return True
