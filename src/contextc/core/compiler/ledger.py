"""The decisions as they fall: one row for each candidate, the last decision counts."""

from __future__ import annotations

from typing import NamedTuple

from contextc.core.records.trace import Decision


class Row(NamedTuple):
    """One decision. `cost` and both budgets are in the units the stage works in; `pulled` holds indices."""

    decision: Decision
    code: str
    detail: str
    cost: int
    pulled: tuple[int, ...]
    before: int
    after: int


#: Rows by candidate index; None is undecided.
Rows = list[Row | None]

DETAIL_ALTERNATIVE = "another form of this content admitted"
DETAIL_BLOCKED = "dependency ineligible or collides"
DETAIL_BUDGET = "unit exceeds remaining budget"
DETAIL_REDUNDANT = "below relevance threshold with no new coverage"
DETAIL_NO_PATH = "no remaining budget path admits this record"
DETAIL_REPAIR = "removed by render-overrun repair"

#: Stands for a candidate that dropped out and whose reason is still to be found.
DROPPED = Row("UNDECIDED", "undecided", "", 0, (), 0, 0)
