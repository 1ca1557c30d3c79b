"""`staged`: the compiler of candidates, under the policy of the corpus (construction experiment, section 4)."""

from __future__ import annotations

from contextc.core.compiler import compile_candidates
from contextc.core.records.policy import Policy
from contextc.core.records.projection import project_v1
from contextc.experiment.strategies.base import Choice, Problem


def staged(problem: Problem) -> Choice:
    """Compile under the policy of the problem."""
    return compiled_with(problem, problem.policy)


def compiled_with(problem: Problem, policy: Policy) -> Choice:
    """Compile under a policy and hand on what was chosen, with the trace in its first version."""
    outcome = compile_candidates(problem.request, problem.candidates, policy, problem.pricing)
    entries = project_v1(outcome.result).trace.entries
    failure = outcome.result.failure
    if failure is not None:
        return Choice(reason=failure.reason, entries=entries)
    return Choice(items=outcome.bundle.layout_trace if outcome.bundle else (), entries=entries)
