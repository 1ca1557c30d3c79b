"""`contextc bench usefulness` on the command line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from contextc.bench.usefulness.cases import Case, choose, read_cases, write_cases
from contextc.bench.usefulness.compare import differences
from contextc.bench.usefulness.itinerary import Stop, itinerary
from contextc.bench.usefulness.measure import measure
from contextc.bench.usefulness.replay import replay
from contextc.bench.usefulness.report import comparison, report
from contextc.bench.usefulness.repositories import Repositories, read_aliases
from contextc.bench.usefulness.results import Row, Run, read_run, write_run
from contextc.bench.usefulness.sealed import leaks
from contextc.errors import UsageError
from contextc.frontend.index.cachedir import cache_root

#: Rooms for which a bundle is judged when nobody says.
BUDGETS = "8000,16000,32000"


@click.command("usefulness")
@click.option("--tasks", "files", multiple=True, metavar="FILE", help="Tasks, one a line of JSON. May be repeated.")
@click.option("--repos", multiple=True, metavar="DIR", help="Where the repositories of the tasks lie. May be repeated.")
@click.option("--replay", "count", type=click.IntRange(min=1), metavar="N", help="Make N tasks of the history here.")
@click.option("-C", "root", default=".", metavar="DIR", help="Where `here` is.")
@click.option("--tasks-out", metavar="FILE", help="With --replay: write the tasks, and measure nothing.")
@click.option("--suite", default="", metavar="NAME", help="Only tasks of this suite, or of this set of one.")
@click.option("--repo", "only", multiple=True, metavar="NAME", help="Only tasks of this repository. May be repeated.")
@click.option("--alias", multiple=True, metavar="A=B", help="The repository A lies there as B. May be repeated.")
@click.option("--every", default=1, type=click.IntRange(min=1), metavar="K", help="Each K-th task of a repository.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N of what is left.")
@click.option("--budget", default=BUDGETS, show_default=True, metavar="N,N", help="Tokens (bytes / 4).")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="Processes.")
@click.option("--cache", metavar="DIR", help="Where the indexes are kept between runs.")
@click.option("--sealed", is_flag=True, help="Compile each task also in a copy that ends at its parent. Slow.")
@click.option("-o", "output", metavar="FILE", help="Write the result as JSON, for --compare.")
@click.option("--compare", nargs=2, metavar="A B", help="Measure nothing; compare two results in pairs.")
@click.option("--show", metavar="FILE", help="Measure nothing; print the tables of a result.")
def usefulness_command(
    files: tuple[str, ...], repos: tuple[str, ...], count: int | None, root: str, tasks_out: str | None, suite: str,
    only: tuple[str, ...], alias: tuple[str, ...], every: int, limit: int | None, budget: str, jobs: int,
    cache: str | None, sealed: bool, output: str | None, compare: tuple[str, str] | None, show: str | None,
) -> None:  # fmt: skip
    """Does the bundle hold what the task turned out to need? Real changes are replayed from their messages."""
    if compare:
        first, second = map(read_run, compare)
        click.echo(comparison(differences(first, second), *(Path(name).stem for name in compare)), nl=False)
        return
    if show:
        click.echo(report(read_run(show)), nl=False)
        return
    if bool(files) == (count is not None):
        raise UsageError("expected tasks to measure", hint="give --tasks FILE with --repos DIR, or --replay N")
    if count is not None:
        name = Path(root).resolve().name
        cases = list(replay(Path(root).resolve(), name, count))
        places = Repositories([Path(root).resolve().parent])
    else:
        cases = choose(read_cases(files), suite=suite, repos=only, every=every)[:limit]
        places = Repositories(repos, read_aliases(alias))
    if tasks_out:
        Path(tasks_out).write_text(write_cases(cases), encoding="utf-8")
        return
    run = run_all(cases, places, _budgets(budget), cache=_cache(cache), jobs=jobs, sealed=sealed)
    if output:
        write_run(run, output)
    click.echo(report(run), nl=False)


def run_all(
    cases: Iterable[Case],
    repositories: Repositories,
    budgets: tuple[int, ...],
    *,
    cache: Path,
    jobs: int = 1,
    sealed: bool = False,
) -> Run:
    """Measure all tasks. With `sealed` an answer that knows of what came after its parent is an error of its row.

    Raises `NotFound` for a repository that is not there.
    """
    stops = list(itinerary(list(cases), repositories, cache))
    rows: list[Row] = []
    began = time.monotonic()
    for row in _measured(stops, partial(_row, budgets, sealed), jobs):
        rows.append(row)
        if sys.stderr.isatty():
            click.echo(f"\r{len(rows)} of {len(stops)} tasks, {time.monotonic() - began:.0f} s", err=True, nl=False)
    if sys.stderr.isatty():
        click.echo("", err=True)
    return Run(budgets=budgets, rows=tuple(sorted(rows, key=lambda row: row.id)))


def _measured(stops: list[Stop], measured: Callable[[Stop], Row], jobs: int) -> Iterator[Row]:
    """Rows as they are done. Tasks that share a store stay in one process, one after the other."""
    if jobs == 1:
        yield from map(measured, stops)
        return
    shared: dict[Path, list[Stop]] = {}
    for stop in stops:
        shared.setdefault(stop.cache, []).append(stop)
    with ProcessPoolExecutor(jobs) as pool:
        for rows in pool.map(partial(_all, measured), shared.values()):
            yield from rows


def _all(measured: Callable[[Stop], Row], stops: list[Stop]) -> list[Row]:
    return list(map(measured, stops))


def _row(budgets: tuple[int, ...], sealed: bool, stop: Stop) -> Row:
    row = measure(stop, budgets)
    leak = leaks(stop, budgets) if sealed and not row.error else ""
    return replace(row, error=leak) if leak else row


def _budgets(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdigit() for part in parts):
        raise UsageError(f"expected budgets such as {BUDGETS}, found {text!r}")
    return tuple(sorted({int(part) for part in parts}))


def _cache(given: str | None) -> Path:
    folder = Path(given) if given else cache_root()
    if folder is None:
        raise UsageError("there is no cache directory", hint="name one with --cache DIR")
    return folder if given else folder / "bench"
