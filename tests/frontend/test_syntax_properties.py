"""What holds for the outline of any text: lines lie in the file, members in their containers, and nothing raises."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlines import DATA, facts_of

from contextc.frontend.index.base import Facts
from contextc.frontend.index.lines import count_lines, split_lines, with_lf
from contextc.frontend.index.syntax import LANGUAGES, language_of, read_syntax

PROFILE = settings(derandomize=True, deadline=None, max_examples=40)
NAMES = sorted(path.name.removesuffix(".outline") for path in DATA.glob("*.outline"))
KINDS = {
    "function", "method", "class", "interface", "enum", "type", "module", "constant", "macro", "heading",
}  # fmt: skip


def source_of(name: str) -> str:
    path = DATA / name
    return (path if path.exists() else DATA / f"{name}.txt").read_text("utf-8")


def check(facts: Facts) -> None:
    """Ranges lie in the file and in order; containers hold their members; siblings do not overlap unless they share a
    line."""
    stack: list[tuple[int, int]] = []
    for symbol in facts.symbols:
        assert symbol.kind in KINDS
        assert symbol.name and symbol.qualified.endswith(symbol.name)
        assert 1 <= symbol.first_line <= symbol.signature_first <= symbol.signature_last <= symbol.last_line
        assert symbol.last_line <= facts.lines
        assert symbol.signature_end >= 0
        assert symbol.depth <= len(stack)
        del stack[symbol.depth :]
        if stack:
            assert stack[-1][0] <= symbol.first_line and symbol.last_line <= stack[-1][1]
        stack.append((symbol.first_line, symbol.last_line))
    for item in facts.imports:
        assert item.target
        assert 1 <= item.first_line <= item.last_line <= facts.lines


@pytest.mark.parametrize("name", NAMES)
def test_the_outline_of_a_sample_is_well_formed(name: str) -> None:
    check(facts_of(name, source_of(name).encode()))


@pytest.mark.parametrize("name", NAMES)
def test_a_source_that_is_cut_anywhere_still_has_a_well_formed_outline(name: str) -> None:
    source = source_of(name)
    for at in range(0, len(source), max(1, len(source) // 60)):
        check(facts_of(name, source[:at].encode()))
        check(facts_of(name, source[at:].encode()))


@pytest.mark.parametrize("name", NAMES)
def test_a_source_with_shuffled_lines_still_has_a_well_formed_outline(name: str) -> None:
    lines = source_of(name).splitlines(keepends=True)
    for seed in range(25):
        shuffled = lines[:]
        random.Random(seed).shuffle(shuffled)
        check(facts_of(name, "".join(shuffled).encode()))


@PROFILE
@given(st.data(), st.sampled_from(NAMES))
def test_a_source_with_pieces_of_another_in_it_still_has_a_well_formed_outline(data: st.DataObject, name: str) -> None:
    source, other = source_of(name), source_of(data.draw(st.sampled_from(NAMES)))
    at = data.draw(st.integers(0, len(source)))
    start = data.draw(st.integers(0, len(other)))
    piece = other[start : start + data.draw(st.integers(0, 80))]
    check(facts_of(name, (source[:at] + piece + source[at + data.draw(st.integers(0, 20)) :]).encode()))


@PROFILE
@given(st.text(max_size=300), st.sampled_from(sorted(LANGUAGES)))
def test_any_text_in_any_language_gives_an_answer(text: str, key: str) -> None:
    lf = with_lf(text)
    syntax = read_syntax(lf, key, count_lines(lf))
    assert syntax.parsed in ("grammar", "headings", "none", "partial")
    assert "could not be read" not in syntax.remark


@PROFILE
@given(st.text("ab\r\n\x0c\x85\u2028", max_size=40))
def test_lines_are_cut_at_their_ends_and_nowhere_else(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(lines) == count_lines(with_lf(text))
    for number, line in enumerate(lines):
        body = line.rstrip("\r\n")
        assert "\n" not in body and "\r" not in body
        assert line[len(body) :] in ("\n", "\r", "\r\n") or (number == len(lines) - 1 and line == body)


@pytest.mark.parametrize("name", NAMES)
def test_the_outline_depends_on_the_content_and_the_language_only(name: str) -> None:
    data = source_of(name).encode()
    assert facts_of(f"elsewhere/{name}", data) == facts_of(name, data)
    assert language_of(f"elsewhere/{name}") == language_of(name)
