"""Git repositories that tests build: real ones, made by git, independent of the machine's own configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

#: Nobody, at a fixed moment: equal trees then give equal commit ids.
IDENTITY = {
    "GIT_AUTHOR_NAME": "A U Thor",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "C O Mitter",
    "GIT_COMMITTER_EMAIL": "committer@example.com",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}
#: Neither the user's nor the system's configuration.
HERMETIC = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}


def environment() -> dict[str, str]:
    """The environment git runs in for tests."""
    plain = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**plain, **IDENTITY, **HERMETIC}


def run_git(where: Path, *arguments: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
    """Run git in a directory; its stdout. Fails loudly with git's own words."""
    command: list[str | bytes] = ["git", *arguments]
    done = subprocess.run(command, cwd=where, env={**environment(), **(env or {})}, input=stdin, capture_output=True)
    assert done.returncode == 0, f"git {arguments}: {done.stderr.decode(errors='replace')}"
    return done.stdout


class Repository:
    """A repository under test, at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, *options: str) -> Repository:
        """A new one without commits; its first branch is `main`."""
        path.mkdir(parents=True, exist_ok=True)
        run_git(path, "init", "--quiet", "--initial-branch=main", *options)
        return cls(path)

    def git(self, *arguments: str | bytes, stdin: bytes = b"") -> bytes:
        """Run git here; its stdout."""
        return run_git(self.path, *arguments, stdin=stdin)

    def text(self, *arguments: str) -> str:
        """Run git here; its stdout as text without the last line end."""
        return self.git(*arguments).decode().rstrip("\n")

    def write(self, name: str | bytes, content: str | bytes = "", *, executable: bool = False) -> Path:
        """Write a file, and the directories on its way."""
        path = self.path / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if executable:
            path.chmod(0o755)
        return path

    def files(self, contents: Mapping[str, str | bytes]) -> Repository:
        """Write several files."""
        for name, content in contents.items():
            self.write(name, content)
        return self

    def link(self, name: str, target: str) -> Path:
        """Make a symlink that holds `target`."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        return path

    def commit(self, message: str = "Change") -> str:
        """Add everything that is not ignored and commit it; the full id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.text("rev-parse", "HEAD")

    def clone(self, path: Path, *options: str) -> Repository:
        """Clone over the file protocol, as over a network: depth and filters then hold."""
        run_git(path.parent, "-c", "protocol.file.allow=always", "clone", "--quiet", *options, self.url, str(path))
        return Repository(path)

    @property
    def url(self) -> str:
        """The address for `clone` and `submodule add`."""
        return f"file://{self.path}"


def repository_of(path: Path, contents: Mapping[str, str | bytes]) -> Repository:
    """A repository with one commit that holds these files."""
    repository = Repository.create(path).files(contents)
    repository.commit("First")
    return repository


def hostile_config(repository: Repository, marker: Path) -> None:
    """Configure every program a repository can name so that running it creates `marker`."""
    script = repository.path.parent / "hostile.sh"
    script.write_text(f"#!/bin/sh\ntouch '{marker}'\ncat\n")
    script.chmod(0o755)
    settings = {
        "core.fsmonitor": str(script),
        "core.hooksPath": str(script.parent / "hooks"),
        "core.pager": str(script),
        "core.sshCommand": str(script),
        "core.gitProxy": str(script),
        "core.editor": str(script),
        "core.alternateRefsCommand": str(script),
        "credential.helper": str(script),
        "diff.external": str(script),
        "diff.hostile.textconv": str(script),
        "diff.hostile.command": str(script),
        "filter.hostile.clean": str(script),
        "filter.hostile.smudge": str(script),
        "filter.hostile.process": str(script),
        "merge.hostile.driver": str(script),
        "alias.ls-files": f"!{script}",
        "alias.ls-tree": f"!{script}",
        "alias.cat-file": f"!{script}",
        "pager.ls-files": str(script),
        "pager.ls-tree": str(script),
        "uploadpack.packObjectsHook": str(script),
        "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{script}",
        "remote.origin.uploadpack": str(script),
    }
    hooks = script.parent / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    for name, setting in settings.items():
        repository.git("config", name, setting)
    (repository.path / ".git" / "info").mkdir(exist_ok=True)
    (repository.path / ".git" / "info" / "attributes").write_text("* filter=hostile diff=hostile merge=hostile\n")
