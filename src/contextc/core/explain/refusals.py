"""Why there is no bundle, what proves it, and what would be enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from contextc.core.explain.candidate import path_in_words
from contextc.core.explain.view import View
from contextc.core.explain.words import LISTED, amount, listing, plain
from contextc.core.records.answer import Note
from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import Failure, Witness
from contextc.core.records.pricing import Pricing
from contextc.core.records.trace import Trace

#: Obstacles that are told in full; the rest is counted.
TOLD = 8


class Explanation(Struct, frozen=True, kw_only=True):
    """`text` says what is so, in lines without an end; each of `hints` says what could be done."""

    text: str
    hints: tuple[str, ...]

    def in_words(self) -> str:
        """The text, then a line for each hint, ending in a line feed."""
        return "\n".join([self.text, *[f"hint: {hint}" for hint in self.hints]]) + "\n"


def explain_refusal(
    failure: Failure,
    witness: Witness | None,
    candidates: Iterable[Candidate] = (),
    *,
    trace: Trace | None = None,
    notes: Mapping[str, Note] | None = None,
    pricing: Pricing | None = None,
) -> Explanation:
    """A refusal in words. Without a witness it rests on the diagnostic alone."""
    view = View(trace, candidates=candidates, notes=notes, pricing=pricing, witness=witness)
    first = f"refused: {REASONS[failure.reason](view, failure)}"
    if witness is None:
        return Explanation(text=f"{first}\n{plain(failure.diagnostic)}", hints=())
    lines, hints = WITNESSES[witness.kind](view, failure, witness)
    return Explanation(text="\n".join([first, *lines]), hints=tuple(hints))


Reason = Callable[[View, Failure], str]
Proof = tuple[list[str], list[str]]


def _insufficient_budget(view: View, failure: Failure) -> str:
    witness = view.witness
    budget = f"{failure.budget_total:,}"
    if witness is not None and witness.least_budget is not None:
        return f"needs at least {amount(witness.least_budget)}, the budget is {budget}"
    if witness is not None and witness.kind == "unproved":
        return f"no legal bundle within {amount(failure.budget_total)} was found"
    return f"what is required does not fit into {amount(failure.budget_total)}"


def _required(view: View, failure: Failure) -> str:
    """What the refusal is about: the obligation where a witness names it, else the candidates in the way."""
    named = view.witness.ids if view.witness is not None and view.witness.ids else failure.blocking_ids
    verb = "is" if len(named) == 1 else "are"
    names = [view.obligation(name, failure.blocking_ids) for name in named]
    return f"{listing(names)} {verb} required"


def _unsatisfied_dependency(view: View, failure: Failure) -> str:
    if view.witness is not None and view.witness.kind == "contradiction":
        return f"{_required(view, failure)}, and no bundle can hold them all"
    return f"{_required(view, failure)}, and what every form of it needs cannot be in a bundle"


def _no_legal_representation(view: View, failure: Failure) -> str:
    return f"{_required(view, failure)}, and every form of it shows too little"


def _unresolved_required_group(view: View, failure: Failure) -> str:
    named = view.witness.ids if view.witness is not None and view.witness.ids else failure.blocking_ids
    return f"the required group {listing([plain(name) for name in named])} cannot be whole"


def _required_source_unavailable(view: View, failure: Failure) -> str:
    names = [plain(name) for name in failure.blocking_ids]
    return f"required by name, but no candidate is called {listing(names, joint='or')}"


def _required_ineligible(view: View, failure: Failure) -> str:
    return f"{_required(view, failure)}, and no form of it passes its gates"


#: One sentence for each reason there is.
REASONS: dict[str, Reason] = {
    "INSUFFICIENT_BUDGET": _insufficient_budget,
    "UNSATISFIED_DEPENDENCY": _unsatisfied_dependency,
    "NO_LEGAL_REPRESENTATION": _no_legal_representation,
    "UNRESOLVED_REQUIRED_GROUP": _unresolved_required_group,
    "REQUIRED_SOURCE_UNAVAILABLE": _required_source_unavailable,
    "REQUIRED_INELIGIBLE": _required_ineligible,
}


def _missing(view: View, failure: Failure, witness: Witness) -> Proof:
    return [], ["correct the names, or do not require them"]


def _obstacles(view: View, witness: Witness) -> list[str]:
    told = [f"  {path_in_words(view, found)}" for found in witness.obstacles[:TOLD]]
    more = len(witness.obstacles) - TOLD
    return [*told, f"  and {more:,} more"] if more > 0 else told


def _gated(view: View, failure: Failure, witness: Witness) -> Proof:
    hints = ["no budget helps: require something else, or correct what fails its gate"]
    return [f"{_ways(witness)} closed:", *_obstacles(view, witness)], hints


def _blocked(view: View, failure: Failure, witness: Witness) -> Proof:
    hints = ["no budget helps: require something else, or correct what stands at the end of these ways"]
    return [f"{_ways(witness)} closed:", *_obstacles(view, witness)], hints


def _ways(witness: Witness) -> str:
    count = len(witness.obstacles)
    if count < 3:
        return ("no way to have it is", "the only way to have it is", "both ways to have it are")[count]
    return f"all {count:,} ways to have it are"


def _contradiction(view: View, failure: Failure, witness: Witness) -> Proof:
    names = [view.name(name) for name in failure.blocking_ids]
    forms = [f"their forms: {listing(names, TOLD)}"] if failure.blocking_ids != witness.ids else []
    return forms, ["no budget helps: require fewer of them, or give one of them another form"]


def _budget(view: View, failure: Failure, witness: Witness) -> Proof:
    lines = []
    sizes = sorted([(-(view.tokens(name) or 0), name) for name in witness.bundle_ids])
    if sizes:
        lines.append("the largest required items:")
        lines += [f"  {view.priced(name)}" for _, name in sizes[:LISTED]]
        if len(sizes) > LISTED:
            rest = sum([-size for size, _ in sizes[LISTED:]])
            lines.append(f"  and {len(sizes) - LISTED:,} more: {amount(rest)}")
    hints = [f"give a budget of {amount(witness.least_budget or 0)} or more", "or require less"]
    return lines, hints


def _unproved(view: View, failure: Failure, witness: Witness) -> Proof:
    lines = [f"the search stopped at its cap ({plain(witness.cap or 'unnamed')}), so there may be one"]
    if witness.lower_bound is not None:
        lines.append(f"none costs less than {amount(witness.lower_bound)}")
    return lines, ["give a larger budget, or install contextc[exact], whose solver decides such cases"]


#: What each kind of witness proves, and what would help.
WITNESSES: dict[str, Callable[[View, Failure, Witness], Proof]] = {
    "missing": _missing,
    "gated": _gated,
    "blocked": _blocked,
    "contradiction": _contradiction,
    "budget": _budget,
    "unproved": _unproved,
}
