"""spec-kit: a feature `specs/###-name` is a milestone, each task of its `tasks.md` an issue, the constitution a rule.

Tasks are lines `- [ ] T001 [P] [US1] text with the paths of files`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from contextc.core.records.layer import IndexDiagnostic, Value
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.ordinary.base import Draft, Link, Reading, Repository, foreign, remark
from contextc.frontend.ordinary.record import brief, first_heading

CONSTITUTIONS = (".specify/memory/constitution.md", "memory/constitution.md")
_FEATURE = re.compile(r"((?:[^/]+/)*?specs/((\d{3,}(?:-\d+)?)-[^/]+))/(.+)")
_TASK = re.compile(r"[ \t]*[-*][ \t]+\[([ xX~-])\][ \t]+\**(T\d{1,5}[a-z]?)\**:?[ \t]+(.*)")
_LABEL = re.compile(r"\[([^\]\[]{1,20})\][ \t]*")
_BOX = re.compile(r"[ \t]*[-*][ \t]+\[[ xX~-]\]")
_PHASE = re.compile(r"##+[ \t]+(.*?)[ \t#]*$")
_AFTER = re.compile(
    r"(?:depends on|blocked by|requires|after)[ \t]+"
    r"(T\d{1,5}[a-z]?(?:(?:,[ \t]*|[ \t]+and[ \t]+|,[ \t]*and[ \t]+)T\d{1,5}[a-z]?)*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"T\d{1,5}[a-z]?")
_STORY = re.compile(r"^\*{0,2}(?:Input|Feature Branch|Created|Status)\*{0,2}:", re.MULTILINE)
#: Files that are the feature itself, the first that is there.
_HEADS = ("spec.md", "plan.md")
_PLACEHOLDER = re.compile(r"\[(?:PROJECT_NAME|PRINCIPLE_1_NAME|CONSTITUTION_VERSION)\]")
_ENDINGS = (".md", ".yaml", ".yml", ".json")


def speckit_paths(tree: Tree) -> list[str]:
    """The files that `read_speckit` reads."""
    inside = [
        path
        for path in tree.paths
        if "specs/" in path and not foreign(path) and _FEATURE.fullmatch(path) and path.endswith(_ENDINGS)
    ]
    folders = {path.rpartition("/")[0] for path in inside if path.rpartition("/")[2] in (*_HEADS, "tasks.md")}
    found = [path for path in inside if any(path.startswith(f"{folder}/") for folder in folders)]
    return sorted({*found, *(path for path in CONSTITUTIONS if path in tree.known)})


def read_speckit(repository: Repository) -> Reading:
    """Features, their tasks and documents, the constitution."""
    drafts: list[Draft] = []
    faults: list[IndexDiagnostic] = []
    owned = speckit_paths(repository.tree)
    features: dict[str, tuple[str, str, list[str]]] = {}
    for path in owned:
        match = _FEATURE.fullmatch(path)
        if match:
            features.setdefault(match.group(1), (match.group(2), match.group(3), []))[2].append(path)
        else:
            drafts.append(_constitution(path, repository.text(path) or ""))
    for folder, (name, number, paths) in sorted(features.items()):
        drafts.extend(_feature(repository, folder, name, number, paths, faults))
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(owned))


def _constitution(path: str, text: str) -> Draft:
    blank = bool(_PLACEHOLDER.search(text))
    metadata: dict[str, Value] = {"class": "advisory" if blank else "blocking", "precedence": 0}
    if not blank:
        metadata["scope"] = "repository"
    why = "a constitution that is not filled in" if blank else "the constitution of the project"
    return Draft(
        kind="rule", path=path, source_class="constitution", names=(path, "constitution"), content=text, text=text,
        title=first_heading(text) or "Constitution", description=why, metadata=metadata,
    )  # fmt: skip


def _feature(
    repository: Repository, folder: str, name: str, number: str, paths: Sequence[str], faults: list[IndexDiagnostic]
) -> Iterator[Draft]:
    head = next((f"{folder}/{file}" for file in _HEADS if f"{folder}/{file}" in paths), "")
    for path in paths:
        text = repository.text(path) or ""
        if path == head:
            yield Draft(
                kind="milestone", path=path, source_class="speckit-feature", id=name, names=(number, folder),
                shelf=folder, title=_title(text) or name, description=brief(_STORY.sub("", _opening(text))) or None,
                metadata={"slug": number}, content=text, text=text,
            )  # fmt: skip
        elif path == f"{folder}/tasks.md":
            yield from _tasks(path, folder, name, bool(head), text, faults)
        else:
            links = [Link("belongs_to", name, ("milestone",))] if head else []
            yield Draft(
                kind="knowledge", path=path, source_class="speckit-document", shelf=folder, content=text, text=text,
                title=first_heading(text) or None, links=links,
            )  # fmt: skip


def _title(text: str) -> str:
    return re.sub(r"^(?:Feature Specification|Implementation Plan):[ \t]*", "", first_heading(text))


def _opening(text: str) -> str:
    """The first paragraph of prose after the heading."""
    parts = (part.strip() for part in re.split(r"\n[ \t]*\n", text))
    return next((part for part in parts if part and not part.startswith(("#", "*", "-", "<", ">", "|"))), "")


def _tasks(
    path: str, folder: str, feature: str, headed: bool, text: str, faults: list[IndexDiagnostic]
) -> Iterator[Draft]:
    phase = ""
    index = 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")[:4_000]
        heading = _PHASE.match(line)
        if heading:
            phase = heading.group(1)
            continue
        match = _TASK.match(line)
        if match is None:
            if _BOX.match(line) and not line.startswith((" ", "\t")):
                message = "a task without a number; expected `- [ ] T001 text`"
                faults.append(remark(path, number, "malformed_record", message, "warning"))
            continue
        mark, name, rest = match.groups()
        yield _task(path, folder, feature if headed else "", (index, number), (mark, name, rest), phase)
        index += 1


def _task(
    path: str, folder: str, feature: str, place: tuple[int, int], found: tuple[str, str, str], phase: str
) -> Draft:
    mark, name, rest = found
    index, line = place
    labels: list[Value] = []
    while (label := _LABEL.match(rest)) is not None:
        labels.append(label.group(1))
        rest = rest[label.end() :]
    metadata: dict[str, Value] = {
        "status": {" ": "open", "~": "in progress", "-": "dropped"}.get(mark, "done"),
        "slug": name,
    }
    if labels:
        metadata["tags"] = labels
    if phase:
        metadata["phase"] = phase
    links = [Link("belongs_to", feature, ("milestone",))] if feature else []
    for match in _AFTER.finditer(rest):
        links += [Link("depends_on", other, ("issue",), "tasks", line) for other in _NUMBER.findall(match.group(1))]
    own = folder.rpartition("/")[2]
    return Draft(
        kind="issue", path=path, source_class="speckit-task", id=f"{own}.{name}", names=(name,), shelf=folder,
        title=rest.strip(), metadata=metadata, content=f"- [{mark}] {name} {found[2]}\n", text=rest, links=links,
        member=f"tasks.{index}", line=line,
    )  # fmt: skip
