"""Ground of the tests of the front end: no test sees the machine's own git configuration or a repository around it."""

from __future__ import annotations

import os

import pytest
from builders import HERMETIC


@pytest.fixture(autouse=True)
def hermetic_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop every variable of git, and the user's and the system's configuration."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    for name, text in HERMETIC.items():
        monkeypatch.setenv(name, text)
