"""Every kind of damage to every case is seen for what it is, and no sound case is objected to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.conftest import SHARED
from tests.corruptions.cases import Case, generated, own, published, traps
from tests.corruptions.damage import KINDS

from contextc.core.checker import Report, check

#: Instances of each regime; with their least budgets some 200 cases.
EACH = 13

#: Kinds of damage the published cases must be able to show by themselves; the rest needs what they do not hold.
LEAST_KINDS = 25


@cache
def cases(source: str) -> tuple[Case, ...]:
    shared: Path = SHARED
    if source in ("published", "traps") and not shared.is_dir():
        pytest.skip(f"the published data is not at {shared}; set CONTEXTC_SHARED")
    made: dict[str, Iterator[Case]] = {
        "published": published(shared),
        "traps": traps(shared),
        "own": own(),
        "generated": generated(EACH),
    }
    return tuple(made[source])


SOURCES = ("published", "traps", "own", "generated")


def judge(case: Case) -> Report:
    return check(case.request, case.candidates, case.policy, case.pricing, case.outcome)


@pytest.mark.parametrize("source", SOURCES)
def test_a_sound_case_is_never_objected_to(source: str) -> None:
    objections = [f"{case.name}: {finding}" for case in cases(source) for finding in judge(case).findings]
    assert objections == []


@pytest.mark.parametrize("source", SOURCES)
def test_every_sound_case_is_settled(source: str) -> None:
    assert [case.name for case in cases(source) if not judge(case).settled] == []


@pytest.mark.parametrize("source", SOURCES)
def test_every_kind_of_damage_to_every_case_is_seen(source: str) -> None:
    unseen = []
    applied: Counter[str] = Counter()
    for case in cases(source):
        for name, (damage, codes) in KINDS.items():
            damaged = damage(case)
            if damaged is None:
                continue
            assert damaged != case, f"{name} changes nothing in {case.name}"
            applied[name] += 1
            found = {finding.code for finding in judge(damaged).findings}
            if found.isdisjoint(codes):
                unseen.append(f"{case.name}: {name}: expected one of {codes}, found {sorted(found)}")
    assert unseen == []
    assert len(applied) >= LEAST_KINDS


def test_every_kind_of_damage_applies_to_something() -> None:
    idle = dict.fromkeys(KINDS)
    for case in cases("generated"):
        for name in list(idle):
            if KINDS[name][0](case) is not None:
                del idle[name]
    assert list(idle) == []
