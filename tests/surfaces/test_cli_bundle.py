"""The compiler of candidates at its JSON boundary, and the audit of what it made, by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextc.surfaces.cli.app import run

CORPUS = Path(__file__).resolve().parents[2] / "src" / "contextc" / "experiment" / "corpus"


@pytest.fixture
def ask(capsysbinary):
    """Run a command line in this process: exit code, standard output, standard error."""

    def asked(*arguments: object) -> tuple[int, bytes, str]:
        code = run([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return code, out, err.decode()

    return asked


@pytest.fixture
def case(tmp_path):
    """A request and its candidates as files, from the corpus that comes with contextc, at a budget of one's own."""

    def made(fixture: str, budget: int | None = None, policy: str = "compiler-policy-v1") -> list[str]:
        request = json.loads((CORPUS / f"{fixture}.request.json").read_text())
        request["policy_version"] = policy
        if budget is not None:
            request["usable_token_budget"] = budget
        path = tmp_path / f"{fixture}.{budget}.{policy}.json"
        path.write_text(json.dumps(request))
        return ["--request", str(path), "--candidates", str(CORPUS / f"{fixture}.candidates.json")]

    return made


@pytest.fixture
def stored(ask, case, tmp_path):
    """A stored compilation of the mixed pool."""

    def made(budget: int = 900, policy: str = "compiler-policy-v1") -> Path:
        path = tmp_path / f"stored.{budget}.{policy}.json"
        ask("bundle", "compile", *case("mixed-pool", budget, policy), "--store", path)
        return path

    return made


def test_the_published_compilations_come_out_by_the_command_line(ask, shared, tmp_path):
    folder = shared / "conformance" / "compiler-v1"
    for line in (folder / "expected.jsonl").read_text().splitlines():
        due = json.loads(line)
        request = tmp_path / "request.json"
        request.write_text(json.dumps(due["request"]))
        named = ["--request", request, "--candidates", folder / f"{due['fixture']}.candidates.json"]
        named += ["--policy", folder / "compiler-policy-v1.json"]
        code, out, _ = ask("bundle", "compile", *named)
        made = json.loads(out)
        assert code == (0 if due["success"] else 11), due["name"]
        assert made["result"] == due["result"], due["name"]
        assert made["bundle"] == due["bundle"], due["name"]
        assert made["rendered_text"] == due["rendered_text"], due["name"]
        _, out, _ = ask("bundle", "compile", *named, "--as", "v1")
        assert json.loads(out)["result"] == due["result_v1"], due["name"]


@pytest.mark.parametrize("policy", ["compiler-policy-v1", "compiler-policy-v2"])
def test_a_stored_compilation_is_valid_and_replays_to_the_same_bytes(ask, stored, policy):
    path = stored(policy=policy)
    assert ask("bundle", "validate", path)[0] == 0
    code, out, _ = ask("bundle", "replay", path)
    assert code == 0
    assert out.startswith(b"same bytes: ")


def test_a_stored_refusal_is_valid_and_replays_to_the_same_bytes(ask, stored):
    path = stored(budget=20)
    assert json.loads(path.read_text())["compilation"]["result"]["success"] is False
    assert ask("bundle", "validate", path)[0] == 0
    assert ask("bundle", "replay", path)[0] == 0


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda made: made["bundle"]["items"][0].update(content="something else"), "L8"),
        (lambda made: made["result"].update(bundle_tokens=1), "L8"),
        (lambda made: made["result"]["trace"]["entries"].pop(), "trace"),
        (lambda made: made["request"].update(usable_token_budget=100), "L2"),
    ],
    ids=["content", "tokens", "trace", "budget"],
)
def test_a_tampered_document_is_not_valid_and_the_rule_is_named(ask, stored, tmp_path, damage, words):
    document = json.loads(stored().read_text())
    damage(document["compilation"])
    path = tmp_path / "tampered.json"
    path.write_text(json.dumps(document))
    code, out, _ = ask("bundle", "validate", path, "--format", "json")
    answer = json.loads(out)
    assert code == 1
    assert not answer["valid"]
    assert any(fault["code"].startswith(words) for fault in answer["faults"])


