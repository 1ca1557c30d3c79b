"""Backlog.md: tasks, completed and archived ones, drafts, milestones and documents (decisions have their own reader).

The layout and the fields are those of its documentation: `backlog/{tasks,completed,drafts,archive,milestones,docs}`,
front matter with id, title, status, dependencies, milestone and parent, `backlog.config.yml` for another directory.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from contextc.core.records.layer import IndexDiagnostic
from contextc.frontend.conventions.front_matter import read_front_matter
from contextc.frontend.conventions.strict_yaml import YamlError, parse
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Draft, Reading, Repository, foreign, remark, scalar_of
from contextc.frontend.ordinary.record import brief, first_heading, work_draft

NAMES = ("backlog", ".backlog")
CONFIG = "backlog.config.yml"
_KINDS = {"tasks": "issue", "completed": "issue", "drafts": "issue", "milestones": "milestone", "docs": "knowledge"}
#: Tells a directory of tasks from one that only bears the name.
_SIGNS = ("config.yml", "config.yaml")
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9_]*-[0-9]+(?:\.[0-9]+)*) - (.*)\.md")
_ID = re.compile(r"([A-Za-z][A-Za-z0-9_]*)-([0-9]+(?:\.[0-9]+)*)")
_SECTION = re.compile(r"<!-- SECTION:DESCRIPTION:BEGIN -->(.*?)<!-- SECTION:DESCRIPTION:END -->", re.DOTALL)
_DESCRIPTION = re.compile(r"^## Description[ \t]*\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def backlog_roots(tree: Tree, more: Sequence[str] = ()) -> list[str]:
    """Directories of Backlog.md; `more` are some that bear another name."""
    found = {folder for folder in more if folder in tree.folders}
    found |= {
        folder
        for folder in tree.folders
        if posixpath.basename(folder) in NAMES
        and not foreign(f"{folder}/")
        and (f"{folder}/tasks" in tree.folders or any(f"{folder}/{name}" in tree.known for name in _SIGNS))
    }
    if CONFIG in tree.known:
        try:
            value = parse(tree.readable(CONFIG) or "").value
        except YamlError:
            value = None  # the directory goes by its name
        folder = posixpath.normpath(scalar_of(value.get("backlog_directory"))) if isinstance(value, dict) else "."
        if folder in tree.folders and folder != ".":
            found.add(folder)
    return sorted(found)


def backlog_paths(tree: Tree, more: Sequence[str] = ()) -> list[str]:
    """The files that `read_backlog` reads."""
    return [path for root in backlog_roots(tree, more) for path in tree.below(root) if _section(root, path)]


def _section(root: str, path: str) -> str:
    """The section a file lies in: a key of `_KINDS`, `archive/...`; "" for a file that is no record."""
    section, _, name = path.removeprefix(f"{root}/").partition("/")
    if section == "archive":
        inner, _, name = name.partition("/")
        section = f"archive/{inner}" if inner in _KINDS else ""
    known = section.removeprefix("archive/") in _KINDS
    nested = "/" in name and not section.endswith("docs")
    return section if known and name.endswith(".md") and not nested and name.lower() != "readme.md" else ""


def read_backlog(repository: Repository, more: Sequence[str] = ()) -> Reading:
    """Everything that Backlog.md keeps."""
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    owned: set[str] = set()
    for root in backlog_roots(repository.tree, more):
        live: set[str] = set()
        found = sorted(repository.tree.below(root), key=lambda path: (path.startswith(f"{root}/archive/"), path))
        for path in found:
            section = _section(root, path)
            if not section:
                continue
            owned.add(path)
            draft = _read(repository, root, path, section, faults)
            if draft is None:
                continue
            if section.startswith("archive/"):
                draft.metadata["status"] = "archived"
                if draft.id.casefold() in live:
                    # The number was given again: it means the task that is there.
                    draft.id, draft.names = "", ()
            live.add(draft.id.casefold())
            drafts.append(draft)
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(owned))


def _read(repository: Repository, root: str, path: str, section: str, faults: list[IndexDiagnostic]) -> Draft | None:
    text = repository.text(path)
    kind = _KINDS[section.removeprefix("archive/")]
    if text is None or not text.strip():
        faults.append(remark(path, 1, "malformed_record", f"expected {_a(kind)} with front matter, found no text"))
        return None
    matter = read_front_matter(text)
    if matter.fault is not None:
        line, message = matter.fault
        faults.append(
            remark(
                path,
                line,
                "malformed_front_matter",
                f"read leniently: {message}",
                "warning" if matter.fields else "error",
            )
        )
    name = _NAME.fullmatch(posixpath.basename(path))
    fields = dict(matter.fields)
    if not scalar_of(fields.get("id")) and name:
        fields["id"] = name.group(1)
    if not scalar_of(fields.get("id")) and kind != "knowledge":
        faults.append(remark(path, 1, "missing_field", f"{_a(kind)} needs `id`"))
        return None
    body = "\n".join(text.split("\n")[matter.body_line - 1 :])
    draft = work_draft(
        kind,
        path,
        f"backlog-{section.replace('/', '-')}",
        fields,
        text=text,
        content=text,
        line_of=matter.line,
        shelf=root,
    )
    draft.title = draft.title or (name.group(2).replace("-", " ") if name else first_heading(body)) or None
    draft.description = draft.description or brief(_described(body)) or None
    draft.names = (*_variants(draft.id), *((draft.title,) if kind == "milestone" and draft.title else ()))
    if kind == "milestone" and draft.title:
        draft.metadata["slug"] = draft.title
    elif draft.id != draft.id.lower():
        draft.metadata["slug"] = draft.id.lower()
    return draft


def _described(body: str) -> str:
    match = _SECTION.search(body) or _DESCRIPTION.search(body)
    return match.group(1) if match else ""


def _variants(name: str) -> Iterator[str]:
    """How else a task may be called: by its number, without leading zeros, with the prefix that tasks have had
    before a project chose its own."""
    match = _ID.fullmatch(name)
    if match is None:
        return
    prefix, number = match.groups()
    short = ".".join(part.lstrip("0") or "0" for part in number.split("."))
    for form in dict.fromkeys((number, short)):
        yield f"{prefix}-{form}"
        if prefix.lower() not in ("draft", "doc", "m"):
            yield from (form, f"task-{form}")


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
