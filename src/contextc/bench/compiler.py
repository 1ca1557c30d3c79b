"""Speed of the compiler of candidates: `python -m contextc.bench.compiler [n ...]`.

Prints, for each shape of pool and each number of candidates, the seconds of one compilation under both policies and
the ratio to the *floor*: decoding the input, encoding the answer and hashing the bundle in the same run. That is the
work any compiler with this boundary has to do.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

import msgspec

from contextc.core.compiler import compile_candidates
from contextc.core.records.candidate import Band, Candidate, CandidatePool
from contextc.core.records.canonical import bundle_hash, canonical_json
from contextc.core.records.outcome import Outcome
from contextc.core.records.policy import POLICY_V1, POLICY_V2, Policy
from contextc.core.records.request import Request

#: Share of all declared tokens that is the budget.
BUDGET_SHARE = 0.2
SIZES = (100, 1_000, 10_000, 100_000)
#: Runs of which the fastest counts, by the largest size they are used for.
RUNS = ((1_000, 5), (10_000, 3), (1_000_000, 1))

ROLES = ("instruction", "task", "state", "evidence", "support", "tool")


def _plain(rng: random.Random, at: int, band: Band, **more: object) -> Candidate:
    fields: dict[str, object] = {
        "candidate_id": f"c{at:06d}",
        "content_identity": f"c{at:06d}",
        "representation_id": "full",
        "form_rank": 3,
        "token_count": rng.randint(5, 400),
        "requirement": band,
        "order_role": ROLES[at % len(ROLES)],
        "relevance": rng.randint(0, 1000) / 1000,
        "source_kind": "bench",
        "source_ref": f"src/module{at % 97}/file{at}.py",
        "scope_reason": "in scope",
        "freshness_reason": "validated current",
        "authority_reason": "source",
        "content": f"Synthetic note number {at}.",
    }
    return msgspec.convert({**fields, **more}, Candidate)


def _mixed_band(rng: random.Random, at: int) -> Band:
    """1 % MANDATORY and 2 % REQUIRED, at most 30 and 60 of them; 7 % PREFERRED; the rest DISCRETIONARY."""
    share = rng.random()
    if share < 0.01:
        return "MANDATORY"
    if share < 0.03:
        return "REQUIRED"
    return "PREFERRED" if share < 0.10 else "DISCRETIONARY"


def std(rng: random.Random, count: int) -> list[Candidate]:
    """Bands of 1/2/7/90 %, with dependencies, groups, forms and gates among the optional ones."""
    found: list[Candidate] = []
    while len(found) < count:
        at = len(found)
        band = _mixed_band(rng, at)
        more: dict[str, object] = {"coverage_keys": (f"k{rng.randrange(count // 10 + 1)}",) if at % 3 == 0 else ()}
        optional = band in ("PREFERRED", "DISCRETIONARY")
        kind = rng.random()
        if optional and kind < 0.15 and at > 10:
            more["depends_on"] = tuple(f"c{rng.randrange(at):06d}" for _ in range(rng.randint(1, 2)))
        elif optional and kind < 0.20 and at + 3 <= count:
            group = {"group_id": f"g{at}", "group_required": True}
            found += [_plain(rng, at + k, band, **group) for k in range(3)]
            continue
        elif kind < 0.35 and at + 3 <= count:
            forms = ((3, "full"), (2, "compact"), (1, "anchor"))
            found += [
                _plain(rng, at + k, band, content_identity=f"c{at:06d}", form_rank=rank, representation_id=name)
                for k, (rank, name) in enumerate(forms)
            ]
            continue
        elif optional and kind < 0.40:
            more["freshness_eligible"] = False
        found.append(_plain(rng, at, band, **more))
    return found


def flat(rng: random.Random, count: int) -> list[Candidate]:
    """Almost all discretionary, no structure."""
    return [_plain(rng, at, "MANDATORY" if at < 3 else "DISCRETIONARY") for at in range(count)]


def pref(rng: random.Random, count: int) -> list[Candidate]:
    """40 % PREFERRED, coverage keys in both optional bands."""
    return [
        _plain(
            rng,
            at,
            "PREFERRED" if rng.random() < 0.4 else "DISCRETIONARY",
            coverage_keys=(f"k{rng.randrange(count // 5 + 1)}",),
        )
        for at in range(count)
    ]


def chain(rng: random.Random, count: int) -> list[Candidate]:
    """One dependency chain: each candidate needs the one before it."""
    return [_plain(rng, at, "DISCRETIONARY", depends_on=(f"c{at - 1:06d}",) if at else ()) for at in range(count)]


def tiny(rng: random.Random, count: int) -> list[Candidate]:
    """Equal small items; the budget is the sum of their declared tokens, so rendering runs over it."""
    return [_plain(rng, at, "DISCRETIONARY", token_count=5, relevance=0.5) for at in range(count)]


def groups(rng: random.Random, count: int) -> list[Candidate]:
    """Half of the candidates in required groups of four."""
    found: list[Candidate] = []
    for at in range(count):
        band: Band = "PREFERRED" if (at // 4) % 5 == 0 else "DISCRETIONARY"
        more = {"group_id": f"g{at // 4}", "group_required": True} if (at // 4) % 2 else {}
        found.append(_plain(rng, at, band, **more))
    return found


SHAPES: dict[str, Callable[[random.Random, int], list[Candidate]]] = {
    "std": std,
    "flat": flat,
    "pref": pref,
    "chain": chain,
    "tiny": tiny,
    "groups": groups,
}


def generate(shape: str, count: int, policy: Policy, seed: int = 1) -> tuple[Request, list[Candidate]]:
    """A request and a pool of `count` candidates; the same arguments give the same pool."""
    candidates = SHAPES[shape](random.Random(f"{shape}-{count}-{seed}"), count)
    whole = sum(c.token_count for c in candidates)
    request = Request(
        request_id=f"{shape}-{count}",
        task_id="bench",
        usable_token_budget=whole if shape == "tiny" else int(whole * BUDGET_SHARE),
        policy_version=policy.policy_version,
    )
    return request, candidates


def floor_of(data: bytes, outcome: Outcome) -> float:
    """Seconds of decoding the input, encoding the answer and hashing the bundle."""
    start = time.perf_counter()
    msgspec.json.decode(data, type=CandidatePool)
    canonical_json(outcome)
    if outcome.bundle is not None:
        bundle_hash(outcome.bundle.items)
    return time.perf_counter() - start


def measure(shape: str, count: int, policy: Policy) -> tuple[float, float, Outcome]:
    """Seconds of one compilation, seconds of the floor (the fastest of some runs), and the outcome."""
    request, candidates = generate(shape, count, policy)
    data = canonical_json(CandidatePool(candidates=tuple(candidates)))
    runs = next(runs for size, runs in RUNS if count <= size)
    best = floor = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        outcome = compile_candidates(request, candidates, policy)
        best = min(best, time.perf_counter() - start)
        floor = min(floor, floor_of(data, outcome))
    return best, floor, outcome


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    sizes = [int(a) for a in arguments] or list(SIZES)
    print(f"{'shape':8}{'n':>8}{'v1 s':>9}{'/floor':>8}{'v2 s':>9}{'/floor':>8}{'items v1':>10}{'items v2':>10}")
    for shape in SHAPES:
        for count in sizes:
            row = f"{shape:8}{count:8}"
            held = ""
            for policy in (POLICY_V1, POLICY_V2):
                seconds, floor, outcome = measure(shape, count, policy)
                row += f"{seconds:9.4f}{seconds / floor:8.1f}"
                held += f"{len(outcome.bundle.items) if outcome.bundle is not None else 'refused':>10}"
            print(row + held, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
