"""From a snapshot and its index to a layer, one reader a line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from contextc.core.records.layer import IndexDiagnostic, Layer, LayerObject, Relation
from contextc.errors import ContextError, InputError
from contextc.frontend.conventions.decisions import record_paths
from contextc.frontend.conventions.declared import rule_paths
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.index import IndexView
from contextc.frontend.ordinary.backlog import backlog_paths, read_backlog
from contextc.frontend.ordinary.base import Draft, Reading, Repository
from contextc.frontend.ordinary.beads import beads_paths, read_beads
from contextc.frontend.ordinary.classes import declared_relations, owned_by_classes, read_classes, unused
from contextc.frontend.ordinary.code import code_relations, go_modules
from contextc.frontend.ordinary.commits import commit_drafts
from contextc.frontend.ordinary.config import FILE, Config, read_config
from contextc.frontend.ordinary.decisions import read_decisions
from contextc.frontend.ordinary.files import file_drafts
from contextc.frontend.ordinary.github_issues import github_paths, read_github
from contextc.frontend.ordinary.issue_files import ISSUE_FOLDERS, MILESTONE_FOLDERS, issue_file_paths, read_issue_files
from contextc.frontend.ordinary.mentions import add_mentions, add_paths, looked_through
from contextc.frontend.ordinary.names import SCHEME, Names, identities, relations
from contextc.frontend.ordinary.owners import NOBODY, codeowners_path, read_owners
from contextc.frontend.ordinary.rules import read_rules
from contextc.frontend.ordinary.speckit import read_speckit, speckit_paths
from contextc.frontend.sources import Snapshot, Source, display_path

#: Makes another fingerprint of the same files when what is made of them changes.
_EDITION = b"contextc ordinary layer 1\n"
#: Kinds whose owners are facts.
_OWNED = frozenset(("implementation", "test", "knowledge"))
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
    config = _config(tree)
    _read_ahead(view, _records(tree, config))
    drafts, faults = _drafts(repository, config, source, snapshot, view)
    given = identities(drafts)
    names = Names(drafts, given.names, sizes.keys(), tree.folders, tree.links)
    folders = _sizes_of_folders(tree.paths)
    for draft in drafts:
        if draft.kind in _MENTIONING:
            add_mentions(draft, names, folders)
    documents = looked_through(drafts, sizes)
    _read_ahead(view, [draft.path for draft in documents])
    for draft in documents:
        add_paths(draft, repository.text(draft.path) or "", names)
    derived = code_relations(view, drafts, go_modules(repository))
    declared = declared_relations(drafts, config.edges, faults)
    objects = sorted(
        (
            _object(one, name, sizes, _relations(names, one, derived, declared))
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


def _relations(
    names: Names,
    draft: Draft,
    derived: Mapping[str, tuple[Relation, ...]],
    declared: Mapping[str, tuple[Relation, ...]],
) -> tuple[Relation, ...]:
    found = relations(names, draft, draft.links) if draft.links else ()
    return found + derived.get(draft.path, ()) + declared.get(draft.path, ())


def _config(tree: Tree) -> Config:
    """What `contextc.toml` says. One that is there and cannot be read is an error: it was meant to be heard."""
    if FILE in tree.unread:
        raise InputError(f"expected text; it {tree.unread[FILE]}", where=FILE)
    return read_config(tree.text(FILE)) if FILE in tree.known else Config()


def _records(tree: Tree, config: Config) -> list[str]:
    """Every file that some reader wants whole."""
    owners = codeowners_path(tree)
    groups: tuple[Sequence[str], ...] = (
        rule_paths(tree),
        record_paths(tree, config.more("decisions")),
        backlog_paths(tree, config.more("backlog")),
        beads_paths(tree),
        speckit_paths(tree),
        issue_file_paths(tree, *_issue_folders(config)),
        github_paths(tree),
        [owners] if owners else [],
    )
    return list(dict.fromkeys(path for group in groups for path in group))


def _issue_folders(config: Config) -> tuple[tuple[str, ...], tuple[str, ...]]:
    issues = (*ISSUE_FOLDERS, *config.more("issues"))
    return issues, (*MILESTONE_FOLDERS, *config.more("milestones"))


def _drafts(
    repository: Repository, config: Config, source: Source, snapshot: Snapshot, view: IndexView
) -> tuple[list[Draft], list[IndexDiagnostic]]:
    """Everything that is found, each file by the first reader that takes it."""
    drafts: list[Draft] = []
    classes = owned_by_classes(repository.tree.paths, config.classes)
    owners, faults = read_owners(repository) if config.on("codeowners") else (NOBODY, [])
    faults += unused(config, classes)
    taken: set[str] = {owners.path, FILE}
    _take(read_classes(repository, view, classes), drafts, faults, taken)
    readers: tuple[tuple[str, Callable[[], Reading]], ...] = (
        ("rules", lambda: read_rules(repository, view)),
        ("decisions", lambda: read_decisions(repository, config.more("decisions"), taken)),
        ("backlog", lambda: read_backlog(repository, config.more("backlog"))),
        ("beads", lambda: read_beads(repository)),
        ("spec-kit", lambda: read_speckit(repository)),
        ("github-issues", lambda: read_github(repository)),
        ("issues", lambda: read_issue_files(repository, *_issue_folders(config))),
    )
    for name, read in readers:
        if config.on(name):
            _take(read(), drafts, faults, taken)
    drafts.extend(file_drafts(iter(view.files), taken))
    for draft in drafts:
        owned = owners.of(draft.path) if owners.rows and draft.kind in _OWNED else ()
        if owned:
            draft.metadata["owners"] = list(owned)
    if config.on("commits"):
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
