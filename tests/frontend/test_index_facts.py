"""What is kept of one file."""

from __future__ import annotations

import pytest

from contextc.frontend.index import words
from contextc.frontend.index.facts import read_document

#: Has the shape of an access key and is none.
KEY = "AKIA" + "Q3EG7T5RZX2WLNV4"


def test_a_text_has_its_words_and_the_words_of_its_names() -> None:
    document = read_document(b"def open_session():\n    return Session()\n", "python")
    assert document.facts.status == "text"
    assert document.text == {"def": 1, "open_session": 1, "open": 1, "session": 2, "return": 1}
    assert document.symbols == {"open_session": 1, "open": 1, "session": 1}
    assert (document.facts.length, document.facts.lines, document.facts.size) == (4, 2, 41)


def test_a_heading_counts_as_a_name() -> None:
    document = read_document(b"# Session cookies\n\ntext\n", "markdown")
    assert document.symbols == {"session": 1, "cookies": 1}


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"a\r\nb\r\n", 2), (b"a\rb", 2), (b"\n\n", 2)],
)
def test_lines_are_counted_with_or_without_a_last_end(data: bytes, lines: int) -> None:
    assert read_document(data, "text").facts.lines == lines


def test_a_binary_file_has_facts_and_nothing_else() -> None:
    document = read_document(b"\x7fELF\0\0\0some_words", "python")
    assert (document.facts.status, document.text, document.symbols) == ("binary", {}, {})
    assert document.facts.symbols == () and document.facts.length == 0
    assert document.facts.remark


def test_a_secret_has_no_words_and_no_names() -> None:
    document = read_document(f'def connect():\n    key = "{KEY}"\n'.encode(), "python")
    assert document.facts.status == "secret"
    assert (document.text, document.symbols, document.facts.symbols, document.facts.lines) == ({}, {}, (), 0)
    assert KEY not in repr(document)


def test_the_words_of_a_text_in_another_encoding_are_found() -> None:
    document = read_document("naïve_name = 1\n".encode("latin-1"), "python")
    assert document.facts.encoding in ("latin-1", "cp1252")
    assert set(document.text) >= set(words.split("naïve_name"))
    assert [symbol.name for symbol in document.facts.symbols] == ["naïve_name"]


def test_without_structure_a_file_still_has_its_words() -> None:
    plain, full = (read_document(b"def f_g(): pass\n", "python", structure=s) for s in (False, True))
    assert plain.text == full.text
    assert (plain.facts.parsed, plain.facts.symbols) == ("none", ())
    assert plain.facts.remark.startswith("its structure was not read")
