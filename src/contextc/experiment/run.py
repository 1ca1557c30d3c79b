"""Run strategies over a corpus: one compilation for each case and strategy, judged at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from contextc.core.compiler import declared_pricing
from contextc.core.records.candidate import Candidate
from contextc.errors import PluginError
from contextc.experiment.corpora import Case, Corpus
from contextc.experiment.judge import aids, judge
from contextc.experiment.rows import Row
from contextc.experiment.strategies.base import Choice, Problem, Registered
from contextc.experiment.traces import entries_of


def run_experiment(corpus: Corpus, strategies: Sequence[Registered]) -> tuple[Row, ...]:
    """All rows, in the order of the run: fixtures by name, then budgets, then strategies as given (section 8).

    Raises `PluginError` when a strategy breaks its contract.
    """
    rows: list[Row] = []
    for case in corpus.cases():
        pricing = declared_pricing(case.request, case.fixture.candidates)
        problem = Problem(
            request=case.request,
            candidates=case.fixture.candidates,
            policy=corpus.policy,
            pricing=pricing,
            weights=corpus.weights,
        )
        rows += [_run_one(case, problem, registered) for registered in strategies]
    return tuple(rows)


def _run_one(case: Case, problem: Problem, registered: Registered) -> Row:
    # Only a strategy that is registered to see the labels is given them.
    given = replace(problem, labels=case.fixture.labels) if registered.sees_labels else problem
    choice = registered.strategy(given)
    _check_choice(case, registered, choice)
    metrics = judge(case, problem, choice)
    refused = choice.reason is not None
    return Row(
        case=case,
        strategy=registered.key,
        reason=choice.reason,
        selected=None if refused else choice.items,
        bundle_hash=None if refused else _hash(case, choice),
        metrics=metrics,
        aids=aids(case, choice, metrics),
        entries=entries_of(choice, problem),
    )


def _check_choice(case: Case, registered: Registered, choice: Choice) -> None:
    """Hold a strategy to its protocol."""
    known = {candidate.candidate_id for candidate in case.fixture.candidates}
    unknown = [name for name in choice.items if name not in known]
    fault = ""
    if unknown:
        fault = f"it returned {unknown[0]!r}, which is not a candidate"
    elif len(set(choice.items)) != len(choice.items):
        fault = "it returned a candidate twice"
    elif choice.items and choice.reason is not None:
        fault = "it returned items together with a refusal"
    if fault:
        raise PluginError(
            f"strategy {registered.key!r} broke its contract: {fault}",
            where=case.name,
            hint="see contextc.experiment.strategies.base.Strategy",
        )


def _hash(case: Case, choice: Choice) -> str:
    """SHA-256 over id, a zero byte, content, a zero byte of each item in layout order (section 9)."""
    by_id: dict[str, Candidate] = {candidate.candidate_id: candidate for candidate in case.fixture.candidates}
    sha = hashlib.sha256()
    for name in choice.items:
        sha.update(name.encode() + b"\0" + by_id[name].content.encode() + b"\0")
    return sha.hexdigest()
