"""Random instances of the compilation of candidates: small ones an oracle can enumerate, and larger pools.

The same regime and seed give the same instance on every supported Python: only `random()` and `randrange()` of
`random.Random` are used, whose sequences are documented to stay as they are.

    instance(regime, seed)        3-9 candidates, token counts 1-40, a budget in the region where it matters
    large_instance(seed, n)       50-200 candidates with forms, dependencies, groups and gates in moderate numbers
    table(seed, candidates)       a measured pricing: units of one of the three kinds, other figures than declared
    REGIMES                       the names of the regimes
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeVar

from contextc.core.records.candidate import BANDS, Band, Candidate
from contextc.core.records.pricing import Pricing, Unit
from contextc.core.records.request import Request

T = TypeVar("T")

ROLES = ("instruction", "task", "state", "evidence", "support", "tool", "appendix")

#: First signs of ids: lower, upper, digit, a sign outside ASCII and one outside the basic plane, so that an order
#: by anything but code points shows.
SIGNS = "abcdefgmnxyzBKZ19é\u00df\U0001f9ed"

KEYS = ("k0", "k1", "k2", "k3")

#: Kinds with one, two and no words: the price of the decoration depends on them.
KINDS = ("evidence", "evidence", "evidence", "tool definition", "")


@dataclass(frozen=True)
class Regime:
    """What a kind of instance may hold; figures are chances in percent."""

    bands: tuple[Band, ...] = BANDS
    forms: int = 0
    bands_of_forms: int = 0
    dependencies: int = 0
    cycles: bool = False
    ineligible: int = 8
    groups: int = 0
    named: int = 0


REGIMES: dict[str, Regime] = {
    "four-bands": Regime(),
    "no-preferred": Regime(bands=("MANDATORY", "REQUIRED", "DISCRETIONARY")),
    "forms": Regime(forms=55, bands_of_forms=25),
    "dependencies": Regime(dependencies=45),
    "forms-and-dependencies": Regime(forms=50, bands_of_forms=20, dependencies=40),
    "ineligible": Regime(forms=35, dependencies=25, ineligible=30),
    "groups": Regime(forms=25, bands_of_forms=20, dependencies=25, groups=100),
    "named": Regime(forms=45, bands_of_forms=25, dependencies=25, ineligible=3, groups=40, named=100),
    "everything": Regime(forms=45, bands_of_forms=30, dependencies=45, cycles=True, ineligible=5, groups=60, named=35),
}


def instance(regime: str, seed: int, *, policy_version: str = "compiler-policy-v1") -> tuple[Request, list[Candidate]]:
    """One small instance. The candidates stand in no particular order."""
    rules = REGIMES[regime]
    rng = Random(f"{regime}/{seed}")
    size = 3 + rng.randrange(7)
    pool = _pool(rng, rules, size, tokens=(1, 40))
    named = _named(rng, rules, pool)
    request = _request(rng, f"{regime}-{seed}", named, _budget(rng, pool), policy_version)
    return request, pool


def large_instance(seed: int, n: int, *, policy_version: str = "compiler-policy-v1") -> tuple[Request, list[Candidate]]:
    """A pool of about the shape of a real compilation: few obligations, many optional candidates, some structure."""
    rng = Random(f"large/{seed}/{n}")
    rules = Regime(forms=30, bands_of_forms=5, dependencies=20, ineligible=6, groups=70)
    pool = _pool(rng, rules, n, tokens=(5, 400), weights=(1, 3, 16, 80))
    total = sum(c.token_count for c in pool)
    budget = total * (10 + rng.randrange(40)) // 100
    return _request(rng, f"large-{seed}-{n}", (), budget, policy_version), pool


def table(seed: int, candidates: list[Candidate]) -> Pricing:
    """A measured pricing for these candidates: one of the three units, frames of a few units, any order of sizes."""
    rng = Random(f"table/{seed}")
    unit: Unit = _one(rng, ("tokens", "bytes4", "words13"))
    scale = 4 if unit == "bytes4" else 1
    base = rng.randrange(12 * scale)
    return Pricing(
        counter="o200k_base" if unit == "tokens" else unit,
        renderer="markdown",
        unit=unit,
        base=base,
        empty=max(0, base + rng.randrange(5) - 2),
        items={c.candidate_id: 1 + c.token_count * scale + rng.randrange(6 * scale) for c in candidates},
    )


def _one(rng: Random, choices: tuple[T, ...]) -> T:
    return choices[rng.randrange(len(choices))]


def _chance(rng: Random, percent: int) -> bool:
    return rng.randrange(100) < percent


def _pool(
    rng: Random, rules: Regime, size: int, *, tokens: tuple[int, int], weights: tuple[int, ...] | None = None
) -> list[Candidate]:
    drafts: list[dict[str, object]] = []
    ids: set[str] = set()
    while len(drafts) < size:
        again = bool(drafts) and _chance(rng, rules.forms)
        model = drafts[rng.randrange(len(drafts))] if again else None
        drafts.append(_draft(rng, rules, _fresh_id(rng, ids, size), model, tokens, weights))
    if _chance(rng, rules.groups):
        _add_groups(rng, drafts)
    _add_dependencies(rng, rules, drafts)
    return [Candidate(**draft) for draft in drafts]  # type: ignore[arg-type]


def _fresh_id(rng: Random, ids: set[str], size: int) -> str:
    while True:
        name = f"{SIGNS[rng.randrange(len(SIGNS))]}{rng.randrange(max(10, size))}"
        if name not in ids:
            ids.add(name)
            return name


def _draft(
    rng: Random,
    rules: Regime,
    name: str,
    model: dict[str, object] | None,
    tokens: tuple[int, int],
    weights: tuple[int, ...] | None,
) -> dict[str, object]:
    band: object = _weighted(rng, rules.bands, weights)
    if model is not None and not _chance(rng, rules.bands_of_forms):
        band = model["requirement"]
    fails = _one(rng, ("scope", "freshness", "authority", "floor")) if _chance(rng, rules.ineligible) else ""
    rank = rng.randrange(4)
    floor = rank + 1 if fails == "floor" else rng.randrange(rank + 1)
    return {
        "candidate_id": name,
        "content_identity": f"c-{name}" if model is None else model["content_identity"],
        "representation_id": ("reference", "anchor", "compact", "full")[rank],
        "form_rank": rank,
        "min_rank": floor,
        "token_count": tokens[0] + rng.randrange(tokens[1] - tokens[0] + 1),
        "requirement": band,
        "order_role": _one(rng, ROLES),
        "relevance": 0.3 if _chance(rng, 8) else rng.randrange(101) / 100,
        "coverage_keys": tuple(key for key in KEYS if _chance(rng, 15)),
        "is_default_form": model is None,
        "scope_eligible": fails != "scope",
        "scope_reason": f"scope: {name}" if fails == "scope" else "",
        "freshness_eligible": fails != "freshness",
        "freshness_reason": f"freshness: {name}" if fails == "freshness" else "",
        "authority_eligible": fails != "authority" and not (fails == "scope" and _chance(rng, 20)),
        "authority_reason": f"authority: {name}" if fails == "authority" else "",
        "source_kind": "synthetic",
        "source_ref": f"{name}.txt",
        "kind": _one(rng, KINDS),
        "content": f"The text of {name}: {rng.randrange(1000)}.",
    }


def _weighted(rng: Random, bands: tuple[Band, ...], weights: tuple[int, ...] | None) -> Band:
    if weights is None:
        return _one(rng, bands)
    place = rng.randrange(sum(weights))
    for band, weight in zip(bands, weights, strict=True):
        if place < weight:
            return band
        place -= weight
    raise AssertionError("weights add up to more than any place")


def _add_groups(rng: Random, drafts: list[dict[str, object]]) -> None:
    """One group for about four candidates; each within one declared band, as the input rules ask."""
    for number in range(max(1, len(drafts) // 4)):
        free = [d for d in drafts if "group_id" not in d]
        if not free:
            return
        band = free[rng.randrange(len(free))]["requirement"]
        fellows = [d for d in free if d["requirement"] == band]
        required = _chance(rng, 85)
        for _ in range(1 + rng.randrange(3)):
            if fellows:
                member = fellows.pop(rng.randrange(len(fellows)))
                member["group_id"] = f"g{number}"
                member["group_required"] = required


def _add_dependencies(rng: Random, rules: Regime, drafts: list[dict[str, object]]) -> None:
    """Without cycles a candidate needs only ones that were drawn later; with them any, itself included."""
    for place, draft in enumerate(drafts):
        needs: list[object] = []
        while _chance(rng, rules.dependencies) and len(needs) < 3:
            first = 0 if rules.cycles else place + 1
            if first >= len(drafts):
                break
            needs.append(drafts[first + rng.randrange(len(drafts) - first)]["candidate_id"])
        draft["depends_on"] = tuple(needs)


def _named(rng: Random, rules: Regime, pool: list[Candidate]) -> tuple[str, ...]:
    if not _chance(rng, rules.named):
        return ()
    named = [pool[rng.randrange(len(pool))].candidate_id for _ in range(1 + rng.randrange(2))]
    grouped = [c.candidate_id for c in pool if c.group_required]
    if grouped and _chance(rng, 30):
        named[0] = grouped[rng.randrange(len(grouped))]
    if _chance(rng, 6):
        named.append("no-such-id")
    return tuple(named)


def _budget(rng: Random, pool: list[Candidate]) -> int:
    """Near what some set of candidates costs: the obligations, everything, or any set; now and then tiny."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randrange(12)
    if kind <= 5:
        part = _obligations(rng, pool)
    elif kind <= 6:
        part = pool
    else:
        part = [c for c in pool if _chance(rng, 50)]
    # About what these cost when rendered: each with a frame of four tokens, and a header.
    return max(0, 3 + sum(c.token_count + 4 for c in part) + rng.randrange(9) - 4)


