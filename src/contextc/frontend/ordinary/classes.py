"""What `contextc.toml` declares, applied to the files of a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextc.core.records.layer import IndexDiagnostic, Relation, Value
from contextc.frontend.conventions.decisions import read_decisions_at
from contextc.frontend.conventions.globs import matches
from contextc.frontend.index import IndexView
from contextc.frontend.ordinary.base import Draft, Reading, Repository, remark
from contextc.frontend.ordinary.config import FILE, Config, DeclaredEdge, FileClass
from contextc.frontend.ordinary.decisions import decisions_reading
from contextc.frontend.ordinary.files import title_of
from contextc.frontend.ordinary.issue_files import read_listed
from contextc.frontend.ordinary.rules import folders_of
from contextc.frontend.sources import display_path

#: Relations that one declaration may give; more is a mistake in its globs.
MOST_OF_EDGE = 5_000


def owned_by_classes(paths: Iterable[str], classes: Sequence[FileClass]) -> dict[str, FileClass]:
    """For each path the first class that matches it."""
    found: dict[str, FileClass] = {}
    for path in paths if classes else ():
        for one in classes:
            if any(matches(glob, path) for glob in one.paths):
                found[path] = one
                break
    return found


def read_classes(repository: Repository, view: IndexView, owners: dict[str, FileClass]) -> Reading:
    """Objects of the files that classes own. A class without files is a remark of the caller's."""
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    for path, one in owners.items():
        if one.kind == "adr":
            reading = decisions_reading(repository, read_decisions_at(repository.tree, [path]))
        elif one.kind in ("issue", "milestone"):
            reading = read_listed(repository, [(path, one.kind)])
        elif one.kind == "none":
            continue
        else:
            reading = Reading(drafts=[_draft(repository, view, path, one)])
        for draft in reading.drafts:
            draft.source_class = one.id
        drafts.extend(reading.drafts)
        faults.extend(reading.diagnostics)
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(owners))


def _draft(repository: Repository, view: IndexView, path: str, one: FileClass) -> Draft:
    code = one.kind in ("implementation", "test")
    text = "" if code else repository.text(path) or ""
    metadata: dict[str, Value] = {}
    if one.kind == "rule":
        metadata = {"class": one.strength, "precedence": 0, "scope": "repository"}
        if one.applies_to:
            folders: list[Value] = list(folders_of(repository, one.applies_to))
            metadata |= {"scope": "globs", "paths": list(one.applies_to), "folders": folders}
    return Draft(
        kind=one.kind, path=path, source_class=one.id, names=(path,), title=title_of(view.file(path)),
        metadata=metadata, content=text, text=text,
    )  # fmt: skip


def unused(config: Config, owners: dict[str, FileClass]) -> list[IndexDiagnostic]:
    """Classes that no file belongs to."""
    used = {one.id for one in owners.values()}
    return [
        remark(
            FILE,
            0,
            "required_source_empty",
            f"the class {one.id!r} is empty: nothing matches {', '.join(one.paths)}",
            "warning",
        )
        for one in config.classes
        if one.id not in used
    ]


def declared_relations(
    drafts: Sequence[Draft], edges: Sequence[DeclaredEdge], faults: list[IndexDiagnostic]
) -> dict[str, tuple[Relation, ...]]:
    """For each path that is a source of a declared edge its relations; a declaration that says nothing is a remark."""
    found: dict[str, list[Relation]] = {}
    paths = list(dict.fromkeys(draft.path for draft in drafts))
    for edge in edges:
        sources = [path for path in paths if any(matches(glob, path) for glob in edge.sources)]
        targets = [path for path in paths if any(matches(glob, path) for glob in edge.targets)]
        if not sources or not targets:
            side, globs = ("from", edge.sources) if not sources else ("to", edge.targets)
            message = f"the edge {edge.kind} leads nowhere: nothing matches `{side}` {', '.join(globs)}"
            faults.append(remark(FILE, edge.line, "unresolved_reference", message, "warning"))
        elif len(sources) * len(targets) > MOST_OF_EDGE:
            message = f"the edge {edge.kind} would be {len(sources) * len(targets)} relations; narrow its globs"
            faults.append(remark(FILE, edge.line, "too_many_relations", message))
        else:
            for path in sources:
                found.setdefault(path, []).extend(
                    Relation(edge.kind, f"file:{display_path(target)}", FILE) for target in targets if target != path
                )
    return {path: tuple(made) for path, made in found.items()}
