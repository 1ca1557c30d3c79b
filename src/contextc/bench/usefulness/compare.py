"""Two runs over the same tasks, compared in pairs: how much better, and how sure that is.

The interval is a percentile bootstrap over tasks (Efron and Tibshirani, An Introduction to the Bootstrap, 1993): the
differences are drawn anew, with repetition, and the middle 95 % of their means are shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from contextc.bench.usefulness.results import Row, Run
from contextc.bench.usefulness.totals import mean
from contextc.errors import InputError

#: Times the differences are drawn anew; 2,000 place the ends of the interval to about a tenth of its width.
DRAWS = 2_000
SEED = 1
#: A difference smaller than this is none.
EQUAL = 1e-9


class Difference(Struct, frozen=True, kw_only=True):
    """One measure of the first run minus that of the second: mean, ends of the 95 % interval, tasks won and lost."""

    measure: str
    mean: float
    low: float
    high: float
    better: int
    worse: int
    tasks: int


def differences(first: Run, second: Run) -> list[Difference]:
    """All measures that both runs have, over the tasks that both have. Raises `InputError` when there are none."""
    other = {row.id: row for row in second.rows}
    pairs = [(row, other[row.id]) for row in first.rows if row.id in other]
    budgets = [budget for budget in first.budgets if budget in second.budgets]
    if not pairs or not budgets:
        raise InputError("the two results have no task and budget in common")
    return [difference(name, [of(a) - of(b) for a, b in pairs]) for name, of in measures(budgets)]


def measures(budgets: Sequence[int]) -> Iterator[tuple[str, Callable[[Row], float]]]:
    """The measures by name, each a number of a row."""
    for budget in budgets:
        yield f"edit@{budget}", lambda row, budget=budget: row.scores[budget].edit  # type: ignore[misc]
    yield "MRR", lambda row: row.ranks.reciprocal
    yield "acc@1", lambda row: row.ranks.within(1)
    yield "acc@10", lambda row: row.ranks.within(10)


def difference(name: str, values: Sequence[float]) -> Difference:
    """Mean and interval of paired differences; the same values give the same interval."""
    rng = random.Random(SEED)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return Difference(
        measure=name,
        mean=mean(values),
        low=means[int(DRAWS * 0.025)],
        high=means[int(DRAWS * 0.975) - 1],
        better=sum(value > EQUAL for value in values),
        worse=sum(value < -EQUAL for value in values),
        tasks=len(values),
    )
