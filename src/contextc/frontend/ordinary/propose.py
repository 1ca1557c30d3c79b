"""A `contextc.toml` for a repository: what conventions find in it, each line with its reason.

The proposal changes nothing: with it a repository is read as without it. It is a start to edit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from contextc.core.records.layer import Layer, LayerObject
from contextc.frontend.ordinary.config import CLASS_KINDS, EDGE_KINDS, VERSION
from contextc.frontend.ordinary.owners import PLACES

#: Numbered documents in one directory from which on they look like records of some kind.
FEWEST_RECORDS = 3
#: Places that are named; the rest are counted.
MOST_SHOWN = 4

_NUMBERED = re.compile(r"(?:[A-Za-z]+[-_])?\d{2,5}[-_. ].*\.(?:md|markdown|rst)", re.IGNORECASE)


class _Row(NamedTuple):
    """A convention: its key, what it looks for, the classes of objects that it gives."""

    key: str
    looks_for: str
    gives: tuple[str, ...]


_ROWS = (
    _Row(
        "rules",
        "AGENTS.md, CLAUDE.md with imports, .claude/rules, .cursor/rules, Copilot, GEMINI.md, Windsurf, Cline, aider",
        ("rules",),
    ),
    _Row("decisions", "Nygard's records, MADR, decisions of Backlog.md; a list names more directories", ("decisions",)),
    _Row("backlog", "Backlog.md: tasks, milestones, documents; a list names its directory", ("backlog-",)),
    _Row("beads", ".beads/issues.jsonl, one issue a line, epics as milestones", ("beads",)),
    _Row("spec-kit", "specs/###-feature with tasks.md, .specify/memory/constitution.md", ("speckit-", "constitution")),
    _Row("github-issues", "issues.json as `gh issue list --json` writes it", ("github-",)),
    _Row("issues", "issues/, .issues/, docs/issues/: one file each; a list names more directories", ("issue-file",)),
    _Row("milestones", "milestones/, docs/milestones/; a list names more directories", ("milestone-file",)),
    _Row("codeowners", f"{', '.join(PLACES)}: owners become facts", ()),
    _Row("commits", "recent commits, so that work on a file is told what changed there", ("commit",)),
)


def proposal(layer: Layer) -> str:
    """The text of a `contextc.toml` for the repository that a layer was made of."""
    lines = [
        "# How contextc reads this repository. Nothing needs this file: as it stands, it says what holds without it.",
        "# Edit it where conventions do not tell what is what; `contextc devcontext index` shows the result.",
        "",
        "# The version of this format.",
        f"version = {VERSION}",
        "",
        "# Conventions by which records are found: true reads them, false does not.",
        "[conventions]",
    ]
    for row in _ROWS:
        lines += ["", f"# {row.looks_for}.", f"# {_found(layer, row)}", f"{row.key} = true"]
    lines += ["", *_code(layer), *_likely(layer), *_examples()]
    return "\n".join(lines) + "\n"


def _found(layer: Layer, row: _Row) -> str:
    if row.key == "codeowners":
        owned = sum("owners" in one.metadata for one in layer.objects if one.kind in ("implementation", "test"))
        return f"Here: {_files(owned)} with owners." if owned else "Here: nothing yet."
    objects = [one for one in layer.objects if any(_is_of(one, name) for name in row.gives)]
    if not objects:
        return "Here: nothing yet."
    kinds = Counter(one.kind for one in objects)
    what = ", ".join(f"{count} of kind {kind}" for kind, count in sorted(kinds.items()))
    if row.key == "commits":
        return f"Here: {what}."
    return f"Here: {what}, in {_places(one.directory for one in objects)}."


def _is_of(one: LayerObject, name: str) -> bool:
    return one.source_class.startswith(name) if name.endswith("-") else one.source_class == name


def _places(found: Iterable[str]) -> str:
    counted = Counter(found)
    ordered = sorted(counted, key=lambda place: (-counted[place], place))
    shown = ", ".join(_word(place) for place in ordered[:MOST_SHOWN])
    return shown if len(ordered) <= MOST_SHOWN else f"{shown} and {len(ordered) - MOST_SHOWN} more"


def _word(text: str) -> str:
    """A path in a comment: a comment ends with its line, whatever a name may hold."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _files(count: int) -> str:
    return f"{count} file{'s' if count != 1 else ''}"


def _code(layer: Layer) -> list[str]:
    kinds = Counter(one.kind for one in layer.objects)
    return [
        f"# Everything else by its name: {_files(kinds['implementation'])} of code and configuration, "
        f"{kinds['test']} of tests, {kinds['knowledge']} of documentation.",
        "# The first class that matches a file decides; `none` leaves it out.",
        "",
    ]


def _likely(layer: Layer) -> list[str]:
    """Directories of numbered documents that no convention knows."""
    counted: Counter[str] = Counter()
    for one in layer.objects:
        if one.source_class == "docs" and _NUMBERED.fullmatch(one.path.rpartition("/")[2]) and '"' not in one.path:
            counted[one.directory] += 1
    lines: list[str] = []
    for place, count in sorted(counted.items()):
        if count >= FEWEST_RECORDS and place != ".":
            lines += [
                f"# {count} numbered documents in {_word(place)}: if these are decisions, take the signs `# ` away.",
                "# [[class]]",
                f'# id = "{_word(place).replace("/", "-")}"',
                '# kind = "adr"',
                f'# paths = ["{_word(place)}/*.md"]',
                "",
            ]
    return lines


def _examples() -> Sequence[str]:
    return (
        "# A class gives files a kind of their own. Kinds: " + ", ".join(CLASS_KINDS) + ".",
        "# [[class]]",
        '# id = "runbooks"                 # a name of your own, shown as the class of each object',
        '# kind = "knowledge"              # what the files are',
        '# paths = ["ops/**/*.md"]         # globs from the root',
        "",
        "# An edge relates files that do not name each other. Kinds: " + ", ".join(EDGE_KINDS) + ".",
        "# [[edge]]",
        '# kind = "governed_by"            # how they are related',
        '# from = ["src/api/**"]           # each of these ...',
        '# to = ["docs/api.md"]            # ... to each of these',
    )
