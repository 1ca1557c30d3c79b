"""What the records of a repository say about a piece of work: `devcontext` asked for the main job.

The answer names everything that is connected; how much of it is shown, and in which form, is decided by the compiler
that comes after. So here it is asked without a budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contextc.core.devcontext import build_graph, compile_devcontext
from contextc.core.devcontext.graph import Graph
from contextc.core.records.devcontext import CompiledContext, DevContextInput
from contextc.core.records.layer import LayerObject, strings
from contextc.errors import InputError
from contextc.frontend.index import IndexView
from contextc.frontend.select.records import Records
from contextc.frontend.sources import Snapshot, Source, display_path
from contextc.layers import layer_of

#: More than any repository holds, in tokens.
WITHOUT_LIMIT = 10**12
#: Fields of an issue or a milestone in words that say what it is about. What is out of its scope is none of them.
_ABOUT = (
    "problem", "why", "current_state", "desired_state", "acceptance_criteria", "description", "design", "notes",
)  # fmt: skip
#: Issues and milestones this near to what was named lend their scope to the work (SPEC 4.6).
_LENDS_SCOPE = 1


def brief(
    question: DevContextInput, source: Source, snapshot: Snapshot, view: IndexView, start: Path, paths: Sequence[str]
) -> Records:
    """Ask for everything connected with what the question names; `paths` are relative to the root of the snapshot.

    Raises `NotFound` for a name of nothing, `InputError` for a name of two things, for a budget of zero, and for a
    layer that cannot be read.
    """
    if question.budget_tokens == 0:
        raise InputError("expected a budget of at least one token, found zero", where="budget")
    layer, git, local = (placed := layer_of(source, snapshot, view, start)).view
    below = tuple(display_path(path.removeprefix(placed.prefix)) for path in paths if path.startswith(placed.prefix))
    asked = DevContextInput(
        issue=question.issue,
        milestone=question.milestone,
        uris=question.uris,
        intent=question.intent or None,
        paths=tuple(path for path in below if path),
        budget_tokens=WITHOUT_LIMIT,
    )
    graph = build_graph(layer)
    answer = compile_devcontext(asked, layer, graph, git, local)
    objects = {one.uri: one for one in layer.objects}
    seeds = [objects[seed.uri] for seed in answer.seeds if seed.uri in objects]
    return Records(
        answer=answer,
        objects=objects,
        needs=_needs(graph, answer),
        successors=_successors(graph, answer),
        prefix=placed.prefix,
        title=_title(seeds),
        words="\n".join(_words(one) for one in seeds),
        touched=tuple(placed.prefix + path for path in _touched(answer, objects)),
        diagnostics=tuple(str(one.message) for one in answer.diagnostics),
    )


def _title(seeds: Sequence[LayerObject]) -> str:
    return ", ".join(f"{one.identity}: {one.title}" if one.title else one.identity for one in seeds)


def _words(one: LayerObject) -> str:
    """What a record is about, in words, as a task is written: the title first."""
    texts = [one.title or one.identity, one.description or ""]
    for field in _ABOUT:
        texts += strings(one.metadata.get(field))
    if one.path.endswith((".md", ".markdown")):
        texts.append(one.content)
    return "\n".join(dict.fromkeys(text for text in texts if text))


def _touched(answer: CompiledContext, objects: dict[str, LayerObject]) -> list[str]:
    """The paths that the work touches: scopes of issues and milestones, and code that an issue names."""
    found: dict[str, None] = {}
    for entry in answer.selected:
        one = objects.get(entry.uri)
        if one is None or entry.depth > _LENDS_SCOPE:
            continue
        scope = one.metadata.get("scope")
        if entry.kind in ("issue", "milestone") and isinstance(scope, list):
            found.update(dict.fromkeys(text.strip().rstrip("/") for text in strings(scope)))
        elif entry.tier == "source" and any(way.selector == "relation" for way in entry.discovered_by):
            found.setdefault(entry.provenance.path)
    return [path for path in found if path and not path.startswith("/") and ".." not in path.split("/")]


def _needs(graph: Graph, answer: CompiledContext) -> dict[str, tuple[str, ...]]:
    """For each rule those that it rests on, among what is given: without them it cannot be understood."""
    given = {entry.uri for entry in answer.selected if entry.kind == "rule"}
    found: dict[str, list[str]] = {}
    for origin, target, edge in graph.edges:
        if edge == "depends_on" and origin in given and target in given and origin != target:
            found.setdefault(origin, []).append(target)
    return {origin: tuple(targets) for origin, targets in found.items()}


def _successors(graph: Graph, answer: CompiledContext) -> dict[str, str]:
    """What replaced each thing that is not given: the one that says so, else the one it names itself."""
    found: dict[str, str] = {}
    for origin, target, edge in graph.edges:
        if edge == "supersedes":
            found.setdefault(target, origin)
    for row in answer.excluded:
        node = graph.nodes.get(row.uri)
        named = strings(node.object.metadata.get("superseded_by")) if node is not None and node.object else ()
        if named and row.uri not in found:
            found[row.uri] = ", ".join(named)
    return found
