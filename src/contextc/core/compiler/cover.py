"""A cluster of duties as a covering problem: ways, the atoms they need, and what a choice costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Way(NamedTuple):
    """One way to meet a duty: its own price, the atoms it needs as bits, and the candidate it stands for."""

    price: int
    atoms: int
    item: int


class Cluster(NamedTuple):
    """Duties (each a list of ways, ascending by item), prices of atoms, and for each atom those it excludes."""

    duties: list[list[Way]]
    prices: list[int]
    rivals: list[int]


class Found(NamedTuple):
    """The best choice found (a way for each duty), whether it is proven best and canonical, and a lower bound.

    `choice` is None when none was found: with `proven`, there is none.
    """

    choice: list[Way] | None
    cost: int
    proven: bool
    bound: int


def cost_of(cluster: Cluster, choice: Sequence[Way]) -> int | None:
    """Price of a choice; None when two of its atoms exclude one another."""
    atoms = 0
    total = 0
    for way in choice:
        atoms |= way.atoms
        total += way.price
    rest = atoms
    while rest:
        low = rest & -rest
        rest ^= low
        at = low.bit_length() - 1
        if cluster.rivals[at] & atoms:
            return None
        total += cluster.prices[at]
    return total


def bits_of(atoms: int) -> list[int]:
    """The numbers of the atoms that a mask holds, ascending."""
    found: list[int] = []
    while atoms:
        low = atoms & -atoms
        found.append(low.bit_length() - 1)
        atoms ^= low
    return found


def undominated(ways: list[Way]) -> list[Way]:
    """Drop a way when another needs no other atoms, costs no more, and is preferred when it costs the same."""
    return [
        way
        for way in ways
        if not any(
            other.atoms & ~way.atoms == 0
            and (other.price < way.price or (other.price == way.price and other.item < way.item))
            for other in ways
        )
    ]
