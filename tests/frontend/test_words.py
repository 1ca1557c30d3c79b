"""Words: one rule for code, prose, queries and paths."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.frontend.index import words

PROFILE = settings(derandomize=True, deadline=None, max_examples=150)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=200) | st.text("aZ0_ .é本", max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open_session", ["open_session", "open", "session"]),
        ("openSession", ["opensession", "open", "session"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("parseHTTPResponse2", ["parsehttpresponse2", "parse", "http", "response"]),
        ("SESSION_REFRESH_EACH_REQUEST", ["session_refresh_each_request", "session", "refresh", "each", "request"]),
        ("sha256", ["sha256", "sha", "256"]),
        ("__init__", ["__init__", "init"]),
        ("getX", ["getx", "get"]),
        ("x", ["x"]),
        ("ABC", ["abc"]),
        ("fooFoo", ["foofoo", "foo"]),
        ("naïveFall", ["naïvefall", "naïve", "fall"]),
        ("ÜberGröße", ["übergröße", "über", "größe"]),
        ("ΣύνολοΑρχείων", ["σύνολοαρχείων", "σύνολο", "αρχείων"]),
        ("日本語", ["日本語", "日本", "本語"]),
        ("取得User名", ["取得user名", "取得", "user"]),
        ("a.b->c::d", ["a", "b", "c", "d"]),
        ("it's", ["it", "s"]),
        ("", []),
        ("_ __ ___", []),
    ],
)
def test_a_token_gives_itself_and_its_parts(text: str, expected: list[str]) -> None:
    assert words.split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("404", ["404"]),
        ("#12345", ["12345"]),
        ("3d 2to3", ["3d", "2to3"]),
        ("7", []),
        ("12345678", []),
        ("0x1f", ["0x1f"]),
        ("0xdeadbeef", []),
        ("1e5", ["1e5"]),
    ],
)
def test_a_short_number_is_a_word_without_parts(text: str, expected: list[str]) -> None:
    assert words.split(text) == expected


def test_a_token_no_person_would_ask_for_gives_no_words() -> None:
    longest = "a" * words.LONGEST_TOKEN
    assert words.split(longest) == [longest]
    assert words.split(longest + "a") == []


def test_composed_and_decomposed_letters_are_one_word() -> None:
    decomposed = unicodedata.normalize("NFD", "naïve")
    assert decomposed != "naïve"
    assert words.split(decomposed) == words.split("naïve")
    assert words.split("\uff46\uff55\uff4c\uff4c") == ["full"]


def test_the_words_of_a_path_are_those_of_its_components_each_once() -> None:
    expected = ["src", "flask", "sessions", "py", "sessioninterface", "session", "interface"]
    assert words.of_path("src/flask/sessions.py/SessionInterface.py") == expected
    assert words.of_path("a\udcff/b") == ["a", "b"]


@PROFILE
@given(TEXTS)
def test_counting_agrees_with_splitting(text: str) -> None:
    counts, length = words.count(text)
    assert counts == Counter(words.split(text))
    assert length <= sum(counts.values())


@PROFILE
@given(TEXTS, TEXTS)
def test_the_words_of_two_lines_are_those_of_each(one: str, other: str) -> None:
    assert words.split(f"{one}\n{other}") == words.split(one) + words.split(other)


@PROFILE
@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_the_fast_way_for_ascii_finds_the_same_tokens(text: str) -> None:
    assert words._tokens(text) == re.findall(r"\w+", text)


@PROFILE
@given(st.text("aAbB0_", min_size=1, max_size=20))
def test_parts_of_ascii_follow_the_same_shape_as_those_of_any_script(token: str) -> None:
    assert words._ASCII_PARTS.findall(token) == words._parts(token)


@PROFILE
@given(TEXTS)
def test_words_are_lower_case_and_hold_no_separator(text: str) -> None:
    for word in words.split(text):
        assert word and word == word.lower()
        assert not any(char.isspace() for char in word)


def test_splitting_does_not_depend_on_what_was_split_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MEMORY", 3)
    many = " ".join(f"wordNumber{n}" for n in range(200, 300))
    first = words.split(many)
    assert words.split(many) == first
    assert first[:4] == ["wordnumber200", "word", "number", "200"]
