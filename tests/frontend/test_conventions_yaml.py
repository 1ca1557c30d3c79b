"""YAML that means what is written, and front matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.frontend.conventions.front_matter import read_front_matter
from contextc.frontend.conventions.strict_yaml import YamlError, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", {"a": "no"}),
        ("a: on", {"a": "on"}),
        ("a: 2024-01-02", {"a": "2024-01-02"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 0123", {"a": 123}),
        ("a: 0o17", {"a": 15}),
        ("a: 0x1F", {"a": 31}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 1.50", {"a": 1.5}),
        ("a: 1e999", {"a": "1e999"}),
        ("a: '1'", {"a": "1"}),
        ('a: "true"', {"a": "true"}),
        ("a: true", {"a": True}),
        ("a: yes", {"a": "yes"}),
        ("a: ~", {"a": None}),
        ("a:", {"a": None}),
        ("a: [1, x]", {"a": [1, "x"]}),
        ("a: |\n  b\n  c\n", {"a": "b\nc\n"}),
        ("1: x", {"1": "x"}),
        ("", None),
        ("# only a comment", None),
    ],
)
def test_scalars_are_those_of_the_core_schema(text, value):
    assert parse(text).value == value


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "'a' is given twice"),
        ("a: &x 1\nb: *x", 1, "aliases"),
        ("a: 1\nb: !!python/name:os.system x", 2, "is not read"),
        ("a: !mine x", 1, "is not read"),
        ("? [a, b]\n: 1", 1, "a key that is a string"),
        ("a: 1\nb: .nan", 2, "finite"),
        ("a: [1\nb: 2", 2, ""),
        ("a: 1\n\tb: 2", 2, ""),
        ("a: **/*", 1, ""),
        ("a: \x01", 1, "character"),
        ("x: " + "[" * 80 + "]" * 80, 1, "nested"),
        ("--- a\n--- b\n", 2, ""),
    ],
)
def test_what_is_refused_names_its_line(text, line, words):
    with pytest.raises(YamlError) as caught:
        parse(text)
    assert caught.value.line == line
    assert words in caught.value.message


def test_a_bomb_of_aliases_is_refused_before_it_grows():
    text = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    with pytest.raises(YamlError, match="aliases"):
        parse(text)


def test_a_document_that_is_too_large_is_refused():
    with pytest.raises(YamlError, match="at most"):
        parse("a: " + "x" * 1_000_001)


def test_every_value_knows_its_line():
    lines = parse("a: 1\nb:\n  - x\n  - c: 2\n", first_line=10).lines
    assert (lines[("a",)], lines[("b", 0)], lines[("b", 1, "c")]) == (10, 12, 13)


def test_front_matter_is_fields_and_a_body():
    matter = read_front_matter("---\r\ntitle: A\r\ntags: [x]\r\n---\r\nbody\r\n")
    assert matter == ({"title": "A", "tags": ["x"]}, {"title": 2, "tags": 3}, 5, None)


@pytest.mark.parametrize("text", ["", "body", "\n---\na: 1\n---\n", "----\na: 1\n---\n", "--- a\n"])
def test_a_text_without_front_matter_has_no_fields(text):
    assert read_front_matter(text) == ({}, {}, 1, None)


def test_front_matter_that_never_ends_is_a_fault():
    matter = read_front_matter("---\na: 1\n")
    assert matter.fields == {} and matter.fault is not None and matter.fault[0] == 1


def test_what_is_no_yaml_is_read_leniently_with_the_line_of_the_fault():
    matter = read_front_matter(
        "---\ndescription: 'a'\nglobs: **/*.ts, b/**\nalwaysApply: false\nlist:\n  - *.js\n---\n"
    )
    assert matter.fields == {"description": "a", "globs": "**/*.ts, b/**", "alwaysApply": False, "list": ["*.js"]}
    assert matter.fault is not None and matter.fault[0] == 3


@settings(max_examples=150)
@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#\n\t ,1.~?%@`é\x00\ud800")))
def test_any_text_is_read_or_refused(text):
    matter = read_front_matter(f"---\n{text}\n---\nbody")
    assert matter.fault is None or matter.fault[0] >= 1
    assert all(isinstance(key, str) for key in matter.fields)
