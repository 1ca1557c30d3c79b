"""The report as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextc.experiment.comparison import Comparison
from contextc.experiment.report import Report
from contextc.experiment.totals import Figures

Cell = Callable[[Figures], str]


def _figure(name: str) -> Cell:
    return lambda figures: str(figures[name])


def _of(part: str, whole: str) -> Cell:
    return lambda figures: f"{figures[part]}/{figures[whole]}"


_PUBLISHED: tuple[tuple[str, Cell], ...] = (
    ("right", _of("status_correct", "combinations")),
    ("illegal", _figure("illegal_admission")),
    ("scope", _figure("scope_violations")),
    ("fresh", _figure("freshness_violations")),
    ("authority", _figure("authority_violations")),
    ("floor", _figure("floor_violations")),
    ("broken-dep", _figure("dependency_violations")),
    ("broken-group", _figure("group_violations")),
    ("distractors", _figure("distractor_admission")),
    ("harmful", _figure("harmful_admission")),
)

_DERIVED: tuple[tuple[str, Cell], ...] = (
    ("refusals", _figure("refusals")),
    ("missed", _figure("missed_refusals")),
    ("false", _figure("false_refusals")),
    ("over-budget", _figure("over_budget")),
    ("must", _of("must_hits_feasible", "must_total_feasible")),
    ("all-must", _of("feasible_cases_with_all_must", "feasible_cases")),
    ("should", _of("should_hits_feasible", "should_total_feasible")),
    ("over-admitted", _figure("over_admission")),
    ("tokens", _figure("rendered_tokens_feasible")),
)

_AIDS: tuple[tuple[str, Cell], ...] = (
    ("clean", _of("clean_cases", "cases")),
    ("sound", _of("sound_cases", "cases")),
    ("thin", _figure("thin_forms")),
    ("empty", _figure("empty_wrong")),
    ("two-forms", _figure("form_clashes")),
    ("named-missing", _figure("named_missing")),
    ("owed-missing", _figure("owed_missing")),
    ("groups-missing", _figure("groups_missing")),
)


def render_table(report: Report) -> str:
    """The tables, ending in a line feed."""
    counts = report.counts
    lines = [
        f"construction experiment {report.experiment}, {report.policy_version}: {counts['fixtures']} fixtures, "
        f"{counts['cases']} cases ({counts['feasible_cases']} feasible), {counts['strategies']} strategies, "
        f"{counts['compilations']} compilations",
        "",
        "as published: right outcomes, then items and relations that should not be there",
        *_table(report.published_per_strategy, _PUBLISHED),
        "",
        "from the rows: refusals of all cases; must, should and tokens of the feasible ones",
        *_table(report.derived_per_strategy, _DERIVED),
        "",
        "beside the published figures: cases without any fault, forms thinner than asked for, and what is missing",
        *_table(report.aids_per_strategy, _AIDS),
    ]
    gap = report.compiler_minus_oracle_tokens_feasible
    if gap and gap["cases"]:
        lines += ["", f"staged minus oracle, tokens: {gap['min']:+} to {gap['max']:+}, mean {gap['mean']:+}"]
    if report.comparison is not None:
        lines += ["", *_comparison(report.comparison)]
    return "\n".join(lines) + "\n"


def _table(figures: dict[str, Figures], columns: Sequence[tuple[str, Cell]]) -> list[str]:
    """Right-aligned cells under their titles, the strategy's name to the left."""
    first = max([len("strategy"), *map(len, figures)])
    body = {name: [cell(own) for _, cell in columns] for name, own in figures.items()}
    widths = [max([len(title), *(len(cells[i]) for cells in body.values())]) for i, (title, _) in enumerate(columns)]
    rows = [("strategy", [title for title, _ in columns]), *body.items()]
    return ["  ".join([name.ljust(first), *map(str.rjust, cells, widths)]) for name, cells in rows]


def _comparison(comparison: Comparison) -> list[str]:
    lines = [f"published results: {comparison.rows_equal} of {comparison.rows_total} rows equal"]
    for name, equal in comparison.artifacts.items():
        lines.append(f"  {name}: {'equal byte for byte' if equal else 'DIFFERS'}")
    return lines + [f"  {line}" for line in comparison.differing]
