"""Why one candidate is in or out, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from contextc.core.explain.decisions import as_sentence, describe, rivals
from contextc.core.explain.view import View
from contextc.core.explain.words import LISTED, listing, plain
from contextc.core.records.answer import Note
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Obstacle, Witness
from contextc.core.records.pricing import Pricing
from contextc.core.records.trace import Trace, TraceEntry
from contextc.errors import NotFound

#: Forms that are listed; the rest is counted. More than there are forms that select makes of a file.
TOLD = 8


def explain_candidate(
    candidate_id: str,
    trace: Trace,
    candidates: Iterable[Candidate] = (),
    notes: Mapping[str, Note] | None = None,
    witness: Witness | None = None,
    pricing: Pricing | None = None,
) -> str:
    """The decision on a candidate, why, what it cost, what it came with, and what would have to change.

    A line for each sentence, ending in a line feed. Raises `NotFound` when neither trace nor witness nor candidates
    know the id.
    """
    view = View(trace, candidates=candidates, notes=notes, pricing=pricing, witness=witness)
    entry = view.entries.get(candidate_id)
    if entry is None and candidate_id not in view.candidates and candidate_id not in _named(witness):
        raise NotFound(f"no candidate has the id {candidate_id!r}", hint="ids are in the trace, one for each form")
    lines = [_heading(view, candidate_id)]
    if entry is None:
        lines.append("Nothing was decided on it.")
    else:
        lines += _decision(view, entry)
        lines += _origin(view, entry)
        lines += _company(view, entry)
        lines += _forms(view, entry)
    lines += _in_witness(view, candidate_id)
    return "\n".join([line for line in lines if line]) + "\n"


def _heading(view: View, candidate_id: str) -> str:
    name = view.name(candidate_id)
    return f"{name}, candidate {plain(candidate_id)}" if candidate_id in view.notes else name


def _decision(view: View, entry: TraceEntry) -> list[str]:
    code = describe(entry.reason_code)
    why, change = as_sentence(code.why, view, entry), as_sentence(code.change, view, entry)
    if entry.decision != "ADMITTED":
        lines = ["There is no bundle." if entry.decision == "UNDECIDED" else "It is not in the bundle.", why]
        if entry.reason_code == "budget":
            lines.append(_room(view, entry))
        return [*lines, change]
    if entry.position is None:
        where = "It had been admitted, but no bundle was made."
    else:
        where = f"It is item {entry.position + 1} of {len(view.items)} in the bundle."
    return [where, why, _spent(view, entry)]


def _spent(view: View, entry: TraceEntry) -> str:
    if not (entry.budget_before or entry.budget_after):
        return f"It costs {view.amount(entry.marginal_cost)}."
    step = entry.budget_before - entry.budget_after
    if not step:
        return f"It costs {view.amount(entry.marginal_cost)}; {entry.budget_before:,} were left before."
    alone = "" if step == entry.marginal_cost else f", and with what was admitted in the same step {step:,}"
    left = f"{entry.budget_before:,} were left before and {entry.budget_after:,} after"
    return f"It costs {view.amount(entry.marginal_cost)}{alone}; {left}."


def _room(view: View, entry: TraceEntry) -> str:
    if not view.items:
        return ""
    found = rivals(view, entry)
    if not found:
        return f"Everything in the bundle is of a stronger band than {entry.priority_band}."
    names = [f"{view.name(item.candidate_id)} ({item.marginal_cost:,})" for item in found]
    return f"Of its band or a weaker one, the bundle holds {listing(names)}."


def _origin(view: View, entry: TraceEntry) -> list[str]:
    note = view.notes.get(entry.candidate_id)
    band = f"Its band is {entry.priority_band}, its relevance {entry.relevance:g}." if entry.priority_band else ""
    if note is None:
        return [band]
    why = f"It was found because: {'; '.join(map(plain, note.why[:LISTED]))}." if note.why else ""
    remark = f"Remark: {plain(note.remark)}." if note.remark else ""
    return [band, why, remark]


def _company(view: View, entry: TraceEntry) -> list[str]:
    lines = []
    group, mates = _group(view, entry)
    if mates:
        said = listing([view.name(name) for name in mates])
        lines.append(f"It is in the required group {plain(group)} with {said}: whole or not at all.")
    needs = [name for name in view.needs(entry.candidate_id) if name not in mates]
    if needs:
        lines.append(f"It needs {listing([view.name(name) for name in needs])}.")
    pulled = sorted([other.candidate_id for other in view.entries.values() if entry.candidate_id in other.pulled_in_by])
    if pulled:
        lines.append(f"It brought in {listing([view.name(name) for name in pulled])}.")
    return lines


def _group(view: View, entry: TraceEntry) -> tuple[str, list[str]]:
    """The name of the candidate's required group and its other members; nothing without one."""
    candidate = view.candidates.get(entry.candidate_id)
    if candidate is None or not candidate.group_required or candidate.group_id is None:
        return "", []
    return candidate.group_id, [name for name in view.groups[candidate.group_id] if name != entry.candidate_id]


def _forms(view: View, entry: TraceEntry) -> list[str]:
    others = [other for other in view.forms[entry.content_identity] if other is not entry]
    if not others:
        return []
    others.sort(key=lambda other: (other.decision != "ADMITTED", other.candidate_id))
    told = [_form(view, other) for other in others[:TOLD]]
    more = [f"{len(others) - TOLD:,} more"] if len(others) > TOLD else []
    return [f"Other forms of its content: {'; '.join([*told, *more])}."]


def _form(view: View, other: TraceEntry) -> str:
    """A form in a list of forms: by its name where ids would repeat the path, with its fate where that says more."""
    name = plain(other.representation_id) if other.candidate_id in view.notes else view.name(other.candidate_id)
    if other.reason_code == "alternative_selected":
        return name
    return f"{name}, {describe(other.reason_code).brief}"


def _in_witness(view: View, candidate_id: str) -> list[str]:
    witness = view.witness
    if witness is None:
        return []
    lines = []
    if candidate_id in witness.bundle_ids:
        lines.append("It is part of the cheapest legal bundle there is.")
    if witness.kind == "missing" and candidate_id in witness.ids:
        lines.append("The request requires it by name, and no candidate has that id.")
    lines += [
        f"No bundle can hold it: {path_in_words(view, found)}."
        for found in witness.obstacles
        if found.candidate_id == candidate_id
    ]
    return lines


def path_in_words(view: View, obstacle: Obstacle) -> str:
    """The way from a candidate to what stands against it: `a needs b, which fails the scope gate: another project`."""
    first, *others = [view.name(name) for name in obstacle.path]
    way = [f"needs {name}" for name in others]
    if obstacle.gate == "missing":
        way.append("is no candidate")
    elif obstacle.gate == "form-clash":
        way.append(f"is another form of the content of {view.name(obstacle.other or '')}, needed as well")
    else:
        way.append(f"fails the {obstacle.gate} gate" + (f": {plain(obstacle.reason)}" if obstacle.reason else ""))
    return f"{first} {', which '.join(way)}"


def _named(witness: Witness | None) -> set[str]:
    return set() if witness is None else {*witness.ids, *witness.bundle_ids}
