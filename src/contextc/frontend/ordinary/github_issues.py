"""GitHub's issues as `gh issue list --json number,title,body,state,labels,milestone,...` writes them to a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from contextc.core.records.layer import IndexDiagnostic
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Draft, Link, Reading, Repository, plain_id, remark, scalar_of
from contextc.frontend.ordinary.json_text import JsonFault, dump, load
from contextc.frontend.ordinary.record import WORK, brief, work_draft

_FILE = re.compile(
    r"(?:\.github/|docs/)?(?:github-|gh-)?issues\.json|(?:issues|\.issues|docs/issues|\.github/issues)/[^/]+\.json"
)
#: Words by which a body says what must come first (as GitHub's own task lists and its users write them).
_AFTER = re.compile(
    r"(?:depends on|blocked by|requires|needs)[ \t]*:?[ \t]+((?:#\d{1,7}(?:[ \t]*,[ \t]*|[ \t]+and[ \t]+)?)+)",
    re.IGNORECASE,
)
_PARENT = re.compile(r"(?:part of|parent)[ \t]*:?[ \t]+(#\d{1,7})\b", re.IGNORECASE)
_NUMBER = re.compile(r"#(\d{1,7})")


def github_paths(tree: Tree) -> list[str]:
    """Files that may be such an export, by their names."""
    return [path for path in tree.paths if path.endswith(".json") and _FILE.fullmatch(path)]


def read_github(repository: Repository) -> Reading:
    """Issues, and the milestones they name. A file that is no export is left to others."""
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    owned: set[str] = set()
    for path in github_paths(repository.tree):
        try:
            value = load(repository.text(path) or "")
        except JsonFault as fault:
            faults.append(remark(path, fault.line, "malformed_record", fault.message))
            owned.add(path)
            continue
        items = [value] if isinstance(value, dict) and "number" in value else value
        if not isinstance(items, list) or not any(isinstance(item, dict) and "number" in item for item in items):
            continue
        owned.add(path)
        drafts.extend(_issues(path, items, faults))
        drafts.extend(_milestones(path, items))
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(owned))


def _issues(path: str, items: list[object], faults: list[IndexDiagnostic]) -> Iterator[Draft]:
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not scalar_of(item.get("number")):
            message = f"expected an object with `number` and `title` as issue {index}"
            faults.append(remark(path, 0, "missing_field", message))
            continue
        yield _issue(path, index, item)


def _issue(path: str, index: int, item: Mapping[str, object]) -> Draft:
    body = scalar_of(item.get("body"))
    comments = item.get("comments")
    said = (
        [scalar_of(one.get("body")) for one in comments if isinstance(one, dict)] if isinstance(comments, list) else []
    )
    number = scalar_of(item.get("number"))
    fields = {key: value for key, value in item.items() if key not in ("id", "parent", "body", "comments")}
    draft = work_draft(
        "issue",
        path,
        "github-issues",
        {**fields, "id": number},
        text="\n\n".join((scalar_of(item.get("title")), body, *said)),
        content=dump(item),
        shelf=path,
        member=f"issues.{index}",
    )
    draft.names = (f"#{number}", scalar_of(item.get("url")))
    draft.description = brief(body) or None
    draft.metadata["slug"] = f"#{number}"
    if isinstance(draft.metadata.get("status"), str):
        draft.metadata["status"] = str(draft.metadata["status"]).lower()
    # What a body says may be about another repository or long gone: it leads nowhere without remark.
    for match in _AFTER.finditer(body):
        draft.links += [Link("depends_on", name, WORK, "body", quiet=True) for name in _NUMBER.findall(match.group(1))]
    for match in _PARENT.finditer(body):
        draft.links.append(Link("belongs_to", match.group(1), WORK, "body", quiet=True))
    return draft


def _milestones(path: str, items: list[object]) -> Iterator[Draft]:
    found: dict[str, tuple[int, Mapping[str, object]]] = {}
    for index, item in enumerate(items):
        milestone = item.get("milestone") if isinstance(item, dict) else None
        if isinstance(milestone, dict) and scalar_of(milestone.get("title")):
            found.setdefault(scalar_of(milestone["title"]), (index, milestone))
    for title, (index, milestone) in sorted(found.items()):
        text = scalar_of(milestone.get("description"))
        draft = work_draft(
            "milestone", path, "github-milestones", {**milestone, "id": plain_id(title)}, text=text,
            content=dump(milestone), shelf=path, member=f"issues.{index}.milestone",
        )  # fmt: skip
        draft.names = (title, *((scalar_of(milestone.get("number")),) if scalar_of(milestone.get("number")) else ()))
        draft.description = brief(text) or None
        draft.metadata["slug"] = title
        yield draft
