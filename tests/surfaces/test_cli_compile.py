"""The main job on the command line: what goes to standard output, what to standard error, what to files."""

from __future__ import annotations

import json

import pytest

from token_oracle import oracle

PARTS = {"bundle", "result", "selection", "request", "policy", "pricing", "witness", "notes", "left_out", "text"}


def recount(text: str) -> int:
    """Tokens of a text by another tokenizer than the one contextc uses."""
    return oracle(text)


def test_a_task_in_words_gives_a_bundle_and_an_account(contextc, sample, intent):
    ran = contextc("compile", "--intent", intent, "--budget", "2000", cwd=sample.path)
    assert ran.code == 0, ran
    assert "shop/session.py" in ran.text
    assert 0 < recount(ran.text) <= 2000
    assert "2,000" in ran.err or "2000" in ran.err
    assert str(recount(ran.text)) in ran.err.replace(",", "")


def test_rules_of_the_repository_are_in_the_bundle(contextc, sample, intent):
    ran = contextc("compile", "--intent", intent, "--budget", "2000", cwd=sample.path)
    assert "Never edit generated files." in ran.text


def test_quiet_says_nothing(contextc, sample, intent):
    ran = contextc("compile", "--intent", intent, "--quiet", cwd=sample.path)
    assert ran.code == 0
    assert ran.err == ""


@pytest.mark.parametrize("form", ["markdown", "xml", "plain"])
def test_every_rendering_stays_within_the_budget(contextc, sample, intent, form):
    ran = contextc("compile", "--intent", intent, "--budget", "900", "--format", form, cwd=sample.path)
    assert ran.code == 0, ran
    assert recount(ran.text) <= 900


