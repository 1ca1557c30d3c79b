"""A real layer: what is indexed, what dangles, and answers that were checked line by line.

Each file in `golden/` says in its head how its lines follow from the rules; the lines below are compared as they stand.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from tests.devcontext.answers import check
from tests.devcontext.sample import lines_of, sample_repository

from contextc.core.devcontext import build_graph, compile_devcontext
from contextc.core.records.codec import convert
from contextc.core.records.devcontext import DevContextInput
from contextc.core.records.layer import LocalState
from contextc.frontend.layer.workspace import View, Workspace

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.fixture(scope="module")
def sample(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> View:
    return Workspace(sample_repository(shared, tmp_path_factory.mktemp("sample") / "repo", local=False)).view()


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_an_answer_is_the_one_that_was_checked(sample: View, golden: Path) -> None:
    lines = [line for line in golden.read_text("utf-8").splitlines() if not line.startswith("#")]
    request = convert(json.loads(lines[0].removeprefix("request ")), DevContextInput)
    answer = compile_devcontext(request, sample.layer, build_graph(sample.layer), sample.git, LocalState())
    check(answer, request)
    assert lines_of(answer) == lines[1:]


def test_every_file_of_the_layer_is_an_object_or_declared_to_be_none(sample: View) -> None:
    kinds = Counter(one.kind for one in sample.layer.objects)
    assert kinds == {
        "rule": 18,
        "claim": 15,
        "context": 12,
        "issue": 11,
        "taxonomy": 10,
        "adr": 4,
        "milestone": 3,
        "session": 3,
        "use-case": 3,
        "implementation": 2,
        "profile": 2,
        "application": 1,
        "domain": 1,
        "feature": 1,
        "knowledge": 1,
        "policy": 1,
        "prompt": 1,
        "scope": 1,
        "skill": 1,
        "test": 1,
    }
    held = {one.path for one in sample.layer.objects}
    assert set(sample.layer.sizes) - held == {".ai/manifest.yaml", ".ai/repo/knowledge/sources.yaml"}
    assert {one.code for one in sample.layer.diagnostics} == {"claimed_twice"}
    assert all(one.path.endswith("/README.md") for one in sample.layer.diagnostics)


def test_what_dangles_in_the_sample(sample: View) -> None:
    findings = build_graph(sample.layer).findings
    found = Counter((Path(one.declared_in).stem.partition(".")[0], one.key) for one in findings)
    assert found == {
        ("0011-every-directory-in-the-layer-carries-a-contract", "related"): 1,
        ("I0202", "depends_on"): 1,
        ("I0303", "depends_on"): 1,
        ("SKILL", "related"): 2,
        ("derived-once", "depends_on"): 1,
        ("hand-work-between-sessions", "applications"): 1,
        ("long-running-work", "use_cases"): 15,
        ("plan-the-work-as-data", "applications"): 1,
        ("read-only-the-context-that-fits", "applications"): 1,
        ("read-only-the-context-that-fits", "claims"): 3,
        ("runtime-adapters", "depends_on"): 1,
    }
    named = {one.reference for one in findings}
    assert {"I0201", "I0302", "foundation"} <= named


def test_every_object_of_the_sample_can_be_asked_for(sample: View) -> None:
    graph = build_graph(sample.layer)
    for one in sample.layer.objects:
        request = DevContextInput(uris=(one.uri,), paths=(one.path,), budget_tokens=6_000)
        check(compile_devcontext(request, sample.layer, graph, sample.git, sample.local), request)


def test_the_handover_and_the_checkpoint_of_the_sample(shared: Path, tmp_path: Path) -> None:
    view = Workspace(sample_repository(shared, tmp_path / "repo", local=True)).view()
    handover, checkpoint = view.local.records
    assert (handover.kind, handover.divergence, handover.freshness) == ("local-handover", "exact", "unknown")
    assert handover.facts["next_action"] == "Run bash test/run.sh 42_dag_waves and attach the result to I0004."
    assert (checkpoint.kind, checkpoint.facts["working_tree"]) == ("local-checkpoint", "dirty")
    request = DevContextInput(issue="I0004")
    answer = compile_devcontext(request, view.layer, build_graph(view.layer), view.git, view.local)
    check(answer, request)
    assert [one.relevance for one in answer.selected if one.uri.startswith("local:")] == [0.95, 0.8]
