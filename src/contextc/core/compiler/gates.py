"""The four gates of a candidate, in the order they are tested (construction SPEC 1); the first failure counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from contextc.core.records.candidate import Candidate

GateName = Literal["scope", "freshness", "authority", "floor"]


class Gate(NamedTuple):
    """One gate: its name in a witness, its code in a trace, its test, and what is said when it fails."""

    name: GateName
    code: str
    passes: Callable[[Candidate], bool]
    detail: Callable[[Candidate], str]


GATES: tuple[Gate, ...] = (
    Gate("scope", "scope_ineligible", lambda c: c.scope_eligible, lambda c: c.scope_reason),
    Gate("freshness", "freshness_ineligible", lambda c: c.freshness_eligible, lambda c: c.freshness_reason),
    Gate("authority", "authority_ineligible", lambda c: c.authority_eligible, lambda c: c.authority_reason),
    Gate(
        "floor",
        "illegal_representation",
        lambda c: c.form_rank >= c.min_rank,
        lambda c: f"form_rank {c.form_rank} below floor {c.min_rank}",
    ),
)


def failed_gates(candidates: Sequence[Candidate]) -> list[Gate | None]:
    """The first gate each candidate fails, or None."""
    return [
        None
        if c.scope_eligible and c.freshness_eligible and c.authority_eligible and c.form_rank >= c.min_rank
        else next(gate for gate in GATES if not gate.passes(c))
        for c in candidates
    ]
