"""From the fields of one issue or milestone, whatever tool wrote them, to a draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from contextc.core.records.layer import Value
from contextc.frontend.ordinary.base import Draft, Link, plain_id, scalar_of, strings_of

#: What may depend on what, belong to what: issues and milestones alike.
WORK = ("issue", "milestone")

#: Fields by what they say; of several that are there the first counts, of relations all.
TITLE = ("title", "name", "summary")
STATUS = ("status", "state")
ID = ("id", "number", "key")
_FACTS: Mapping[str, tuple[str, ...]] = {
    "priority": ("priority", "prio"),
    "created_at": ("created_at", "createdAt", "created_date", "created"),
    "updated_at": ("updated_at", "updatedAt", "updated_date", "updated"),
    "type": ("issue_type", "type", "kind"),
}
_DESCRIPTION = ("description", "objective", "outcome", "goal")
_TAGS = ("labels", "tags")
_SCOPE = ("scope", "paths", "files", "modified_files")
#: Edge, kinds, whether it is drawn from what is named, by field.
_RELATIONS: Mapping[str, tuple[str, tuple[str, ...], bool]] = {
    **dict.fromkeys(
        ("depends_on", "dependsOn", "dependencies", "blocked_by", "blockedBy", "requires", "needs"),
        ("depends_on", WORK, False),
    ),
    "blocks": ("depends_on", WORK, True),
    "milestone": ("belongs_to", ("milestone",), False),
    "epic": ("belongs_to", ("milestone", "issue"), False),
    "parent": ("belongs_to", WORK, False),
    "parent_task_id": ("belongs_to", WORK, False),
    "supersedes": ("supersedes", WORK, False),
    "superseded_by": ("supersedes", WORK, True),
    "duplicate_of": ("supersedes", WORK, True),
    "decisions": ("mentions", ("adr",), False),
    "related": ("mentions", ("issue", "milestone", "adr", "rule", "knowledge", "file"), False),
}
#: Words of a description that may stand in an answer's title line; longer ones are cut.
LONGEST_DESCRIPTION = 300

_HEADER = re.compile(
    r"[ \t]*(?:[-*>][ \t]+)?[*_]{0,2}([A-Za-z][A-Za-z _-]{1,20}?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]+(\S.*?)[ \t]*$"
)
_SECTION = re.compile(r"#{2,6}[ \t]")


def work_draft(
    kind: str,
    path: str,
    source_class: str,
    fields: Mapping[str, object],
    *,
    text: str,
    content: str,
    line_of: Callable[[str], int] = lambda name: 0,
    **more: object,
) -> Draft:
    """A draft of an issue or milestone. `text` is all of it that may name others. `more` are fields of the draft."""
    draft = Draft(kind=kind, path=path, source_class=source_class, text=text, content=content)
    draft.id = plain_id(_first(fields, ID))
    draft.title = _first(fields, TITLE) or None
    draft.description = brief(_first(fields, _DESCRIPTION)) or None
    draft.metadata = _metadata(fields)
    draft.links = links_of(fields, line_of)
    for name, value in more.items():
        setattr(draft, name, value)
    return draft


def _metadata(fields: Mapping[str, object]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    status = _first(fields, STATUS)
    if status:
        found["status"] = status
    for fact, names in _FACTS.items():
        text = _first(fields, names)
        if text:
            found[fact] = text
    milestone = fields.get("milestone")
    name = _first(milestone, ("title", "number", "id")) if isinstance(milestone, Mapping) else scalar_of(milestone)
    if name:
        found["milestone"] = name
    tags = _listed(fields, _TAGS)
    if tags:
        found["tags"] = list(tags)
    scope = _listed(fields, _SCOPE)
    if scope:
        found["scope"] = list(scope)
    owners = _listed(fields, ("assignee", "assignees", "owner", "owners"))
    if owners:
        found["owners"] = list(owners)
    return found


def links_of(fields: Mapping[str, object], line_of: Callable[[str], int]) -> list[Link]:
    """The relations that fields declare."""
    links = []
    for name, (edge, kinds, backward) in _RELATIONS.items():
        value = fields.get(name)
        if isinstance(value, Mapping):
            value = _first(value, ("title", "number", "id"))
        for text in _names(value):
            links.append(Link(edge, text, kinds, name, line_of(name), backward=backward))
    return links


def header_fields(text: str) -> tuple[dict[str, object], dict[str, int]]:
    """Lines such as `Status: open` or `**Depends on**: #3` before the first section, with their lines."""
    fields: dict[str, object] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if _SECTION.match(line):
            break
        match = _HEADER.match(line.rstrip("\r")[:500])
        if match:
            name = re.sub(r"[ -]+", "_", match.group(1).strip().lower())
            fields.setdefault(name, match.group(2).strip("*_ "))
            lines.setdefault(name, number)
    return fields, lines


def brief(text: str) -> str:
    """The first paragraph of a text, in one line."""
    first = next((part for part in re.split(r"\n[ \t]*\n", text.strip()) if part.strip()), "")
    line = " ".join(first.split())
    return line if len(line) <= LONGEST_DESCRIPTION else line[: LONGEST_DESCRIPTION - 3].rstrip() + "..."


def first_heading(text: str) -> str:
    """The text of the first `# ` heading."""
    return next((line[2:].strip() for line in text.split("\n") if line.startswith("# ")), "")


def _first(fields: Mapping[str, object], names: Sequence[str]) -> str:
    return next((text for name in names if (text := scalar_of(fields.get(name)))), "")


def _listed(fields: Mapping[str, object], names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        found = _names(fields.get(name))
        if found:
            return found
    return ()


def _names(value: object) -> tuple[str, ...]:
    """Texts of a field; of objects (as GitHub exports them) their name, login, title or number."""
    if isinstance(value, list):
        flat = [
            _first(item, ("name", "login", "title", "number", "id")) if isinstance(item, dict) else item
            for item in value
        ]
        return strings_of(flat)
    texts = strings_of(value)
    return tuple(text for text in texts if text.lower() not in ("none", "null", "-", "n/a", "[]"))
