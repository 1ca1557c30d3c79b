"""Forms of a file: what each shows, and that it shows it byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.frontend.index import IndexedFile, Symbol, split_lines
from contextc.frontend.index.base import Facts
from contextc.frontend.index.facts import read_document
from contextc.frontend.index.syntax import language_of
from contextc.frontend.select.blocks import WHOLE, WINDOW, blocks_of
from contextc.frontend.select.forms import CUT, anchor, focused, full, outline, reference, title_of
from contextc.frontend.select.places import Matcher, Scored
from contextc.frontend.select.query import read_task
from contextc.frontend.select.rank import Concept

PYTHON = '''"""Sessions of customers."""

import os
from shop.cookies import Cookie, Jar
from shop.unused import Thing


LIMIT = 5


class Session:
    """One session."""

    def __init__(self, cookie: Cookie) -> None:
        self.cookie = cookie

    def refresh_cookie(self) -> None:
        """Refresh it."""
        self.cookie.touch()

    def close(self) -> None:
        self.cookie = None


def helper():
    return os.sep
'''


def facts_of(path: str, text: str) -> Facts:
    return read_document(text.encode("utf-8", "surrogatepass"), language_of(path)).facts


def scored_of(path: str, text: str, task: str) -> tuple[Facts, list[str], list[Scored]]:
    facts = facts_of(path, text)
    lines = split_lines(text)
    query = read_task(task)
    concepts = [Concept(word, {word: 1.0}, 1.0) for word in query.words]
    return facts, lines, Matcher(query, concepts).score(IndexedFile(path, "", facts), lines, ())


def check_exact(shown, lines):
    """Each range is the file's own lines; pieces that are in no range are marked as cut."""
    covered = {number for first, last in shown.ranges for number in range(first, last + 1)}
    for piece in shown.pieces:
        inside = set(range(piece.first, piece.last + 1)) <= covered
        if inside:
            assert piece.text == "".join(lines[piece.first - 1 : piece.last])
        else:
            assert piece.text.endswith(f" {CUT}\n") and piece.first == piece.last
            assert piece.first not in covered
    exact = [piece for piece in shown.pieces if piece.first in covered]
    assert sum(last - first + 1 for first, last in shown.ranges) == sum(p.last - p.first + 1 for p in exact)
    assert list(shown.ranges) == sorted(shown.ranges)
    assert shown.exact == "".join("".join(lines[first - 1 : last]) for first, last in shown.ranges)


def test_full_is_the_whole_file_byte_for_byte():
    lines = split_lines("a\r\nb\n\x0cc\rd")
    shown = full(lines, ())
    assert shown.text == "a\r\nb\n\x0cc\rd"
    assert shown.ranges == ((1, 4),)


def test_an_empty_file_has_a_full_form_without_lines():
    shown = full([], ())
    assert (shown.pieces, shown.ranges, shown.text) == ((), (), "")


def test_focused_shows_the_method_its_class_and_the_imports_it_uses():
    facts, lines, scored = scored_of("s.py", PYTHON, "refresh_cookie")
    shown = focused("focused", facts, lines, scored, 200, neighbours=False)
    assert "class Session:\n" in shown.text
    assert "self.cookie.touch()" in shown.text
    assert "shop.unused" not in shown.text and "helper" not in shown.text
    assert shown.share > 0.5
    check_exact(shown, lines)


def test_imports_come_with_what_uses_them():
    facts, lines, scored = scored_of("s.py", PYTHON, "__init__")
    shown = focused("focused", facts, lines, scored, 200, neighbours=False)
    assert "from shop.cookies import Cookie, Jar\n" in shown.text


def test_neighbours_are_shown_by_their_signatures():
    facts, lines, scored = scored_of("s.py", PYTHON, "refresh_cookie")
    shown = focused("focused", facts, lines, scored, 2000, neighbours=True)
    assert "def close(self) -> None:\n" in shown.text
    alone = focused("focused", facts, lines, scored, 120, neighbours=True)
    assert "def close" not in alone.text


def test_a_larger_size_never_shows_less():
    text = "".join(f"def cookie_{n}():\n    return 'cookie' * {n}\n\n\n" for n in range(40))
    facts, lines, scored = scored_of("s.py", text, "cookie")
    shares = [focused("f", facts, lines, scored, size, neighbours=False).share for size in (10, 100, 400, 1600, 10_000)]
    assert shares == sorted(shares)


def test_nothing_of_the_task_gives_no_focused_form():
    facts, lines, scored = scored_of("s.py", PYTHON, "zyzzyva")
    assert focused("focused", facts, lines, scored, 1000, neighbours=True) is None


def test_without_a_grammar_windows_of_lines_are_shown():
    text = "".join(f"line {n}\n" + ("\n" if n % 7 == 0 else "") for n in range(300)).replace("line 150", "cookie here")
    facts, lines, scored = scored_of("notes.txt", text, "cookie")
    shown = focused("focused", facts, lines, scored, 10, neighbours=True)
    assert "cookie here\n" in shown.text
    assert len(shown.text.splitlines()) <= WINDOW + 10
    check_exact(shown, lines)


