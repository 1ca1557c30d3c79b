"""What does not stand side by side: one thing found twice, one file, two versions, the replaced, the stale.

The steps and their order are those of SPEC 4.9.
"""

from __future__ import annotations

from typing import NamedTuple

from contextc.core.devcontext.candidates import Candidate
from contextc.core.devcontext.constants import STALE_STATUSES
from contextc.core.devcontext.graph import Graph
from contextc.core.devcontext.order import natural, versioned
from contextc.core.devcontext.request import Resolved
from contextc.core.records.devcontext import Conflict, Deduplicated, Diagnostic, Discovery, Excluded

#: What says more of a file stands for it: an object of a kind, then a mere document, then the bare file.
_KIND_WORTH = {"document": 1, "file": 0}
_PLAIN_KIND = 2


class Folded(NamedTuple):
    """The candidates that are left, and a record of each that is not."""

    kept: list[Candidate]
    excluded: list[Excluded]
    deduplicated: list[Deduplicated]
    conflicts: list[Conflict]
    warnings: list[Diagnostic]


class _Work:
    def __init__(self, candidates: list[Candidate]) -> None:
        self.candidates = candidates
        self.dropped: dict[str, str] = {}
        self.rows: list[Deduplicated] = []
        self.conflicts: list[Conflict] = []

    def left(self) -> list[Candidate]:
        return [one for one in self.candidates if one.id not in self.dropped]

    def drop(self, one: Candidate, kept: Candidate) -> None:
        self.dropped.setdefault(one.id, kept.id)


def fold(candidates: list[Candidate], graph: Graph, request: Resolved) -> Folded:
    """Fold candidates (ascending by identifier), in the order of SPEC 4.9."""
    work = _Work(candidates)
    for one in candidates:
        if len(one.discoveries) > 1:
            work.rows.append(_several_ways(one))
    _same_file(work)
    _versions(work)
    _superseded(work, graph, request)
    excluded = _why_dropped(work)
    kept, stale, warnings = _stale(work.left(), request)
    return Folded(kept, excluded + stale, work.rows, work.conflicts, warnings)


def _several_ways(one: Candidate) -> Deduplicated:
    ways = sorted({_way(found) for found in one.discoveries}, key=natural)
    count = len(one.discoveries)
    detail = f"{count} discovery paths: {', '.join(ways)}"
    return Deduplicated(kept=one.id, dropped=(), key="uri", detail=detail, paths=count)


def _way(found: Discovery) -> str:
    return f"{found.selector}({found.edge})" if found.edge else found.selector


def _same_file(work: _Work) -> None:
    """Several candidates of one file. Members of a list file are things of their own and do not compete."""
    by_path: dict[str, list[Candidate]] = {}
    for one in work.left():
        if one.path is not None and (one.object is None or one.object.member is None):
            by_path.setdefault(one.path, []).append(one)
    for path, group in sorted(by_path.items()):
        if len(group) < 2:
            continue
        group.sort(key=lambda one: (-_KIND_WORTH.get(one.kind, _PLAIN_KIND), -one.relevance, one.id))
        detail = f"{len(group)} candidates are the file {path}"
        work.rows.append(_row(work, group, "path", detail))


def _versions(work: _Work) -> None:
    groups: dict[str, list[tuple[int, Candidate]]] = {}
    for one in work.left():
        parts = versioned(one.id)
        if parts is not None:
            groups.setdefault(parts[0], []).append((parts[1], one))
    for name, versions in sorted(groups.items()):
        if len(versions) < 2:
            continue
        versions.sort(key=lambda pair: (-pair[0], pair[1].id))
        kept = versions[0][1]
        for number, one in versions[1:]:
            detail = f"version {versions[0][0]} stands in for version {number}"
            work.conflicts.append(Conflict(current=kept.id, against=one.id, kind="version", detail=detail))
        group = [one for _, one in versions]
        work.rows.append(_row(work, group, "identity", f"{len(group)} versions of {name}"))


def _superseded(work: _Work, graph: Graph, request: Resolved) -> None:
    present = {one.id: one for one in work.left()}
    for source, target, kind in graph.edges:
        if kind != "supersedes" or source not in present or target not in present or target in request.object_seeds:
            continue
        detail = f"{source} stands in for {target}"
        work.conflicts.append(Conflict(current=source, against=target, kind="supersedes", detail=detail))
        work.drop(present[target], present[source])


def _row(work: _Work, group: list[Candidate], key: str, detail: str) -> Deduplicated:
    kept, *rest = group
    for one in rest:
        work.drop(one, kept)
    return Deduplicated(kept=kept.id, dropped=tuple(one.id for one in rest), key=key, detail=detail, paths=1)


def _why_dropped(work: _Work) -> list[Excluded]:
    against = {one.against: one.detail for one in reversed(work.conflicts)}
    rows = []
    for one in work.candidates:
        if one.id in against:
            rows.append(one.excluded("superseded", against[one.id]))
        elif one.id in work.dropped:
            rows.append(one.excluded("unresolved", f"its file is already represented by {work.dropped[one.id]}"))
    return rows


def _stale(candidates: list[Candidate], request: Resolved) -> tuple[list[Candidate], list[Excluded], list[Diagnostic]]:
    kept: list[Candidate] = []
    excluded: list[Excluded] = []
    warnings: list[Diagnostic] = []
    for one in candidates:
        if one.status not in STALE_STATUSES:
            kept.append(one)
        elif one.id in request.object_seeds:
            kept.append(one)
            message = f"{one.id} was named and is {one.status}"
            warnings.append(Diagnostic(severity="warning", code="stale_seed", path=one.path, message=message))
        else:
            excluded.append(one.excluded("stale", f"its status is {one.status}"))
    return kept, excluded, warnings
