"""What a strategy is given, what it returns, and what it must keep to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import FailureReason
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.core.records.trace import TraceEntryV1
from contextc.experiment.ledger import Labels, Weights


class Problem(Struct, frozen=True, kw_only=True):
    """One case as a strategy sees it.

    `pricing` prices every candidate in the rendering all strategies are judged by; the budget is
    `request.usable_token_budget`, in tokens. `labels` is None unless the strategy is registered with
    `sees_labels`.
    """

    request: Request
    candidates: tuple[Candidate, ...]
    policy: Policy
    pricing: Pricing
    weights: Weights
    labels: Labels | None = None


class Choice(Struct, frozen=True, kw_only=True):
    """What a strategy returns: the ids of the bundle in its order, or the reason of a refusal.

    `entries` is the trace in its first version, for the artifacts; a strategy that keeps none leaves it None and
    gets one that says admitted or not selected, with `detail` as the sentence.
    """

    items: tuple[str, ...] = ()
    reason: FailureReason | None = None
    entries: tuple[TraceEntryV1, ...] | None = None
    detail: str = ""


class Strategy(Protocol):
    """A way to fill a bundle: a callable from a problem to a choice.

    A strategy must

    - return ids of the problem's candidates only, each at most once, and no ids with a refusal
      (otherwise the run stops with a `PluginError` that names the strategy and the case);
    - order them; `lay_out` does it by the policy, and every strategy of the table does so;
    - return the same choice for the same problem, whatever the order of `candidates`: no clock, no randomness, no
      iteration over a bare set into the answer;
    - change nothing it is given, and read no file (the ledger least of all).

    It need not keep to budget, gates, dependencies or groups: that is what the judge counts.
    """

    def __call__(self, problem: Problem, /) -> Choice:
        """Fill one bundle, or refuse."""
        ...


class Registered(Struct, frozen=True, kw_only=True):
    """A line of the table: `key` names the strategy everywhere; `published` marks the six of the published run."""

    key: str
    title: str
    strategy: Strategy
    published: bool = False
    sees_labels: bool = False


def lay_out(ids: Iterable[str], problem: Problem) -> tuple[str, ...]:
    """Ids in the order of the layout: by role as the policy lists them, unknown roles last, then by id."""
    place = {role: index for index, role in enumerate(problem.policy.order_roles)}
    role = {candidate.candidate_id: candidate.order_role for candidate in problem.candidates}
    return tuple(sorted(ids, key=lambda name: (place.get(role[name], len(place)), name)))
