"""Candidates of rules and decisions."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.candidate import Band
from contextc.frontend.conventions.base import Decision, Rule
from contextc.frontend.index import IndexView, split_lines
from contextc.frontend.select.candidates import Builder
from contextc.frontend.select.forms import anchor, full, outline, reference, title_of
from contextc.frontend.select.rank import Hit
from contextc.frontend.select.scope import Scope
from contextc.frontend.select.weights import (
    ADVICE,
    ANCHOR_SHARE,
    DECISION_LEAST,
    DECISION_PREFERRED,
    LARGE_RULE,
    OUTLINE_SHARE,
)


def add_rules(builder: Builder, view: IndexView, rules: Sequence[Rule], named: Sequence[str]) -> None:
    """Rules that apply are obligations, advice is offered, the rest is named with the reason why it is out. A rule
    that the task itself names by path and that does not apply is a file like any other."""
    for rule in rules:
        if rule.standing == "idle":
            if rule.path not in named:
                builder.add(
                    rule.path,
                    reference(rule.why[0]),
                    band="DISCRETIONARY",
                    role="instruction",
                    kind="rule",
                    relevance=0.0,
                    why=rule.why,
                    prefix=_prefix(rule),
                    scope=rule.why[0],
                )
            continue
        _add_rule(builder, view, rule, "REQUIRED" if rule.path in named and rule.standing != "rule" else None)


def _add_rule(builder: Builder, view: IndexView, rule: Rule, band: Band | None) -> None:
    file = view.file(rule.path)
    if file is None:
        return
    lines = split_lines(view.text(rule.path))
    must = rule.standing == "rule"
    worth = 1.0 if must else ADVICE
    forms = [(full(lines, ()), worth)]
    signs = outline(file.facts, lines) if file.facts.size > LARGE_RULE else None
    if signs is not None:
        forms.append((signs, worth * OUTLINE_SHARE))
    for shown, relevance in forms:
        builder.add(
            rule.path,
            shown,
            band=band or ("MANDATORY" if must else "PREFERRED"),
            role="instruction",
            kind="rule",
            relevance=relevance,
            why=rule.why,
            prefix=_prefix(rule),
            title=title_of(file.facts, lines),
            language=file.facts.language,
            total_lines=len(lines),
            remark="; ".join(part for part in (rule.remark, file.facts.remark) if part),
            default=shown.form == "full",
        )


def _prefix(rule: Rule) -> str:
    """Ids sort by it: the layout puts the nearest rule last."""
    return f"rule:{min(rule.depth, 99):02d}:"


def add_decisions(
    builder: Builder, view: IndexView, decisions: Sequence[Decision], shares: dict[str, float], scope: Scope
) -> None:
    """Decisions in force that speak of what the task speaks of, and behind their gates those no longer in force and
    those outside a directory that the task stays in. `shares` says how much of the task's words a path holds."""
    for decision in decisions:
        share = shares.get(decision.path, 0.0)
        file = view.file(decision.path)
        if file is None or share < DECISION_LEAST or decision.path in scope.files:
            continue
        lines = split_lines(view.text(decision.path))
        outside = scope.reason_outside(decision.path)
        stale = "" if decision.in_force else stale_reason(decision)
        name = f"decision {decision.number}".strip()
        why = (
            f"{name}, {decision.status}: {decision.title}",
            f"holds {_percent(share)} % of the task's words by weight",
        )
        for shown, part in ((full(lines, ()), 1.0), (anchor(file.facts, lines), ANCHOR_SHARE)):
            if (stale or outside) and shown.form == "full":
                continue
            builder.add(
                decision.path,
                shown,
                band="PREFERRED" if share >= DECISION_PREFERRED else "DISCRETIONARY",
                role="support",
                kind="decision",
                relevance=part * min(1.0, share),
                why=why,
                title=f"{name}: {decision.title}",
                language=file.facts.language,
                total_lines=len(lines),
                remark="proposed, not decided" if decision.status == "proposed" else "",
                scope=outside,
                freshness=stale,
                default=shown.form == "full",
            )


def stale_reason(decision: Decision) -> str:
    """Why a decision may no longer be followed, naming what replaced it."""
    if decision.successor:
        return f"{decision.status}: replaced by {decision.successor}"
    return f"{decision.status}: {decision.stated}" if decision.stated.lower() != decision.status else decision.status


def share_of_task(hits: Sequence[Hit], total: float) -> dict[str, float]:
    """For each hit the share of the task's words (by idf) that its text or path holds."""
    return {hit.file.path: hit.idf / total if total else 0.0 for hit in hits}


def _percent(share: float) -> int:
    return round(20 * share) * 5
