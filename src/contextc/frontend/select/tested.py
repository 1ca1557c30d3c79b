"""What a test that holds the task's words is a test of, told by the names of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

#: Tests that are asked, best first.
MOST_TESTS = 25
#: Sources that one test may stand for; a name that fits more says nothing.
MOST_SOURCES = 3

_MARK = re.compile(r"^(?:tests?|spec)[_.-]?|[_.-]?(?:tests?|spec|e2e|it)$", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?:Tests?|IT|Spec|TestCase)$")


class Vote(NamedTuple):
    """A test that speaks for a source; `strength` in 0..1 is that of the test among tests."""

    strength: float
    test: str


def votes(
    tests: Sequence[tuple[str, float]], paths: Iterable[str], is_source: Callable[[str], bool]
) -> dict[str, Vote]:
    """For each source among the paths the best test that bears its name. `tests` are paths with scores, best first."""
    if not tests or tests[0][1] <= 0:
        return {}
    tests = tests[:MOST_TESTS]
    subjects = {subject(test) for test, _ in tests}
    stems: dict[str, list[str]] = {}
    for path in paths:
        stem = _stem(path)
        if stem in subjects and is_source(path):
            stems.setdefault(stem, []).append(path)
    found: dict[str, Vote] = {}
    for test, score in tests:
        near = _nearest(test, stems)
        for path in near:
            strength = score / tests[0][1] / len(near)
            if path not in found or found[path].strength < strength:
                found[path] = Vote(strength, test)
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower().strip("_-")


def subject(test: str) -> str:
    """The name of what a test is about: `tests/test_session.py`, `SessionTest.java`, `session.spec.ts` give session."""
    name = test.rpartition("/")[2]
    stem = re.sub(r"\.(?:spec|test|tests|e2e|test-d|spec-d|cy)$", "", name.rpartition(".")[0] or name)
    stem = _CAMEL.sub("", stem.partition(".")[0])
    return _MARK.sub("", stem).lower().strip("_-")


def _nearest(test: str, stems: Mapping[str, list[str]]) -> list[str]:
    """Sources of that name, those only that share the most folders with the test."""
    name = subject(test)
    if len(name) < 2:
        return []
    fits = stems.get(name, [])
    folders = set(test.split("/")[:-1])
    shared = {path: len(folders & set(path.split("/")[:-1])) for path in fits}
    most = max(shared.values(), default=0)
    best = sorted(path for path in fits if shared[path] == most)
    return best if len(best) <= MOST_SOURCES else []
