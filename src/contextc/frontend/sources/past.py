"""What led to a commit: the messages of its ancestors and the paths they changed.

Only plumbing is run (`rev-list`, `diff-tree`): neither reads the settings by which `git log` would start a program.
Nothing but the commit and what lies behind it is looked at, so a branch ahead of it changes no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextc.frontend.sources.base import Commit
from contextc.frontend.sources.git import Git, GitFailure
from contextc.frontend.sources.paths import to_text

#: Bytes of a message that are read: what comes after is a pasted log or a list of squashed commits.
LONGEST_MESSAGE = 4_000


def lineage(git: Git, commit: str, most: int) -> list[str]:
    """Ids of a commit and its ancestors, newest first, merges left out, at most `most`; those that are there, in a
    shallow clone. Empty where git cannot tell."""
    try:
        return git.run("rev-list", "--no-merges", f"--max-count={most}", commit).decode("ascii").split()
    except GitFailure:
        return []


def read_commits(git: Git, ids: Sequence[str]) -> list[Commit] | None:
    """Commits by their ids, in that order; a commit that changes nothing has neither message nor paths.

    None where git cannot give all of them, as in a partial clone without trees.
    """
    if not ids:
        return []
    arguments = ("diff-tree", "--stdin", "-r", "--root", "--no-renames", "--name-only", "-z", "--encoding=UTF-8")
    process = git.start(*arguments, "--format=%x00%H%x00%B")
    out, _ = process.communicate("\n".join(ids).encode("ascii") + b"\n")
    if process.returncode != 0:
        return None
    found = {commit.id: commit for commit in _commits(out)}
    return [found.get(identity) or Commit(identity, "", ()) for identity in ids]


def _commits(out: bytes) -> Iterator[Commit]:
    """For each commit: nothing, its id, its message, its paths; a line feed stands before the first of them. Neither
    messages nor names can hold the NUL that ends each part."""
    parts = out.split(b"\0")
    at = 1
    while at + 1 < len(parts):
        identity, message = parts[at], parts[at + 1]
        end = parts.index(b"", at + 2)
        names = [parts[at + 2].removeprefix(b"\n"), *parts[at + 3 : end]] if end > at + 2 else []
        text = message[:LONGEST_MESSAGE].decode("utf-8", "replace")
        yield Commit(identity.decode("ascii"), text, tuple(sorted(map(to_text, names))))
        at = end + 1