def test_a_very_long_function_is_shown_in_windows_with_its_signature():
    body = "".join(f"    x{n} = {n}\n" for n in range(400)).replace("x200 = 200", "cookie = 200")
    facts, lines, scored = scored_of("s.py", f"def long_one(a,\n             b):\n{body}", "cookie")
    shown = focused("focused", facts, lines, scored, 10, neighbours=False)
    assert shown.text.startswith("def long_one(a,\n             b):\n")
    assert "    cookie = 200\n" in shown.text
    assert len(shown.text.splitlines()) < WHOLE


ONE_LINERS = "function foo(){console.log(1)}\nconst bar = () => { console.log(2) }\nconst baz = x => console.log(3)\n"


def test_an_outline_of_functions_on_one_line_holds_no_body():
    facts, lines = facts_of("a.js", ONE_LINERS), split_lines(ONE_LINERS)
    shown = outline(facts, lines)
    assert "console" not in shown.text
    assert "foo()" in shown.text
    assert shown.ranges == ()
    check_exact(shown, lines)


def test_an_outline_is_the_signatures_and_no_body():
    facts, lines = facts_of("s.py", PYTHON), split_lines(PYTHON)
    shown = outline(facts, lines)
    assert "def refresh_cookie(self) -> None:\n" in shown.text
    assert "touch" not in shown.text and "LIMIT" not in shown.text
    assert "left out" in shown.remark
    check_exact(shown, lines)


def test_an_outline_of_a_document_is_its_headings():
    text = "# Shop\n\nWords.\n\n## Usage\n\nMore.\n"
    facts, lines = facts_of("README.md", text), split_lines(text)
    assert outline(facts, lines).text == "# Shop\n## Usage\n"


def test_what_has_no_definitions_has_no_outline():
    assert outline(facts_of("a.txt", "words\n"), ["words\n"]) is None


def test_an_anchor_and_a_reference_show_no_line():
    facts, lines = facts_of("s.py", PYTHON), split_lines(PYTHON)
    assert anchor(facts, lines).pieces == () and "Session, helper" in anchor(facts, lines).remark
    assert reference("a lock file").remark == "not shown: a lock file"


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("a.md", "---\nx: y\n---\n\n# The title\n", "The title"),
        ("a.py", '#!/usr/bin/python\n"""Sessions of customers."""\n', "Sessions of customers."),
        ("a.go", "// Package store keeps things.\npackage store\n", "Package store keeps things."),
        ("a.c", "/* Reads a file. */\n", "Reads a file."),
        ("a.txt", "\n\n", ""),
        ("a.py", "import os\nimport sys\n", ""),
    ],
)
def test_a_title_says_what_a_file_is(path, text, title):
    assert title_of(facts_of(path, text), split_lines(text)) == title


SOURCES = st.sampled_from(
    [
        ("a.py", "class A:\n    x = 1\n\n    def f(self): return 1\n\n    @p\n    def g(\n    ):\n        pass\n"),
        ("a.py", "def cookie():\n    def inner(): pass\n    return inner\n"),
        ("a.js", "class A { f() { return cookie } get g() { return 2 } }\nfunction h() { return 3 }\n"),
        ("a.go", "package a\n\nfunc F() { cookie() }\n\ntype T struct {\n\tA int\n}\n"),
        ("a.rs", "impl A {\n    fn f(&self) -> u8 { cookie }\n}\n"),
        ("a.md", "# A\n\ncookie\n\n## B\n\ntext\n"),
        ("a.txt", "cookie\n\n\nwords\r\nmore\rend"),
    ]
)  # fmt: skip


@settings(max_examples=80)
@given(
    SOURCES,
    st.integers(1, 12),
    st.integers(1, 3000),
    st.booleans(),
    st.text(st.sampled_from("{}()\n\r :é\x0c\u2028"), max_size=20),
)
def test_every_form_of_any_text_is_exact_in_its_ranges(source, times, size, neighbours, tail):
    path, text = source
    text = text * times + tail
    facts, lines, scored = scored_of(path, text, "cookie")
    forms = [
        full(lines, scored),
        focused("focused", facts, lines, scored, size, neighbours=neighbours),
        outline(facts, lines),
    ]
    for shown in forms:
        if shown is not None:
            check_exact(shown, lines)
            assert 0.0 <= shown.share <= 1.0


SYMBOLS = st.builds(
    lambda kind, a, b, depth: Symbol(kind, "n", "n", min(a, b), min(a, b), min(a, b), max(a, b), depth),
    st.sampled_from(["function", "method", "class", "module", "heading", "constant"]),
    st.integers(1, 130),
    st.integers(1, 130),
    st.integers(0, 3),
)


@given(st.lists(SYMBOLS, max_size=12), st.integers(0, 130))
def test_blocks_hold_every_line_once_whatever_the_symbols(symbols, count):
    facts = facts_of("a.txt", "")
    facts = Facts(*(getattr(facts, name) if name != "symbols" else tuple(symbols) for name in Facts.__struct_fields__))
    lines = ["x\n" if n % 5 else "\n" for n in range(count)]
    at = 0
    for block in blocks_of(facts, lines):
        assert block.first == at + 1 and block.last >= block.first
        at = block.last
    assert at == count
