"""The whole run: from tasks to figures, through the command, and that no answer knows of what came later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from stories import Story, module_text

from contextc.bench.usefulness import measure as module
from contextc.bench.usefulness.cases import Case, write_cases
from contextc.bench.usefulness.command import usefulness_command
from contextc.bench.usefulness.compare import difference, differences
from contextc.bench.usefulness.itinerary import Stop
from contextc.bench.usefulness.repositories import Repositories, read_aliases
from contextc.bench.usefulness.results import Run, read_run
from contextc.bench.usefulness.sealed import leaks, seal
from contextc.errors import InputError, NotFound, UsageError
from contextc.pipeline import Job, Opened, open_repository

FIX = "Fix rounding of each price so that halves are rounded to even"


@pytest.fixture
def fixed(shop: Story) -> Story:
    """A shop in which a price was fixed, and later much else."""
    text = module_text("price", 80)
    shop.commit(FIX, {"shop/prices.py": text.replace("value + 3\n", "round(value) + 3\n")})
    shop.commit("Later: rounding of halves even price moved", {"shop/part1.py": "halves = even = price = rounding\n"})
    return shop


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """Run the command with a cache of its own."""

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(usefulness_command, [*arguments, "--cache", str(tmp_path / "cache")])

    return call


def test_a_replayed_history_is_measured_and_told(fixed: Story, run: Callable[..., Result], tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    done = run("--replay", "5", "-C", str(fixed.path), "--budget", "2000,8000", "-o", str(result))
    assert done.exit_code == 0, done.output
    found = read_run(result)
    (row,) = found.rows
    assert found.budgets == (2000, 8000)
    assert row.scores[8000].edit == 1.0
    assert row.ranks.first == 1
    assert row.fates[8000] == {"seen": 1}
    assert all(cost <= budget for budget, cost in row.cost.items())
    assert "edit@2k" in done.output and "by" not in done.output.split("\n")[0]


def test_two_runs_over_the_same_tasks_differ_in_nothing_but_time(
    fixed: Story, run: Callable[..., Result], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        run("--replay", "5", "-C", str(fixed.path), "--budget", "4000", "-o", str(tmp_path / f"{name}.json"))
    first, second = (read_run(tmp_path / f"{name}.json") for name in ("a", "b"))
    timeless = [msgspec.structs.replace(each.rows[0], seconds={}, opening=0.0) for each in (first, second)]
    assert timeless[0] == timeless[1]
    assert all(each.mean == each.low == each.high == 0.0 for each in differences(first, second))
    done = run("--compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    assert "edit@4000" in done.output and done.exit_code == 0


def test_tasks_can_be_written_and_measured_later(fixed: Story, run: Callable[..., Result], tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    assert run("--replay", "5", "-C", str(fixed.path), "--tasks-out", str(tasks)).output == ""
    done = run("--tasks", str(tasks), "--repos", str(fixed.path.parent), "--budget", "4000", "--sealed")
    assert "| all        |     1 |   100.0 |" in done.output, done.output
    assert "\nerrors\n" not in done.output


def test_a_repository_that_is_not_there_is_named(fixed: Story, run: Callable[..., Result], tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    run("--replay", "5", "-C", str(fixed.path), "--tasks-out", str(tasks))
    done = run("--tasks", str(tasks), "--repos", str(tmp_path / "nowhere"))
    assert isinstance(done.exception, NotFound)
    assert "story" in str(done.exception)


@pytest.mark.parametrize("arguments", [[], ["--tasks", "x", "--replay", "2"], ["--replay", "2", "--budget", "many"]])
def test_what_cannot_be_measured_is_a_usage_error(
    fixed: Story, run: Callable[..., Result], arguments: list[str]
) -> None:
    where = ["-C", str(fixed.path)] if "--replay" in arguments else []
    assert isinstance(run(*arguments, *where).exception, UsageError)


def test_a_commit_that_is_gone_is_an_error_of_its_row_alone(fixed: Story, tmp_path: Path) -> None:
    head = fixed.git("rev-parse", "HEAD~1")
    case = Case(id="x", repo="story", parent="f" * 40, text="t", gold=("a",), gold_hunks={"a": ((1, 1),)})
    row = module.measure(Stop(case, fixed.path, tmp_path / "cache"), (4000,))
    assert "NotFound" in row.error
    assert row.scores[4000].edit == 0.0
    good = msgspec.structs.replace(case, parent=head)
    assert not module.measure(Stop(good, fixed.path, tmp_path / "cache"), (4000,)).error


def stop_of(story: Story, tmp_path: Path) -> Stop:
    parent = story.git("rev-parse", "HEAD~2")
    case = Case(id="x", repo="s", parent=parent, text=FIX, gold=("shop/prices.py",), gold_hunks={})
    return Stop(case, story.path, tmp_path / "cache")


def test_a_sealed_copy_holds_the_parent_and_nothing_later(fixed: Story, tmp_path: Path) -> None:
    stop = stop_of(fixed, tmp_path)
    seal(fixed.path, stop.case.parent, tmp_path / "copy.git")
    copy = Story.__new__(Story)
    copy.path = tmp_path / "copy.git"
    assert copy.git("rev-list", "--all", "HEAD") == stop.case.parent
    held = copy.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert fixed.git("rev-parse", "HEAD:shop/part1.py") not in held
    assert fixed.git("rev-parse", f"{stop.case.parent}:shop/part1.py") in held


def test_answers_do_not_know_of_later_commits(fixed: Story, tmp_path: Path) -> None:
    assert leaks(stop_of(fixed, tmp_path), (2000, 8000)) == ""


def test_an_answer_that_knows_of_later_commits_is_found_out(
    fixed: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextc import pipeline

    def cheating(job: Job, *rest: object) -> Opened:
        """Opens the newest commit of a repository, whichever was asked for."""
        return open_repository(msgspec.structs.replace(job, rev="HEAD"))

    monkeypatch.setattr(pipeline, "open_repository", cheating)
    assert "the answer knows more" in leaks(stop_of(fixed, tmp_path), (8000,))


@pytest.mark.parametrize("name", ["owner__name", "owner+name/repo", "owner+name", "owner/name"])
def test_repositories_are_found_under_their_usual_names(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.mkdir(parents=True)
    (place / "HEAD").write_text("ref: refs/heads/main\n")
    assert Repositories([tmp_path]).find("owner/name") == place
    assert Repositories([tmp_path], read_aliases(["up/stream=owner/name"])).find("up/stream") == place
    with pytest.raises(NotFound):
        Repositories([tmp_path]).find("up/stream")


def test_an_alias_needs_both_names() -> None:
    with pytest.raises(UsageError):
        read_aliases(["owner/name"])


def test_a_clear_difference_has_an_interval_without_zero() -> None:
    clear = difference("edit", [0.5, 0.25, 0.5, 0.0, 0.5, 0.25, 0.5, 0.5])
    assert 0 < clear.low < clear.mean < clear.high
    assert (clear.better, clear.worse, clear.tasks) == (7, 0, 8)
    noise = difference("edit", [0.5, -0.5, 0.5, -0.5])
    assert noise.low < 0 < noise.high


def test_runs_without_common_tasks_cannot_be_compared() -> None:
    with pytest.raises(InputError):
        differences(Run(budgets=(1,), rows=()), Run(budgets=(1,), rows=()))


def test_written_tasks_end_each_in_a_line_feed() -> None:
    assert write_cases([]) == ""
