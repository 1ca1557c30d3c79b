"""Which source a path on this machine is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from contextc.errors import InputError, NotFound, RepositoryError
from contextc.frontend.sources.base import Source, StatCache
from contextc.frontend.sources.commit import CommitSource
from contextc.frontend.sources.directory import DirectorySource
from contextc.frontend.sources.git import Place, executable, locate, resolve_commit
from contextc.frontend.sources.paths import display_path
from contextc.frontend.sources.worktree import WorktreeSource


def open_source(
    root: str | Path,
    *,
    rev: str | None = None,
    untracked: bool = False,
    named: Sequence[str] = (),
    cache: StatCache | None = None,
) -> Source:
    """The source that the directory `root` belongs to: always the whole repository, from any directory of it.

    With `rev` the commit it names; without, the working tree (of a bare repository: HEAD); where there is no
    repository, the plain directory. `untracked` adds the files git does not track and does not ignore, `named` single
    files (relative to the root, see `relative_path`) even when it ignores them; a commit holds neither. `cache` saves
    reading files that have not changed since an earlier run.

    GIT_DIR and its like in the environment are not looked at: `root` says what is meant.

    Raises `NotFound` for a directory or a revision that is not there, `RepositoryError` for a repository that may not
    or cannot be opened.
    """
    start = _directory(root)
    program = executable()
    place = locate(program, start) if program is not None else None
    if place is None:
        if rev is not None:
            what = "there is no git repository here" if program else "git is not installed"
            raise RepositoryError(f"a revision needs a git repository; {what}", where=start)
        return DirectorySource(Path(start), program, named=named, cache=cache)
    if rev is not None:
        return _commit(place, rev)
    if place.git.work_tree is not None:
        return WorktreeSource(place.git, place.algorithm, untracked=untracked, named=named, cache=cache)
    if place.bare:
        return _commit(place, "HEAD")
    raise RepositoryError(
        "this directory is not in the work tree of its repository",
        where=start,
        hint="name the directory that holds `.git`, or give a revision",
    )


def _commit(place: Place, rev: str) -> CommitSource:
    commit = resolve_commit(place.git, rev)
    top = place.git.work_tree or place.git.git_dir
    if commit is None:
        shown = display_path(rev)
        hint = "see `git log --all`; a shallow clone lacks older commits"
        raise NotFound(f"expected a revision that names a commit, found {shown!r}", where=top, hint=hint)
    return CommitSource(place.git, commit, Path(top))


def _directory(root: str | Path) -> str:
    text = os.fspath(root)
    if "\0" in text:
        raise InputError("expected the path of a directory", where=repr(text))
    start = os.path.realpath(text)
    if not os.path.lexists(start):
        raise NotFound("there is no such directory", where=text)
    if not Path(start).is_dir():
        raise InputError("expected a directory, found a file", where=text)
    if not os.access(start, os.R_OK | os.X_OK):
        raise InputError("this directory may not be read", where=text, hint="give yourself permission, or be its owner")
    return start
