"""The one way git is run: read-only commands that cannot start a program or a transfer a repository has configured.

A checkout from a stranger may carry a `.git/config` of its own. So (measured with git 2.39, see the tests):

- only `rev-parse`, `rev-list`, `ls-tree`, `ls-files`, `cat-file`, `diff-tree`, `diff-index --cached` and `init` of an
  empty temporary store are run. `status`, `diff`, `add`, `log`, `hash-object` with filters and `ls-files -m` run
  `filter.*.clean` or other programs; they never are.
- `core.fsmonitor` and the hooks are switched off on the command line, which no file can override.
- `GIT_ALLOW_PROTOCOL` names no protocol: where git would fetch a missing object of a partial clone by itself, it stops.
  (`GIT_NO_LAZY_FETCH` says the same to a git that knows it.)
- git itself comes from an absolute entry of PATH: with `.` or `node_modules/.bin` in PATH, the checkout would bring it.
- `refs/replace` is not looked at: the same commit id is the same tree in every clone.

Of the environment, everything that would point git at another repository is dropped (a hook of another repository may
have started us); the user's own configuration (safe.directory, core.excludesFile) stays in force.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from contextc.errors import RepositoryError

_HARDENING = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.untrackedCache=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "submodule.recurse=false",
)
_FORCED = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",  # its messages are read below
}
#: The variables of git that stay: whose configuration holds, and how far a search for a repository may go.
_KEPT = ("GIT_CONFIG", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")

_COMMIT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
#: Bytes of a `.git` file that are read: "gitdir: " and the longest path.
_LINK_FILE_LIMIT = 5_000

#: Seconds after which a listing is given up: only a file system that hangs, or a pipe planted where git expects a
#: file of patterns, takes that long (a listing of 100,000 files takes a tenth of a second).
GIT_SECONDS = 300


class GitFailure(Exception):
    """git ended with an error; `message` is its own first sentence."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


def environment() -> dict[str, str]:
    """The environment git runs in: the caller's, without pointers to repositories."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return {**kept, **_FORCED}


def executable() -> str | None:
    """The absolute path of git, None when there is none."""
    return _find_git(os.environ.get("PATH", os.defpath))


@cache
def _find_git(path: str) -> str | None:
    for folder in path.split(os.pathsep):
        program = Path(folder, "git")
        # `access` first: it answers no, where `is_file` raises, for a folder of somebody else's.
        if folder.startswith("/") and os.access(program, os.X_OK) and program.is_file():
            return str(program)
    return None


class Git(NamedTuple):
    """git, bound to one git directory and, unless bare, one work tree (both absolute)."""

    program: str
    git_dir: str
    work_tree: str | None

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The whole command line for `arguments`."""
        tree = [f"--work-tree={self.work_tree}"] if self.work_tree is not None else []
        return [self.program, *_HARDENING, f"--git-dir={self.git_dir}", *tree, *arguments]

    def run(self, *arguments: str) -> bytes:
        """Run and return stdout. Raises `GitFailure`."""
        return _run(self.command(arguments), self.work_tree or self.git_dir)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start with pipes for stdin and stdout."""
        return subprocess.Popen(
            self.command(arguments),
            cwd=self.work_tree or self.git_dir,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def differs(self, commit: str) -> bool:
        """Whether the index is not the tree of `commit`; also True when that cannot be told (a tree is missing)."""
        try:
            self.run("diff-index", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=none", commit, "--")
        except GitFailure:
            return True
        return False


class Place(NamedTuple):
    """A repository as found from some directory."""

    git: Git
    algorithm: str
    bare: bool


def locate(program: str, start: str) -> Place | None:
    """The repository that `start` (an absolute directory) belongs to; None when it belongs to none.

    The work tree is the directory whose `.git` leads to the git directory. `core.worktree` is not believed: in a
    checkout from a stranger it could name any directory of this machine. Raises `RepositoryError` for a foreign owner
    and for a damaged repository.
    """
    command = [program, *_HARDENING, "rev-parse", "--is-bare-repository", "--is-inside-work-tree"]
    try:
        out = _run([*command, "--show-object-format", "--absolute-git-dir"], start)
    except GitFailure as failure:
        if "not a git repository (or any" in failure.message:
            return None
        raise _refused(failure, start) from failure
    bare, inside, algorithm, git_dir = os.fsdecode(out).removesuffix("\n").split("\n", 3)
    tree = None
    if bare == "false":
        tree = _work_tree(start, git_dir) if inside == "true" else None
    return Place(Git(program, git_dir, tree), algorithm, bare == "true")


def _work_tree(start: str, git_dir: str) -> str | None:
    for folder in (Path(start), *Path(start).parents):
        marker = folder / ".git"
        if marker.is_file():
            with marker.open("rb") as file:
                target = os.fsdecode(file.read(_LINK_FILE_LIMIT)).removeprefix("gitdir:").strip()
        else:
            target = ".git"
        if os.path.lexists(marker) and os.path.realpath(folder / target) == os.path.realpath(git_dir):
            return str(folder)
    return None


def resolve_commit(git: Git, rev: str) -> str | None:
    """The full id of the commit a revision names; None when it names none."""
    if not rev or rev.startswith("-") or "\0" in rev:
        return None
    try:
        commit = git.run("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}").decode("ascii").strip()
    except GitFailure:
        return None
    return commit if _COMMIT_ID.fullmatch(commit) else None


def _refused(failure: GitFailure, start: str) -> RepositoryError:
    if "dubious ownership" in failure.message or "unsafe repository" in failure.message:
        return RepositoryError(
            "the repository belongs to another user, so git does not open it",
            where=start,
            hint=f"if you trust it: git config --global --add safe.directory {start}",
        )
    return RepositoryError(f"git cannot open the repository: {failure.message}", where=start)


def _run(command: Sequence[str], cwd: str) -> bytes:
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise RepositoryError(f"git did not answer within {GIT_SECONDS} s", where=cwd) from error
    except OSError as error:
        raise RepositoryError("git cannot be started in this directory; it may be gone", where=cwd) from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "backslashreplace").splitlines()
        fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
        message = (fatal or lines or [f"it ended with {done.returncode}"])[0].removeprefix("fatal: ")
        raise GitFailure(message, done.returncode)
    return done.stdout
