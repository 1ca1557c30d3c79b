"""The independent judge. Imports the records and not one function or rule of the compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextc.core.checker.arithmetic import check_pricing
from contextc.core.checker.causes import check_causes
from contextc.core.checker.envelope import check_envelope
from contextc.core.checker.facts import Facts
from contextc.core.checker.feasibility import check_bundle, check_text
from contextc.core.checker.ledger import check_spent, replays
from contextc.core.checker.listing import check_listing
from contextc.core.checker.refusals import check_refusal
from contextc.core.checker.rejections import check_rejections
from contextc.core.checker.report import Finding, Notes, Report
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Outcome
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request

__all__ = ["Finding", "Report", "check"]


def check(
    request: Request,
    candidates: Sequence[Candidate],
    policy: Policy,
    pricing: Pricing,
    outcome: Outcome,
    *,
    text: str | None = None,
    recount: Callable[[str], int] | None = None,
) -> Report:
    """Judge an outcome against its inputs.

    `text` is the delivered text and `recount` counts its tokens anew; both may be left out where nothing is delivered.
    The report is empty when everything holds; it never raises for a wrong outcome.
    """
    notes = Notes()
    facts = Facts(request, candidates, policy, pricing)
    if len(facts.number) != len(candidates):
        notes.object("inputs", "$.candidates", "two candidates share an id")
        return notes.report()
    check_pricing(facts, notes)
    check_envelope(request, policy, outcome, notes)
    _check_trace(facts, outcome, notes)
    if outcome.bundle is not None:
        check_bundle(facts, outcome.result, outcome.bundle, notes)
        if text is not None:
            check_text(facts, outcome.result, outcome.bundle, text, recount, notes)
    elif not outcome.result.success:
        check_refusal(facts, outcome, notes)
    return notes.report()


def _check_trace(facts: Facts, outcome: Outcome, notes: Notes) -> None:
    """The trace by itself, then by the way of counting that it follows: the one that leaves the fewest objections."""
    entries = check_listing(facts, outcome, notes)
    judged: list[Notes] = []
    for ledger, found in replays(facts, entries):
        check_causes(facts, entries, ledger, found)
        check_rejections(facts, entries, ledger, found)
        check_spent(outcome.result.failure, ledger, found)
        judged.append(found)
    notes.take(min(judged, key=len))
