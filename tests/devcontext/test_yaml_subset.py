"""The small YAML of a layer, one case for each sentence of SPEC 1.4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.layer.front_matter import BLOCK_LIMIT, heading, split
from contextc.frontend.layer.yaml_subset import DEPTH_LIMIT, YamlError, parse

READ = {
    "only the first colon separates": ("description: a: b", {"description": "a: b"}),
    "a colon without a blank is no separator": ("a: x:y", {"a": "x:y"}),
    "blank lines, comments and --- are skipped": ("---\n\n  # note\na: 1\n---", {"a": 1}),
    "a key with nothing after it is absent": ("a:\nb: 1", {"b": 1}),
    "a key with only a comment after it is absent": ("a: # none\nb: 1", {"b": 1}),
    "the last key with nothing after it is absent": ("b: 1\na:", {"b": 1}),
    "a nested map": ("a:\n  b:\n    c: 1\n  d: 2", {"a": {"b": {"c": 1}, "d": 2}}),
    "a list two deeper": ("a:\n  - x\n  - y\nb: 1", {"a": ["x", "y"], "b": 1}),
    "a list at the key's own indentation": ("a:\n- x\n- y\nb: 1", {"a": ["x", "y"], "b": 1}),
    "an item that opens a map": ("a:\n  - id: x\n    n: 1\n  - id: y", {"a": [{"id": "x", "n": 1}, {"id": "y"}]}),
    "a list in an item's map": ("a:\n  - id: x\n    t:\n      - u\n    v: 1", {"a": [{"id": "x", "t": ["u"], "v": 1}]}),
    "a nested map in an item": ("a:\n  - id: x\n    t:\n      u: 1", {"a": [{"id": "x", "t": {"u": 1}}]}),
    "an item with a colon and no blank is a scalar": ("a:\n  - file:lib/x", {"a": ["file:lib/x"]}),
    "a quoted item with a colon is a scalar": ("a:\n  - 'k: v'", {"a": ["k: v"]}),
    "an inline list": ("""a: [a, b, "c", 'd']""", {"a": ["a", "b", "c", "d"]}),
    "an empty inline list": ("a: []", {"a": []}),
    "an inline list is cut at every comma": ("""a: ["x, y"]""", {"a": ['"x', 'y"']}),
    "a comment makes an inline list a string": ("a: [a] # note", {"a": "[a]"}),
    "quotes are lost and make a string": ("a: \"7\"\nb: 'true'", {"a": "7", "b": "true"}),
    "there are no escapes": (r'a: "x\n\"y"', {"a": r"x\n\"y"}),
    "an empty string in quotes": ('a: ""', {"a": ""}),
    "a comment is cut off": ("a: x # note", {"a": "x"}),
    "a hash inside a word is no comment": ("a: x#y", {"a": "x#y"}),
    "a hash in quotes is no comment": ("a: 'x # y'", {"a": "x # y"}),
    "booleans": ("a: true\nb: false\nc: yes", {"a": True, "b": False, "c": "yes"}),
    "integers": ("a: 7\nb: -3\nc: 0042", {"a": 7, "b": -3, "c": 42}),
    "an integer beyond 64 bits is a string": ("a: 9223372036854775808", {"a": "9223372036854775808"}),
    "the largest integer": ("a: 9223372036854775807", {"a": 9223372036854775807}),
    "floats": ("a: 0.5\nb: -1.25\nc: .5\nd: 1.", {"a": 0.5, "b": -1.25, "c": ".5", "d": "1."}),
    "dates and hashes are strings": ("a: 2026-01-10\nb: 12ab", {"a": "2026-01-10", "b": "12ab"}),
    "a flow map is a string": ("a: {b: c}", {"a": "{b: c}"}),
    "line ends of another system": ("a: x\r\nb:\r\n  - y\r\n", {"a": "x", "b": ["y"]}),
    "a document of nothing": ("# only\n\n", {}),
}

REFUSED = {
    "a tab": ("a: 1\nb:\t2", 2),
    "an odd indentation": ("a:\n   b: 1", 2),
    "a bare dash": ("a:\n  -\n  - x", 2),
    "a key given twice": ("a: 1\nb: 2\na: 3", 3),
    "an anchor": ("a: &x 1", 1),
    "an alias": ("a:\n  - *x", 2),
    "a block scalar": ("a: |\n  text", 1),
    "a folded scalar": ("a: >\n  text", 1),
    "a line without a key": ("a: 1\ntext", 2),
    "a key with a blank in it": ("a b: 1", 1),
    "a key that begins with a digit": ("1a: 1", 1),
    "a list at the top": ("- a", 1),
    "an indentation that jumps": ("a:\n    b: 1", 2),
    "something nested under a scalar": ("a: 1\n  b: 2", 2),
    "something nested under an item": ("a:\n  - x\n    y: 1", 3),
    "an item after a scalar": ("a: 1\n- x", 2),
}


@pytest.mark.parametrize("text, expected", READ.values(), ids=READ)
def test_the_subset_reads(text: str, expected: object) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("text, line", REFUSED.values(), ids=REFUSED)
def test_the_subset_refuses_with_the_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as caught:
        parse(text)
    assert caught.value.line == line


def test_the_order_of_keys_is_kept() -> None:
    assert list(parse("b: 1\na: 2\nc: 3")) == ["b", "a", "c"]


def test_deep_nesting_is_refused_and_does_not_exhaust_the_stack() -> None:
    deep = "\n".join("  " * level + "a:" for level in range(DEPTH_LIMIT * 20)) + " 1"
    with pytest.raises(YamlError, match="deep"):
        parse(deep)


def test_long_digits_are_read_quickly_as_a_string() -> None:
    assert parse("a: " + "7" * 100_000)["a"] == "7" * 100_000
    assert parse("a: " + "7" * 400 + ".5")["a"] == "7" * 400 + ".5"


@given(st.text(alphabet="ab:-[]'\"#,|& \n\t0.", max_size=60))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    try:
        found = parse(text)
    except YamlError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert isinstance(found, dict)


def test_front_matter_and_body_are_told_apart() -> None:
    found = split("---\na: 1\n---\n# Title\ntext\n---\n")
    assert found.data == {"a": 1}
    assert found.body == "# Title\ntext\n---\n"


def test_front_matter_with_other_line_ends() -> None:
    found = split("---\r\na: 1\r\n---\r\nbody")
    assert (found.data, found.body) == ({"a": 1}, "body")


def test_front_matter_may_end_the_file() -> None:
    assert split("---\na: 1\n---") == ({"a": 1}, "")


@pytest.mark.parametrize("text", ["# Title\n", "\n---\na: 1\n---\n", "--- \na: 1\n---\n", ""])
def test_no_fence_on_the_first_line_is_no_front_matter(text: str) -> None:
    assert split(text) == (None, text)


@pytest.mark.parametrize(
    "text", ["---\na: 1\n", "---", "---\na: 1\n----\n", "---\na: " + "x" * BLOCK_LIMIT + "\n---\n"]
)
def test_front_matter_that_is_not_closed_or_too_long_is_an_error(text: str) -> None:
    with pytest.raises(YamlError):
        split(text)


def test_an_error_in_front_matter_names_the_line_of_the_file() -> None:
    with pytest.raises(YamlError) as caught:
        split("---\na: 1\n\tb: 2\n---\n")
    assert caught.value.line == 3


def test_the_heading_is_the_first_line_with_one_hash() -> None:
    assert heading("## Two\n#no\n# One \n# Other") == "One"
    assert heading("text") is None
