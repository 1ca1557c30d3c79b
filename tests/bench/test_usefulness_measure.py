"""The measure: what counts as visible, how items are packed, and that it is the published one."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.bench.usefulness.cases import Case
from contextc.bench.usefulness.places import Item, ranks, score

LINES = [f"line {at} of the file" for at in range(1, 41)]
TEXT = "\n".join(LINES) + "\n"
FILES = {"a.py": TEXT.encode(), "b.py": b"one\ntwo\nthree\n", "nul.bin": b"a\0b\n"}


def case(**places: list[tuple[int, int]]) -> Case:
    gold = {f"{name}.py": tuple(found) for name, found in places.items()}
    return Case(id="t", repo="o/n", parent="p", text="task", gold=tuple(gold), gold_hunks=gold)


def part(first: int, last: int, path: str = "a.py") -> Item:
    return Item(path, "\n".join(LINES[first - 1 : last]) + "\n", [(first, last)])


def test_a_place_is_visible_when_all_of_its_lines_are_shown() -> None:
    wanted = case(a=[(5, 6), (20, 22)])
    found = score(wanted, [part(1, 6), part(20, 21)], 1000, FILES.get)
    assert (found.edit, found.edit_any, found.edit_all, found.recall) == (0.5, 1.0, 0.0, 1.0)


def test_lines_that_are_claimed_and_not_in_the_text_do_not_count() -> None:
    liar = Item("a.py", "line 5 of the file\n", [(1, 40)])
    assert score(case(a=[(6, 6)]), [liar], 1000, FILES.get).edit == 0.0
    assert score(case(a=[(5, 5)]), [liar], 1000, FILES.get).edit == 1.0


def test_lines_shown_without_a_range_do_not_count() -> None:
    assert score(case(a=[(5, 5)]), [Item("a.py", TEXT, [])], 1000, FILES.get).edit == 0.0


def test_numbered_lines_are_read_behind_their_numbers() -> None:
    numbered = Item("a.py", "   5|line 5 of the file\n6: line 6 of the file\n", [(5, 6)])
    assert score(case(a=[(5, 6)]), [numbered], 1000, FILES.get).edit == 1.0


def test_a_whole_file_shows_all_and_costs_its_size() -> None:
    found = score(case(a=[(1, 40)]), [Item("a.py", None, [], len(TEXT))], 1000, FILES.get)
    assert (found.edit, found.used) == (1.0, (len(TEXT) + len("a.py") + 2 + 3) // 4)


def test_what_does_not_fit_is_skipped_and_what_follows_may_fit() -> None:
    found = score(case(b=[(2, 2)]), [part(1, 40), Item("b.py", "one\ntwo\nthree\n", [(1, 3)])], 100, FILES.get)
    assert (found.edit, found.recall, found.files) == (1.0, 1.0, 1)


def test_nothing_is_tried_when_less_than_forty_tokens_are_left() -> None:
    items = [part(1, 30), part(1, 40), Item("b.py", "one\n", [(1, 1)])]
    budget = score(case(a=[(1, 1)]), items[:1], 1000, FILES.get).used + 39
    assert score(case(b=[(1, 1)]), items, budget, FILES.get).recall == 0.0
    assert score(case(b=[(1, 1)]), items, budget + 1, FILES.get).recall == 1.0


def test_files_that_are_no_text_show_nothing() -> None:
    wanted = Case(id="t", repo="o/n", parent="p", text="x", gold=("nul.bin",), gold_hunks={"nul.bin": ((1, 1),)})
    assert score(wanted, [Item("nul.bin", "a\0b\n", [(1, 1)])], 1000, FILES.get).edit == 0.0


def test_ranks_count_each_path_once_in_the_order_of_selection() -> None:
    found = ranks(
        case(a=[(1, 1)], b=[(1, 1)]), [part(1, 2, "x.py"), part(1, 2), part(3, 4, "x.py"), part(1, 1, "b.py")]
    )
    assert (found.first, found.last) == (2, 3)
    assert found.reciprocal == 0.5
    assert (found.within(2), found.within(3)) == (0.0, 1.0)
    absent = ranks(case(a=[(1, 1)]), [])
    assert (absent.first, absent.reciprocal, absent.within(10)) == (0, 0.0, 0.0)


@pytest.fixture(scope="module")
def published(shared: Path) -> ModuleType:
    """The published harness, as the judge of ours."""
    folder = shared / "usefulness"
    if not (folder / "bench.py").is_file():
        pytest.skip("the published harness is not at hand")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("bench")
    finally:
        sys.path.remove(str(folder))


class Context:
    """What the published harness asks of a task's tree."""

    def __init__(self) -> None:
        self.size = {path: len(data) for path, data in FILES.items()}

    def text_of(self, path: str) -> str | None:
        data = FILES[path]
        return None if b"\0" in data[:8000] else data.decode()


ITEMS = st.lists(
    st.one_of(
        st.builds(lambda path: Item(path, None, [], len(FILES[path])), st.sampled_from(sorted(FILES))),
        st.builds(
            lambda path, first, count, more: Item(
                path, "\n".join(LINES[first : first + count]) + more, [(first + 1, first + count), (3, 7)]
            ),
            st.sampled_from(sorted(FILES)),
            st.integers(0, 39),
            st.integers(0, 12),
            st.sampled_from(["", "\n", "\n  3| line 3 of the file", "\n12: line 12 of the file\n", "\ntwo"]),
        ),
    ),
    max_size=8,
)
PLACES = st.dictionaries(
    st.sampled_from(["a", "b"]),
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(0, 3)).map(lambda p: (p[0], p[0] + p[1])), min_size=1, max_size=4
    ),
    min_size=1,
)


@given(items=ITEMS, places=PLACES, budget=st.integers(10, 900))
@settings(max_examples=300)
def test_the_measure_is_the_published_one(
    published: ModuleType, items: list[Item], places: dict[str, Any], budget: int
) -> None:
    wanted = case(**places)
    theirs = [{"path": item.path, "text": item.text, "ranges": [list(each) for each in item.ranges]} for item in items]
    task = {"gold": list(wanted.gold), "gold_hunks": {path: list(found) for path, found in wanted.gold_hunks.items()}}
    expected = published.score(task, *published.pack(Context(), theirs, budget))
    found = score(wanted, items, budget, FILES.get)
    assert (found.edit, found.edit_all, found.edit_any) == (
        expected["edit"],
        expected["edit_all"],
        expected["edit_any"],
    )
    assert (found.recall, found.all, found.any) == (expected["recall"], expected["all"], expected["any"])
    assert (found.precision, found.used, found.files) == (expected["prec"], expected["used"], expected["n_files"])
    order = published.rank_scores(task, theirs)
    own = ranks(wanted, items)
    assert own.reciprocal == (order["mrr"] if order["first_rank"] else 0.0)
    assert (own.first or None, own.last or None) == (order["first_rank"], order["last_rank"])
