"""Totals of an experiment: the published ones, those derived from the rows, and the readings beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from contextc.experiment.rows import Row

Figures = dict[str, int | float]

#: Counts that are plain sums over the rows of a strategy, in published order.
SUMMED: tuple[str, ...] = (
    "illegal_admission",
    "scope_violations",
    "freshness_violations",
    "authority_violations",
    "floor_violations",
    "dependency_violations",
    "group_violations",
    "distractor_admission",
    "harmful_admission",
)

#: Digits of a mean of ratios, and of a mean of tokens, as published.
RATIO_DIGITS = 6
TOKEN_DIGITS = 3


def by_strategy(rows: Sequence[Row], figures: Callable[[list[Row]], Figures]) -> dict[str, Figures]:
    """Figures for the rows of each strategy, in the order in which strategies ran."""
    names = dict.fromkeys(row.strategy for row in rows)
    return {name: figures([row for row in rows if row.strategy == name]) for name in names}


def published(rows: list[Row]) -> Figures:
    """The totals the published run states."""
    return {
        "combinations": len(rows),
        "status_correct": sum(row.metrics.status_correct for row in rows),
        **{name: _sum(rows, name) for name in SUMMED},
    }


def by_budget(rows: Sequence[Row], budgets: Sequence[str]) -> dict[str, dict[str, Figures]]:
    """The published totals and the refusals for each strategy and budget."""

    def figures(own: list[Row]) -> Figures:
        head = published(own)
        counts = {name: head.pop(name) for name in ("combinations", "status_correct")}
        return {**counts, "refusals": sum(not row.success for row in own), **head}

    names = dict.fromkeys(row.strategy for row in rows)
    return {
        name: {
            budget: figures([row for row in rows if row.strategy == name and row.case.budget == budget])
            for budget in budgets
        }
        for name in names
    }


def derived(rows: list[Row]) -> Figures:
    """Totals derived from the rows (section 6). "Feasible" are the cases where a bundle is expected."""
    feasible = [row for row in rows if row.case.expected.outcome == "bundle"]
    refused = [row for row in rows if not row.success]
    recalls = [row.metrics.must_recall for row in feasible if row.metrics.must_recall is not None]
    return {
        "bundles": len(rows) - len(refused),
        "refusals": len(refused),
        "correct_refusals": sum(row.metrics.status_correct for row in refused),
        "missed_refusals": sum(row.success and row.case.expected.outcome == "refusal" for row in rows),
        "false_refusals": sum(row.case.expected.outcome == "bundle" for row in refused),
        "over_budget": sum(not row.metrics.budget_compliant for row in rows),
        "empty_bundles": sum(row.success and not row.selected for row in rows),
        "feasible_cases": len(feasible),
        "feasible_cases_with_all_must": sum(row.metrics.must_hits == row.metrics.must_total for row in feasible),
        "must_hits_feasible": _sum(feasible, "must_hits"),
        "must_total_feasible": _sum(feasible, "must_total"),
        "must_recall_mean_feasible": _mean(recalls, RATIO_DIGITS),
        "should_hits_feasible": _sum(feasible, "should_hits"),
        "should_total_feasible": _sum(feasible, "should_total"),
        "must_hits_all": _sum(rows, "must_hits"),
        "must_total_all": _sum(rows, "must_total"),
        "under_admission": _sum(rows, "under_admission"),
        "over_admission": _sum(rows, "over_admission"),
        "precision_mean": _mean([row.metrics.precision for row in rows], RATIO_DIGITS),
        "rendered_tokens_all": _sum(rows, "rendered_tokens"),
        "rendered_tokens_feasible": _sum(feasible, "rendered_tokens"),
        "rendered_tokens_mean_feasible": _mean([row.metrics.rendered_tokens for row in feasible], TOKEN_DIGITS),
        "clean_cases": sum(row.aids.clean for row in rows),
    }


def reading_aids(rows: list[Row]) -> Figures:
    """Sums of the readings that stand beside the published metrics, see `judge.Aids`."""
    return {
        "cases": len(rows),
        "sound_cases": sum(row.aids.sound for row in rows),
        "clean_cases": sum(row.aids.clean for row in rows),
        "thin_forms": sum(row.aids.thin_forms for row in rows),
        "empty_wrong": sum(row.aids.empty_wrong for row in rows),
        "form_clashes": sum(row.aids.form_clashes for row in rows),
        "named_missing": sum(row.aids.named_missing for row in rows),
        "owed_missing": sum(row.aids.owed_missing for row in rows),
        "groups_missing": sum(row.aids.groups_missing for row in rows),
    }


def tokens_beyond(rows: Sequence[Row], strategy: str, other: str) -> Figures:
    """Tokens of one strategy minus tokens of another over the feasible cases: count, least, most, mean."""

    def tokens(name: str) -> list[int]:
        mine = (row for row in rows if row.strategy == name and row.case.expected.outcome == "bundle")
        return [row.metrics.rendered_tokens for row in mine]

    gaps = [own - theirs for own, theirs in zip(tokens(strategy), tokens(other), strict=True)]
    if not gaps:
        return {"cases": 0}
    return {"cases": len(gaps), "min": min(gaps), "max": max(gaps), "mean": _mean(gaps, TOKEN_DIGITS)}


def _sum(rows: Iterable[Row], name: str) -> int:
    return sum(int(getattr(row.metrics, name)) for row in rows)


def _mean(values: Sequence[float], digits: int) -> float:
    """The mean, rounded; 0.0 of nothing."""
    return round(sum(values) / len(values), digits) if values else 0.0
