"""Why two bundles hold one content in two forms: which decision set them apart, and in which of the two.

A trace says of the form that is out no more than that the other one is in. What decided is read off both traces: what
the forms cost, what was left, who needed them, and what the policy looks for where nothing else decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from contextc.core.explain.view import View
from contextc.core.explain.words import listing
from contextc.core.records.trace import TraceEntry

Side = Literal["before", "after"]

#: What decides where nothing stood in the way of either form, by how the form was admitted: code and words.
_OWED = ("owed", "obligations take the cheapest forms together, and better ones where the policy goes by worth")
_ORDER = ("order", "the most relevant form that fits comes first, then what covers most, then the cheaper")
_WORTH = ("worth", "the forms that are worth most together for the room there is")
SOUGHT: dict[str, tuple[str, str]] = {
    "mandatory": _OWED,
    "required": _OWED,
    "preferred-greedy": _ORDER,
    "discretionary-greedy": _ORDER,
    "preferred-worth": _WORTH,
    "discretionary-worth": _WORTH,
}


class Reason(NamedTuple):
    """Why a side holds `taken` and not `left`: a code, and words that follow the name of the side."""

    side: Side
    code: str
    words: str


class _Swap(NamedTuple):
    """One side: the form it holds, the form the other side holds, and both traces."""

    side: Side
    taken: TraceEntry
    left: str
    view: View
    other: View

    def says(self, code: str, why: str) -> Reason:
        names = self.view.name(self.taken.candidate_id), self.view.name(self.left)
        return Reason(self.side, code, f"{names[0]} and not {names[1]}: {why}")


def form_reason(was: str, now: str, old: View, new: View) -> Reason:
    """The decision behind a change of form, the plainest first: a form that is needed, room, what is sought.

    `was` is an item of `old` and `now` one of `new`, forms of one content.
    """
    sides = [_Swap("after", new.entries[now], was, new, old), _Swap("before", old.entries[was], now, old, new)]
    for test in (_needed, _room):
        for swap in sides:
            reason = test(swap)
            if reason is not None:
                return reason
    return _sought(sides[0])


def _needed(swap: _Swap) -> Reason | None:
    """The form came because something else cannot do without it."""
    if swap.taken.pulled_in_by:
        needers = listing([swap.view.name(name) for name in swap.taken.pulled_in_by])
        return swap.says("needed", f"{needers} cannot do without it")
    return None


def _room(swap: _Swap) -> Reason | None:
    """The other form would not have fitted in the place of this one."""
    left = [entry.budget_after for entry in swap.view.entries.values() if entry.decision == "ADMITTED"]
    more = _price(swap, swap.left)
    less = _price(swap, swap.taken.candidate_id)
    if not left or more is None or less is None or more - less <= min(left):
        return None
    added, rest = swap.view.amount(more - less), f"{min(left):,} {'was' if min(left) == 1 else 'were'} left"
    return swap.says("budget", f"the other would have cost {added} more, and {rest}")


def _price(swap: _Swap, name: str) -> int | None:
    """What a form costs, in units: by the pricing, or as the trace that admitted it says, when both count alike."""
    if swap.view.pricing is not None:
        return swap.view.pricing.items.get(name)
    if swap.view.policy_version != swap.other.policy_version:
        return None
    return next((entry.marginal_cost for entry in _admissions(swap, name)), None)


def _admissions(swap: _Swap, name: str) -> Iterator[TraceEntry]:
    for view in (swap.view, swap.other):
        entry = view.entries.get(name)
        if entry is not None and entry.decision == "ADMITTED":
            yield entry


def _sought(swap: _Swap) -> Reason:
    """Nothing stood in the way of either form: what the policy looks for decided."""
    code, words = SOUGHT.get(swap.taken.reason_detail, ("strategy", "the strategy took this form"))
    return swap.says(code, f"{swap.view.policy_version}: {words}")
