"""Repositories with a history, made by the tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


class Story:
    """A repository that grows commit by commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, author: str = "Ada") -> str:
        """Run git here and return what it says."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env={**ENVIRONMENT, "GIT_AUTHOR_NAME": author}, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def commit(self, message: str, files: Mapping[str, str | None], author: str = "Ada") -> str:
        """Write files (None deletes), commit, and return the id."""
        for name, text in files.items():
            path = self.path / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, author=author)
        return self.git("rev-parse", "HEAD")


def module_text(name: str, lines: int = 12) -> str:
    """A source file of one function for each three lines."""
    return "".join(f"def {name}_{at}(value):\n    return value + {at}\n\n\n" for at in range(lines // 4 or 1))
