"""Runs tasks: the pipeline itself, in this process, on the parent commit as git holds it.

The index is warmed before a task is timed: the first opening reads what it does not know, and only that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache

from contextc.bench.usefulness.cases import Case
from contextc.bench.usefulness.itinerary import Stop
from contextc.bench.usefulness.places import Item, Ranks, Score, ranks, score, visible
from contextc.bench.usefulness.results import Row
from contextc.errors import ContextError
from contextc.frontend.sources import Entry, Snapshot, Source
from contextc.pipeline import Job, Made, compile_opened, open_repository


def measure(stop: Stop, budgets: Sequence[int]) -> Row:
    """Compile one task at each budget and judge what was selected. An error selects nothing, and is recorded."""
    case = stop.case
    try:
        return _measure(stop, budgets)
    except ContextError as error:
        nothing = score(case, (), 1, lambda path: None)
        return Row(
            id=case.id, repo=case.repo, lang=case.lang, changed=len(case.gold), scores=dict.fromkeys(budgets, nothing),
            fates={}, ranks=Ranks(first=0, last=0), pool=(), seconds={}, opening=0.0, files=0, cost={},
            error=f"{type(error).__name__}: {error}",
        )  # fmt: skip


def _measure(stop: Stop, budgets: Sequence[int]) -> Row:
    case = stop.case
    began = time.perf_counter()
    opened = open_repository(job_of(stop, budgets[0]))
    opening = time.perf_counter() - began
    read = _reader(opened.source, opened.snapshot)
    scores: dict[int, Score] = {}
    fates: dict[int, dict[str, int]] = {}
    seconds: dict[int, float] = {}
    cost: dict[int, int] = {}
    items: list[Item] = []
    pool: tuple[int, ...] = ()
    for budget in budgets:
        began = time.perf_counter()
        job = job_of(stop, budget)
        made = compile_opened(job, open_repository(job))
        seconds[budget] = time.perf_counter() - began
        items = [Item(each.path, each.text, each.ranges) for each in made.answer.selection]
        scores[budget] = score(case, items, budget, read)
        fates[budget] = _fates(case, items, made, read)
        cost[budget] = (len(made.answer.text.encode("utf-8", "replace")) + 3) // 4
        pool = _pool_ranks(case, made)
    return Row(
        id=case.id, repo=case.repo, lang=case.lang, changed=len(case.gold), scores=scores, fates=fates,
        ranks=ranks(case, items), pool=pool, seconds=seconds, opening=opening, files=len(opened.view.files), cost=cost,
    )  # fmt: skip


def job_of(stop: Stop, budget: int) -> Job:
    """The job of a task: the tree of the parent commit, the text, tokens as the measure counts them."""
    return Job(
        intent=stop.case.text,
        budget=budget,
        root=str(stop.root),
        cwd=str(stop.root),
        rev=stop.case.parent,
        counter="bytes4",
        cache_dir=stop.cache,
    )


def _fates(case: Case, items: Sequence[Item], made: Made, read: Callable[[str], bytes | None]) -> dict[str, int]:
    """The changed places by what became of them (`FATES`)."""
    candidates = {note.path for note in made.answer.notes.values()}
    shown = {item.path: False for item in items}
    for item in items:
        shown[item.path] |= bool(item.text)
    counts: dict[str, int] = {}
    for path, seen in visible(case, items, read).items():
        if path in shown:
            missed = "other lines" if shown[path] else "named only"
        elif path in candidates:
            missed = "crowded out"
        else:
            missed = "unranked" if path in made.files else "unreadable"
        for place in seen:
            fate = "seen" if place else missed
            counts[fate] = counts.get(fate, 0) + 1
    return counts


def _pool_ranks(case: Case, made: Made) -> tuple[int, ...]:
    """Ranks of the changed files among all candidates, by the greatest relevance of their forms."""
    best: dict[str, float] = {}
    for candidate in made.candidates:
        path = made.answer.notes[candidate.candidate_id].path
        best[path] = max(best.get(path, 0.0), candidate.relevance)
    order = {path: at for at, path in enumerate(sorted(best, key=lambda path: (-best[path], path)), 1)}
    return tuple(order.get(path, 0) for path in case.gold)


def _reader(source: Source, snapshot: Snapshot) -> Callable[[str], bytes | None]:
    entries: dict[str, Entry] = {
        entry.path: entry for entry in snapshot.entries if entry.kind in ("file", "executable")
    }

    @cache
    def read(path: str) -> bytes | None:
        entry = entries.get(path)
        return next(data for _, data in source.read([entry])) if entry is not None else None

    return read
