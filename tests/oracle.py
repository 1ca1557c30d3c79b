"""The oracle: every legal set of items of a small instance, by trying all of them.

Written from the rules in words (CONTRACT section 2, construction SPEC sections 1 and 2) and sharing no code with the
compiler or the checker. Readable before fast: a set of items is an integer with a bit for each candidate, and each
rule is one line that such an integer passes or not.

    legal_sets(request, candidates, ...)     all sets that obey L1 and L3-L7, and L2 at the request's budget
    least_budget(request, candidates, ...)   the least budget at which one exists; None: there is none at any
    verdict(request, candidates, ...)        both at once, with a cheapest set

L8 is about how a bundle is written down, not about which items it holds; it is the checker's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

STRENGTH = {"MANDATORY": 0, "REQUIRED": 1, "PREFERRED": 2, "DISCRETIONARY": 3}


@dataclass(frozen=True)
class Verdict:
    """What is true of an instance: may it be refused, and from which budget on never."""

    satisfiable: bool
    least_budget: int | None
    cheapest: tuple[str, ...] | None


@dataclass(frozen=True)
class Rules:
    """The rules of one instance over sets of candidates as integers."""

    ids: tuple[str, ...]
    illegal: int
    named: int
    named_exist: bool
    obligations: tuple[int, ...]
    needs: tuple[tuple[int, int], ...]
    groups: tuple[int, ...]
    due_groups: tuple[int, ...]
    contents: tuple[int, ...]

    def allow(self, chosen: int) -> bool:
        """Whether L1 and L3-L7 hold for a set."""
        return (
            not chosen & self.illegal  # L1 gates
            and self.named_exist  # L3 a name nobody bears cannot be an item
            and chosen & self.named == self.named  # L3 named ids
            and all(chosen & forms for forms in self.obligations)  # L4 obligations
            and all(chosen & needed == needed for one, needed in self.needs if chosen & one)  # L5 dependencies
            and all(chosen & group in (0, group) for group in self.groups)  # L6 groups: whole or not at all
            and all(chosen & group == group for group in self.due_groups)  # L6 due groups: whole
            and all((chosen & forms).bit_count() <= 1 for forms in self.contents)  # L7 forms
        )


def rules_of(request: Request, candidates: Sequence[Candidate]) -> Rules:
    """The rules as integers; bit i stands for candidate i."""
    bit = {c.candidate_id: 1 << place for place, c in enumerate(candidates)}

    def mask(chosen: list[Candidate]) -> int:
        return sum(bit[c.candidate_id] for c in chosen)

    def by(key: str) -> list[list[Candidate]]:
        names = sorted({getattr(c, key) for c in candidates} - {None})
        return [[c for c in candidates if getattr(c, key) == name] for name in names]

    def strength(c: Candidate) -> int:
        lifted = STRENGTH["REQUIRED"] if c.candidate_id in request.required_ids else 3
        return min(STRENGTH[c.requirement], lifted)

    required_groups = [
        [c for c in members if c.group_required] for members in by("group_id") if any(c.group_required for c in members)
    ]
    obligations = []
    for forms in by("content_identity"):
        strongest = min(strength(c) for c in forms)
        if strongest <= STRENGTH["REQUIRED"]:
            obligations.append(mask([c for c in forms if strength(c) == strongest]))
    return Rules(
        ids=tuple(c.candidate_id for c in candidates),
        illegal=mask([c for c in candidates if not _passes_gates(c)]),
        named=sum(bit.get(name, 0) for name in set(request.required_ids)),
        named_exist=all(name in bit for name in request.required_ids),
        obligations=tuple(obligations),
        needs=tuple(
            (bit[c.candidate_id], sum(bit[needed] for needed in set(c.depends_on))) for c in candidates if c.depends_on
        ),
        groups=tuple(mask(group) for group in required_groups),
        due_groups=tuple(
            mask(group) for group in required_groups if min(strength(c) for c in group) <= STRENGTH["REQUIRED"]
        ),
        contents=tuple(mask(forms) for forms in by("content_identity") if len(forms) > 1),
    )


def _passes_gates(c: Candidate) -> bool:
    return c.scope_eligible and c.freshness_eligible and c.authority_eligible and c.form_rank >= c.min_rank


def cost(chosen: Sequence[Candidate], request: Request, pricing: Pricing | None) -> int:
    """Tokens of a bundle of these candidates: by the table, or by the declared arithmetic (SPEC section 2)."""
    if pricing is not None:
        units = pricing.base + sum(pricing.items[c.candidate_id] for c in chosen) if chosen else pricing.empty
        return _tokens(units, pricing.unit)
    header = _estimate(f"{request.request_id} {request.task_id} {request.policy_version}")
    items = sum(c.token_count + _estimate(f"{c.source_kind} {c.kind}") for c in chosen)
    return header + items + max(0, len(chosen) - 1)


def _estimate(text: str) -> int:
    return _tokens(len(text.split()), "words13")


def _tokens(units: int, unit: str) -> int:
    if unit == "tokens":
        return units
    if unit == "bytes4":
        return max(1, (units + 3) // 4)
    return max(1, round(Fraction(13 * units, 10))) if units else 0  # `round` takes halves to the even number


def legal_sets(
    request: Request, candidates: Sequence[Candidate], policy: Policy | None = None, pricing: Pricing | None = None
) -> list[tuple[str, ...]]:
    """All sets of ids, each ascending, that are legal at the request's budget. The policy has no say in it."""
    budget = request.usable_token_budget
    return [ids for ids, tokens in _priced(request, candidates, pricing) if tokens <= budget]


def least_budget(
    request: Request, candidates: Sequence[Candidate], policy: Policy | None = None, pricing: Pricing | None = None
) -> int | None:
    """The least budget at which a legal set exists, in tokens; None if there is none at any budget."""
    return min((tokens for _, tokens in _priced(request, candidates, pricing)), default=None)


def verdict(
    request: Request, candidates: Sequence[Candidate], policy: Policy | None = None, pricing: Pricing | None = None
) -> Verdict:
    """Whether a legal set exists at the request's budget, the least budget for one, and a cheapest one."""
    cheapest = min(((tokens, ids) for ids, tokens in _priced(request, candidates, pricing)), default=None)
    if cheapest is None:
        return Verdict(satisfiable=False, least_budget=None, cheapest=None)
    return Verdict(
        satisfiable=cheapest[0] <= request.usable_token_budget, least_budget=cheapest[0], cheapest=cheapest[1]
    )


def _priced(
    request: Request, candidates: Sequence[Candidate], pricing: Pricing | None
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every set that obeys L1 and L3-L7, with its cost."""
    pool = sorted(candidates, key=lambda c: c.candidate_id)
    rules = rules_of(request, pool)
    for number in range(1 << len(pool)):
        if rules.allow(number):
            chosen = [c for place, c in enumerate(pool) if number >> place & 1]
            yield tuple(c.candidate_id for c in chosen), cost(chosen, request, pricing)


def is_legal(
    ids: Sequence[str], request: Request, candidates: Sequence[Candidate], pricing: Pricing | None = None
) -> bool:
    """Whether these items obey L1-L7 at the request's budget."""
    rules = rules_of(request, candidates)
    places = [place for place, name in enumerate(rules.ids) if name in set(ids)]
    if len(places) != len(ids):
        return False
    chosen = [candidates[place] for place in places]
    allowed = rules.allow(sum(1 << place for place in places))
    return allowed and cost(chosen, request, pricing) <= request.usable_token_budget
