"""The order of the items (CONTRACT 2, L8)."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.pool import Pool


def by_role(pool: Pool, items: Sequence[int]) -> list[int]:
    """Policy v1: by the place of the role, then by id."""
    rank = pool.rank
    return sorted(items, key=lambda i: (rank[i], i))


def by_role_and_group(pool: Pool, items: Sequence[int]) -> list[int]:
    """Policy v2: the same, but a required group stands together at the place of its first member."""
    rank = pool.rank
    first: dict[int, tuple[int, int]] = {}
    for i in items:
        group = pool.group[i]
        if group >= 0:
            first[group] = min(first.get(group, (rank[i], i)), (rank[i], i))
    return sorted(items, key=lambda i: (first.get(pool.group[i], (rank[i], i)), rank[i], i))
