"""Figures over many tasks: means, by language and by number of changed files, and where the misses lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from contextc.bench.usefulness.results import FATES, Row, Run

#: For these ranks it is said how often all changed files stand within.
WITHIN = (1, 5, 10)


class Totals(Struct, frozen=True, kw_only=True):
    """Means over rows, shares in 0..1. `seconds` are medians of warm runs, `slow` the 95th percentile."""

    count: int
    edit: dict[int, float]
    recall: dict[int, float]
    precision: dict[int, float]
    reciprocal: float
    within: dict[int, float]
    seconds: float
    slow: float
    errors: int
    over: int


def totals(rows: Sequence[Row], budgets: Sequence[int]) -> Totals:
    """The figures of at least one row. `over` counts bundles that cost more than the budget."""
    times = sorted(seconds for row in rows for seconds in row.seconds.values()) or [0.0]
    return Totals(
        count=len(rows),
        edit={budget: mean([row.scores[budget].edit for row in rows]) for budget in budgets},
        recall={budget: mean([row.scores[budget].recall for row in rows]) for budget in budgets},
        precision={budget: mean([row.scores[budget].precision for row in rows]) for budget in budgets},
        reciprocal=mean([row.ranks.reciprocal for row in rows]),
        within={count: mean([row.ranks.within(count) for row in rows]) for count in WITHIN},
        seconds=times[len(times) // 2],
        slow=times[min(len(times) - 1, int(len(times) * 0.95))],
        errors=sum(bool(row.error) for row in rows),
        over=sum(cost > budget for row in rows for budget, cost in row.cost.items()),
    )


#: By what rows are put together in a report.
GROUPS: Mapping[str, Callable[[Row], str]] = {
    "language": lambda row: row.lang or "?",
    "changed files": lambda row: str(row.changed) if row.changed < 3 else "3 and more",
    "repository": lambda row: row.repo,
}


def grouped(run: Run, by: str) -> dict[str, Totals]:
    """Totals of each group, ascending by its name."""
    groups: dict[str, list[Row]] = {}
    for row in run.rows:
        groups.setdefault(GROUPS[by](row), []).append(row)
    return {name: totals(rows, run.budgets) for name, rows in sorted(groups.items())}


def fates(run: Run) -> dict[int, dict[str, float]]:
    """For each budget the shares of the changed places by what became of them; each task counts the same."""
    found: dict[int, dict[str, float]] = {}
    for budget in run.budgets:
        shares = dict.fromkeys(FATES, 0.0)
        for row in run.rows:
            counts = row.fates.get(budget, {})
            for fate, count in counts.items():
                shares[fate] += count / sum(counts.values()) / len(run.rows)
        found[budget] = shares
    return found


def mean(values: Sequence[float]) -> float:
    """The mean, 0.0 of nothing. Summed exactly, so that the order of rows changes nothing."""
    return math.fsum(values) / len(values) if values else 0.0
