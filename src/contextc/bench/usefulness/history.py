"""What a repository's history says of its changes: messages, changed files, changed lines. Plumbing of git only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contextc.bench.usefulness.cases import Place
from contextc.errors import NotFound, RepositoryError
from contextc.frontend.sources.git import Git, GitFailure, executable, locate, resolve_commit
from contextc.frontend.sources.paths import to_text

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_RAW = ("diff-tree", "-r", "-z", "--no-commit-id", "--no-ext-diff", "--no-textconv", "-M")


class Message(NamedTuple):
    """A commit with one parent, as told: its id and the parent's, name and address of the author, message."""

    commit: str
    parent: str
    author: str
    text: str


class Touched(NamedTuple):
    """One file of a change. `status` is git's letter (A, D, M, R, C, T), `lines` added and removed together; a binary
    file has none."""

    path: str
    status: str
    lines: int


def git_of(root: Path) -> Git:
    """git for a repository. Raises `RepositoryError` where there is none."""
    program = executable()
    place = locate(program, str(root)) if program else None
    if place is None:
        raise RepositoryError("replaying a history needs a git repository", where=str(root))
    return place.git


def commit_date(root: Path, commit: str) -> int:
    """Seconds since 1970 of a commit. Raises `NotFound` when it is not there."""
    git = git_of(root)
    full = resolve_commit(git, commit)
    if full is None:
        raise NotFound(f"the commit {commit} is not there", where=str(root), hint="fetch the whole history")
    return int(git.run("rev-list", "--max-count=1", "--timestamp", full).split()[0])


def messages(git: Git, rev: str, most: int, since: str) -> list[Message]:
    """The newest commits with one parent up to a revision, at most `most`, none before the date `since`."""
    out = git.run(
        "rev-list", "--min-parents=1", "--max-parents=1", f"--max-count={most}", f"--since={since}",
        "--encoding=UTF-8", "--format=%P%x00%an <%ae>%x00%B%x00", rev,
    )  # fmt: skip
    parts = out.decode("utf-8", "replace").split("\0")
    found = []
    for at in range(0, len(parts) - 2, 3):
        commit, parent = parts[at].split()[-2:]
        found.append(Message(commit, parent, parts[at + 1], parts[at + 2].strip()))
    return found


def touched(git: Git, commit: str) -> list[Touched]:
    """The files that a commit changes against its parent, ascending by path; none where git lacks one of their
    contents, as in a partial clone."""
    try:
        out = git.run(*_RAW, "--raw", "--numstat", commit)
    except GitFailure:
        return []
    status: dict[str, str] = {}
    lines: dict[str, int] = {}
    parts = iter(out.split(b"\0")[:-1])
    for part in parts:
        if part.startswith(b":"):
            letter = chr(part.rsplit(b" ", 1)[1][0])
            path = next(parts)
            status[to_text(next(parts) if letter in "RC" else path)] = letter
        else:
            added, removed, name = part.split(b"\t", 2)
            if not name:
                next(parts)
                name = next(parts)
            lines[to_text(name)] = sum(int(count) for count in (added, removed) if count != b"-")
    return [Touched(path, status[path], lines.get(path, 0)) for path in sorted(status)]


def changed_places(git: Git, commit: str, paths: Sequence[str]) -> dict[str, tuple[Place, ...]]:
    """For each path the places in the parent's text that the commit changes; an insertion is the line before it."""
    out = git.run("diff-tree", "-r", "-p", "-U0", "--no-commit-id", "--no-ext-diff", "--no-textconv", "--no-renames",
                  "--no-color", "-z", commit, "--", *paths)  # fmt: skip
    return {path: tuple(found) for path, found in _places(out) if path in paths}


def _places(patch: bytes) -> Iterator[tuple[str, list[Place]]]:
    path = ""
    found: list[Place] = []
    left = 0
    for line in patch.split(b"\n"):
        if left:
            left -= line[:1] in (b"-", b"+")
            continue
        hunk = _HUNK.match(line)
        if line.startswith(b"diff --git "):
            if path:
                yield path, found
            path, found = "", []
        elif line.startswith(b"--- ") and line != b"--- /dev/null":
            path = _name(line[4:])
        elif hunk is not None:
            found.append(_place(hunk))
            left = _lines_of(line)
    if path:
        yield path, found


def _place(hunk: re.Match[bytes]) -> Place:
    first = int(hunk[1])
    count = 1 if hunk[2] is None else int(hunk[2])
    return (first, first + count - 1) if count else (max(1, first), max(1, first))


def _lines_of(header: bytes) -> int:
    """How many lines a hunk without context has."""
    old, new = header.split(b" ")[1:3]
    return sum(int(part.partition(b",")[2] or b"1") for part in (old, new))


def _name(written: bytes) -> str:
    """The path behind `a/`; with `-z` git quotes nothing, but ends a name that holds blanks with a tab."""
    return to_text(written.removesuffix(b"\t").partition(b"/")[2])
