"""beads: one issue a line in `.beads/*.jsonl`. Epics are milestones; dependencies say what blocks and what belongs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from contextc.core.records.layer import IndexDiagnostic
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Draft, Link, Reading, Repository, foreign, remark, scalar_of
from contextc.frontend.ordinary.json_text import JsonFault, dump, load
from contextc.frontend.ordinary.record import WORK, brief, work_draft

#: The export of issues, by age of the convention; the first that is there counts.
FILES = ("issues.jsonl", "beads.jsonl")
_TEXTS = ("title", "description", "design", "acceptance_criteria", "notes")
#: Types of dependencies: edge, and what else they are is only a mention.
_EDGES = {
    "blocks": "depends_on",
    "parent-child": "belongs_to",
    "conditional-blocks": "depends_on",
    "supersedes": "supersedes",
}
#: Records of what was deleted.
_GONE = frozenset(("tombstone",))


def beads_paths(tree: Tree) -> list[str]:
    """One export for each `.beads` directory, or at the root."""
    found: dict[str, str] = {}
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        if (
            name in FILES
            and not foreign(path)
            and (posixpath.basename(folder) == ".beads" or (folder == "" and name == FILES[0]))
        ):
            known = found.get(folder)
            if known is None or FILES.index(name) < FILES.index(posixpath.basename(known)):
                found[folder] = path
    return sorted(found.values())


def read_beads(repository: Repository) -> Reading:
    """All issues of all exports."""
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    for path in beads_paths(repository.tree):
        drafts.extend(_read(path, repository.text(path) or "", faults))
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(beads_paths(repository.tree)))


def _read(path: str, text: str, faults: list[IndexDiagnostic]) -> Iterator[Draft]:
    for index, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        try:
            fields = load(line)
        except JsonFault as fault:
            faults.append(remark(path, index + 1, "malformed_record", f"expected a JSON object: {fault.message}"))
            continue
        if not isinstance(fields, dict) or not scalar_of(fields.get("id")):
            faults.append(remark(path, index + 1, "missing_field", "expected an object with an `id`"))
            continue
        if scalar_of(fields.get("status")) in _GONE:
            continue
        yield _draft(path, index, fields)


def _draft(path: str, index: int, fields: Mapping[str, object]) -> Draft:
    plain = {key: value for key, value in fields.items() if key not in ("dependencies", "parent")}
    draft = work_draft(
        "milestone" if scalar_of(fields.get("issue_type")) == "epic" else "issue",
        path,
        "beads",
        plain,
        text="\n\n".join(scalar_of(fields.get(name)) for name in _TEXTS),
        content=dump(fields),
        shelf=posixpath.dirname(path),
        member=f"issues.{index}",
        line=index + 1,
    )
    draft.description = brief(scalar_of(fields.get("description"))) or None
    dependencies = fields.get("dependencies")
    for item in dependencies if isinstance(dependencies, list) else ():
        if isinstance(item, dict) and scalar_of(item.get("depends_on_id")):
            kind = scalar_of(item.get("type")) or "blocks"
            edge = _EDGES.get(kind, "mentions")
            draft.links.append(Link(edge, scalar_of(item["depends_on_id"]), WORK, f"dependencies ({kind})", index + 1))
    if scalar_of(fields.get("spec_id")):
        draft.links.append(Link("mentions", scalar_of(fields["spec_id"]), ("milestone", "issue", "file"), quiet=True))
    return draft
