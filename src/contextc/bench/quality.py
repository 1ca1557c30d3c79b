"""Quality of policy v2: `python -m contextc.bench.quality [instances] [seconds]`.

Compiles random pools of 50-200 candidates and compares the worth of each bundle with the exact optimum, which OR-tools
CP-SAT finds on a model written from rules L1-L7. Needs the extra `exact`. Prints median, 95th percentile and largest
gap in percent. An instance whose optimum is not proven within the limit (a deterministic measure) is counted apart,
with the gap to the best bound.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.compiler.pool import REQUIRED, Pool
from contextc.core.compiler.worth import BAND_WEIGHT, COVERAGE, item_values, points_at_nothing
from contextc.core.records.candidate import Band, Candidate
from contextc.core.records.policy import POLICY_V2
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

INSTANCES = 60
#: Deterministic time of one exact solution.
LIMIT = 20.0
#: Relevance in thousandths of the worth unit keeps objective values small for the solver.
SHRINK = 1_000


def instance(seed: int) -> tuple[Request, list[Candidate]]:
    """A pool of 50-200 candidates with dependencies, groups, forms, gates, coverage, four bands."""
    rng = random.Random(f"quality-{seed}")
    size = rng.randint(50, 200)
    found: list[Candidate] = []
    while len(found) < size:
        band: Band = rng.choices(("MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY"), (2, 4, 24, 70))[0]
        found += _content(rng, len(found), band, rng.random())
    whole = sum(c.token_count + 5 for c in found)
    request = Request(
        request_id=f"quality-{seed}",
        task_id="bench",
        usable_token_budget=int(whole * rng.uniform(0.1, 0.6)),
        policy_version="compiler-policy-v2",
    )
    return request, found


def _content(rng: random.Random, at: int, band: Band, kind: float) -> list[Candidate]:
    """One content in one or several forms, or one required group."""
    if kind < 0.35:
        tokens, relevance = rng.randint(60, 500), rng.uniform(0.2, 1.0)
        shares = ((3, 1.0, 1.0), (2, 0.45, 0.95), (1, 0.15, 0.9), (0, 0.05, 0.9))
        return [
            _one(rng, at + k, band, f"x{at}", rank, max(1, int(tokens * share)), round(relevance * worth, 3))
            for k, (rank, share, worth) in enumerate(shares[: rng.randint(2, 4)])
        ]
    if kind < 0.45:
        return [
            msgspec.structs.replace(
                _one(rng, at + k, band, f"x{at + k}", 3, rng.randint(10, 200), round(rng.random(), 3)),
                group_id=f"g{at}",
                group_required=True,
            )
            for k in range(rng.randint(2, 4))
        ]
    return [_one(rng, at, band, f"x{at}", 3, rng.randint(5, 400), round(rng.random(), 3))]


def _one(rng: random.Random, at: int, band: Band, content: str, rank: int, tokens: int, relevance: float) -> Candidate:
    needs = rng.sample(range(at), min(at, rng.randint(1, 2))) if rng.random() < 0.25 else []
    return Candidate(
        candidate_id=f"c{at:04d}",
        content_identity=content,
        representation_id=("reference", "anchor", "compact", "full")[rank],
        form_rank=rank,
        token_count=tokens,
        requirement=band,
        order_role=rng.choice(("instruction", "task", "evidence", "support")),
        relevance=relevance,
        depends_on=tuple(f"c{j:04d}" for j in sorted(needs)),
        coverage_keys=tuple(f"k{rng.randrange(25)}" for _ in range(rng.choice((0, 0, 1, 2)))),
        freshness_eligible=rng.random() >= 0.04,
    )


def worth_of(pool: Pool, inside: Sequence[int]) -> int:
    """Worth of a bundle, recounted from its definition."""
    values = item_values(pool)
    strongest = _strongest(pool)
    keys = {key for i in inside if not points_at_nothing(pool, i) for key in pool.candidates[i].coverage_keys}
    return sum(values[i] for i in inside) + sum(BAND_WEIGHT[strongest[key]] * COVERAGE for key in keys)


def _strongest(pool: Pool) -> dict[str, int]:
    found: dict[str, int] = {}
    for i, candidate in enumerate(pool.candidates):
        for key in candidate.coverage_keys:
            found[key] = min(found.get(key, 3), pool.band[i])
    return found


def optimum(pool: Pool, limit: float = LIMIT) -> tuple[int, int, bool] | None:
    """Best worth, its upper bound, and whether it is proven; None when no bundle is legal. Worth in `SHRINK` units."""
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i}") for i in range(pool.size)]
    for i, gate in enumerate(pool.gate):
        if gate is not None:
            model.add(x[i] == 0)
        for j in pool.depends[i]:
            model.add_implication(x[i], x[j])
    for members in pool.groups:
        for i in members[1:]:
            model.add(x[i] == x[members[0]])
        if min(pool.band[i] for i in members) <= REQUIRED:
            model.add(x[members[0]] == 1)
    for forms in pool.forms:
        model.add_at_most_one(x[i] for i in forms)
        strongest = min(pool.band[i] for i in forms)
        if strongest <= REQUIRED:
            model.add_bool_or([x[i] for i in forms if pool.band[i] == strongest])
    for i in pool.named:
        model.add(x[i] == 1)
    model.add(sum(pool.units[i] * x[i] for i in range(pool.size)) <= pool.limit - pool.pricing.base)
    terms = [value // SHRINK * x[i] for i, value in enumerate(item_values(pool))]
    for key, band in sorted(_strongest(pool).items()):
        covered = model.new_bool_var(f"k{key}")
        holders = [
            x[i] for i, c in enumerate(pool.candidates) if key in c.coverage_keys and not points_at_nothing(pool, i)
        ]
        model.add_bool_or([*holders, covered.negated()])
        terms.append(BAND_WEIGHT[band] * COVERAGE // SHRINK * covered)
    model.maximize(sum(terms))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = limit
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return int(solver.objective_value), int(solver.best_objective_bound), status == cp_model.OPTIMAL


def gap_of(seed: int, limit: float = LIMIT) -> tuple[float, bool, float] | None:
    """Gap in percent, whether the optimum is proven, and seconds of our compilation; None when refused."""
    request, candidates = instance(seed)
    pricing: Pricing = declared_pricing(request, candidates)
    start = time.perf_counter()
    outcome = compile_candidates(request, candidates, POLICY_V2, pricing)
    seconds = time.perf_counter() - start
    if outcome.bundle is None:
        return None
    pool = Pool(request, candidates, POLICY_V2, pricing)
    found = optimum(pool, limit)
    if found is None:
        return None
    ours = worth_of(pool, [pool.index[name] for name in outcome.bundle.layout_trace]) / SHRINK
    best = found[0] if found[2] else found[1]
    return max(0.0, 100.0 * (best - ours) / max(1, best)), found[2], seconds


def main(arguments: Sequence[str]) -> None:
    """Print the gaps."""
    count = int(arguments[0]) if arguments else INSTANCES
    limit = float(arguments[1]) if len(arguments) > 1 else LIMIT
    results = [(seed, gap_of(seed, limit)) for seed in range(count)]
    judged = [(seed, *found) for seed, found in results if found is not None]
    gaps = sorted(gap for _, gap, _, _ in judged)
    unproven = sum(not proven for _, _, proven, _ in judged)
    if not gaps:
        print("no instance was compiled")
        return
    print(
        f"{len(gaps)} instances ({count - len(gaps)} refused, {unproven} optima unproven): gap median "
        f"{gaps[len(gaps) // 2]:.2f} %, p95 {gaps[int(len(gaps) * 0.95)]:.2f} %, max {gaps[-1]:.2f} %; "
        f"slowest compilation {max(seconds for *_, seconds in judged):.3f} s"
    )
    worst = sorted(judged, key=lambda found: -found[1])[:5]
    print("worst:", ", ".join(f"{seed} ({gap:.2f} %)" for seed, gap, _, _ in worst))


if __name__ == "__main__":
    main(sys.argv[1:])
