"""Long runs: random instances compiled, compared with the oracle, judged by the checker.

    python -m tests.sweep --instances 50000 [--regime R] [--policy v1|v2] [--first SEED]

For each instance and policy: the compiler returns a bundle exactly where the oracle finds a legal set, and that bundle
is legal; a refusal for want of budget names the oracle's least budget; at that budget a bundle is made, at one token
less none; the checker has no objection and leaves nothing open. A third of the instances have a measured pricing, the
others declared counts. Prints counts per regime and, for each kind of fault, the instance with the fewest candidates;
exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace
from tests.generator import REGIMES, instance, table
from tests.oracle import Verdict, is_legal, verdict

from contextc.core.checker import check
from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Outcome
from contextc.core.records.policy import POLICY_V1, POLICY_V2, Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

POLICIES = {"v1": POLICY_V1, "v2": POLICY_V2}


@dataclass
class Tally:
    """What a run saw: how often each thing happened, and the smallest instance of each fault."""

    seen: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, tuple[int, str]] = field(default_factory=dict)

    def fault(self, kind: str, size: int, where: str) -> None:
        """Counts a fault and keeps the instance if none smaller is known."""
        self.faults[kind] += 1
        if kind not in self.smallest or size < self.smallest[kind][0]:
            self.smallest[kind] = (size, where)


def examine(regime: str, seed: int, policy: Policy, tally: Tally) -> None:
    """One instance under one policy."""
    request, candidates = instance(regime, seed, policy_version=policy.policy_version)
    measured = table(seed, candidates) if seed % 3 == 0 else None
    truth = verdict(request, candidates, policy, measured)
    budgets = {request.usable_token_budget}
    if truth.least_budget is not None:
        budgets |= {truth.least_budget, max(0, truth.least_budget - 1)}
    for budget in sorted(budgets):
        asked = replace(request, usable_token_budget=budget)
        outcome = compile_candidates(asked, candidates, policy, measured)
        tally.seen["compiled"] += 1
        for kind, detail in faults_of(asked, candidates, policy, measured, outcome, truth):
            tally.fault(kind, len(candidates), f"{regime} {seed} {policy.policy_version} budget {budget}: {detail}")
    tally.seen["never" if truth.least_budget is None else "bundle" if truth.satisfiable else "refusal"] += 1


def faults_of(
    request: Request,
    candidates: Sequence[Candidate],
    policy: Policy,
    measured: Pricing | None,
    outcome: Outcome,
    truth: Verdict,
) -> Iterator[tuple[str, str]]:
    """Everything that is wrong with an outcome, as kind and detail."""
    satisfiable = truth.least_budget is not None and truth.least_budget <= request.usable_token_budget
    if outcome.result.success:
        ids = [item.id for item in outcome.bundle.items] if outcome.bundle else ["no bundle"]
        if not satisfiable or not is_legal(ids, request, candidates, measured):
            yield "illegal as success", str(ids)
    elif satisfiable:
        yield "wrong refusal", f"the oracle has {truth.cheapest}"
    elif outcome.witness is not None:
        if outcome.witness.kind == "unproved":
            yield "unproved", str(outcome.witness.cap)
        elif outcome.witness.least_budget != truth.least_budget:
            yield "wrong least budget", f"{outcome.witness.least_budget}, the oracle says {truth.least_budget}"
    report = check(request, candidates, policy, measured or declared_pricing(request, candidates), outcome)
    for finding in report.findings:
        yield f"checker: {finding.code}", str(finding)
    for finding in report.unverified:
        yield f"left open: {finding.code}", str(finding)


def run(instances: int, regimes: Sequence[str], policies: Sequence[Policy], first: int = 0) -> dict[str, Tally]:
    """Spreads the instances evenly over the regimes; each is compiled under every policy."""
    tallies = {regime: Tally() for regime in regimes}
    for number in range(instances):
        regime = regimes[number % len(regimes)]
        for policy in policies:
            examine(regime, first + number // len(regimes), policy, tallies[regime])
    return tallies


def lines(tallies: dict[str, Tally]) -> Iterator[str]:
    """The table and the faults."""
    yield f"{'regime':24}{'instances':>10}{'compiled':>10}{'bundle':>8}{'refusal':>9}{'never':>7}{'faults':>8}"
    for regime, tally in tallies.items():
        kinds = [tally.seen[kind] for kind in ("bundle", "refusal", "never")]
        figures = "".join(f"{count:>{width}}" for count, width in zip(kinds, (8, 9, 7), strict=True))
        yield f"{regime:24}{sum(kinds):>10}{tally.seen['compiled']:>10}{figures}{tally.faults.total():>8}"
    for tally in tallies.values():
        for kind, count in sorted(tally.faults.items()):
            yield f"{count} x {kind}; the smallest has {tally.smallest[kind][0]} candidates: {tally.smallest[kind][1]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep", description="Random instances against the oracle.")
    parser.add_argument("--instances", type=int, default=50_000, help="number of instances (50000)")
    parser.add_argument("--regime", choices=sorted(REGIMES), help="only this regime")
    parser.add_argument("--policy", choices=sorted(POLICIES), help="only this policy; both when left out")
    parser.add_argument("--first", type=int, default=0, help="seed to start from (0)")
    chosen = parser.parse_args(arguments)
    regimes = [chosen.regime] if chosen.regime else list(REGIMES)
    policies = [POLICIES[chosen.policy]] if chosen.policy else list(POLICIES.values())
    tallies = run(chosen.instances, regimes, policies, chosen.first)
    for line in lines(tallies):
        print(line)
    return 1 if any(tally.faults for tally in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
