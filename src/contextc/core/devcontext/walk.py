"""From the seeds along declared relations, each hop weighing less (SPEC 4.5).

What is passed on is the best product of weights over all ways of at most `max_depth` hops. The walk goes level by
level: in a level, whatever improved in the one before is followed again. Weights are below one, so it ends.
"""

from __future__ import annotations

from contextc.core.devcontext.candidates import Board
from contextc.core.devcontext.constants import EDGES, SEED, tier_of
from contextc.core.devcontext.graph import Graph, Step
from contextc.core.devcontext.request import Resolved
from contextc.core.records.devcontext import Discovery

NAMED = "named in the request"


def offer_seeds(board: Board, request: Resolved) -> None:
    """Each object that was named."""
    for uri in request.object_seeds:
        found = Discovery(selector="seed", reason=NAMED, depth=0, confidence=1.0, weight=SEED)
        board.offer(uri, "task", SEED, 0, found)


def walk(board: Board, graph: Graph, request: Resolved) -> None:
    """Offer everything within the depth and the floor; note what lies just beyond either."""
    best = dict.fromkeys(request.object_seeds, SEED)
    level = list(request.object_seeds)
    depth = 0
    while level and depth < request.max_depth:
        improved: dict[str, float] = {}
        for name in level:
            for step in graph.steps.get(name, ()):
                relevance = _follow(board, graph, name, best[name], step, depth + 1, request.floor)
                if relevance > max(best.get(step.other, 0.0), improved.get(step.other, 0.0)):
                    improved[step.other] = relevance
        best.update(improved)
        level = list(improved)
        depth += 1
    for name in level:
        for step in graph.steps.get(name, ()):
            _look_beyond(board, name, best[name], step, request)


def _follow(board: Board, graph: Graph, name: str, relevance: float, step: Step, depth: int, floor: float) -> float:
    """Offer the other end of a step. Returns its relevance, 0 when that is below the floor."""
    weight = _weight(step)
    following = relevance * weight
    if following < floor:
        detail = f"relevance {following:.3f} is below the floor {floor}; reached from {name} by {step.edge}"
        board.miss(step.other, "relevance", following, detail)
        return 0.0
    edge = EDGES[step.edge]
    discovery = Discovery(
        selector="relation",
        reason=edge.found_forward if step.forward else edge.found_reverse,
        via=name,
        edge=step.edge,
        depth=depth,
        confidence=1.0,
        weight=weight,
    )
    board.offer(step.other, tier_of(graph.nodes[step.other].kind), following, depth, discovery)
    return following


def _look_beyond(board: Board, name: str, relevance: float, step: Step, request: Resolved) -> None:
    following = relevance * _weight(step)
    beyond = f"more than {request.max_depth} relations away; reached from {name} by {step.edge}"
    if following >= request.floor:
        board.miss(step.other, "depth", following, beyond)
    else:
        detail = f"relevance {following:.3f} is below the floor {request.floor}; {beyond}"
        board.miss(step.other, "relevance", following, detail)


def _weight(step: Step) -> float:
    edge = EDGES[step.edge]
    return edge.forward if step.forward else edge.reverse
