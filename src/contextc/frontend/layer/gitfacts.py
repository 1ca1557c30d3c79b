"""What git says of the repository: branch, head, clean or dirty, dates and ancestry of commits.

Only reading commands that no configuration can extend: `symbolic-ref`, `rev-list`, `merge-base`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from contextc.core.records.layer import GitFacts, LayerObject
from contextc.frontend.sources import Snapshot
from contextc.frontend.sources.git import Git, GitFailure, executable, locate

#: Commits asked for in one call, so that a command line stays far below the limit of any system.
_BATCH = 500
_COMMIT = re.compile(r"[0-9a-f]{7,64}")

Ancestry = Literal["exact", "advanced", "diverged", "unknown"]


def git_at(root: str) -> Git | str:
    """git for a directory, or why it cannot be asked."""
    program = executable()
    if program is None:
        return "git is not installed"
    place = locate(program, root)
    return place.git if place is not None else "there is no git repository here"


def facts(git: Git | str, snapshot: Snapshot, commits: Iterable[str]) -> GitFacts:
    """Where the repository stands; `commits` are those whose dates are wanted."""
    if isinstance(git, str):
        return GitFacts(unavailable=git)
    return GitFacts(
        branch=branch(git),
        head=snapshot.commit,
        working_tree="dirty" if snapshot.dirty else "clean",
        commit_times=times(git, commits),
    )


def branch(git: Git) -> str | None:
    """The branch that is checked out; None on a detached head."""
    try:
        return git.run("symbolic-ref", "--quiet", "--short", "HEAD").decode("utf-8", "backslashreplace").strip() or None
    except GitFailure:
        return None


def times(git: Git, commits: Iterable[str]) -> dict[str, int]:
    """Seconds since 1970 at which each commit was committed, for those that git knows by these names."""
    wanted = sorted({commit for commit in commits if _COMMIT.fullmatch(commit)})
    found: dict[str, int] = {}
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        try:
            out = git.run("rev-list", "--no-walk=unsorted", "--timestamp", "--ignore-missing", *batch, "--")
        except GitFailure:
            continue
        by_id = {oid: int(seconds) for seconds, oid in (line.split() for line in out.decode("ascii").splitlines())}
        for name in batch:
            if name in by_id:
                found[name] = by_id[name]
            else:
                # A short name: the one commit of the answer that begins so.
                full = [oid for oid in by_id if oid.startswith(name)]
                if len(full) == 1:
                    found[name] = by_id[full[0]]
    return found


def ancestry(git: Git, commit: str, head: str | None) -> Ancestry:
    """How a recorded commit relates to HEAD: the same, behind it, or not an ancestor; `unknown` when git cannot say."""
    if head is None or not _COMMIT.fullmatch(commit):
        return "unknown"
    if commit == head:
        return "exact"
    try:
        git.run("merge-base", "--is-ancestor", commit, head)
    except GitFailure as failure:
        # 1 is the answer no; everything else means that it could not be found out.
        return "diverged" if failure.code == 1 else "unknown"
    return "advanced"


def named_commits(objects: Iterable[LayerObject]) -> set[str]:
    """The commits that evidence in the layer names."""
    found: set[str] = set()
    for one in objects:
        evidence = one.metadata.get("evidence")
        for item in evidence if isinstance(evidence, list) else ():
            commit = item.get("commit") if isinstance(item, dict) else None
            if isinstance(commit, str):
                found.add(commit)
    return found
