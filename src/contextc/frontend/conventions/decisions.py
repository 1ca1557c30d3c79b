"""Decisions of a repository, found by convention: Nygard's records, MADR, and those of Backlog.md.

Where a record stands is what it says, and what a later accepted record says of it. A record that cannot be read as one
is a diagnostic; it takes no other with it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from contextc.frontend.conventions.base import Decision, DecisionSet, Diagnostic, Status
from contextc.frontend.conventions.decision_record import Link, Record, read_record
from contextc.frontend.conventions.tree import Tree

#: Where records lie by convention (adr-tools, MADR, log4brains, Backlog.md), relative to the root or to a package.
FOLDERS = (
    "doc/adr", "docs/adr", "doc/adrs", "docs/adrs", "adr", "adrs", "doc/arch", "docs/arch", "doc/decisions",
    "docs/decisions", "docs/architecture/decisions", "doc/architecture/decisions", "docs/architecture/adr",
    "docs/architecture-decisions", "docs/architecture-decision-records", "architecture/decisions", "decisions",
    "backlog/decisions", ".backlog/decisions",
)  # fmt: skip
#: The file by which adr-tools is told another folder.
ADR_DIR = ".adr-dir"

_NO_RECORD = re.compile(r"(?:readme|index|(?:adr-?)?template.*|.*[-_]template|contributing)\.\w+", re.IGNORECASE)
_ENDINGS = (".md", ".markdown", ".mdx")
_DIGITS = re.compile(r"\d+")


def find_decisions(tree: Tree) -> DecisionSet:
    """All decisions of a snapshot, with what is wrong with any of them."""
    return read_decisions_at(tree, record_paths(tree))


def read_decisions_at(tree: Tree, paths: Iterable[str]) -> DecisionSet:
    """The decisions in these files, with what is wrong with any of them."""
    records: list[Record] = []
    faults: list[Diagnostic] = []
    for path in paths:
        text = tree.readable(path)
        if text is None or not text.strip():
            faults.append(Diagnostic(path, 1, "a decision without text"))
            continue
        record, problems = read_record(path, text)
        faults.extend(Diagnostic(path, line, message) for line, message in problems)
        records.append(record)
    faults.extend(_twice(records))
    return DecisionSet(tuple(_settled(records)), tuple(sorted(faults)))


def record_paths(tree: Tree, more: Sequence[str] = ()) -> list[str]:
    """Paths of what is a record by its folder and name, ascending. `more` are further folders."""
    extra = {_adr_dir(tree, path) for path in tree.paths if posixpath.basename(path) == ADR_DIR}
    folders = tuple({*FOLDERS, *more, *(folder for folder in extra if folder)})
    found = []
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        if name.lower().endswith(_ENDINGS) and not _NO_RECORD.fullmatch(name) and _lies_in(folder, folders):
            found.append(path)
    return found


def _adr_dir(tree: Tree, path: str) -> str:
    text = tree.readable(path) or ""
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(path), text.strip().partition("\n")[0].strip()))
    return "" if folder.startswith(("..", "/")) or folder == "." else folder


def _lies_in(folder: str, folders: Iterable[str]) -> bool:
    return any(f"/{folder}/".find(f"/{home}/") >= 0 for home in folders)


def _settled(records: Sequence[Record]) -> list[Decision]:
    """Records with their status, successors said by others included."""
    by_path = {record.path: record for record in records}
    successors: dict[str, str] = {}
    for record in records:
        if record.status in ("accepted", "unknown"):
            for link in record.supersedes:
                target = _target(link, record, records)
                if target is not None and target.path != record.path:
                    successors.setdefault(target.path, record.path)
    decisions = []
    for record in records:
        said = [_named(link, record, records) for link in record.superseded_by]
        successor = said[0] if said else successors.get(record.path, "")
        status: Status = record.status
        if successor and status in ("accepted", "proposed", "unknown") and (said or successor in by_path):
            status = "superseded"
        predecessors = tuple(_named(link, record, records) for link in record.supersedes)
        decisions.append(
            Decision(
                record.path, record.number, record.title, status, record.stated, record.date, successor, predecessors
            )
        )
    return decisions


def _named(link: Link, record: Record, records: Sequence[Record]) -> str:
    """The path of what a link means; as written where that cannot be told."""
    target = _target(link, record, records)
    return target.path if target is not None else link.text


def _target(link: Link, record: Record, records: Sequence[Record]) -> Record | None:
    folder = posixpath.dirname(record.path)
    if link.href:
        path = posixpath.normpath(posixpath.join(folder, link.href))
        for other in records:
            if other.path == path or other.path.rpartition(".")[0] == path:
                return other
    number = _number(link.number)
    if number is not None:
        same = [other for other in records if _number(other.number) == number and other.path != record.path]
        near = [other for other in same if posixpath.dirname(other.path) == folder] or same
        return near[0] if len(near) == 1 else None
    title = link.text.strip().lower()
    return next((other for other in records if title and other.title.lower() == title), None)


def _number(text: str) -> int | None:
    digits = _DIGITS.findall(text)
    return int(digits[-1]) if digits and len(digits[-1]) < 9 else None


def _twice(records: Sequence[Record]) -> list[Diagnostic]:
    """Two records of one folder with one number: which one is meant cannot be told."""
    seen: dict[tuple[str, int], str] = {}
    found = []
    for record in records:
        number = _number(record.number)
        if number is None:
            continue
        key = (posixpath.dirname(record.path), number)
        if key in seen:
            found.append(Diagnostic(record.path, 1, f"the number {record.number} is also that of {seen[key]}"))
        else:
            seen[key] = record.path
    return found
