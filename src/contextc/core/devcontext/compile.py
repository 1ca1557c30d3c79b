"""`devcontext.compile`: a layer and a request become what work on it should be given, and why (SPEC 4)."""

from __future__ import annotations

from collections.abc import Iterable

from contextc.core.devcontext.candidates import Board, Candidate
from contextc.core.devcontext.constants import SELECTOR_RANK, TIER_RANK
from contextc.core.devcontext.fold import fold
from contextc.core.devcontext.graph import Graph
from contextc.core.devcontext.order import natural, rounded
from contextc.core.devcontext.request import Resolved, resolve
from contextc.core.devcontext.selectors import (
    by_governance,
    by_intent,
    by_local_state,
    by_path,
    by_session,
    effective_paths,
)
from contextc.core.devcontext.spend import is_required, spend
from contextc.core.devcontext.walk import offer_seeds, walk
from contextc.core.records.devcontext import (
    CommitReference,
    CompiledContext,
    ContextEntry,
    DevContextInput,
    Diagnostic,
    Discovery,
    EntryProvenance,
    GitContext,
)
from contextc.core.records.layer import GitFacts, Layer, LocalState

_SEVERITY_RANK = {"error": 0, "warning": 1, "info": 2}


def compile_devcontext(
    request: DevContextInput, layer: Layer, graph: Graph, git: GitFacts, local: LocalState
) -> CompiledContext:
    """The answer to a request. `graph` is that of `layer`.

    Raises `InputError` and `NotFound` for a request that cannot be answered (`request.resolve`).
    """
    resolved = resolve(request, layer)
    board = Board(graph, layer.sizes)
    offer_seeds(board, resolved)
    walk(board, graph, resolved)
    paths = effective_paths(board, resolved)
    by_path(board, layer, paths)
    by_governance(board, layer, resolved)
    by_session(board, layer, git, paths)
    warnings = by_local_state(board, local)
    by_intent(board, layer, resolved)
    warnings += _dangling(board, graph)
    folded = fold(board.ordered(), graph, resolved)
    spent = spend(folded.kept, resolved)
    excluded = folded.excluded + spent.excluded + board.missed()
    return CompiledContext(
        fingerprint=layer.fingerprint,
        git=_git(git, spent.selected),
        seeds=resolved.seeds,
        selected=tuple(_entry(one, resolved) for one in spent.selected),
        excluded=tuple(sorted(excluded, key=lambda row: (TIER_RANK[row.tier], row.reason, natural(row.uri)))),
        deduplicated=tuple(sorted(folded.deduplicated, key=lambda row: (row.key, natural(row.kept)))),
        conflicts=tuple(
            sorted(folded.conflicts, key=lambda row: (row.kind, natural(row.current), natural(row.against)))
        ),
        budget=spent.budget,
        diagnostics=_in_order([*warnings, *folded.warnings]),
    )


def _dangling(board: Board, graph: Graph) -> list[Diagnostic]:
    """References to nothing in files that were reached, each once."""
    reached = {one.path for one in board.found.values()}
    return [
        Diagnostic(
            severity="warning",
            code="unresolved_reference",
            message=f"{one.declared_in}: `{one.key}` names {one.reference!r}, which is not there; {one.correction}",
        )
        for one in graph.findings
        if one.declared_in in reached
    ]


def _entry(one: Candidate, request: Resolved) -> ContextEntry:
    return ContextEntry(
        uri=one.id,
        kind=one.kind,
        title=one.title,
        provenance=_provenance(one),
        tier=one.tier,
        relevance=rounded(one.relevance),
        confidence=rounded(one.confidence),
        discovered_by=tuple(sorted(one.discoveries, key=_discovery_key)),
        depth=one.depth,
        cost_tokens=one.cost,
        cost_bytes=one.size,
        version=one.version,
        status=one.status,
        required=is_required(one, request),
        facts=one.facts,
    )


def _discovery_key(found: Discovery) -> tuple[float, int, int, str, str]:
    # The edge last: two edges may give one reason, and the order must not depend on which was found first.
    return -found.confidence, found.depth, SELECTOR_RANK[found.selector], found.reason, found.edge or ""


def _provenance(one: Candidate) -> EntryProvenance:
    origin = one.object
    if origin is not None:
        return EntryProvenance(
            path=origin.path,
            directory=origin.directory,
            source_class=origin.source_class,
            section=origin.section,
            bytes=origin.bytes,
        )
    path = one.path or one.id
    local = one.id.startswith("local:")
    return EntryProvenance(
        path=path,
        directory=path.rpartition("/")[0] or ".",
        source_class="local-state" if local else "named",
        bytes=one.size,
    )


def _git(git: GitFacts, selected: Iterable[Candidate]) -> GitContext:
    if git.unavailable:
        return GitContext(working_tree=f"unavailable: {git.unavailable}", commits=_commits(git, selected))
    return GitContext(branch=git.branch, head=git.head, working_tree=git.working_tree, commits=_commits(git, selected))


def _commits(git: GitFacts, selected: Iterable[Candidate]) -> tuple[CommitReference, ...]:
    """The commits that selected objects name as evidence: newest first where dates are known, then by text."""
    found: set[tuple[str, str, str]] = set()
    for one in selected:
        evidence = one.object.metadata.get("evidence") if one.object is not None else None
        for item in evidence if isinstance(evidence, list) else ():
            commit = item.get("commit") if isinstance(item, dict) else None
            if isinstance(item, dict) and isinstance(commit, str):
                covers = item.get("covers")
                found.add((commit, one.id, covers if isinstance(covers, str) else ""))
    times = git.commit_times
    ordered = sorted(found, key=lambda row: (row[0] not in times, -times.get(row[0], 0), row))
    return tuple(
        CommitReference(commit=commit, named_by=named_by, covers=covers or None) for commit, named_by, covers in ordered
    )


def _in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    ordered = sorted(found, key=lambda one: (_SEVERITY_RANK[one.severity], one.code, one.message, one.path or ""))
    return tuple(one for index, one in enumerate(ordered) if index == 0 or one != ordered[index - 1])