@pytest.mark.parametrize(
    ("counter", "count"),
    [
        ("bytes4", lambda text: max(1, -(-len(text.encode()) // 4))),
        ("words13", lambda text: max(1, round(len(text.split()) * 13 / 10))),
    ],
)
def test_every_counter_is_kept_to(contextc, sample, intent, counter, count):
    ran = contextc("compile", "--intent", intent, "--budget", "900", "--counter", counter, cwd=sample.path)
    assert ran.code == 0, ran
    assert count(ran.text) <= 900


def test_json_is_one_object_with_the_same_bundle(contextc, sample, intent):
    plain = contextc("compile", "--intent", intent, "--budget", "2000", cwd=sample.path)
    ran = contextc("compile", "--intent", intent, "--budget", "2000", "--format", "json", cwd=sample.path)
    assert ran.code == 0, ran
    assert set(ran.json) >= PARTS
    assert ran.json["text"] == plain.text
    assert ran.json["result"]["bundle_tokens"] == recount(plain.text)


def test_the_selection_is_byte_exact_for_the_lines_it_names(contextc, sample, intent):
    answer = contextc("compile", "--intent", intent, "--format", "json", cwd=sample.path).json
    assert [item["id"] for item in answer["selection"]] == answer["bundle"]["layout_trace"]
    assert any(item["form"] == "full" for item in answer["selection"])
    for item in answer["selection"]:
        assert set(item) == {"path", "text", "ranges", "form", "tokens", "id"}
        lines = (sample.path / item["path"]).read_bytes().decode().splitlines(keepends=True)
        named = "".join("".join(lines[first - 1 : last]) for first, last in item["ranges"])
        assert item["text"] == named, item["id"]


def test_json_trace_and_output_go_to_files(contextc, sample, intent, tmp_path):
    files = {name: tmp_path / name for name in ("bundle.md", "answer.json", "trace.json")}
    ran = contextc(
        "compile", "--intent", intent, "-o", files["bundle.md"],
        "--json", files["answer.json"], "--trace", files["trace.json"], cwd=sample.path,
    )  # fmt: skip
    assert ran.code == 0, ran
    assert ran.out == b""
    answer = json.loads(files["answer.json"].read_bytes())
    assert files["bundle.md"].read_text() == answer["text"]
    assert json.loads(files["trace.json"].read_bytes()) == answer["result"]["trace"]
    assert str(files["trace.json"]) in ran.err


def test_the_task_comes_from_a_file_or_from_standard_input(contextc, sample, intent, tmp_path):
    given = contextc("compile", "--intent", intent, "--quiet", cwd=sample.path)
    (tmp_path / "task.txt").write_text(intent)
    from_file = contextc("compile", "--intent-file", tmp_path / "task.txt", "--quiet", cwd=sample.path)
    from_stdin = contextc("compile", "--intent-file", "-", "--quiet", cwd=sample.path, stdin=intent.encode())
    assert given.out == from_file.out == from_stdin.out


def test_a_named_path_is_in_the_bundle(contextc, sample):
    ran = contextc("compile", "--path", "store/main.go", "--budget", "1500", cwd=sample.path)
    assert ran.code == 0, ran
    assert 'fmt.Println("store")' in ran.text


def test_a_path_is_meant_from_the_working_directory(contextc, sample):
    ran = contextc("compile", "--path", "main.go", "--budget", "1500", cwd=sample.path / "store")
    assert ran.code == 0, ran
    assert 'fmt.Println("store")' in ran.text


def test_a_commit_is_compiled_instead_of_the_working_tree(contextc, sample_at, tmp_path, intent):
    made = sample_at(tmp_path / "shop")
    before = contextc("compile", "--intent", intent, "--rev", "HEAD", "--quiet", cwd=made.path)
    made.write("shop/session.py", "changed = 1\n")
    assert contextc("compile", "--intent", intent, "--rev", "HEAD", "--quiet", cwd=made.path).out == before.out
    now = contextc("compile", "--intent", intent, "--quiet", cwd=made.path)
    assert "refresh_cookie(self)" not in now.text


def test_untracked_files_are_read_only_when_asked(contextc, sample_at, tmp_path):
    made = sample_at(tmp_path / "shop").write("shop/voucher.py", "def redeem_voucher() -> None:\n    pass\n")
    arguments = ("compile", "--intent", "redeem voucher", "--budget", "3000")
    assert "shop/voucher.py" not in contextc(*arguments, cwd=made.path).text
    assert "shop/voucher.py" in contextc(*arguments, "--untracked", cwd=made.path).text


@pytest.mark.parametrize("named", ["shop/session.py", "web/basket.js", "AGENTS.md"])
def test_explain_says_why_a_path_is_in_or_out(contextc, sample, intent, named):
    ran = contextc("compile", "--intent", intent, "--explain", named, cwd=sample.path)
    assert ran.code == 0, ran
    assert named in ran.text
    assert len(ran.text.splitlines()) < 60


def test_explain_takes_a_candidate_id(contextc, sample, intent):
    answer = contextc("compile", "--intent", intent, "--format", "json", cwd=sample.path).json
    first = answer["bundle"]["items"][0]["id"]
    ran = contextc("compile", "--intent", intent, "--explain", first, cwd=sample.path)
    assert ran.code == 0, ran
    assert first in ran.text


def test_explain_of_something_unknown_is_not_found(contextc, sample, intent):
    ran = contextc("compile", "--intent", intent, "--explain", "no/such/file.py", cwd=sample.path)
    assert ran.code == 12
    assert "no/such/file.py" in ran.err
    assert ran.out == b""


def test_a_policy_of_ones_own_is_used(contextc, sample, intent, tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"policy_version": "compiler-policy-v2", "order_roles": ["task", "evidence"]}))
    answer = contextc("compile", "--intent", intent, "--policy", policy, "--format", "json", cwd=sample.path).json
    assert answer["policy"]["order_roles"] == ["task", "evidence"]


def test_a_broken_policy_names_the_file_and_every_problem(contextc, sample, intent, tmp_path):
    policy = tmp_path / "policy.json"
    policy.write_text('{"policy_version": "compiler-policy-v9", "min_discretionary_relevance": 2}')
    ran = contextc("compile", "--intent", intent, "--policy", policy, cwd=sample.path)
    assert ran.code == 13
    assert str(policy) in ran.err
    assert "$.policy_version" in ran.err and "$.min_discretionary_relevance" in ran.err


def test_copy_without_a_clipboard_does_not_fail_the_run(contextc, sample, intent, tmp_path):
    ran = contextc("compile", "--intent", intent, "--copy", cwd=sample.path, env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert ran.code == 0, ran
    assert ran.out
    assert "clipboard" in ran.err


def test_a_refusal_writes_no_bundle_and_names_the_least_budget(contextc, sample, tmp_path):
    output = tmp_path / "bundle.md"
    output.write_text("old")
    arguments = ("compile", "--path", "shop/prices.py", "--budget", "60")
    ran = contextc(*arguments, "-o", output, cwd=sample.path)
    assert ran.code == 11, ran
    assert ran.out == b""
    assert output.read_text() == "old"
    assert "shop/prices.py" in ran.err
    answer = contextc(*arguments, "--format", "json", "-o", output, cwd=sample.path)
    assert answer.code == 11
    assert output.read_text() == "old"
    least = answer.json["witness"]["least_budget"]
    assert f"{least:,}" in ran.err
    assert answer.json["bundle"] is None and answer.json["text"] == ""
    assert contextc("compile", "--path", "shop/prices.py", "--budget", str(least), cwd=sample.path).code == 0
    assert contextc("compile", "--path", "shop/prices.py", "--budget", str(least - 1), cwd=sample.path).code == 11


def test_a_reader_that_leaves_is_no_error(contextc, sample, intent, home):
    import os
    import subprocess
    import sys

    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "contextc", "compile", "--intent", intent, "--quiet"],
            cwd=sample.path, stdout=writing, stderr=subprocess.PIPE, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")},
        )  # fmt: skip
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
