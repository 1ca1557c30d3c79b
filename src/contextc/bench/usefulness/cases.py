"""Tasks with the places that the real change touched, as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from contextc.errors import InputError, NotFound

#: Lines of a file at the parent commit, first and last, from 1, inclusive.
Place = tuple[int, int]


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task. `gold` are the files that the change modified, `gold_hunks` the places in them, `gold_tokens` their
    sizes at the parent (bytes / 4). `sets` are named parts of a suite; fields beyond these are not read."""

    id: str
    suite: str = "replay"
    sets: tuple[str, ...] = ()
    split: str = ""
    repo: str
    lang: str = ""
    parent: str
    commit: str = ""
    text: str
    gold: tuple[str, ...]
    gold_hunks: Mapping[str, tuple[Place, ...]]
    gold_tokens: Mapping[str, int] = {}


def read_cases(paths: Sequence[str | Path]) -> list[Case]:
    """All tasks of some files, one a line. Raises `NotFound` and, with file and line, `InputError`."""
    found: list[Case] = []
    for path in paths:
        try:
            lines = Path(path).read_bytes().splitlines()
        except OSError as error:
            raise NotFound(f"expected a file of tasks: {error.strerror}", where=str(path)) from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                found.append(_decode(line, f"{path}:{number}"))
    return found


def _decode(line: bytes, where: str) -> Case:
    try:
        return msgspec.json.decode(line, type=Case)
    except msgspec.MsgspecError as error:
        hint = "a task has id, repo, parent, text, gold and gold_hunks; see docs/usefulness.md"
        raise InputError(f"expected a task as JSON: {error}", where=where, hint=hint) from error


def write_cases(cases: Iterable[Case]) -> str:
    """Tasks as lines of JSON, as `read_cases` reads them."""
    return "".join(msgspec.json.encode(case).decode() + "\n" for case in cases)


def choose(cases: Iterable[Case], *, suite: str = "", repos: Sequence[str] = (), every: int = 1) -> list[Case]:
    """Tasks with something to find, of a suite or a set of it, of some repositories; of these each `every`-th, counted
    in each repository by itself, so that a part speaks for all."""
    kept: list[Case] = []
    seen: dict[str, int] = {}
    for case in cases:
        if not case.gold or (suite and suite != case.suite and suite not in case.sets):
            continue
        if repos and case.repo not in repos:
            continue
        at = seen[case.repo] = seen.get(case.repo, -1) + 1
        if at % every == 0:
            kept.append(case)
    return kept
