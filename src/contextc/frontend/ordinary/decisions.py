"""Records of decisions as objects."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence, Set

from contextc.core.records.layer import Value
from contextc.frontend.conventions.base import Decision, DecisionSet
from contextc.frontend.conventions.decisions import read_decisions_at, record_paths
from contextc.frontend.ordinary.base import Draft, Link, Reading, Repository, foreign, plain_id, remark


def read_decisions(repository: Repository, folders: Sequence[str] = (), skip: Set[str] = frozenset()) -> Reading:
    """Every decision, with its status as it is meant and the ones it replaces or is replaced by. `folders` are more
    directories of decisions; files in `skip` belong to others."""
    tree = repository.tree
    paths = [path for path in record_paths(tree, folders) if path not in skip and not foreign(path)]
    return decisions_reading(repository, read_decisions_at(tree, paths))


def decisions_reading(repository: Repository, found: DecisionSet) -> Reading:
    """Decisions as drafts."""
    drafts = [_draft(repository, one) for one in found.decisions]
    faults = [
        remark(one.path, one.line, "malformed_record", one.message, "warning")
        for one in found.diagnostics
        if "is also that of" not in one.message  # told of the identities
    ]
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(one.path for one in found.decisions))


def _draft(repository: Repository, decision: Decision) -> Draft:
    text = repository.text(decision.path) or ""
    metadata: dict[str, Value] = {"status": decision.status}
    if decision.date:
        metadata["date"] = decision.date
    if decision.stated:
        metadata["stated"] = decision.stated
    number = decision.number
    stem = posixpath.basename(decision.path).rpartition(".")[0]
    links = [Link("supersedes", name, ("adr",), "supersedes") for name in decision.predecessors]
    if decision.successor:
        links.append(Link("supersedes", decision.successor, ("adr",), "superseded by", backward=True))
    digits = number.rpartition("-")[2]
    return Draft(
        kind="adr",
        path=decision.path,
        source_class="decisions",
        id=plain_id(number),
        names=(decision.path, stem, *((f"adr-{digits}", f"adr-{digits:0>4}", digits) if digits.isdigit() else ())),
        shelf=posixpath.dirname(decision.path),
        title=decision.title,
        description=f"replaced by {decision.successor}" if decision.successor else None,
        metadata=metadata,
        content=text,
        text=text,
        links=links,
    )
