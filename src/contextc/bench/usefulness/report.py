"""A run in words: tables of figures, and where the misses lie."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.bench.usefulness.compare import Difference
from contextc.bench.usefulness.results import FATES, Run
from contextc.bench.usefulness.totals import GROUPS, WITHIN, Totals, fates, grouped, totals


def report(run: Run, *, by: Sequence[str] = tuple(GROUPS)) -> str:
    """The whole report, ending in a line feed."""
    if not run.rows:
        return "no tasks\n"
    parts = [table(run.budgets, {"all": totals(run.rows, run.budgets)}, run.setting or "usefulness")]
    for name in by:
        groups = grouped(run, name)
        if len(groups) > 1:
            parts.append(table(run.budgets, groups, f"by {name}"))
    parts.append(_fates(run))
    errors = [f"{row.id}: {row.error}" for row in run.rows if row.error]
    if errors:
        parts.append("\n".join(["errors", *errors]))
    return "\n\n".join(parts) + "\n"


def table(budgets: Sequence[int], groups: dict[str, Totals], title: str) -> str:
    """One line a group; shares in %, times in seconds of warm runs."""
    head = [title, "tasks"]
    head += [f"{name}@{_thousands(budget)}" for name in ("edit", "rec") for budget in budgets]
    head += ["MRR", *(f"acc@{count}" for count in WITHIN), "median s", "p95 s", "errors", "over"]
    lines = [head]
    for name, each in groups.items():
        shares = [*each.edit.values(), *each.recall.values()]
        line = [name, str(each.count), *map(_percent, shares), f"{each.reciprocal:.3f}"]
        line += [*map(_percent, each.within.values()), f"{each.seconds:.2f}", f"{each.slow:.2f}"]
        lines.append([*line, str(each.errors), str(each.over)])
    return _aligned(lines)


def _fates(run: Run) -> str:
    lines = [["changed places, %", *FATES]]
    for budget, shares in fates(run).items():
        lines.append([f"@{_thousands(budget)}", *(_percent(shares[fate]) for fate in FATES)])
    return _aligned(lines)


def comparison(found: Sequence[Difference], first: str, second: str) -> str:
    """Differences as lines, in points."""
    lines = [[f"{first} - {second}", "points", "95 % from", "to", "better", "worse", "tasks"]]
    for each in found:
        points = [f"{100 * value:+.1f}" for value in (each.mean, each.low, each.high)]
        lines.append([each.measure, *points, str(each.better), str(each.worse), str(each.tasks)])
    return _aligned(lines) + "\n"


def _thousands(budget: int) -> str:
    return f"{budget // 1000}k" if budget % 1000 == 0 else str(budget)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    rows = []
    for line in lines:
        cells = [
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        rows.append("| " + " | ".join(cells) + " |")
    rule = (
        "|"
        + "|".join("-" * (width + 2) if at == 0 else "-" * (width + 1) + ":" for at, width in enumerate(widths))
        + "|"
    )
    return "\n".join([rows[0], rule, *rows[1:]])
