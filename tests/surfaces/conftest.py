"""The real command as a child process, in a home and a cache of its own, on repositories that the tests build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: What git needs to make the same commits everywhere, whatever the machine's own configuration says.
GIT_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


class Ran:
    """How a run of the command ended."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr.decode("utf-8")

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def __repr__(self) -> str:
        return f"exit {self.code}\n{self.err}\n{self.out[:2000]!r}"


Runner = Callable[..., Ran]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def contextc(home: Path) -> Runner:
    """Run `contextc ARGUMENTS` in `cwd`; `env` adds to a small environment, `cache` names another cache directory."""

    def run(
        *arguments: str | bytes | Path,
        cwd: Path | bytes | None = None,
        stdin: bytes = b"",
        env: dict[str, str] | None = None,
        cache: Path | None = None,
    ) -> Ran:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_CACHE_HOME": str(cache or home / "cache"),
            **GIT_ENVIRONMENT,
            **(env or {}),
        }
        done = subprocess.run(
            [sys.executable, "-m", "contextc", *arguments],
            cwd=cwd or home,
            env=environment,
            input=stdin,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
        return Ran(done)

    return run


class Repository:
    """A git repository under construction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={"PATH": os.environ["PATH"], "HOME": os.devnull, **GIT_ENVIRONMENT},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "replace")

    def write(self, name: str | bytes, content: str | bytes) -> Repository:
        raw = os.fsencode(self.path) + b"/" + (name if isinstance(name, bytes) else name.encode())
        os.makedirs(os.path.dirname(raw), exist_ok=True)
        with open(raw, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode())
        return self

    def commit(self, message: str = "change") -> Repository:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[str], Repository]:
    """Make an empty repository of a name below a directory of this test."""
    return lambda name="project": Repository(tmp_path / name)


#: A small project in three languages with rules, decisions and documents: something of everything that is selected.
SAMPLE: dict[str, str] = {
    "AGENTS.md": "# Rules\n\nRun the tests with `make test`. Never edit generated files.\n",
    "README.md": "# Shop\n\nA shop with a basket, prices and a session.\n\n## Usage\n\nStart `shop`.\n",
    "doc/adr/0001-keep-prices-in-cents.md": (
        "# 1. Keep prices in cents\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nFloats lose cents.\n\n"
        "## Decision\n\nPrices are integers in cents.\n\n## Consequences\n\nNo rounding in the basket.\n"
    ),
    "shop/__init__.py": '"""A shop."""\n',
    "shop/session.py": (
        '"""Sessions of customers."""\n\nfrom shop.cookies import Cookie\n\n\nclass Session:\n'
        '    """One customer\'s session."""\n\n    def __init__(self, cookie: Cookie) -> None:\n'
        "        self.cookie = cookie\n\n    def refresh_cookie(self) -> None:\n"
        '        """Refresh the session cookie so that it lives on."""\n        self.cookie.touch()\n\n'
        "    def close(self) -> None:\n        self.cookie = None\n"
    ),
    "shop/cookies.py": (
        '"""Cookies."""\n\n\nclass Cookie:\n    """A cookie with an age."""\n\n    age = 0\n\n'
        "    def touch(self) -> None:\n        self.age = 0\n"
    ),
    "shop/prices.py": "".join(f"def price_of_{n}(cents: int) -> int:\n    return cents * {n}\n\n\n" for n in range(60)),
    "web/basket.js": (
        "import { price } from './price.js';\n\nexport function total(items) {\n"
        "  return items.map(price).reduce((a, b) => a + b, 0);\n}\n"
    ),
    "web/price.js": "export const price = (item) => item.cents;\n",
    "store/main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("store")\n}\n',
    "tests/test_session.py": (
        "from shop.cookies import Cookie\nfrom shop.session import Session\n\n\n"
        "def test_refresh_cookie():\n    session = Session(Cookie())\n    session.refresh_cookie()\n"
        "    assert session.cookie.age == 0\n"
    ),
}

INTENT = "the session cookie is not refreshed"


def build_sample(path: Path) -> Repository:
    made = Repository(path)
    for name, content in SAMPLE.items():
        made.write(name, content)
    return made.commit()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The sample project; tests only read it."""
    return build_sample(tmp_path_factory.mktemp("sample") / "shop")


@pytest.fixture(scope="session")
def sample_at() -> Callable[[Path], Repository]:
    """Build the sample project at another place."""
    return build_sample


@pytest.fixture(scope="session")
def intent() -> str:
    return INTENT
