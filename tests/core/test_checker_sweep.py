"""Random instances against the oracle: a part of what `python -m tests.sweep` runs."""

from __future__ import annotations

import hashlib

import pytest
from tests.generator import REGIMES, instance, large_instance, shared_instance, table
from tests.oracle import legal_sets, verdict
from tests.sweep import POLICIES, lines, main, run

from contextc.core.records.candidate import Candidate
from contextc.core.records.request import Request

#: Instances in the default run, each under both policies and at up to three budgets.
INSTANCES = 1_500


def test_random_instances_are_compiled_legally_completely_and_with_proof() -> None:
    tallies = run(INSTANCES, list(REGIMES), list(POLICIES.values()), first=60_000)
    assert {regime: dict(tally.faults) for regime, tally in tallies.items() if tally.faults} == {}, list(lines(tallies))
    for regime, tally in tallies.items():
        assert min(tally.seen[kind] for kind in ("bundle", "refusal", "never")) > 10, regime


@pytest.mark.slow
def test_fifty_thousand_random_instances() -> None:
    assert main(["--instances", "50000"]) == 0


def test_the_command_prints_a_line_for_each_regime(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--instances", "4", "--regime", "groups", "--policy", "v2"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2
    assert printed[1].split()[:2] == ["groups", "4"]


# --- the generator and the oracle, on which all of this rests


def digest_of(request: Request, candidates: list[Candidate]) -> bytes:
    lines = [request.request_id, request.task_id, str(request.usable_token_budget), *request.required_ids]
    for c in candidates:
        figures = (c.token_count, c.form_rank, c.min_rank, round(c.relevance * 100))
        lines += [c.candidate_id, c.content_identity, c.requirement, *c.depends_on, str(c.group_id), str(figures)]
    return "\n".join(lines).encode()


def test_an_instance_is_the_same_on_every_python() -> None:
    sha = hashlib.sha256()
    for regime in REGIMES:
        for seed in range(20):
            sha.update(digest_of(*instance(regime, seed)))
    sha.update(digest_of(*large_instance(1, 80)))
    sha.update(digest_of(*shared_instance(1, 20)))
    assert sha.hexdigest() == "ad6b12eb802cfe8ca0eefec356094aa766caee46896d1cdfe07fcaa77e4b1f52"


def seen(regime: str) -> list[tuple[Request, list[Candidate]]]:
    return [instance(regime, seed) for seed in range(300)]


def test_instances_have_three_to_nine_candidates_of_one_to_forty_tokens() -> None:
    for regime in REGIMES:
        for _, candidates in seen(regime)[:50]:
            assert 3 <= len(candidates) <= 9
            assert all(1 <= c.token_count <= 40 for c in candidates)


def test_a_required_group_is_of_one_declared_band() -> None:
    for regime in REGIMES:
        for _, candidates in seen(regime):
            bands: dict[str | None, set[str]] = {}
            for c in candidates:
                if c.group_required:
                    bands.setdefault(c.group_id, set()).add(c.requirement)
            assert all(len(found) == 1 for found in bands.values())


def test_groups_meet_everything_that_makes_them_hard() -> None:
    found = set()
    for _, candidates in seen("groups"):
        by_id = {c.candidate_id: c for c in candidates}
        grouped = [c for c in candidates if c.group_required]
        found |= {c.requirement for c in grouped}
        if any(c.form_rank < c.min_rank or not c.scope_eligible for c in grouped):
            found.add("illegal member")
        if any(by_id[d].group_required for c in candidates if not c.group_required for d in c.depends_on):
            found.add("reached by a dependency")
        groups: dict[str, set[str | None]] = {}
        for c in grouped:
            groups.setdefault(c.content_identity, set()).add(c.group_id)
        if any(len(names) > 1 for names in groups.values()):
            found.add("two groups share a content")
    hard = {"illegal member", "reached by a dependency", "two groups share a content"}
    assert found == {"MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY"} | hard


def test_named_ids_meet_everything_that_makes_them_hard() -> None:
    found = set()
    for request, candidates in seen("named"):
        for name in request.required_ids:
            named = next((c for c in candidates if c.candidate_id == name), None)
            if named is None:
                found.add("unknown")
                continue
            forms = [c for c in candidates if c.content_identity == named.content_identity]
            if min(c.token_count for c in forms) < named.token_count:
                found.add("not the cheapest form")
            weak = named.requirement in ("PREFERRED", "DISCRETIONARY")
            if weak and named.group_required and sum(c.group_id == named.group_id for c in candidates) > 1:
                found.add("one member of a group")
    assert found == {"unknown", "not the cheapest form", "one member of a group"}


def test_a_measured_pricing_comes_in_every_unit() -> None:
    _, candidates = instance("forms", 1)
    assert {table(seed, candidates).unit for seed in range(20)} == {"tokens", "bytes4", "words13"}


def test_the_cheapest_set_of_a_verdict_is_one_of_the_legal_sets() -> None:
    for regime in REGIMES:
        for seed in range(20):
            request, candidates = instance(regime, seed)
            truth = verdict(request, candidates)
            found = legal_sets(request, candidates)
            assert truth.satisfiable == bool(found)
            assert not found or truth.cheapest in found


def test_the_oracle_agrees_with_the_published_traps(shared: object) -> None:
    import json
    from pathlib import Path

    from contextc.core.records.candidate import CandidatePool
    from contextc.core.records.codec import decode

    folder = Path(str(shared)) / "conformance" / "adversarial-v1"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    for name, what in expected.items():
        request = decode((folder / f"{name}.request.json").read_bytes(), Request)
        candidates = decode((folder / f"{name}.candidates.json").read_bytes(), CandidatePool).candidates
        assert verdict(request, candidates).least_budget == what["least_budget"], name
        assert len(legal_sets(request, candidates)) == what["legal_sets"], name
