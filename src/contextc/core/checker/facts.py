"""What follows from the inputs alone, written from the rules in words: bands, gates, forms, groups, needs.

Candidates are numbered in ascending order of id. Nodes of `needs` are the candidates and, after them, one node for
each required group: a member needs the node and the node needs every member, so a group of m costs 2m edges and not
m * m.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.candidate import BAND_RANK, BANDS, Candidate
from contextc.core.records.outcome import Obstacle
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

#: Gates in the order they are tested, with the reason code of a failure (construction SPEC section 1).
GATE_CODES = {
    "scope": "scope_ineligible",
    "freshness": "freshness_ineligible",
    "authority": "authority_ineligible",
    "floor": "illegal_representation",
}

REQUIRED = BAND_RANK["REQUIRED"]


def failed_gates(c: Candidate) -> list[str]:
    """The gates a candidate fails, in the order of testing. Legal candidates fail none."""
    passed = {
        "scope": c.scope_eligible,
        "freshness": c.freshness_eligible,
        "authority": c.authority_eligible,
        "floor": c.form_rank >= c.min_rank,
    }
    return [gate for gate in GATE_CODES if not passed[gate]]


def gate_reason(c: Candidate, gate: str) -> str:
    """The words that belong to a failed gate: the candidate's own, or the two ranks for the floor (SPEC section 9)."""
    if gate == "floor":
        return f"form_rank {c.form_rank} below floor {c.min_rank}"
    return {"scope": c.scope_reason, "freshness": c.freshness_reason, "authority": c.authority_reason}[gate]


class Facts:
    """The inputs, indexed. Nothing in it depends on an outcome."""

    def __init__(self, request: Request, candidates: Sequence[Candidate], policy: Policy, pricing: Pricing) -> None:
        self.request = request
        self.policy = policy
        self.pricing = pricing
        self.pool: tuple[Candidate, ...] = tuple(sorted(candidates, key=lambda c: c.candidate_id))
        self.number: dict[str, int] = {c.candidate_id: n for n, c in enumerate(self.pool)}
        self.size = len(self.pool)
        self.gates: list[str | None] = [next(iter(failed_gates(c)), None) for c in self.pool]
        named = set(request.required_ids)
        self.rank: list[int] = [
            min(BAND_RANK[c.requirement], REQUIRED) if c.candidate_id in named else BAND_RANK[c.requirement]
            for c in self.pool
        ]
        self.forms: dict[str, list[int]] = {}
        self.groups: dict[str, list[int]] = {}
        for n, c in enumerate(self.pool):
            self.forms.setdefault(c.content_identity, []).append(n)
            if c.group_required and c.group_id is not None:
                self.groups.setdefault(c.group_id, []).append(n)
        self.group_node: dict[str, int] = {name: self.size + k for k, name in enumerate(self.groups)}
        self.dependencies: list[list[int]] = [
            [self.number[d] for d in dict.fromkeys(c.depends_on) if d in self.number] for c in self.pool
        ]
        self.needs: list[list[int]] = [list(direct) for direct in self.dependencies]
        self.group_of: list[str | None] = [c.group_id if c.group_required else None for c in self.pool]
        for n, group in enumerate(self.group_of):
            if group is not None:
                self.needs[n].append(self.group_node[group])
        self.needs.extend(list(members) for members in self.groups.values())
        self.units: list[int] = [pricing.items.get(c.candidate_id, 0) for c in self.pool]

    def band(self, n: int) -> str:
        """The effective band of a candidate."""
        return BANDS[self.rank[n]]

    def id(self, n: int) -> str:
        """The id of a candidate."""
        return self.pool[n].candidate_id

    def missing_dependencies(self, n: int) -> list[str]:
        """Ids that a candidate depends on and that nobody in the pool bears."""
        return [d for d in self.pool[n].depends_on if d not in self.number]

    def obliged_forms(self) -> dict[str, list[int]]:
        """By content: the forms of the strongest band, for every content that is MANDATORY or REQUIRED (L4)."""
        obliged: dict[str, list[int]] = {}
        for content, forms in self.forms.items():
            strongest = min(self.rank[n] for n in forms)
            if strongest <= REQUIRED:
                obliged[content] = [n for n in forms if self.rank[n] == strongest]
        return obliged

    def obliged_groups(self) -> dict[str, list[int]]:
        """The required groups that must be present: those with a MANDATORY or REQUIRED member (L6)."""
        return {
            name: members for name, members in self.groups.items() if min(self.rank[n] for n in members) <= REQUIRED
        }

    def blocks(self, n: int, obstacle: Obstacle) -> bool:
        """Whether candidate `n` truly fails the gate that an obstacle names."""
        return obstacle.gate in failed_gates(self.pool[n])
