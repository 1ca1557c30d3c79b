"""A trace as a table of fixed width, for inspection."""

from __future__ import annotations

from contextc.core.explain.words import plain
from contextc.core.records.trace import Trace, TraceEntry

COLUMNS = ("item", "decision", "reason", "band", "relevance", "cost", "before", "after", "candidate")
_TO_THE_RIGHT = {"item", "relevance", "cost", "before", "after"}


def table(trace: Trace) -> str:
    """One line an entry: items in the order of the bundle, then the rest by decision and id. Ends in a line feed.

    Costs and budgets are in the units of the pricing.
    """
    rows = [COLUMNS, *[_row(entry) for entry in sorted(trace.entries, key=_order)]]
    widths = [max(len(row[at]) for row in rows) for at in range(len(COLUMNS))]
    return "".join([_line(row, widths) for row in rows])


def _order(entry: TraceEntry) -> tuple[bool, int, str, str]:
    if entry.position is not None:
        return (False, entry.position, "", "")
    return (True, 0, entry.decision, entry.candidate_id)


def _row(entry: TraceEntry) -> tuple[str, ...]:
    return (
        "" if entry.position is None else str(entry.position + 1),
        entry.decision,
        plain(entry.reason_code),
        plain(entry.priority_band),
        f"{entry.relevance:.3f}",
        str(entry.marginal_cost),
        str(entry.budget_before),
        str(entry.budget_after),
        plain(entry.candidate_id),
    )


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [
        cell.rjust(width) if name in _TO_THE_RIGHT else cell.ljust(width)
        for name, cell, width in zip(COLUMNS, row, widths, strict=True)
    ]
    return "  ".join(cells).rstrip() + "\n"
