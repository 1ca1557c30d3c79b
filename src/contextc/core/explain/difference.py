"""What differs between two compilations, and the decision that made each difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from contextc.core.explain.decisions import describe
from contextc.core.explain.forms import Side, form_reason
from contextc.core.explain.view import View
from contextc.core.explain.words import amount, plain
from contextc.core.records.answer import Note
from contextc.core.records.base import Record
from contextc.core.records.outcome import Result
from contextc.core.records.pricing import Pricing
from contextc.core.records.trace import TraceEntry

Kind = Literal["came in", "fell out", "other form"]
KINDS: tuple[Kind, ...] = ("came in", "fell out", "other form")


class Change(Record, frozen=True, kw_only=True):
    """One content that the two bundles hold differently.

    `came in` and `fell out` have items on one side only, `other form` on both. `code` and `words` are of the decision
    that made the difference, in the trace of `decided_in`: there the form that is an item on the other side was kept
    out. For a form that was kept out by the other one alone, see `forms`.
    """

    content_identity: str
    kind: Kind
    before: tuple[str, ...]
    after: tuple[str, ...]
    decided_in: Side
    code: str
    words: str


def changes(
    before: Result,
    after: Result,
    *,
    notes: Mapping[str, Note] | None = None,
    pricing: Pricing | None = None,
) -> tuple[Change, ...]:
    """All contents that differ, ascending by name within came in, fell out, other form."""
    old, new = (View(result.trace, notes=notes, pricing=pricing) for result in (before, after))
    held, holds = _held(old), _held(new)
    found = []
    for content in sorted(held.keys() | holds.keys()):
        was, now = held.get(content, ()), holds.get(content, ())
        if was != now:
            found.append(_change(content, was, now, old, new))
    return tuple(sorted(found, key=lambda change: (KINDS.index(change.kind), change.content_identity)))


def difference(
    before: Result,
    after: Result,
    *,
    notes: Mapping[str, Note] | None = None,
    pricing: Pricing | None = None,
    names: tuple[str, str] = ("before", "after"),
) -> str:
    """Two compilations over one pool, compared in words. Ends in a line feed."""
    view = View(after.trace, notes=notes, pricing=pricing)
    found = changes(before, after, notes=notes, pricing=pricing)
    lines = [f"{name}: {_summary(result)}" for name, result in zip(names, (before, after), strict=True)]
    if before.failure is not None or after.failure is not None:
        # Everything on the other side differs, and for one reason, which the first lines state.
        return "\n".join(lines) + "\n"
    for kind in KINDS:
        told = [change for change in found if change.kind == kind]
        if told:
            lines.append(f"{kind}: {len(told):,}")
            lines += [f"  {_line(view, change, names)}" for change in told]
    if not found:
        lines.append(_nothing(before, after))
    return "\n".join(lines) + "\n"


def _held(view: View) -> dict[str, tuple[str, ...]]:
    """Ids of the items of each content."""
    found: dict[str, list[str]] = {}
    for entry in view.items:
        found.setdefault(entry.content_identity, []).append(entry.candidate_id)
    return {content: tuple(sorted(ids)) for content, ids in found.items()}


def _decided(view: View, content: str, ids: tuple[str, ...]) -> tuple[str, str]:
    """Code and words of the decision that kept these candidates out; of another form where they were none."""
    entries = [view.entries[name] for name in ids if name in view.entries] or view.forms.get(content, [])
    out = [entry for entry in entries if entry.position is None]
    if not out:
        return "unknown", "it was no candidate"
    return out[0].reason_code, _words(view, out[0])


def _words(view: View, entry: TraceEntry) -> str:
    if entry.decision == "ADMITTED":
        return "it had been admitted, but no bundle was made"
    return describe(entry.reason_code).why(view, entry)


def _change(content: str, was: tuple[str, ...], now: tuple[str, ...], old: View, new: View) -> Change:
    kind: Kind = "other form" if was and now else "came in" if now else "fell out"
    side: Side = "after" if kind == "fell out" else "before"
    code, words = _decided(new, content, was) if side == "after" else _decided(old, content, now)
    if kind == "other form" and code == "alternative_selected":
        later = _decided(new, content, was)
        if later[0] == code:
            side, code, words = form_reason(was[0], now[0], old, new)
        else:
            side, (code, words) = "after", later
    return Change(content_identity=content, kind=kind, before=was, after=now, decided_in=side, code=code, words=words)


def _line(view: View, change: Change, names: tuple[str, str]) -> str:
    was, now = (", ".join([view.priced(name) for name in ids]) for ids in (change.before, change.after))
    what = f"{was} -> {now}" if was and now else was or now
    return f"{what}; {names[0] if change.decided_in == 'before' else names[1]}: {change.words}"


def _summary(result: Result) -> str:
    if result.failure is not None:
        return f"{result.policy_version}, refused: {result.failure.reason}: {plain(result.failure.diagnostic)}"
    items = sum(entry.position is not None for entry in result.trace.entries)
    return f"{result.policy_version}, {amount(items, 'item')}, {amount(result.bundle_tokens or 0)}"


def _nothing(before: Result, after: Result) -> str:
    places = [
        {entry.candidate_id: entry.position for entry in result.trace.entries if entry.position is not None}
        for result in (before, after)
    ]
    return "the same items" if places[0] == places[1] else "the same items in another order"
