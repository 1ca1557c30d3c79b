"""What a run gave, task by task, and as a file that two runs are compared by."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from contextc.bench.usefulness.places import Ranks, Score
from contextc.errors import InputError, NotFound

#: Why a changed place is not visible, from the worst to the best; `seen` is one that is.
FATES = ("unreadable", "unranked", "crowded out", "named only", "other lines", "seen")


class Row(Struct, frozen=True, kw_only=True):
    """One task. Keys of the mappings are budgets in tokens. `fates` counts the changed places by `FATES`, `places` are
    the ranks of the changed files in the pool by relevance (0: no candidate). `seconds` are of one warm run at each
    budget, `opening` of reading what the index did not know; `files` were indexed."""

    id: str
    repo: str
    lang: str
    changed: int
    scores: dict[int, Score]
    fates: dict[int, dict[str, int]]
    ranks: Ranks
    pool: tuple[int, ...]
    seconds: dict[int, float]
    opening: float
    files: int
    cost: dict[int, int]
    error: str = ""


class Run(Struct, frozen=True, kw_only=True):
    """All rows ascending by id. `setting` says how they came about, in words."""

    budgets: tuple[int, ...]
    rows: tuple[Row, ...]
    setting: str = ""
    schema: str = "contextc.usefulness.v1"


def read_run(path: str | Path) -> Run:
    """A run that was written. Raises `NotFound` and `InputError`."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Run)
    except OSError as error:
        raise NotFound(f"expected a result of `bench usefulness`: {error.strerror}", where=str(path)) from error
    except msgspec.MsgspecError as error:
        raise InputError(f"expected a result of `bench usefulness`: {error}", where=str(path)) from error


def write_run(run: Run, path: str | Path) -> None:
    """Write a run as JSON."""
    Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