def test_a_replay_of_other_inputs_says_where_it_differs(ask, stored, tmp_path):
    document = json.loads(stored().read_text())
    document["compilation"]["result"]["trace"]["entries"][0]["reason_detail"] = "made up"
    path = tmp_path / "other.json"
    path.write_text(json.dumps(document))
    code, out, _ = ask("bundle", "replay", path)
    assert code == 1
    assert b"$.result.trace.entries[0].reason_detail" in out


def test_a_result_of_version_1_is_read_validated_and_replayed(ask, case, tmp_path):
    named = case("mixed-pool", 900)
    path = tmp_path / "v1.json"
    ask("bundle", "compile", *named, "--as", "v1", "-o", path)
    beside = named[2:]
    assert ask("bundle", "validate", path, *beside)[0] == 0
    assert ask("bundle", "replay", path, *beside)[0] == 0


def test_inspection_lists_every_candidate_also_those_a_refusal_never_came_to(ask, case, tmp_path):
    path = tmp_path / "refused.json"
    ask("bundle", "compile", *case("two-large-obligations", 100), "--store", path)
    kept = json.loads(path.read_text())
    code, out, _ = ask("bundle", "inspect", path, "--format", "json")
    entries = json.loads(out)["entries"]
    assert code == 0
    assert [e["candidate_id"] for e in entries] == sorted(c["candidate_id"] for c in kept["candidates"])
    assert any(e["decision"] == "UNDECIDED" for e in entries)


def test_inspection_of_one_candidate_and_of_an_unknown_one(ask, stored):
    path = stored()
    entry = json.loads(path.read_text())["compilation"]["result"]["trace"]["entries"][0]
    code, out, _ = ask("bundle", "inspect", path, entry["candidate_id"], "--format", "json")
    assert (code, json.loads(out)["entries"]) == (0, [entry])
    assert ask("bundle", "inspect", path, "nobody")[0] == 12


def test_explanations_speak_of_a_candidate_of_all_items_and_of_a_refusal(ask, stored):
    path = stored()
    first = json.loads(path.read_text())["compilation"]["bundle"]["items"][0]["id"]
    code, out, _ = ask("bundle", "explain", path, first)
    assert code == 0
    assert b"It is item 1 of" in out
    assert first.encode() in ask("bundle", "explain", path)[1]
    assert b"refused" in ask("bundle", "explain", stored(budget=20))[1]
    assert ask("bundle", "explain", path, "nobody")[0] == 12


def test_a_difference_names_what_came_in_and_the_decision_that_kept_it_out(ask, stored):
    code, out, _ = ask("bundle", "diff", stored(500), stored(2000), "--format", "json")
    changes = json.loads(out)["changes"]
    assert code == 0
    assert {change["kind"] for change in changes} >= {"came in"}
    assert all(change["code"] and change["words"] for change in changes)


def test_two_policies_over_one_pool_are_compared_by_compiling_again(ask, stored, tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"policy_version": "compiler-policy-v2", "mandatory_form": "worth", "repair": "none"}))
    code, out, _ = ask("bundle", "diff", stored(), "--policy", policy)
    assert code == 0
    assert out.startswith(b"compiler-policy-v1: ")
    assert ask("bundle", "diff", stored())[0] == 2


def test_a_document_with_faults_lists_them_all_and_ends_with_13(ask, case, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"candidates": [{"candidate_id": "x", "relevance": 2, "token_count": 1.5}]}')
    code, out, err = ask("bundle", "compile", *case("mixed-pool")[:2], "--candidates", bad)
    assert (code, out) == (13, b"")
    assert "$.candidates[0].relevance" in err
    assert "$.candidates[0].token_count" in err
    assert "bad.json" in err
