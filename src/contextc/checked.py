"""Compile candidates and have the outcome judged: no bundle and no refusal leaves without the checker's nod."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from contextc.core.checker import check
from contextc.core.compiler import compile_candidates, declared_pricing, load_exact
from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import digest, pretty_json
from contextc.core.records.outcome import Compilation, Outcome, Stored, compilation_of
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.errors import InternalError
from contextc.frontend.index.cachedir import cache_root


def compile_checked(
    request: Request, candidates: Sequence[Candidate], policy: Policy, pricing: Pricing | None = None
) -> Outcome:
    """Compile and check. Without `pricing`, by declared counts.

    Raises `DocumentError` for inputs that do not belong together, `InternalError` when the checker objects.
    """
    used = pricing or declared_pricing(request, candidates)
    outcome = solve(request, candidates, policy, used)
    judge(compilation_of(request, policy, used, outcome), candidates)
    return outcome


def solve(request: Request, candidates: Sequence[Candidate], policy: Policy, pricing: Pricing) -> Outcome:
    """Compile; where the bounded search stops at its cap, again with the exact solver if that is installed."""
    outcome = compile_candidates(request, candidates, policy, pricing)
    if outcome.witness is None or outcome.witness.kind != "unproved":
        return outcome
    solver = load_exact()
    return outcome if solver is None else compile_candidates(request, candidates, policy, pricing, solver)


def judge(
    made: Compilation,
    candidates: Sequence[Candidate],
    *,
    text: str | None = None,
    recount: Callable[[str], int] | None = None,
    cache_dir: Path | None = None,
) -> None:
    """Put an outcome to the independent checker. Raises `InternalError` when it objects, after writing the inputs to a
    file of the cache directory for a report."""
    outcome = Outcome(result=made.result, bundle=made.bundle, witness=made.witness)
    report = check(made.request, candidates, made.policy, made.pricing, outcome, text=text, recount=recount)
    if not report.findings:
        return
    kept = _keep(Stored(compilation=made, candidates=tuple(candidates)), cache_dir or cache_root())
    first = report.findings[0]
    raise InternalError(
        f"the checker objects to what the compiler made: {first.code}: {first.message}",
        where=first.path,
        hint=f"this is a fault of contextc; please report it{f' with {kept}' if kept else ''}",
    )


def _keep(stored: Stored, folder: Path | None) -> str | None:
    """Write a compilation with its candidates; None when there is no place. Secret candidates have no content."""
    if folder is None:
        return None
    path = folder / f"objection-{digest(stored)[:12]}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(pretty_json(stored), encoding="utf-8")
    except OSError:
        return None
    return str(path)
