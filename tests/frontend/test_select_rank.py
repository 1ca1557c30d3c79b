"""The order of files for a task, and why each stands where it does."""

from __future__ import annotations

import pytest
from trees import view_of

from contextc.frontend.select.query import read_task
from contextc.frontend.select.rank import rank
from contextc.frontend.select.tested import subject, votes


def order(tmp_path, files, task):
    return rank(view_of(tmp_path, files)[0], read_task(task)).hits


def paths(hits):
    return [hit.file.path for hit in hits]


def test_a_rare_word_counts_more_than_a_common_one(tmp_path):
    files = {f"f{n}.py": "common = 1\n" * 3 for n in range(9)}
    files["rare.py"] = "unusual = 1\n"
    assert paths(order(tmp_path, files, "common unusual"))[0] == "rare.py"


def test_a_short_file_stands_before_a_long_one_with_as_many_words(tmp_path):
    files = {"a_long.py": "cookie = 1\n" + "other = 2\n" * 500, "b_short.py": "cookie = 1\n"}
    assert paths(order(tmp_path, files, "cookie")) == ["b_short.py", "a_long.py"]


def test_equal_files_stand_by_their_paths(tmp_path):
    files = dict.fromkeys(("c.py", "a.py", "b.py"), "cookie = 1\n")
    assert paths(order(tmp_path, files, "cookie")) == ["a.py", "b.py", "c.py"]


def test_words_of_the_path_count(tmp_path):
    files = {"session.py": "x = 1\n", "other.py": "# session\n" + "y = 2\n" * 20}
    hits = order(tmp_path, files, "session")
    assert paths(hits)[0] == "session.py"
    assert hits[0].in_path == ("session",)


def test_a_definition_that_the_task_names_counts_more_than_its_uses(tmp_path):
    files = {"uses.py": "save_session()\n" * 30, "defines.py": "def save_session():\n    pass\n" + "z = 1\n" * 100}
    hits = order(tmp_path, files, "save_session is wrong")
    assert paths(hits)[0] == "defines.py"
    assert hits[0].defines == ("save_session",)


def test_a_qualified_name_tells_equal_names_apart(tmp_path):
    files = {
        "a.py": "class Basket:\n    def save(self):\n        pass\n",
        "b.py": "class Session:\n    def save(self):\n        pass\n",
    }
    assert paths(order(tmp_path, files, "Session.save loses data"))[0] == "b.py"


def test_a_variant_of_a_word_is_found(tmp_path):
    files = {"a.py": "def redirect():\n    pass\n", "b.py": "x = 1\n"}
    assert paths(order(tmp_path, files, "redirects are lost")) == ["a.py"]


def test_the_word_and_its_plural_in_one_task_are_one_concept(tmp_path):
    ranking = rank(view_of(tmp_path, {"a.py": "redirect = redirects = 1\n"})[0], read_task("redirect redirects"))
    assert [concept.word for concept in ranking.concepts] == ["redirect"]


def test_a_written_path_stands_before_better_words(tmp_path):
    files = {"a/words.py": "# cookie session\n" * 9, "b/other.py": "x = 1\n"}
    hits = order(tmp_path, files, "cookie session in b/other.py")
    assert paths(hits)[0] == "b/other.py"
    assert hits[0].mention is not None and hits[0].mention.written == "b/other.py"


@pytest.mark.parametrize("path", ["tests/test_cookie.py", "docs/cookie.md", "examples/cookie.py", "vendor/cookie.py"])
def test_source_stands_before_other_kinds_of_files(tmp_path, path):
    files = {path: "cookie = 1\n" * 3, "src/web.py": "cookie = 1\n" + "x = 2\n" * 9}
    assert paths(order(tmp_path, files, "cookie"))[0] == "src/web.py"


def test_a_test_speaks_for_what_it_tests(tmp_path):
    files = {
        "src/alpha.py": "cookie = 1\n",
        "src/basket.py": "cookie = 1\n",
        "tests/test_basket.py": "def test_cookie_is_refreshed():\n    refresh(cookie)\n",
    }
    hits = order(tmp_path, files, "refresh the cookie")
    assert paths(hits)[0] == "src/basket.py"
    assert hits[0].vote is not None and hits[0].vote.test == "tests/test_basket.py"


def test_statistics_are_those_of_the_snapshot(tmp_path):
    """What else was indexed into the same store before changes no score."""
    files = {"a.py": "cookie = 1\n", "b.py": "session = 1\ncookie = 2\n"}
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    alone = rank(view_of(tmp_path / "one", files)[0], read_task("cookie session"))
    more = {f"x{n}.py": "cookie = session = 1\n" for n in range(9)}
    view_of(tmp_path / "two", {**files, **more})
    for name in more:
        (tmp_path / "two" / "tree" / name).unlink()
    (tmp_path / "two" / "tree").rename(tmp_path / "two" / "old")
    again = rank(view_of(tmp_path / "two", files)[0], read_task("cookie session"))
    assert [(hit.file.path, hit.score) for hit in alone.hits] == [(hit.file.path, hit.score) for hit in again.hits]


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("tests/test_session.py", "session"),
        ("pkg/store_test.go", "store"),
        ("web/a/basket.spec.ts", "basket"),
        ("web/basket.test-d.ts", "basket"),
        ("src/test/java/SessionTest.java", "session"),
        ("src/test/java/SessionStoreTests.java", "sessionstore"),
        ("spec/models/user_spec.rb", "user"),
        ("tests/tests.py", ""),
    ],
)
def test_the_subject_of_a_test_by_its_name(test, name):
    assert subject(test) == name


def test_a_name_that_fits_many_sources_speaks_for_none():
    sources = [f"p{n}/index.ts" for n in range(9)]
    assert votes([("tests/index.test.ts", 2.0)], sources, lambda path: True) == {}
    near = votes([("p3/index.test.ts", 2.0)], sources, lambda path: True)
    assert list(near) == ["p3/index.ts"]
