"""One row for each compilation of the experiment, with the columns of the published results."""

from __future__ import annotations

from msgspec import Struct

from contextc.core.records.outcome import FailureReason
from contextc.core.records.trace import TraceEntryV1
from contextc.experiment.corpora import Case
from contextc.experiment.judge import Aids, Metrics

#: Names of the positions in a published row, in their order.
COLUMNS: tuple[str, ...] = (
    "fixture",
    "budget",
    "budget_tokens",
    "strategy",
    "success",
    "reason",
    "selected",
    "bundle_hash",
    "budget_compliant",
    "status_correct",
    "must_recall",
    "should_recall",
    "must_total",
    "should_total",
    "precision",
    "distractor_admission",
    "harmful_admission",
    "illegal_admission",
    "scope_violations",
    "freshness_violations",
    "authority_violations",
    "floor_violations",
    "dependency_violations",
    "group_violations",
    "rendered_tokens",
    "budget_slack",
    "under_admission",
    "over_admission",
)

_OF_METRICS = COLUMNS[COLUMNS.index("budget_compliant") :]


class Row(Struct, frozen=True, kw_only=True):
    """One compilation: what was chosen and how it was judged."""

    case: Case
    strategy: str
    reason: FailureReason | None
    selected: tuple[str, ...] | None
    bundle_hash: str | None
    metrics: Metrics
    aids: Aids
    entries: tuple[TraceEntryV1, ...]

    @property
    def success(self) -> bool:
        """Whether a bundle was returned."""
        return self.reason is None

    def published(self) -> list[object]:
        """The row as the published results write it, position by position."""
        head: list[object] = [
            self.case.fixture.name,
            self.case.budget,
            self.case.budget_tokens,
            self.strategy,
            self.success,
            self.reason,
            None if self.selected is None else list(self.selected),
            self.bundle_hash,
        ]
        return head + [getattr(self.metrics, name) for name in _OF_METRICS]
