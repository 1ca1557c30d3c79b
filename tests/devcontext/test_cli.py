"""`contextc devcontext` as a process: layout, JSON, exit codes (SPEC 5.4)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.devcontext.builder import GIT_ENVIRONMENT, repository, small_layer

from contextc.capabilities.base import Session
from contextc.capabilities.devcontext_compile import DevContextCompileInput, run
from contextc.core.records.canonical import canonical_json


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("cli"), small_layer())


def contextc(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "contextc", "devcontext", *arguments],
        cwd=root / "lib",
        env=GIT_ENVIRONMENT | {"HOME": str(root.parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_text_has_the_published_layout(root: Path) -> None:
    done = contextc(root, "compile", "--issue", "I0001", "--path", "lib")
    assert (done.returncode, done.stderr) == (0, "")
    answer = run(DevContextCompileInput(root=str(root), issue="I0001", paths=("lib",)), Session())
    lines = done.stdout.split("\n")
    assert (
        lines[0] == f"devcontext   index {answer.fingerprint[:12]}  head {(answer.git.head or '')[:12]} (master, clean)"
    )
    assert lines[1:3] == ["seed         issue      majordomus://issue/I0001", "seed         path       lib"]
    budget = answer.budget
    used = f"{budget.used_tokens} of 24000 token(s) used, {budget.required_tokens} required"
    assert lines[3] == f"budget       {used}, 4 bytes per token"
    task = budget.tiers[0]
    assert lines[4] == f"  task          {task.selected} selected   0 dropped {task.tokens:>7} tokens"
    start = lines.index(f"SELECTED ({len(answer.selected)})")
    assert lines[start - 1 : start + 4] == [
        "",
        f"SELECTED ({len(answer.selected)})",
        "TIER        REL   CONF  TOKENS  URI",
        f"task        1.000 1.000 {answer.selected[0].cost_tokens:>6}  majordomus://issue/I0001  (required)",
        "            <- seed named in the request",
    ]
    for heading in ("EXCLUDED (", "DEDUPLICATED (", "COMMITS THE LAYER NAMES (1)"):
        assert any(line.startswith(heading) for line in lines)
    assert not any(line.startswith(("CONFLICTS", "DIAGNOSTICS")) for line in lines)


def test_json_is_the_same_value_as_the_call(root: Path) -> None:
    done = contextc(
        root, "compile", "--milestone", "the-first", "--uri", "majordomus://rule/beta@1", "--format", "json"
    )
    question = DevContextCompileInput(root=str(root), milestone="the-first", uris=("majordomus://rule/beta@1",))
    assert json.loads(done.stdout) == json.loads(canonical_json(run(question, Session())))


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (["compile"], 0, ""),
        (["compile", "--budget-tokens", "1"], 10, ""),
        (["compile", "--issue", "I0001", "--budget-tokens", "1", "--format", "json"], 10, ""),
        (["compile", "--issue", "I9"], 12, "I9"),
        (["compile", "--uri", "nothing"], 12, "nothing"),
        (["compile", "-C", ".."], 0, ""),
        (["compile", "-C", "/"], 12, ".ai/manifest.yaml"),
        (["compile", "--path", "../x"], 13, "../x"),
        (["compile", "--budget-tokens", "0"], 13, "zero"),
        (["compile", "--floor", "2"], 13, "floor"),
        (["compile", "--floor", "high"], 2, "--floor"),
        (["compile", "--nonsense"], 2, "--nonsense"),
        (["explain", "majordomus://issue/I0001"], 0, ""),
        (["explain", " "], 13, "identifier"),
        (["policy"], 0, ""),
    ],
)
def test_exit_codes(root: Path, arguments: list[str], code: int, words: str) -> None:
    done = contextc(root, *arguments)
    assert done.returncode == code, done
    assert words in done.stderr
    assert (done.stdout != "") == (code in (0, 10))


def test_over_budget_is_said_in_words(root: Path) -> None:
    assert "  OVER BUDGET: " in contextc(root, "compile", "--budget-tokens", "1").stdout
