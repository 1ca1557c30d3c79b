"""Issues and milestones as files of their own: one Markdown or YAML file each, in the customary directories."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from contextc.core.records.layer import IndexDiagnostic, IndexSeverity
from contextc.frontend.conventions.front_matter import read_front_matter
from contextc.frontend.conventions.strict_yaml import Parsed, YamlError, parse
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Draft, Reading, Repository, remark, scalar_of
from contextc.frontend.ordinary.json_text import dump
from contextc.frontend.ordinary.record import brief, first_heading, header_fields, work_draft

ISSUE_FOLDERS = ("issues", ".issues", "docs/issues")
MILESTONE_FOLDERS = (
    "milestones",
    ".milestones",
    "docs/milestones",
    *(f"{folder}/milestones" for folder in ISSUE_FOLDERS),
)
#: Directories whose names say where the issues in them stand.
_STATES = frozenset(
    ("open", "closed", "done", "todo", "doing", "in-progress", "backlog", "blocked", "wontfix", "archive")
)
_NUMBERED = re.compile(r"(?:issue[-_])?#?(\d{1,8}|[A-Z][A-Z0-9]{0,9}-\d{1,8}|[mM]-?\d{1,4})(?=[-_. ]|$)", re.IGNORECASE)
_MARKS = ("id", "title", "status", "state", "number")


class _File(NamedTuple):
    """A file and the directory of its collection; `certain` when it is said to be of the kind."""

    path: str
    kind: str
    home: str
    certain: bool = False


def issue_file_paths(
    tree: Tree, issues: Sequence[str] = ISSUE_FOLDERS, milestones: Sequence[str] = MILESTONE_FOLDERS
) -> list[str]:
    """The files that `read_issue_files` looks at."""
    return [one.path for one in _files(tree, issues, milestones)]


def _files(tree: Tree, issues: Sequence[str], milestones: Sequence[str]) -> Iterator[_File]:
    """Milestones first: their directories lie in those of issues."""
    seen: set[str] = set()
    for kind, folders in (("milestone", milestones), ("issue", issues)):
        for folder in folders:
            for path in tree.below(folder) if folder in tree.folders else ():
                name = posixpath.basename(path).lower()
                if path not in seen and name.endswith((".md", ".yaml", ".yml")) and not name.startswith("readme."):
                    seen.add(path)
                    yield _File(path, kind, folder)


def read_issue_files(
    repository: Repository, issues: Sequence[str] = ISSUE_FOLDERS, milestones: Sequence[str] = MILESTONE_FOLDERS
) -> Reading:
    """All issues and milestones. A file that shows no sign of being one is left to others."""
    return _read(repository, _files(repository.tree, issues, milestones))


def read_listed(repository: Repository, files: Sequence[tuple[str, str]]) -> Reading:
    """Files that are said to be issues or milestones: (path, kind)."""
    return _read(repository, (_File(path, kind, posixpath.dirname(path), True) for path, kind in files))


def _read(repository: Repository, files: Iterable[_File]) -> Reading:
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    owned: set[str] = set()
    for one in files:
        text = repository.text(one.path)
        if text is None:
            continue
        if one.path.endswith(".md"):
            draft = _markdown(one, text, faults)
            drafts.extend([draft] if draft is not None else [])
            owned.update([one.path] if draft is not None else [])
        else:
            owned.add(one.path)
            drafts.extend(_yaml(one, text, faults))
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(owned))


def _markdown(one: _File, text: str, faults: list[IndexDiagnostic]) -> Draft | None:
    matter = read_front_matter(text)
    body = "\n".join(text.split("\n")[matter.body_line - 1 :])
    header, header_lines = header_fields(body)
    fields: dict[str, object] = {**header, **matter.fields}
    numbered = _NUMBERED.match(posixpath.basename(one.path))
    if (
        not one.certain
        and not numbered
        and not any(name in matter.fields for name in _MARKS)
        and "status" not in header
    ):
        return None
    if matter.fault is not None:
        severity: IndexSeverity = "warning" if matter.fields else "error"
        line, message = matter.fault
        faults.append(remark(one.path, line, "malformed_front_matter", f"read leniently: {message}", severity))

    def line_of(name: str) -> int:
        return matter.lines.get(name, header_lines.get(name, 1 - matter.body_line) + matter.body_line - 1)

    draft = _draft(one, fields, text, text, line_of)
    heading = first_heading(body)
    draft.title = (
        draft.title or re.sub(r"^(?:#?\d+|[A-Z][A-Z0-9]*-\d+)[.:)][ \t]+", "", heading) or posixpath.basename(one.path)
    )
    draft.description = draft.description or brief(_prose(body)) or None
    return draft


def _prose(body: str) -> str:
    parts = (part.strip() for part in re.split(r"\n[ \t]*\n", body))
    return next((part for part in parts if part and not part.startswith(("#", "|", "```", "**", "<!--"))), "")


def _yaml(one: _File, text: str, faults: list[IndexDiagnostic]) -> Iterator[Draft]:
    try:
        found = parse(text)
    except YamlError as error:
        faults.append(remark(one.path, error.line, "malformed_yaml", error.message))
        return
    value = found.value
    plural = f"{one.kind}s"
    prefix: tuple[str, ...] = ()
    if isinstance(value, dict) and isinstance(value.get(plural), list):
        value, prefix = value[plural], (plural,)
    if isinstance(value, dict):
        yield _draft(one, value, _all_text(value), text, lambda name: found.lines.get((name,), 1))
        return
    if not isinstance(value, list):
        faults.append(
            remark(one.path, 1, "schema_violation", f"expected the fields of one {one.kind}, or a list of them")
        )
        return
    for index, item in enumerate(value):
        line = found.lines.get((*prefix, index), 1)
        if not isinstance(item, dict):
            faults.append(remark(one.path, line, "schema_violation", f"expected the fields of one {one.kind}"))
            continue
        draft = _draft(one, item, _all_text(item), dump(item), _line_in(found, (*prefix, index)))
        draft.member, draft.line = f"{plural}.{index}", line
        yield draft


def _line_in(found: Parsed, place: tuple[str | int, ...]) -> Callable[[str], int]:
    return lambda name: found.lines.get((*place, name), found.lines.get(place, 1))


def _draft(one: _File, fields: Mapping[str, object], text: str, content: str, line_of: Callable[[str], int]) -> Draft:
    draft = work_draft(
        one.kind, one.path, f"{one.kind}-file", fields, text=text, content=content, line_of=line_of, shelf=one.home
    )
    numbered = _NUMBERED.match(posixpath.basename(one.path))
    if not draft.id and numbered:
        draft.id = numbered.group(1).lstrip("0") or "0"
    stem = posixpath.basename(one.path).rpartition(".")[0]
    draft.names = [stem, *([f"#{draft.id}", draft.id.lstrip("0")] if draft.id.isdigit() else [])]
    if one.kind == "milestone" and draft.title:
        draft.names = [*draft.names, draft.title]
    draft.metadata.setdefault("slug", scalar_of(fields.get("slug")) or stem)
    inside = posixpath.dirname(one.path).removeprefix(one.home).strip("/").partition("/")[0].lower()
    if inside in _STATES:
        draft.metadata.setdefault("status", "archived" if inside == "archive" else inside)
    return draft


def _all_text(fields: Mapping[str, object]) -> str:
    """Every string of a record, which may mention others."""
    found: list[str] = []
    waiting: list[object] = [fields]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return "\n".join(reversed(found))
