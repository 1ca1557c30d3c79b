"""The whole answer of an experiment, for programs and for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from contextc.core.records.base import Record
from contextc.experiment import totals
from contextc.experiment.comparison import Comparison
from contextc.experiment.corpora import Corpus
from contextc.experiment.rows import COLUMNS, Row
from contextc.experiment.totals import Figures


class Report(Record, frozen=True, kw_only=True):
    """`contextc.experiment.v1`: rows, totals and what they were compared with."""

    experiment: str
    policy_version: str
    counts: dict[str, int]
    budgets: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[list[object], ...]
    published_per_strategy: dict[str, Figures]
    derived_per_strategy: dict[str, Figures]
    per_strategy_by_budget: dict[str, dict[str, Figures]]
    compiler_minus_oracle_tokens_feasible: Figures | None
    aids_per_strategy: dict[str, Figures]
    aids_columns: tuple[str, ...]
    aids: tuple[list[object], ...]
    comparison: Comparison | None
    schema_version: Literal["contextc.experiment.v1"] = "contextc.experiment.v1"


def report_of(corpus: Corpus, rows: Sequence[Row], comparison: Comparison | None = None) -> Report:
    """All figures of a run. `aids` has one list for each row, in the same order."""
    names = list(dict.fromkeys(row.strategy for row in rows))
    both = {"staged", "oracle"} <= set(names)
    aids_columns = tuple(rows[0].aids.__struct_fields__) if rows else ()
    return Report(
        experiment=corpus.experiment,
        policy_version=corpus.policy.policy_version,
        counts={
            "fixtures": len(corpus.fixtures),
            "cases": len(corpus.cases()),
            "feasible_cases": sum(case.expected.outcome == "bundle" for case in corpus.cases()),
            "strategies": len(names),
            "compilations": len(rows),
        },
        budgets=corpus.budgets(),
        columns=COLUMNS,
        rows=tuple(row.published() for row in rows),
        published_per_strategy=totals.by_strategy(rows, totals.published),
        derived_per_strategy=totals.by_strategy(rows, totals.derived),
        per_strategy_by_budget=totals.by_budget(rows, corpus.budgets()),
        compiler_minus_oracle_tokens_feasible=totals.tokens_beyond(rows, "staged", "oracle") if both else None,
        aids_per_strategy=totals.by_strategy(rows, totals.reading_aids),
        aids_columns=aids_columns,
        aids=tuple([getattr(row.aids, name) for name in aids_columns] for row in rows),
        comparison=comparison,
    )
