"""Results of today as the first version knew them, against the 42 published compilations."""

import json

import pytest

from contextc.core.records.bundle import Bundle
from contextc.core.records.canonical import bundle_hash
from contextc.core.records.codec import convert, to_builtins
from contextc.core.records.outcome import Result, ResultV1
from contextc.core.records.projection import project_v1
from contextc.core.records.request import Request


@pytest.fixture(scope="module")
def goldens(shared):
    lines = (shared / "conformance" / "compiler-v1" / "expected.jsonl").read_text().splitlines()
    assert len(lines) == 42
    return [json.loads(line) for line in lines]


def test_every_published_record_is_read_and_written_back_unchanged(goldens):
    for golden in goldens:
        for key, record in (("result", Result), ("result_v1", ResultV1), ("request", Request), ("bundle", Bundle)):
            if golden[key] is not None:
                assert to_builtins(convert(golden[key], record)) == golden[key], golden["name"]


def test_the_projection_of_every_published_result_is_the_published_one(goldens):
    for golden in goldens:
        projected = project_v1(convert(golden["result"], Result))
        assert to_builtins(projected) == golden["result_v1"], golden["name"]


def test_the_published_bundle_hashes_are_those_of_the_bundles(goldens):
    bundles = [(golden["bundle_hash"], golden["bundle"]) for golden in goldens if golden["bundle"] is not None]
    assert len(bundles) == 34
    for published, bundle in bundles:
        assert bundle_hash(convert(bundle, Bundle).items) == published


def test_a_projection_forgets_closures_and_who_pulled_a_candidate_in(goldens):
    entries = [entry for golden in goldens for entry in project_v1(convert(golden["result"], Result)).trace.entries]
    before = [entry for golden in goldens for entry in golden["result"]["trace"]["entries"]]
    assert any(entry["dependency_closure"] or entry["pulled_in_by"] for entry in before)
    assert all(entry.dependency_closure == () and entry.budget_before == entry.budget_after for entry in entries)
    assert all("pulled_in_by" not in to_builtins(entry) for entry in entries[:5])
