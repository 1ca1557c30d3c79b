"""Each error family and each verdict ends in one way, as the contract's table of exit codes says."""

from __future__ import annotations

import pytest

from contextc import errors
from contextc.surfaces.outcomes import BY_VERDICT, ENDINGS, ending_of

#: The contract's table.
CODES = {0, 1, 2, 10, 11, 12, 13, 70}


def every_error() -> list[type[errors.ContextError]]:
    found, waiting = [], [errors.ContextError]
    while waiting:
        family = waiting.pop()
        found.append(family)
        waiting.extend(family.__subclasses__())
    return sorted(found, key=lambda family: family.__name__)


def raised(family: type[errors.ContextError]) -> errors.ContextError:
    if issubclass(family, errors.DocumentError):
        return family([errors.Problem("$", "expected something")])
    return family("expected something")


@pytest.mark.parametrize("family", every_error(), ids=lambda family: family.__name__)
def test_an_error_ends_with_the_exit_code_it_declares(family: type[errors.ContextError]) -> None:
    assert ending_of(raised(family)).exit_code == family.exit_code


@pytest.mark.parametrize(("verdict", "code"), [("done", 0), ("problems", 1), ("refused", 11), ("over-budget", 10)])
def test_a_verdict_ends_with_its_exit_code(verdict: str, code: int) -> None:
    assert BY_VERDICT[verdict].exit_code == code


def test_the_table_is_the_contracts() -> None:
    assert {ending.exit_code for ending in ENDINGS} == CODES
    assert len({ending.name for ending in ENDINGS}) == len(ENDINGS)
    assert all(ending.meaning for ending in ENDINGS)
