"""From an indexed snapshot and a task to the pool of candidates: one step a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from contextc.core.records.answer import LeftOut
from contextc.frontend.conventions.decisions import find_decisions
from contextc.frontend.conventions.rules import find_rules
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.index import IndexView, split_lines
from contextc.frontend.select.base import Pool, Task
from contextc.frontend.select.candidates import Builder
from contextc.frontend.select.evidence import Evidence, Found, worths
from contextc.frontend.select.forms import reference
from contextc.frontend.select.kinds import kind_of
from contextc.frontend.select.mentions import mentions
from contextc.frontend.select.places import Matcher
from contextc.frontend.select.query import Query, read_task
from contextc.frontend.select.rank import Hit, Ranking, rank
from contextc.frontend.select.records import Records
from contextc.frontend.select.records_pool import Lift, RecordsPool, lifted
from contextc.frontend.select.rules_pool import add_decisions, add_rules, share_of_task
from contextc.frontend.select.scope import Scope, scope_of
from contextc.frontend.select.weights import (
    BEST_PLACE,
    COVERAGE_KEYS,
    FEWEST_FILES,
    IN_SCOPE,
    MOST_FILES,
    TOKENS_PER_FILE,
    TOP_FILES,
)
from contextc.frontend.sources import Snapshot, display_path

#: Secrets and files out of scope that are recorded as candidates, so that a trace can say why they are out.
RECORDED = 40


def assemble(view: IndexView, snapshot: Snapshot, task: Task, records: Records | None = None) -> Pool:
    """The candidates of a task. A pure function of the snapshot, the task and what the records say about it.

    Raises `NotFound` for a path of the task that is not in the snapshot, `SourceError` when bytes cannot be had.
    """
    query = read_task("\n\n".join(part for part in (task.intent, records.words if records else "") if part.strip()))
    tree = Tree(view, snapshot)
    scope = scope_of(task, snapshot, mentions(query, tree.paths))
    lifts = lifted(records, view) if records is not None else {}
    if records is not None:
        scope = scope.widened((path for path, lift in lifts.items() if lift.required), records.touched, tree)
    rules = find_rules(tree, scope.touched)
    decisions = find_decisions(tree)
    ranking = rank(view, query)
    builder = Builder()
    add_rules(builder, view, rules.rules, scope.files)
    pool = None
    if records is not None:
        pool = RecordsPool(builder, view, records, Matcher(query, ranking.concepts), task.budget)
        pool.add(scope.files, lifts)
    shares = share_of_task(ranking.hits, sum(concept.idf for concept in ranking.concepts))
    undecided = [decision for decision in decisions.decisions if decision.path not in builder.paths or pool is None]
    add_decisions(builder, view, undecided, shares, scope)
    decided = {decision.path for decision in decisions.decisions}
    _add_files(builder, view, task, query, ranking, scope, skip=builder.paths | decided, lifts=lifts)
    _add_unreadable(builder, view, scope)
    if pool is not None:
        pool.tell()
        pool.leave_out()
    return Pool(
        candidates=tuple(builder.candidates[name] for name in sorted(builder.candidates)),
        notes=builder.notes,
        blocks=builder.blocks,
        left_out=tuple(builder.left_out),
        diagnostics=tuple(sorted({*rules.diagnostics, *decisions.diagnostics})),
        touched=scope.touched,
    )


def _add_files(
    builder: Builder,
    view: IndexView,
    task: Task,
    query: Query,
    ranking: Ranking,
    scope: Scope,
    skip: Iterable[str],
    lifts: Mapping[str, Lift],
) -> None:
    skipped = set(skip) - set(scope.files)
    hits = [hit for hit in ranking.hits if hit.file.path not in skipped]
    if lifts:
        hits = _with_lifted(view, hits, lifts, skipped)
    inside = [hit for hit in hits if not scope.reason_outside(hit.file.path)]
    asked = any(scope.folders) or (bool(scope.folders) and query.empty)
    if asked:
        inside = _with_unnamed(view, scope, inside, skipped)
    matcher = Matcher(query, ranking.concepts)
    found = _look_inside(view, matcher, inside[:TOP_FILES])
    if asked:
        found = [item._replace(worth=max(item.worth, IN_SCOPE * item.hit.factor)) for item in found]
    if lifts:
        found = [item._replace(worth=max(item.worth, _lift(lifts, item.hit))) for item in found]
        found.sort(key=lambda item: -item.worth)
    by_path = {hit.file.path: hit for hit in ranking.hits}
    most = min(MOST_FILES, max(FEWEST_FILES, task.budget // TOKENS_PER_FILE))
    evidence = Evidence(builder, view, task.budget, [concept.word for concept in ranking.concepts[:COVERAGE_KEYS]])
    for path in scope.files:
        file = view.file(path)
        if file is not None and path not in builder.paths:
            hit = by_path.get(path) or Hit(file, kind_of(path, file.flag), 0.0, 0.0, None, None, (), (), ())
            lines = split_lines(view.text(path))
            evidence.add_required(Found(hit, lines, matcher.score(file, lines, ()), 1.0))
    for item in found[:most]:
        if item.hit.file.path not in builder.paths:
            evidence.add(item)
    outside = [hit for hit in hits if scope.reason_outside(hit.file.path)]
    for hit in outside[:RECORDED]:
        if hit.file.path not in builder.paths:
            evidence.add(Found(hit, [], [], 0.0), scope.reason_outside(hit.file.path))


def _look_inside(view: IndexView, matcher: Matcher, hits: Sequence[Hit]) -> list[Found]:
    """The hits again, in an order that counts the best place of each."""
    texts = view.texts([hit.file.path for hit in hits])
    looked = []
    for hit in hits:
        lines = split_lines(texts[hit.file.path])
        blocks = matcher.score(hit.file, lines, hit.mention.lines if hit.mention else ())
        looked.append((hit, lines, blocks))
    best = max((item.score for _, _, blocks in looked for item in blocks), default=0.0) or 1.0
    again = []
    for hit, lines, blocks in looked:
        place = max((item.score for item in blocks), default=0.0) / best
        again.append((hit._replace(score=round(hit.score + BEST_PLACE * place * hit.factor, 6)), lines, blocks))
    again.sort(key=lambda item: (-item[0].score, item[0].file.path))
    values = worths([hit for hit, _, _ in again])
    return [Found(hit, lines, blocks, worth) for (hit, lines, blocks), worth in zip(again, values, strict=True)]


def _with_lifted(view: IndexView, hits: list[Hit], lifts: Mapping[str, Lift], skipped: set[str]) -> list[Hit]:
    """Hits, those first that the records lead to, the worthiest of them before all others."""
    known = {hit.file.path: hit for hit in hits}
    first: list[tuple[float, float, str, Hit]] = []
    for path in lifts:
        file = view.file(path)
        if file is None or path in skipped:
            continue
        hit = known.get(path) or Hit(file, kind_of(path, file.flag), 0.0, 0.0, None, None, (), (), ())
        first.append((-_lift(lifts, hit), -hit.score, path, hit))
    return [*(hit for *_, hit in sorted(first)), *(hit for hit in hits if hit.file.path not in lifts)]


def _lift(lifts: Mapping[str, Lift], hit: Hit) -> float:
    """What the records make a file worth at least; of a whole directory, its kind counts as for a named one."""
    lift = lifts.get(hit.file.path)
    if lift is None:
        return 0.0
    return lift.worth if lift.worth > IN_SCOPE else lift.worth * hit.factor


def _with_unnamed(view: IndexView, scope: Scope, hits: list[Hit], skipped: set[str]) -> list[Hit]:
    """Hits, and behind them the files of the named directories that hold nothing of the task's words."""
    known = {hit.file.path for hit in hits}
    for file in view.files:
        if len(hits) >= TOP_FILES:
            break
        if file.path in known or file.path in skipped or scope.reason_outside(file.path):
            continue
        kind = kind_of(file.path, file.flag)
        if kind in ("source", "config", "other", "doc"):
            hits.append(Hit(file, kind, 0.0, 0.0, None, None, (), (), ()))
    return hits


def _add_unreadable(builder: Builder, view: IndexView, scope: Scope) -> None:
    """Files without text: secrets behind the gate of authority, pointers to what the task names, the rest left out."""
    secrets = 0
    for item in view.left_out:
        secret = f"secret: {item.detail}" if item.reason == "secret" else ""
        named = item.path in scope.files
        gated = bool(secret) and (named or secrets < RECORDED)
        secrets += gated
        if (named or gated) and item.path not in builder.paths:
            builder.add(
                item.path,
                reference(secret or f"{item.reason}, {item.detail}".rstrip(", ")),
                band="REQUIRED" if named else "DISCRETIONARY",
                role="evidence",
                kind=kind_of(item.path),
                relevance=0.0,
                why=("named by the task as a path",) if named else (),
                authority=secret,
            )
        if not gated:
            builder.left_out.append(LeftOut(path=display_path(item.path), reason=item.reason, detail=item.detail))
