"""The 42 published compilations, field by field."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import msgspec
import pytest
from tests.conftest import SHARED

from contextc.core.compiler import compile_candidates
from contextc.core.records.candidate import CandidatePool
from contextc.core.records.codec import decode
from contextc.core.records.outcome import Result
from contextc.core.records.policy import Policy
from contextc.core.records.projection import project_v1
from contextc.core.records.request import Request

DATA = SHARED / "conformance" / "compiler-v1"
CASES = [json.loads(line) for line in (DATA / "expected.jsonl").read_text().splitlines()] if DATA.is_dir() else []

pytestmark = pytest.mark.skipif(not CASES, reason="the published data is absent; set CONTEXTC_SHARED")


@cache
def pool(path: Path) -> CandidatePool:
    return decode(path.read_bytes(), CandidatePool)


def plain(record: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(record))


@pytest.fixture(params=CASES, ids=lambda case: case["name"])
def case(request):
    return request.param


@pytest.fixture
def outcome(case):
    policy = decode((DATA / "compiler-policy-v1.json").read_bytes(), Policy)
    asked = msgspec.convert(case["request"], Request)
    return compile_candidates(asked, pool(DATA / f"{case['fixture']}.candidates.json").candidates, policy)


def test_the_result_is_the_published_one_in_every_field(case, outcome):
    assert outcome.result == msgspec.convert(case["result"], Result)


def test_the_projection_on_the_first_version_is_the_published_one(case, outcome):
    assert plain(project_v1(outcome.result)) == case["result_v1"]


def test_the_bundle_is_the_published_one(case, outcome):
    assert plain(outcome.bundle) == case["bundle"]
    assert outcome.result.bundle_hash == case["bundle_hash"]
