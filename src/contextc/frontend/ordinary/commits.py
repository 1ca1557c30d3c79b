"""Recent history: each commit a session that changed some files, so that work on them is told of it."""

from __future__ import annotations

from collections.abc import Iterator

from contextc.core.records.layer import Value
from contextc.frontend.ordinary.base import Draft
from contextc.frontend.sources import Commit, Snapshot, Source, display_path, secret_content

#: Commits that are looked at, merges left out. Older ones seldom say how things stand.
MOST_COMMITS = 50
#: A commit that changes more says nothing about any of it: a release, a formatter, an import of files.
MOST_PATHS = 40
_SHOWN = 12


def commit_drafts(source: Source, snapshot: Snapshot) -> Iterator[Draft]:
    """A draft for each recent commit with few enough paths; none where there is no history at hand."""
    if snapshot.commit is None:
        return
    ids = source.lineage(snapshot.commit, MOST_COMMITS)
    for commit in source.commits(ids) or ():
        if commit.paths and len(commit.paths) <= MOST_PATHS:
            yield _draft(commit)


def _draft(commit: Commit) -> Draft:
    message = commit.message.strip()
    shown = message if secret_content(message) is None else ""
    title, _, body = shown.partition("\n")
    changed: list[Value] = [display_path(path) for path in commit.paths]
    metadata: dict[str, Value] = {"head": commit.id, "changed_files": changed}
    return Draft(
        kind="session",
        path=f"commit:{commit.id[:_SHOWN]}",
        source_class="commit",
        id=commit.id[:_SHOWN],
        names=(commit.id,),
        title=title or f"commit {commit.id[:_SHOWN]}",
        metadata=metadata,
        content=shown + "\n",
        text=body,
    )
