"""What each reason code of a trace means: in a few words, in a sentence, and what would have to change.

Every sentence is true of the records it is made from. None promises that a change alone is enough where that
depends on what else competes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from contextc.core.explain.view import View, band_rank
from contextc.core.explain.words import listing, plain, sentence
from contextc.core.records.candidate import FORM_RANKS
from contextc.core.records.trace import TraceEntry

Say = Callable[[View, TraceEntry], str]


class Code(NamedTuple):
    """One reason code. `brief` stands in lists; `why` and `change` are sentences, `change` may be empty."""

    brief: str
    why: Say
    change: Say


#: Why an admitted candidate was taken, by the detail of its entry.
ADMITTED_AS: dict[str, str] = {
    "mandatory": "its content is mandatory: no bundle is legal without it",
    "required": "it is required: no bundle is legal without it",
    "preferred-greedy": "it was the best of what was left of its band and fitted",
    "discretionary-greedy": "it was the best of what was left of its band and fitted",
    "preferred-worth": "it is part of the fill that is worth most among those tried",
    "discretionary-worth": "it is part of the fill that is worth most among those tried",
    "dump-truncate": "the strategy takes all in order of id until the budget is used",
    "topk-greedy": "the strategy takes what fits, the most relevant first",
    "weighted-greedy": "the strategy takes what fits, the highest score first",
    "gated-greedy": "the strategy takes what fits of the eligible, the most relevant first",
    "baseline admission": "the oracle knows that the task needs it",
}


def _admitted(view: View, entry: TraceEntry) -> str:
    detail = entry.reason_detail
    if entry.pulled_in_by:
        return f"it was admitted because {listing(_names(view, entry.pulled_in_by))} cannot do without it"
    candidate = view.candidates.get(entry.candidate_id)
    if candidate is not None and candidate.requirement != entry.priority_band:
        return "it was admitted because the request requires it by name"
    return f"it was admitted because {ADMITTED_AS.get(detail, plain(detail))}"


def _gate(words: str) -> Say:
    def why(_: View, entry: TraceEntry) -> str:
        return f"{words}: {plain(entry.reason_detail)}" if entry.reason_detail else words

    return why


def _below_floor(view: View, entry: TraceEntry) -> str:
    candidate = view.candidates.get(entry.candidate_id)
    if candidate is None:
        return f"this form shows too little of its content: {plain(entry.reason_detail)}"
    ranks = f"it has rank {candidate.form_rank}, the least is {candidate.min_rank}"
    return f"this form shows too little of its content: {ranks}"


def _other_form(view: View, entry: TraceEntry) -> str:
    holder = view.holder(entry.content_identity)
    if holder is None:
        return "another form of its content was admitted"
    return f"another form of its content was admitted: {view.name(holder.candidate_id)}"


def _blocked(view: View, entry: TraceEntry) -> str:
    return f"it cannot be in: {blocker(view, entry)}"


def blocker(view: View, entry: TraceEntry) -> str:
    """What a candidate needs that cannot be in, as far as the records tell."""
    held: dict[str, str] = {entry.content_identity: entry.candidate_id}
    for needed in view.needs(entry.candidate_id):
        found = view.entries.get(needed)
        if found is None:
            return f"it needs {view.name(needed)}, on which nothing was decided"
        if found.decision == "REJECTED_HARD":
            return f"it needs {view.name(needed)}, and {describe(found.reason_code).why(view, found)}"
        holder = view.holder(found.content_identity)
        if holder is not None and holder.candidate_id != needed:
            other = view.name(holder.candidate_id)
            return f"it needs {view.name(needed)}, and another form of that content was admitted: {other}"
        first = held.setdefault(found.content_identity, needed)
        if first != needed:
            return f"it needs {view.name(needed)}, another form of the content of {view.name(first)}, needed as well"
    return "something it needs is not eligible, or has a content that another item holds"


def _over_budget(view: View, entry: TraceEntry) -> str:
    cost, left = entry.marginal_cost, entry.budget_before
    if cost <= left:
        return f"it is over budget: no step of the policy had room for its {view.amount(cost)}"
    with_needs = "with what it needs it" if any(True for _ in view.needs(entry.candidate_id)) else "it"
    return f"it is over budget: {with_needs} would have added {view.amount(cost)}, and {left:,} were left"


def _more_budget(view: View, entry: TraceEntry) -> str:
    missing = entry.marginal_cost - entry.budget_before
    more = f"{view.amount(missing)} were missing: a larger budget may admit it" if missing > 0 else ""
    return _or_by_name(more or "a larger budget may admit it")


def _or_by_name(first: str) -> str:
    return f"{first}; required by name, it comes before all that is optional"


def _earns_nothing(view: View, entry: TraceEntry) -> str:
    if view.policy_version == "compiler-policy-v2" and _points_at_nothing(view, entry):
        return "it is a pointer, and what it points at is not in the bundle"
    return f"it adds too little: its relevance is {entry.relevance:g}, and it covers nothing that is not covered"


def _earn_more(view: View, entry: TraceEntry) -> str:
    if view.policy_version == "compiler-policy-v2" and _points_at_nothing(view, entry):
        return _or_by_name("it would have to depend on what it points at")
    return _or_by_name("it would have to be more relevant or cover something new")


def _points_at_nothing(view: View, entry: TraceEntry) -> bool:
    candidate = view.candidates.get(entry.candidate_id)
    if candidate is not None:
        return candidate.form_rank == 0 and not candidate.depends_on
    return FORM_RANKS.get(entry.representation_id) == 0 and not entry.dependency_closure


def _repaired(view: View, entry: TraceEntry) -> str:
    return "it was admitted and taken out again, because the bundle as rendered was over the budget"


def _undecided(view: View, entry: TraceEntry) -> str:
    return "the compilation was refused before anything was decided on it"


def _not_selected(view: View, entry: TraceEntry) -> str:
    return f"the strategy did not select it ({plain(entry.reason_detail)})"


def _missing(view: View, entry: TraceEntry) -> str:
    return "the request requires it by name, and no candidate has that id"


def _nothing(view: View, entry: TraceEntry) -> str:
    return ""


def _say(text: str) -> Say:
    return lambda view, entry: text


def _names(view: View, ids: tuple[str, ...]) -> list[str]:
    return [view.name(name) for name in ids]


_GATE_CHANGE = "no budget admits it: only a change of its source or of the task alters the verdict"

#: Every reason code there is. The compiler's, then those of the strategies it is compared with.
CODES: dict[str, Code] = {
    "admitted": Code("in the bundle", _admitted, _nothing),
    "scope_ineligible": Code("out of scope", _gate("it is out of scope"), _say(_GATE_CHANGE)),
    "freshness_ineligible": Code("out of date", _gate("it is out of date"), _say(_GATE_CHANGE)),
    "authority_ineligible": Code("without authority", _gate("its source has no authority here"), _say(_GATE_CHANGE)),
    "illegal_representation": Code(
        "form below the floor", _below_floor, _say("a form of its content that shows more could be in")
    ),
    "alternative_selected": Code(
        "another form is in", _other_form, _say("required by name, this form would be in, or there would be no bundle")
    ),
    "dependency-blocked": Code("needs what cannot be in", _blocked, _say("what is in its way would have to change")),
    "budget": Code("over budget", _over_budget, _more_budget),
    "repair-drop": Code("taken out to fit", _repaired, _say(_or_by_name("a larger budget may keep it"))),
    "no-earn": Code("adds too little", _earns_nothing, _earn_more),
    "undecided": Code("undecided", _undecided, _say("what the refusal names has to be solved first")),
    "not-selected": Code("not selected", _not_selected, _nothing),
    "missing": Code("no such candidate", _missing, _say("the name would have to be that of a candidate")),
}


def describe(code: str) -> Code:
    """What a reason code means; one that nobody knows is repeated as it is."""
    found = CODES.get(code)
    if found is not None:
        return found
    return Code(plain(code), lambda _, entry: f"{plain(code)}: {plain(entry.reason_detail)}", _nothing)


def rivals(view: View, entry: TraceEntry) -> list[TraceEntry]:
    """Items of the same or a weaker band: what took the room that a candidate lacked, the largest first."""
    weaker = [item for item in view.items if band_rank(item) >= band_rank(entry) and item.marginal_cost > 0]
    return sorted(weaker, key=lambda item: (-item.marginal_cost, item.candidate_id))


def as_sentence(say: Say, view: View, entry: TraceEntry) -> str:
    """The sentence, or nothing."""
    said = say(view, entry)
    return sentence(said) if said else ""
