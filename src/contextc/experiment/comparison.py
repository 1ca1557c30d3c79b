"""Our rows and artifacts beside published ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from contextc.core.records.base import Record
from contextc.core.records.codec import decode
from contextc.errors import DocumentError, Problem
from contextc.experiment.rows import COLUMNS, Row

#: The most differing rows that are shown; the rest is counted.
SHOWN = 10


class Artifact(Struct, frozen=True, kw_only=True):
    """What is published of an artifact: its size and the SHA-256 of its bytes."""

    bytes: int
    sha256: str


class Source(Struct, frozen=True, kw_only=True):
    """Where published results come from; only the artifacts matter here."""

    artifacts: dict[str, Artifact] = {}


class Results(Struct, frozen=True, kw_only=True):
    """Published results: the rows, the names of their positions, and digests of the artifacts."""

    columns: tuple[str, ...]
    rows: list[list[object]]
    source: Source = Source()


class Comparison(Record, frozen=True, kw_only=True):
    """How many rows are equal, which are not, and which artifacts are equal byte for byte."""

    rows_equal: int
    rows_total: int
    differing: tuple[str, ...]
    artifacts: dict[str, bool]

    @property
    def same(self) -> bool:
        """Whether everything that was compared is equal."""
        return self.rows_equal == self.rows_total and all(self.artifacts.values())


def compare(path: Path, rows: Sequence[Row], artifacts: Mapping[str, bytes]) -> Comparison:
    """Compare the strategies that were run with those published; artifacts only when all of them were run.

    Raises `DocumentError` when the file does not hold rows of the known columns.
    """
    published = decode(path.read_bytes(), Results, where=str(path))
    if published.columns != COLUMNS:
        raise DocumentError([Problem("$.columns", f"expected {', '.join(COLUMNS)}")], where=str(path))
    place = COLUMNS.index("strategy")
    own = {(row.case.fixture.name, row.case.budget, row.strategy): row.published() for row in rows}
    ran = {row.strategy for row in rows}
    theirs = [row for row in published.rows if row[place] in ran]
    differing = [name for row in theirs if (name := _difference(row, own.get((str(row[0]), str(row[1]), str(row[3])))))]
    complete = [row.published()[:4] for row in rows] == [row[:4] for row in published.rows]
    more = [f"and {len(differing) - SHOWN} more"] if len(differing) > SHOWN else []
    return Comparison(
        rows_equal=len(theirs) - len(differing),
        rows_total=len(theirs),
        differing=tuple(differing[:SHOWN] + more),
        artifacts={
            name: hashlib.sha256(artifacts[name]).hexdigest() == entry.sha256
            for name, entry in sorted(published.source.artifacts.items())
            if complete and name in artifacts
        },
    )


def _difference(published: list[object], own: list[object] | None) -> str:
    """One line that says where a row differs; empty when it does not."""
    name = f"{published[0]}/{published[1]}/{published[3]}"
    if own is None:
        return f"{name}: no such case in this corpus"
    # As JSON, because true and 1 are equal in Python and are not here.
    pairs = zip(COLUMNS, published, own, strict=True)
    wrong = [
        f"{column} {_json(mine)} instead of {_json(theirs)}"
        for column, theirs, mine in pairs
        if _json(theirs) != _json(mine)
    ]
    return f"{name}: {', '.join(wrong)}" if wrong else ""


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
