"""`contextc experiment construction` as a person and as a program use it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contextc.core.records.codec import decode
from contextc.experiment.cli import main, pick_strategies
from contextc.experiment.ledger import Ledger
from contextc.experiment.places import OWN_CORPUS

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = main(["construction", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_the_published_run_is_reproduced_and_says_so(run, shared):
    code, out, _ = run()
    assert code == 0
    assert "252 compilations" in out
    assert "252 of 252 rows equal" in out
    assert out.count("equal byte for byte") == 3
    assert "staged    42/42" in out


def test_one_strategy_is_compared_with_its_own_rows_only(run, shared):
    code, out, _ = run("--strategy", "gated")
    assert code == 0
    assert "42 of 42 rows equal" in out
    assert "byte for byte" not in out


def test_the_own_corpus_has_nothing_to_be_compared_with(run):
    code, out, _ = run("--own")
    assert code == 0
    assert "25 fixtures, 75 cases" in out
    assert "rows equal" not in out


def test_the_own_corpus_is_the_default_without_published_data(run, monkeypatch, tmp_path):
    monkeypatch.setenv("CONTEXTC_SHARED", str(tmp_path))
    assert run()[1] == run("--own")[1]


def test_the_table_and_the_json_state_the_same_figures(run):
    _, table, _ = run("--own", "--strategy", "staged", "--strategy", "dump")
    _, text, _ = run("--own", "--strategy", "staged", "--strategy", "dump", "--format", "json")
    report = json.loads(text)
    assert report["schema_version"] == "contextc.experiment.v1"
    assert list(report["published_per_strategy"]) == ["dump", "staged"]
    assert len(report["rows"]) == len(report["aids"]) == report["counts"]["compilations"] == 150
    for name, figures in report["published_per_strategy"].items():
        line = next(line for line in table.splitlines() if line.startswith(name))
        assert line.split()[1] == f"{figures['status_correct']}/75"


def test_the_same_call_gives_the_same_bytes(run):
    assert run("--own", "--format", "json")[1] == run("--own", "--format", "json")[1]


def test_the_artifacts_are_written_and_state_every_compilation(run, tmp_path):
    code, _, _ = run("--own", "--out", tmp_path / "new" / "folder")
    assert code == 0
    folder = tmp_path / "new" / "folder"
    assert len((folder / "compilation.jsonl").read_bytes().splitlines()) == 450
    assert (folder / "observations.jsonl").read_bytes().endswith(b"\r\n")
    assert len(json.loads((folder / "results.json").read_text())["evaluations"]) == 450


def test_a_folder_that_cannot_be_written_is_an_error_with_a_hint(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = run("--own", "--out", tmp_path / "file")
    assert code == 2
    assert "cannot write" in err
    assert "hint:" in err


def test_a_row_that_differs_from_a_published_one_is_named_and_the_exit_code_is_1(run, shared, tmp_path):
    construction = shared / "conformance" / "construction-v1"
    for name in ("ledger.json", "results.json"):
        shutil.copyfile(construction / name, tmp_path / name)
    results = json.loads((tmp_path / "results.json").read_text())
    column = results["columns"].index("rendered_tokens")
    results["rows"][0][column] += 1
    (tmp_path / "results.json").write_text(json.dumps(results))
    corpus = shared / "conformance" / "compiler-v1"
    code, out, _ = run("--corpus", corpus, "--ledger", tmp_path / "ledger.json", "--strategy", "dump")
    assert code == 1
    assert "41 of 42 rows equal" in out
    assert "budget-slack/tight/dump: rendered_tokens 4 instead of 5" in out


def test_results_with_other_columns_are_an_error(run, shared, tmp_path):
    shutil.copyfile(shared / "conformance" / "construction-v1" / "ledger.json", tmp_path / "ledger.json")
    (tmp_path / "results.json").write_text(json.dumps({"columns": ["fixture"], "rows": []}))
    code, _, err = run("--corpus", shared / "conformance" / "compiler-v1", "--ledger", tmp_path / "ledger.json")
    assert code == 13
    assert "$.columns" in err


def test_an_unknown_strategy_is_an_error_that_lists_the_known_ones(run):
    code, _, err = run("--own", "--strategy", "magic")
    assert code == 2
    assert "'magic'" in err
    assert "dump, topk, weighted, gated, staged, oracle, compiled" in err


def test_a_missing_corpus_is_an_error(run, tmp_path):
    code, out, err = run("--corpus", tmp_path / "nowhere")
    assert (code, out) == (12, "")
    assert "nowhere" in err


def test_two_corpora_at_once_are_an_error(run):
    assert run("--own", "--corpus", OWN_CORPUS)[0] == 2


def test_an_unknown_option_is_a_usage_error(run):
    code, _, err = run("--nonsense")
    assert code == 2
    assert "--nonsense" in err


def test_help_names_every_strategy(run):
    code, out, _ = run("--help")
    assert code == 0
    assert "compiled" in out


def test_strategies_run_in_the_order_of_the_table_each_once():
    assert [entry.key for entry in pick_strategies(["oracle", "dump", "oracle"])] == ["dump", "oracle"]
    assert [entry.key for entry in pick_strategies([])] == ["dump", "topk", "weighted", "gated", "staged", "oracle"]


def test_the_module_runs_by_itself():
    done = subprocess.run(
        [sys.executable, "-m", "contextc.experiment", "construction", "--own", "--strategy", "topk"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "topk" in done.stdout
    assert done.stderr == ""


def test_a_strategy_as_the_documentation_shows_it_runs(tmp_path):
    text = (PROJECT / "docs" / "experiment.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (definition,) = [block for block in blocks if "def cheapest" in block]
    (use,) = [block for block in blocks if "run_experiment" in block]
    script = tmp_path / "script.py"
    script.write_text(definition + use.replace("my-corpus", str(OWN_CORPUS)))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert "cheapest     " in done.stdout


def test_the_least_ledger_of_the_documentation_is_one():
    text = (PROJECT / "docs" / "experiment.md").read_text()
    (ledger,) = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    assert decode(ledger, Ledger).experiment == "mine"
