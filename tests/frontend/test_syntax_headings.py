"""Sections of documents."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlines import facts_of

from contextc.frontend.index.syntax.sections import Heading, sections

PROFILE = settings(derandomize=True, deadline=None, max_examples=100)


def found(name: str, text: str) -> list[tuple[str, int, int, int]]:
    return [(s.qualified, s.depth, s.first_line, s.last_line) for s in facts_of(name, text.encode()).symbols]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\ntext\n## Two\n# Three\n", [("One", 0, 1, 3), ("One > Two", 1, 3, 3), ("Three", 0, 4, 4)]),
        ("One\n===\n\nTwo\n---\n", [("One", 0, 1, 5), ("One > Two", 1, 4, 5)]),
        ("### Deep first\n# High\n", [("Deep first", 0, 1, 1), ("High", 0, 2, 2)]),
        ("```\n# no\n```\n~~~\n# no\n~~~\n    # no\n# yes\n", [("yes", 0, 8, 8)]),
        ("```\n# a fence that never ends\n", []),
        ("<div>\n# no\n</div>\n\n# yes\n", [("yes", 0, 5, 5)]),
        ("> # quoted\n\n- # listed\n\n1. a\n\n   ## nested\n", []),
        ("#no space\n#\ttab\n", [("tab", 0, 2, 2)]),
        ("####### seven\n", []),
        ("text\n\n---\n\ntext\n", []),
        ("---\ntitle: x\n---\n# A\n", [("A", 0, 4, 4)]),
        ("---\nnot: closed\n# A\n", [("A", 0, 3, 3)]),
        ("# A `b` *c* [d](e) ![f][g] <br> {#id}\n", [("A b c d f", 0, 1, 1)]),
        ("# \n# A\n#\n", [("A", 0, 2, 2)]),
        ("\\# escaped\n", []),
        ("a | b\n--- | ---\n", []),
        ("no heading - at all\n", []),
    ],
)
def test_markdown_headings_are_those_of_commonmark(text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert found("a.md", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\n===\n\nTwo\n---\n\nThree\n=====\n", [("One", 0, 1, 6), ("One > Two", 1, 4, 6), ("Three", 0, 7, 8)]),
        ("===\nOne\n===\n\nTwo\n===\n", [("One", 0, 1, 6), ("One > Two", 1, 5, 6)]),
        ("::\n\n  One\n  ===\n", []),
        ("a paragraph\nof two lines\n------------\n", []),
        ("text\n\n----\n\ntext\n", []),
        ("==== ====\na    b\n==== ====\n", []),
        ("Longer than its line\n====\n", [("Longer than its line", 0, 1, 2)]),
        ("Longer\n===\n", []),
        ("====\n====\n", []),
        ("A :ref:`b <c>` and ``d``\n========================\n", [("A b and d", 0, 1, 2)]),
        ("", []),
    ],
)
def test_restructured_titles_are_those_of_docutils(text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert found("a.rst", text) == expected


@PROFILE
@given(st.lists(st.integers(1, 6), max_size=12), st.integers(0, 3))
def test_a_section_ends_before_the_next_heading_that_is_not_below_it(levels: list[int], after: int) -> None:
    headings = [Heading(level, f"h{at}", 2 * at + 1, 2 * at + 1) for at, level in enumerate(levels)]
    lines = 2 * len(levels) + after
    for at, section in enumerate(sections(headings, lines)):
        following = [other.first_line for other in headings[at + 1 :] if other.level <= headings[at].level]
        assert section.last_line == (following[0] - 1 if following else lines)
        outer = [other for other in headings[:at] if other.level < headings[at].level]
        assert (section.depth > 0) == bool(outer)