def _obligations(rng: Random, pool: list[Candidate]) -> list[Candidate]:
    """One random form for each obliged content, with everything those need."""
    by_id = {c.candidate_id: c for c in pool}
    forms: dict[str, list[Candidate]] = {}
    for candidate in pool:
        if candidate.requirement in ("MANDATORY", "REQUIRED"):
            forms.setdefault(candidate.content_identity, []).append(candidate)
    due = [several[rng.randrange(len(several))] for several in forms.values()]
    taken = {c.candidate_id for c in due}
    while due:
        for needed in due.pop().depends_on:
            if needed not in taken:
                taken.add(needed)
                due.append(by_id[needed])
    return [c for c in pool if c.candidate_id in taken]


def _request(rng: Random, name: str, named: tuple[str, ...], budget: int, policy_version: str) -> Request:
    return Request(
        request_id=name,
        task_id=_one(rng, ("task", "task", "two words", "a task of five words")),
        usable_token_budget=budget,
        created_at=_one(rng, ("2026-01-01T00:00:00Z", None)),
        active_scope="s",
        required_ids=named,
        policy_version=policy_version,
    )


def shared_instance(
    seed: int, obligations: int, *, policy_version: str = "compiler-policy-v1"
) -> tuple[Request, list[Candidate]]:
    """Obligations in two to four forms, most of which need something that others need as well: which form is best
    depends on the others. The budget is small, so a compiler refuses and has to say which would be enough."""
    rng = Random(f"shared/{seed}/{obligations}")
    parts = 2 + obligations // 3
    drafts: list[dict[str, object]] = []
    ids: set[str] = set()
    plain = Regime(bands=("MANDATORY", "REQUIRED"), ineligible=2)
    for _ in range(obligations):
        model = None
        for _ in range(2 + rng.randrange(3)):
            draft = _draft(rng, plain, _fresh_id(rng, ids, 9 * obligations), model, (1, 40), None)
            model = model or draft
            near = rng.randrange(parts)
            needs = [f"part{(near + rng.randrange(3)) % parts}" for _ in range(rng.randrange(3))]
            draft["depends_on"] = tuple(needs)
            drafts.append(draft)
    for number in range(parts):
        draft = _draft(rng, Regime(bands=("DISCRETIONARY",), ineligible=2), f"part{number}", None, (5, 60), None)
        if number and _chance(rng, 20):
            draft["depends_on"] = (f"part{rng.randrange(number)}",)
        drafts.append(draft)
    pool = [Candidate(**draft) for draft in drafts]  # type: ignore[arg-type]
    return _request(rng, f"shared-{seed}-{obligations}", (), 10 * obligations, policy_version), pool
