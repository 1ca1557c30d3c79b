"""Writes down what the ranking sees of training tasks: the signals of files and of places, before they are weighed.

    python tools/observe_tasks.py --tasks tasks.jsonl --repos DIR --cache DIR -o seen.jsonl

One line of JSON a task: the files that were looked at closely, best first, and the places of those that the change
touched. `train_weights.py` learns from these lines alone. Lines of tasks that stand in the output already are kept.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import msgspec
from contextc.frontend.select.observe import observe
from msgspec import Struct

from contextc.bench.usefulness.cases import Case, read_cases
from contextc.bench.usefulness.itinerary import Stop, itinerary
from contextc.bench.usefulness.repositories import Repositories, read_aliases
from contextc.errors import ContextError
from contextc.frontend.index import open_index
from contextc.frontend.select.query import read_task
from contextc.frontend.sources import open_source


class SeenPlace(Struct, frozen=True, kw_only=True):
    """A place of a changed file: bytes, how many of the file's changed places it holds lines of, signals."""

    size: int
    changed: int
    signals: dict[str, float]


class SeenFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that was looked at; `places` only where it was changed."""

    path: str
    kind: str
    changed: bool
    signals: dict[str, float]
    size: int = 0
    places: tuple[SeenPlace, ...] = ()


class SeenTask(Struct, frozen=True, kw_only=True):
    """A task as the ranking sees it. `missed` are changed files that were not looked at."""

    id: str
    repo: str
    lang: str
    files: tuple[SeenFile, ...]
    missed: int


def seen_task(stop: Stop) -> SeenTask:
    """Observe one task. Raises what reading a repository raises."""
    case = stop.case
    source = open_source(stop.root, rev=case.parent)
    view = open_index(source, source.snapshot(), cache_dir=stop.cache)
    observed = observe(view, read_task(case.text))
    files = tuple(_seen_file(case, file) for file in observed.files if file.blocks)
    found = {file.path for file in files}
    return SeenTask(
        id=case.id, repo=case.repo, lang=case.lang, files=files, missed=sum(path not in found for path in case.gold)
    )


def _seen_file(case: Case, file: object) -> SeenFile:
    path: str = file.path  # type: ignore[attr-defined]
    changed = case.gold_hunks.get(path, ())
    places = tuple(
        SeenPlace(
            size=each.size,
            changed=sum(first <= each.block.last and each.block.first <= last for first, last in changed),
            signals=dict(each.signals),
        )
        for each in (file.blocks if changed else ())  # type: ignore[attr-defined]
    )
    return SeenFile(
        path=path,
        kind=file.kind,  # type: ignore[attr-defined]
        changed=path in case.gold,
        signals=dict(file.signals),  # type: ignore[attr-defined]
        size=file.file.facts.size,  # type: ignore[attr-defined]
        places=places,
    )


def read_seen(paths: list[Path]) -> list[SeenTask]:
    """Observed tasks of some files, ascending by id; of two lines with one id the last."""
    found = {}
    for path in paths:
        for line in path.read_bytes().splitlines():
            task = msgspec.json.decode(line, type=SeenTask)
            found[task.id] = task
    return [found[name] for name in sorted(found)]


def main() -> None:
    """Observe all tasks, one repository after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", required=True, metavar="FILE")
    parser.add_argument("--repos", action="append", required=True, metavar="DIR")
    parser.add_argument("--alias", action="append", default=[], metavar="A=B")
    parser.add_argument("--cache", required=True, type=Path, metavar="DIR")
    parser.add_argument("-o", "--output", required=True, type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="Begin no task after so many seconds.")
    options = parser.parse_args()
    done = {task.id for task in read_seen([options.output])} if options.output.exists() else set()
    cases = [case for case in read_cases([options.tasks]) if case.gold and case.id not in done]
    began = time.monotonic()
    with options.output.open("ab") as out:
        for stop in itinerary(cases, Repositories(options.repos, read_aliases(options.alias)), options.cache):
            if time.monotonic() - began > options.seconds:
                break
            try:
                out.write(msgspec.json.encode(seen_task(stop)) + b"\n")
            except ContextError as error:
                print(f"{stop.case.id}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
