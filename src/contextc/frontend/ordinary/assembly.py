"""From a snapshot and its index to a layer, one reader a line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from contextc.core.records.layer import IndexDiagnostic, Layer, LayerObject, Relation
from contextc.errors import ContextError
from contextc.frontend.conventions.decisions import record_paths
from contextc.frontend.conventions.declared import rule_paths
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.index import IndexView
from contextc.frontend.ordinary.backlog import backlog_paths, read_backlog
from contextc.frontend.ordinary.base import Draft, Reading, Repository
from contextc.frontend.ordinary.beads import beads_paths, read_beads
from contextc.frontend.ordinary.code import code_relations, go_modules
from contextc.frontend.ordinary.commits import commit_drafts
from contextc.frontend.ordinary.decisions import read_decisions
from contextc.frontend.ordinary.files import file_drafts
from contextc.frontend.ordinary.github_issues import github_paths, read_github
from contextc.frontend.ordinary.issue_files import issue_file_paths, read_issue_files
from contextc.frontend.ordinary.mentions import add_mentions
from contextc.frontend.ordinary.names import SCHEME, Names, identities, relations
from contextc.frontend.ordinary.owners import codeowners_path, read_owners
from contextc.frontend.ordinary.rules import read_rules
from contextc.frontend.ordinary.speckit import read_speckit, speckit_paths
from contextc.frontend.sources import Snapshot, Source, display_path

#: Makes another fingerprint of the same files when what is made of them changes.
_EDITION = b"contextc ordinary layer 1\n"
#: Kinds whose text is looked through for what it names.
_MENTIONING = frozenset(("issue", "milestone", "adr"))


def read_layer(source: Source, snapshot: Snapshot, view: IndexView) -> Layer:
    """The layer of a repository without one of its own. A pure function of the snapshot and its history.

    Records are read, code is not: what is known of it comes from the index. A record that cannot be read is a
    diagnostic. Raises `InputError` for a `contextc.toml` that cannot be used.
    """
    tree = Tree(view, snapshot)
    sizes = {entry.path: entry.size for entry in snapshot.entries}
    repository = Repository(tree=tree, sizes=sizes)
    _read_ahead(view, _records(tree))
    drafts, faults = _drafts(repository, source, snapshot, view)
    given = identities(drafts)
    names = Names(drafts, given.names, frozenset(sizes), tree.folders)
    folders = _sizes_of_folders(tree.paths)
    for draft in drafts:
        if draft.kind in _MENTIONING:
            add_mentions(draft, names, folders)
    code = code_relations(view, drafts, go_modules(repository))
    objects = sorted(
        (
            _object(one, name, sizes, relations(names, one, one.links) or code.get(one.path, ()))
            for one, name in zip(drafts, given.names, strict=True)
        ),
        key=lambda one: one.uri,
    )
    return Layer(
        scheme=SCHEME,
        objects=tuple(objects),
        contested=given.contested,
        sizes={display_path(path): size for path, size in sizes.items()},
        fingerprint=fingerprint(snapshot, objects),
        diagnostics=tuple(sorted({*faults, *given.diagnostics})),
    )


def _records(tree: Tree) -> list[str]:
    """Every file that some reader wants whole."""
    owners = codeowners_path(tree)
    groups: tuple[Sequence[str], ...] = (
        rule_paths(tree),
        record_paths(tree),
        backlog_paths(tree),
        beads_paths(tree),
        speckit_paths(tree),
        issue_file_paths(tree),
        github_paths(tree),
        [owners] if owners else [],
    )
    return list(dict.fromkeys(path for group in groups for path in group))


def _drafts(
    repository: Repository, source: Source, snapshot: Snapshot, view: IndexView
) -> tuple[list[Draft], list[IndexDiagnostic]]:
    drafts: list[Draft] = []
    owners, faults = read_owners(repository)
    taken: set[str] = {owners.path}
    for reading in (
        read_rules(repository, view),
        read_decisions(repository),
        read_backlog(repository),
        read_beads(repository),
        read_speckit(repository),
        read_github(repository),
        read_issue_files(repository),
    ):
        _take(reading, drafts, faults, taken)
    drafts.extend(file_drafts(iter(view.files), taken))
    for draft in drafts:
        owned = owners.of(draft.path) if owners.rows and draft.kind in ("implementation", "test", "knowledge") else ()
        if owned:
            draft.metadata["owners"] = list(owned)
    drafts.extend(commit_drafts(source, snapshot))
    return drafts, faults


def _sizes_of_folders(paths: Sequence[str]) -> dict[str, int]:
    """How many files lie in each directory and all below it."""
    found: Counter[str] = Counter()
    for folder, count in Counter(path.rpartition("/")[0] for path in paths).items():
        while folder:
            found[folder] += count
            folder = folder.rpartition("/")[0]
    return found


def _take(reading: Reading, drafts: list[Draft], faults: list[IndexDiagnostic], taken: set[str]) -> None:
    """Add what a reader found; a file that an earlier one owns stays with that one."""
    drafts.extend(draft for draft in reading.drafts if draft.path not in taken)
    faults.extend(reading.diagnostics)
    taken.update(reading.owned)


def _read_ahead(view: IndexView, paths: Sequence[str]) -> None:
    """Have the texts of records read in one go. Where one cannot be had, each reader finds out by itself."""
    try:
        view.texts(paths)
    except ContextError:
        return


def _object(draft: Draft, identity: str, sizes: dict[str, int], found: tuple[Relation, ...]) -> LayerObject:
    path = display_path(draft.path)
    size = sizes.get(draft.path, len(draft.content.encode("utf-8", "surrogateescape")))
    own = size if draft.member is None else len(draft.content.encode("utf-8", "surrogateescape"))
    return LayerObject(
        uri=f"{SCHEME}://{draft.kind}/{identity}",
        kind=draft.kind,
        identity=identity,
        title=draft.title or None,
        description=draft.description or None,
        metadata=draft.metadata,
        content=draft.content,
        path=path,
        directory=path.rpartition("/")[0] or ".",
        source_class=draft.source_class,
        section=None,
        bytes=size,
        cost_bytes=own,
        member=draft.member,
        relations=found,
    )


def fingerprint(snapshot: Snapshot, objects: Iterable[LayerObject]) -> str:
    """SHA-256 (hex) over the digest of the snapshot, which covers every listed path and its bytes, and the identifier
    of each object, which for a commit is its id."""
    sha = hashlib.sha256(_EDITION + snapshot.digest.encode("ascii") + b"\n")
    for one in objects:
        sha.update(one.uri.encode("utf-8", "surrogateescape") + b"\n")
    return sha.hexdigest()
