"""`devcontext.explain`: the standing of one identifier in the answer to a request (SPEC 5.1)."""

from __future__ import annotations

from contextc.core.devcontext.compile import compile_devcontext
from contextc.core.devcontext.graph import Graph
from contextc.core.records.devcontext import CompiledContext, DevContextInput, Explanation
from contextc.core.records.layer import GitFacts, Layer, LocalState
from contextc.errors import InputError


def explain_devcontext(
    uri: str, request: DevContextInput, layer: Layer, graph: Graph, git: GitFacts, local: LocalState
) -> Explanation:
    """Compile the request and say where `uri` is in the answer, or why it is nowhere.

    Raises `InputError` for a blank identifier, and what compiling the request raises.
    """
    name = uri.strip()
    if not name:
        raise InputError("expected an identifier, found a blank", where="uri")
    return standing(name, compile_devcontext(request, layer, graph, git, local), held=name in graph.nodes)


def standing(uri: str, answer: CompiledContext, *, held: bool) -> Explanation:
    """The standing of `uri` in an answer; `held`: the layer holds something of that name."""
    entry = next((one for one in answer.selected if one.uri == uri), None)
    if entry is not None:
        count = len(entry.discovered_by)
        detail = f"given; reached by {count} {'way' if count == 1 else 'ways'}"
        if entry.required:
            detail += ", and required"
        return Explanation(uri=uri, standing="selected", detail=detail, entry=entry, budget=answer.budget)
    row = next((one for one in answer.excluded if one.uri == uri), None)
    if row is not None:
        detail = f"reached and not given ({row.reason}): {row.detail}"
        return Explanation(uri=uri, standing="excluded", detail=detail, excluded=row, budget=answer.budget)
    folded = next((one for one in answer.deduplicated if uri in one.dropped), None)
    if folded is not None:
        detail = f"folded into {folded.kept}: {folded.detail}"
        return Explanation(uri=uri, standing="deduplicated", detail=detail, deduplicated=folded, budget=answer.budget)
    if held:
        detail = "the layer holds it, and no selector reached it from this request"
        return Explanation(uri=uri, standing="not_reached", detail=detail, budget=answer.budget)
    return Explanation(
        uri=uri, standing="unknown", detail="the layer holds nothing of this identifier", budget=answer.budget
    )
