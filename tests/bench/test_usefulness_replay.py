"""Tasks made of a history: which changes become tasks, what is left of their messages, and their places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stories import Story, module_text

from contextc.bench.usefulness.cases import Case, choose, read_cases, write_cases
from contextc.bench.usefulness.history import changed_places, commit_date, git_of, touched
from contextc.bench.usefulness.replay import cleaned, replay
from contextc.errors import InputError, NotFound

FIX = "Fix rounding of prices so that halves are rounded to even"


def texts(story: Story) -> list[str]:
    return sorted(case.text for case in replay(story.path, "shop", 50))


def edited(name: str, lines: int, old: str, new: str) -> dict[str, str | None]:
    return {f"shop/{name}.py": module_text(name.removesuffix("s"), lines).replace(old, new)}


def test_a_fix_of_a_source_file_is_a_task_with_its_places(shop: Story) -> None:
    before = shop.git("rev-parse", "HEAD")
    after = shop.commit(FIX, edited("prices", 80, "value + 3\n", "round(value) + 3\n"))
    (found,) = replay(shop.path, "shop", 50)
    assert (found.id, found.parent, found.commit) == (f"shop@{after[:12]}", before, after)
    assert (found.text, found.gold, found.lang) == (FIX, ("shop/prices.py",), "python")
    assert found.gold_hunks == {"shop/prices.py": ((14, 14),)}
    assert found.gold_tokens["shop/prices.py"] == (len(module_text("price", 80)) + 3) // 4


@pytest.mark.parametrize(
    ("message", "author"),
    [
        ("chore: fix rounding of prices so that halves are rounded to even", "Ada"),
        ("docs: fix rounding of prices so that halves are rounded to even", "Ada"),
        ("Bump rounding of prices so that halves are rounded to even", "Ada"),
        (FIX, "dependabot[bot]"),
        ("Fix rounding", "Ada"),
        ("Rounding of prices to halves which are even, as of now", "Ada"),
    ],
)
def test_changes_that_no_message_can_stand_for_are_no_tasks(shop: Story, message: str, author: str) -> None:
    shop.commit(message, edited("prices", 80, "value + 3\n", "round(value) + 3\n"), author=author)
    assert texts(shop) == []


def test_a_change_with_its_tests_needs_no_verb(shop: Story) -> None:
    message = "Rounding of prices to halves which are even, as of now"
    changed = edited("prices", 80, "value + 3\n", "round(value) + 3\n")
    shop.commit(message, {**changed, "tests/test_prices.py": "def test_price():\n    assert 1\n"})
    assert texts(shop) == [message]


@pytest.mark.parametrize(
    "files",
    [
        {"README.md": "# Shop of old\n"},
        {"tests/test_prices.py": "def test_price():\n    assert 1\n"},
        {"shop/prices.py": None, "shop/invoice.py": "x = 1\n"},
        {f"shop/part{at}.py": "x = 1\n" for at in range(6)},
        {"shop/prices.py": "x = 1\n", "shop/a.py": "", "shop/b.py": "", "shop/c.py": ""},
        {"shop/prices.py": "x = 1\n" * 700},
    ],
    ids=["documents only", "tests only", "a source is deleted", "six sources", "three are added", "700 lines"],
)
def test_changes_of_another_kind_or_size_are_no_tasks(shop: Story, files: dict[str, str | None]) -> None:
    shop.commit(FIX, files)
    assert texts(shop) == []


def test_at_most_two_tasks_have_the_very_same_files(shop: Story) -> None:
    for number in range(4):
        shop.commit(f"{FIX}, part {number}", edited("prices", 80, "value + 3\n", f"value + 3 - {number + 1}\n"))
    assert len(texts(shop)) == 2


def test_a_small_tree_gives_no_tasks(story: Story) -> None:
    story.commit("First", {"a.py": "x = 1\n"})
    story.commit(FIX, {"a.py": "x = 2\n"})
    assert texts(story) == []


def test_the_number_of_tasks_and_the_last_commit_are_as_asked(shop: Story) -> None:
    for name in ("prices", "invoice", "part1", "part2"):
        last = shop.commit(f"{FIX} in {name} of the shop", {f"shop/{name}.py": "x = 1\n"})
    assert len(list(replay(shop.path, "shop", 3))) == 3
    assert len(list(replay(shop.path, "shop", 9, rev=f"{last}~2"))) == 2
    assert [c.id for c in replay(shop.path, "shop", 3)] == [c.id for c in replay(shop.path, "shop", 9)][:3]
    with pytest.raises(NotFound):
        list(replay(shop.path, "shop", 1, rev="nothing"))


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Fix the parser (#123)", "Fix the parser"),
        ("Fix shop/prices.py and lib\n\nSee https://example.org/x", "Fix and lib"),
        ("Fix it\n\nSigned-off-by: Ada <a@example.org>\nCo-authored-by: Bob <b@example.org>", "Fix it"),
        ("Fix it\n\nFixes #12\nCloses: GH-4", "Fix it"),
        ("Fix invoice.py when empty", "Fix when empty"),
        ("Rounds 1.5 to 2, e.g. in version 3.2", "Rounds 1.5 to 2, e.g. in version 3.2"),
        ("Add session.open to and/or of it", "Add session.open to and/or of it"),
    ],
)
def test_what_gives_the_answer_away_is_cut_from_a_message(message: str, left: str) -> None:
    assert cleaned(message) == left


def test_places_are_those_of_the_parent_and_an_insertion_is_the_line_before(shop: Story) -> None:
    lines = [f"line {at}\n" for at in range(1, 31)]
    shop.commit("Write", {"a b.txt": "".join(lines), "odd.txt": "-- x\n++ y\n"})
    lines[4:7] = []
    lines[9:9] = ["new\n", "new too\n"]
    lines[20] = "--- changed\n"
    commit = shop.commit("Change", {"a b.txt": "top\n" + "".join(lines), "odd.txt": "++ y\n-- z\n"})
    found = changed_places(git_of(shop.path), commit, ["a b.txt", "odd.txt"])
    assert found == {"a b.txt": ((1, 1), (5, 7), (12, 12), (22, 22)), "odd.txt": ((1, 1), (2, 2))}


def test_renames_additions_and_sizes_of_a_change_are_told(shop: Story) -> None:
    text = module_text("price", 80)
    commit = shop.commit("Move", {"shop/prices.py": None, "shop/cost.py": text + "x = 1\n", "shop/new.py": "y = 1\n"})
    found = {each.path: (each.status, each.lines) for each in touched(git_of(shop.path), commit)}
    assert found == {"shop/cost.py": ("R", 1), "shop/new.py": ("A", 1)}


def test_the_date_of_a_commit_that_is_not_there_is_an_error(shop: Story) -> None:
    assert commit_date(shop.path, "HEAD") == 1767323045
    with pytest.raises(NotFound):
        commit_date(shop.path, "0" * 40)


def some(repo: str, number: int, suite: str = "replay", sets: tuple[str, ...] = ()) -> Case:
    return Case(
        id=f"{repo}@{number}", suite=suite, sets=sets, repo=repo, parent="p", text="t", gold=("a",), gold_hunks={}
    )


def test_tasks_are_read_as_they_were_written(tmp_path: Path) -> None:
    cases = [some("o/n", 1), some("o/m", 2, "swebench", ("lite",))]
    (tmp_path / "tasks.jsonl").write_text(write_cases(cases), encoding="utf-8")
    assert read_cases([tmp_path / "tasks.jsonl"]) == cases


@pytest.mark.parametrize("line", ["{", "{}", '{"id": 1}'])
def test_a_line_that_is_no_task_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(write_cases([some("o/n", 1)]) + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"tasks\.jsonl:2"):
        read_cases([path])


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({}, ["a@0", "a@1", "a@2", "b@0", "b@1"]),
        ({"every": 2}, ["a@0", "a@2", "b@0"]),
        ({"repos": ["b"]}, ["b@0", "b@1"]),
        ({"suite": "lite"}, ["b@0", "b@1"]),
        ({"suite": "replay"}, ["a@0", "a@1", "a@2"]),
    ],
)
def test_parts_of_the_tasks_can_be_chosen(asked: dict[str, object], ids: list[str]) -> None:
    cases = [some("a", at) for at in range(3)] + [some("b", at, "swebench", ("lite",)) for at in range(2)]
    choosing: Callable[..., list[Case]] = choose
    assert [case.id for case in choosing(cases, **asked)] == ids
