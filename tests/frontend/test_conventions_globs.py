"""Path globs as rule files mean them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.conventions.globs import matches, means_all, split_globs


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.ts", "a.ts", True),
        ("*.ts", "src/a.ts", False),
        ("**/*.ts", "a.ts", True),
        ("**/*.ts", "src/deep/a.ts", True),
        ("src/**", "src/a/b.c", True),
        ("src/**", "src", False),
        ("src/**", "srcs/a", False),
        ("src/", "src/a/b", True),
        ("src/*", "src/a/b", False),
        ("src/**/test/*.py", "src/test/a.py", True),
        ("src/**/test/*.py", "src/x/y/test/a.py", True),
        ("src/**/test/*.py", "src/x/ytest/a.py", False),
        ("src/{a,b}/*.{js,ts}", "src/b/x.ts", True),
        ("src/{a,b}/*.{js,ts}", "src/c/x.ts", False),
        ("{a,b/{c,d}}.x", "b/d.x", True),
        ("{a}.x", "{a}.x", True),
        ("{a,b", "{a,b", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].c", "b.c", True),
        ("[!ab].c", "b.c", False),
        ("[^ab].c", "c.c", True),
        ("[a-c]x", "bx", True),
        ("[!a]x", "/x", False),
        ("a[b", "a[b", True),
        ("[]x]y", "]y", True),
        ("*a*b*c", "xxaxxbxxc", True),
        ("*a*b*c", "xxaxxcxxb", False),
        ("a*", "a", True),
        ("*.d.ts", "x.d.d.ts", True),
        ("a/**/**/b", "a/b", True),
        ("**/a", "a", True),
        ("a/**", "a/b", True),
        ("/src/*.c", "src/a.c", True),
        ("./src/*.c", "src/a.c", True),
        ("a**b", "axxb", True),
        ("a**b", "ax/xb", False),
        ("**", "any/thing", True),
        ("**.py", "a.py", True),
        (r"a\*b", "a*b", True),
        (r"a\*b", "axb", False),
        ("SRC/*", "src/a", False),
        ("a.b", "axb", False),
        ("é/*", "é/漢字.md", True),
        ("**/*", "line\nend", True),
    ],
)
def test_a_glob_means_these_paths(glob, path, expected):
    assert matches(glob, path) is expected


def test_a_glob_without_a_slash_may_mean_all_folders():
    assert matches("*.ts", "web/a.ts", anywhere=True)
    assert not matches("/*.ts", "web/a.ts", anywhere=True)
    assert not matches("x/*.ts", "web/x/a.ts", anywhere=True)


@pytest.mark.parametrize(
    ("value", "globs"),
    [
        ("a/**, b/**", ("a/**", "b/**")),
        (["a", " b "], ("a", "b")),
        (["a,b"], ("a", "b")),
        ("*.{js,ts}, x", ("*.{js,ts}", "x")),
        ("'a', \"b\"", ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        (" , a,,a", ("a",)),
        (None, ()),
        (True, ()),
        ([1, "a"], ("a",)),
    ],
)
def test_globs_stand_in_lists_and_between_commas(value, globs):
    assert split_globs(value) == globs


@pytest.mark.parametrize(
    ("glob", "expected"), [("**", True), ("**/*", True), ("*", True), ("a/**", False), ("", False)]
)
def test_globs_that_mean_everything(glob, expected):
    assert means_all(glob) is expected


@given(st.lists(st.sampled_from(["a", "b.c", "é", "[x]", "{y,z}", "*", "q?"]), min_size=1, max_size=4).map("/".join))
def test_a_path_whose_signs_are_escaped_matches_itself(path):
    escaped = "".join("\\" + char if char in "*?[]{},\\" else char for char in path)
    assert matches(escaped, path)
    assert matches("**", path)


@given(st.text(st.sampled_from("ab/*?[]{},!^-\\é.")), st.text(st.sampled_from("ab/é.")))
def test_any_glob_is_read(glob, path):
    assert matches(glob, path) in (True, False)


def test_no_glob_and_no_name_make_the_search_slow():
    assert not matches("*a" * 400 + "b", "a" * 4000)
    assert not matches("**/" * 300 + "x", "/".join("y" * 900))
    assert not matches("{a,b}" * 200, "a" * 199)
    assert split_globs("{" * 2000) == ()
