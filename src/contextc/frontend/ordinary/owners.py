"""CODEOWNERS: who answers for a path. The last pattern that matches counts, as GitHub and GitLab read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from contextc.core.records.layer import IndexDiagnostic
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Repository, remark

#: Where the file lies; the first that is there is read.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
#: Lines that are read; GitHub reads files up to 3 MB, no person writes that many.
MOST_LINES = 2_000

_SECTION = re.compile(r"\^?\[[^\]]+\](?:\[\d+\])?[ \t]*(.*)")
_WORD = re.compile(r"(?:[^\s\\#]|\\.)+")


class Owners(NamedTuple):
    """Patterns, the last line first, with their owners; none for a path that was given to nobody on purpose."""

    path: str
    rows: Sequence[tuple[re.Pattern[str], tuple[str, ...]]]

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a path."""
        for pattern, owners in self.rows:
            if pattern.match(path):
                return owners
        return ()


#: Where nobody is named.
NOBODY = Owners("", ())


def codeowners_path(tree: Tree) -> str:
    """The file, "" without one."""
    return next((path for path in PLACES if path in tree.known), "")


def read_owners(repository: Repository) -> tuple[Owners, list[IndexDiagnostic]]:
    """Who owns what, and the lines that say nothing."""
    path = codeowners_path(repository.tree)
    rows: list[tuple[re.Pattern[str], tuple[str, ...]]] = []
    faults: list[IndexDiagnostic] = []
    section: tuple[str, ...] = ()
    for number, line in enumerate((repository.text(path) or "").split("\n")[:MOST_LINES] if path else (), 1):
        heading = _SECTION.fullmatch(line.strip())
        if heading:  # a section of GitLab: its owners are those of the lines that name none
            section = tuple(_WORD.findall(heading.group(1)))
            continue
        words = _WORD.findall(re.split(r"(?:^|\s)#", line, maxsplit=1)[0])
        if not words:
            continue
        if words[0].startswith("!"):
            faults.append(remark(path, number, "malformed_record", "negation is not read in CODEOWNERS", "warning"))
            continue
        rows.append((re.compile(_regex(words[0].replace("\\ ", " "))), tuple(words[1:]) or section))
    return Owners(path, tuple(reversed(rows))), faults


def _regex(pattern: str) -> str:
    """A pattern as in .gitignore: with a slash before its end it is meant from the root, else at any depth."""
    below = "" if pattern.endswith("/*") else "(?:/|$)"
    rooted = "/" in pattern.rstrip("/")
    out = ["" if rooted else "(?:.*/)?"]
    text = pattern.strip("/")
    at = 0
    while at < len(text):
        if text.startswith("**/", at):
            out.append("(?:.*/)?")
            at += 3
        elif text.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            char = text[at]
            out.append("[^/]*" if char == "*" else "[^/]" if char == "?" else re.escape(char))
            at += 1
    if pattern.endswith("/*"):
        below = "$"
    elif pattern.endswith("/"):
        below = "/"
    return "".join(out) + below
