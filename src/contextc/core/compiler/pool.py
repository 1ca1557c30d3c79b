"""The candidates as integer arrays.

Candidates are sorted by id once. From then on a candidate is its index, comparing indices is comparing ids, and every
order that ends in "ascending id" is an order of small integers. Contents and required groups are numbered in the
ascending order of their names for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.gates import Gate, failed_gates
from contextc.core.records.candidate import BAND_RANK, Candidate
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

MANDATORY, REQUIRED, PREFERRED, DISCRETIONARY = range(4)


class Pool:
    """All that the stages read. Nothing here changes after it is built."""

    __slots__ = (
        "band",
        "budget",
        "candidates",
        "content",
        "contents",
        "depends",
        "forms",
        "gate",
        "group",
        "groups",
        "ids",
        "index",
        "limit",
        "missing",
        "named",
        "policy",
        "pricing",
        "rank",
        "relevance",
        "request",
        "size",
        "tokens",
        "units",
    )

    def __init__(self, request: Request, candidates: Sequence[Candidate], policy: Policy, pricing: Pricing) -> None:
        ordered = sorted(candidates, key=lambda c: c.candidate_id)
        self.request = request
        self.policy = policy
        self.pricing = pricing
        self.candidates: list[Candidate] = ordered
        self.size = len(ordered)
        self.ids: list[str] = [c.candidate_id for c in ordered]
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.ids)}
        self.gate: list[Gate | None] = failed_gates(ordered)
        self.tokens: list[int] = [c.token_count for c in ordered]
        self.units: list[int] = [pricing.items[name] for name in self.ids]
        self.relevance: list[float] = [c.relevance for c in ordered]
        index = self.index
        self.depends: list[tuple[int, ...]] = [
            tuple([index[name] for name in c.depends_on]) if c.depends_on else () for c in ordered
        ]
        self.budget = request.usable_token_budget
        self.limit = pricing.limit(self.budget)
        self._number_contents()
        self._number_groups()
        self._bands()
        ranks = {role: at for at, role in reversed(list(enumerate(policy.order_roles)))}
        last = len(policy.order_roles)
        self.rank: list[int] = [ranks.get(c.order_role, last) for c in ordered]

    def _number_contents(self) -> None:
        names = [c.content_identity for c in self.candidates]
        self.contents: list[str] = sorted(set(names))
        number = {name: i for i, name in enumerate(self.contents)}
        self.content: list[int] = [number[name] for name in names]
        self.forms: list[list[int]] = [[] for _ in self.contents]
        for i, content in enumerate(self.content):
            self.forms[content].append(i)

    def _number_groups(self) -> None:
        names = [c.group_id if c.group_required and c.group_id is not None else None for c in self.candidates]
        number = {name: i for i, name in enumerate(sorted({name for name in names if name is not None}))}
        self.group: list[int] = [-1 if name is None else number[name] for name in names]
        self.groups: list[list[int]] = [[] for _ in number]
        for i, group in enumerate(self.group):
            if group >= 0:
                self.groups[group].append(i)

    def _bands(self) -> None:
        """Effective bands: a candidate required by name is REQUIRED at least. Named ids without one are missing."""
        required = sorted(set(self.request.required_ids))
        self.missing: list[str] = [name for name in required if name not in self.index]
        self.named: list[int] = [self.index[name] for name in required if name in self.index]
        self.band: list[int] = [BAND_RANK[c.requirement] for c in self.candidates]
        for i in self.named:
            self.band[i] = min(self.band[i], REQUIRED)

    def cost(self, items: Sequence[int]) -> int:
        """Units of a bundle of these candidates."""
        if not items:
            return self.pricing.empty
        units = self.units
        return self.pricing.base + sum([units[i] for i in items])

    def group_name(self, group: int) -> str:
        """The name of a required group."""
        return self.candidates[self.groups[group][0]].group_id or ""
