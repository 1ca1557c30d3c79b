"""The short account of a compilation: what was used, what is in, what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from contextc.core.explain.decisions import CODES, describe
from contextc.core.explain.refusals import explain_refusal
from contextc.core.explain.view import View
from contextc.core.explain.words import amount, listing, plain
from contextc.core.records.answer import Answer
from contextc.core.records.candidate import BANDS
from contextc.core.records.trace import TraceEntry

#: Names listed for each reason: enough to see what kind of thing it is.
NAMED = 3

_FIRST = ("budget", "repair-drop", "no-earn", "dependency-blocked")
#: The order of reasons: what a larger budget could change first, what nothing changes last.
ORDER = {code: at for at, code in enumerate([*_FIRST, *[code for code in CODES if code not in _FIRST]])}

Row = tuple[str, str, str]


def account(answer: Answer, remarks: Sequence[str] = ()) -> str:
    """A few lines for a person; each of `remarks` becomes a line at the end. Ends in a line feed.

    A refused answer is told as its refusal.
    """
    if answer.bundle is None:
        failure = answer.result.failure
        told = (
            explain_refusal(
                failure, answer.witness, trace=answer.result.trace, notes=answer.notes, pricing=answer.pricing
            ).in_words()
            if failure is not None
            else ""
        )
        return told + "".join([f"{remark}\n" for remark in remarks])
    view = View(answer.result.trace, notes=answer.notes, pricing=answer.pricing)
    lines = [_first_line(answer), *_table(_tiers(answer, view))]
    absent = _absent(view)
    if absent:
        count = sum(len(entries) for entries in absent.values())
        lines += [f"left out: {count:,} of {amount(len(view.forms), 'content')}", *_table(_reasons(view, absent))]
    if answer.left_out:
        lines += [f"not read: {amount(len(answer.left_out), 'file')}", *_table(_unread(answer))]
    return "\n".join([*lines, *remarks]) + "\n"


def _first_line(answer: Answer) -> str:
    used, budget = answer.result.bundle_tokens or 0, answer.request.usable_token_budget
    items = amount(len(answer.bundle.items) if answer.bundle else 0, "item")
    return f"{used:,} of {budget:,} tokens ({answer.pricing.counter}), {items}, from the {plain(answer.source)}"


def _tiers(answer: Answer, view: View) -> list[Row]:
    items = answer.bundle.items if answer.bundle else ()
    rows: list[Row] = []
    for band in BANDS:
        held = [item for item in items if item.id in view.entries and view.entries[item.id].priority_band == band]
        if held:
            forms = Counter(view.entries[item.id].representation_id for item in held)
            said = ", ".join([f"{plain(form)} {count}" for form, count in sorted(forms.items())])
            rows.append((band.lower(), f"{len(held):,}", f"{amount(sum(item.token_count for item in held))}: {said}"))
    frame = answer.pricing.tokens(answer.pricing.base) if items else answer.pricing.tokens(answer.pricing.empty)
    if frame:
        rows.append(("frame", "", amount(frame)))
    return rows


def _absent(view: View) -> dict[str, list[TraceEntry]]:
    """Contents without an item, by reason code: each by the form that came nearest to being in."""
    found: dict[str, list[TraceEntry]] = {}
    for forms in view.forms.values():
        if any(entry.position is not None for entry in forms):
            continue
        nearest = min(
            forms,
            key=lambda e: (ORDER.get(e.reason_code, len(ORDER)), -e.relevance, e.marginal_cost, e.candidate_id),
        )
        found.setdefault(nearest.reason_code, []).append(nearest)
    return {code: found[code] for code in sorted(found, key=lambda code: (ORDER.get(code, len(ORDER)), code))}


def _reasons(view: View, absent: dict[str, list[TraceEntry]]) -> list[Row]:
    rows = []
    for code, entries in absent.items():
        entries.sort(key=lambda entry: (-entry.relevance, -entry.marginal_cost, entry.candidate_id))
        names = [_with_reason(view, entry) for entry in entries]
        rows.append((describe(code).brief, f"{len(entries):,}", listing(names, NAMED)))
    return rows


def _with_reason(view: View, entry: TraceEntry) -> str:
    place = view.place(entry.candidate_id)
    if entry.reason_code in ("budget", "repair-drop") and entry.marginal_cost:
        return f"{place} ({view.amount(entry.marginal_cost)})"
    if entry.decision == "REJECTED_HARD" and entry.reason_detail:
        return f"{place} ({plain(entry.reason_detail)})"
    return place


def _unread(answer: Answer) -> list[Row]:
    reasons: dict[str, list[str]] = {}
    for file in answer.left_out:
        reasons.setdefault(file.reason, []).append(plain(file.path))
    ordered = sorted(reasons, key=lambda reason: (-len(reasons[reason]), reason))
    return [(plain(reason), f"{len(reasons[reason]):,}", listing(sorted(reasons[reason]), NAMED)) for reason in ordered]


def _table(rows: Sequence[Row]) -> list[str]:
    """Rows as indented columns: a word, a number, and the rest."""
    first = max([len(row[0]) for row in rows], default=0)
    second = max([len(row[1]) for row in rows], default=0)
    return [f"  {row[0]:<{first}}  {row[1]:>{second}}  {row[2]}" for row in rows]
