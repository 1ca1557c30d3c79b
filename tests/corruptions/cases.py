"""The undamaged compilations: published, the small traps, the project's own corpus, random instances."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from tests.generator import REGIMES, instance, table
from tests.oracle import verdict

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.bundle import Bundle
from contextc.core.records.candidate import Candidate, CandidatePool
from contextc.core.records.codec import convert, decode
from contextc.core.records.outcome import Outcome, Result
from contextc.core.records.policy import POLICY_V1, POLICY_V2, Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.experiment.corpora import load_corpus

PROJECT = Path(__file__).resolve().parents[2]
CORPUS = PROJECT / "src" / "contextc" / "experiment" / "corpus"
POLICIES = (POLICY_V1, POLICY_V2)


class Case(Struct, frozen=True, kw_only=True):
    """Inputs and the outcome to be judged."""

    name: str
    request: Request
    candidates: tuple[Candidate, ...]
    policy: Policy
    pricing: Pricing
    outcome: Outcome


def compiled(
    name: str, request: Request, candidates: list[Candidate], policy: Policy, pricing: Pricing | None = None
) -> Case:
    """A case whose outcome the compiler gives."""
    request = replace(request, policy_version=policy.policy_version)
    return Case(
        name=f"{name} {policy.policy_version}",
        request=request,
        candidates=tuple(candidates),
        policy=policy,
        pricing=pricing or declared_pricing(request, candidates),
        outcome=compile_candidates(request, candidates, policy, pricing),
    )


def published(shared: Path) -> Iterator[Case]:
    """The 42 published compilations. Published refusals have no witness; for those the compiler's outcome stands in."""
    folder = shared / "conformance" / "compiler-v1"
    for line in (folder / "expected.jsonl").read_text("utf-8").splitlines():
        stored = json.loads(line)
        request = convert(stored["request"], Request)
        candidates = decode((folder / f"{stored['fixture']}.candidates.json").read_bytes(), CandidatePool).candidates
        case = compiled(stored["name"], request, list(candidates), POLICY_V1)
        if stored["result"]["success"]:
            outcome = Outcome(result=convert(stored["result"], Result), bundle=convert(stored["bundle"], Bundle))
            case = replace(case, outcome=outcome)
        yield case


def traps(shared: Path) -> Iterator[Case]:
    """The small traps at their own budget and at the least that is enough, and the pool that greedy order refuses."""
    files = sorted((shared / "conformance" / "adversarial-v1").glob("*.request.json"))
    files += sorted((shared / "conformance" / "completeness-v1").glob("*.request.json"))
    for file in files:
        request = decode(file.read_bytes(), Request)
        pool = file.with_name(file.name.replace(".request.", ".candidates."))
        candidates = list(decode(pool.read_bytes(), CandidatePool).candidates)
        budgets = {request.usable_token_budget, verdict(request, candidates).least_budget or 0}
        for budget in sorted(budgets):
            asked = replace(request, usable_token_budget=budget)
            for policy in POLICIES:
                yield compiled(f"{file.stem} at {budget}", asked, candidates, policy)


def own() -> Iterator[Case]:
    """The project's own corpus."""
    for case in load_corpus(CORPUS).cases():
        for policy in POLICIES:
            yield compiled(case.name, case.request, list(case.fixture.candidates), policy)


def generated(each: int) -> Iterator[Case]:
    """Random instances of every regime, at their own budget and at the least that is enough."""
    for regime in REGIMES:
        for seed in range(each):
            policy = POLICIES[seed % 2]
            request, candidates = instance(regime, seed, policy_version=policy.policy_version)
            pricing = table(seed, candidates) if seed % 3 == 0 else None
            yield compiled(f"{regime} {seed}", request, candidates, policy, pricing)
            least = verdict(request, candidates, policy, pricing).least_budget
            if least is not None and least != request.usable_token_budget:
                asked = replace(request, usable_token_budget=least)
                yield compiled(f"{regime} {seed} at {least}", asked, candidates, policy, pricing)
