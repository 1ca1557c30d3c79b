"""Texts made to break a parser: each ends, in the same way on every machine, and says what was not read."""

from __future__ import annotations

import random

import pytest
from outlines import facts_of

from contextc.frontend.index import syntax
from contextc.frontend.index.syntax import grammar, languages, read_syntax

NAMES = ["a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.rs", "a.java", "a.c", "a.cpp", "a.h", "a.rb", "a.md", "a.rst"]
SIZE = 20_000
GARBAGE = "".join(random.Random(1).choices("abc(){}[]<>;,.=+-*/\"'\n ", k=SIZE))
BOMBS = {
    "brackets": "(" * SIZE,
    "balanced brackets": "x = " + "[" * (SIZE // 2) + "]" * (SIZE // 2),
    "braces": "{" * SIZE,
    "generics": "a<" * (SIZE // 2),
    "minus": "-" * SIZE,
    "commas": "x = [" + "," * SIZE + "]",
    "a long sum": "x = " + "a + " * (SIZE // 4) + "1;",
    "interpolation": "f'{" * (SIZE // 3) + "`${" * (SIZE // 6),
    "else if": "if (a) {} " + "else if (a) {} " * (SIZE // 15),
    "classes in classes": "class A {" * (SIZE // 9),
    "functions in functions": "function f() {" * (SIZE // 14),
    "blocks by indentation": "".join(f"{' ' * depth}def a{depth}():\n" for depth in range(250)),
    "quotes in quotes": "> " * (SIZE // 2),
    "lists in lists": "".join(f"{'  ' * depth}- a\n" for depth in range(200)),
    "conditions": "#ifdef __cplusplus\n" * (SIZE // 19),
    "macros": "SHOP_API foo bar " * (SIZE // 17),
    "links": "# " + "[" * SIZE + "\n# <" + "<a" * (SIZE // 2),
    "roles": ":" * SIZE + "\n" + "=" * SIZE + "\n",
    "one word": "a" * SIZE,
    "garbage": GARBAGE,
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_text_is_read_or_given_up_with_a_remark(name: str, bomb: str) -> None:
    facts = facts_of(name, BOMBS[bomb].encode())
    assert facts.status == "text"
    assert facts.parsed in ("grammar", "headings", "partial", "none")
    assert facts.remark or facts.parsed in ("grammar", "headings") or facts.generated
    assert "could not be read" not in facts.remark


def test_a_grammar_that_explodes_is_stopped_by_counting_its_steps() -> None:
    with pytest.raises(grammar.TooCostly, match="steps"):
        grammar.parse("java", b"a<" * 20_000)


def test_nameless_siblings_are_not_searched() -> None:
    tree = grammar.parse("javascript", b"{" * 20_000)
    with pytest.raises(grammar.TooCostly, match="without a structure"):
        grammar.matches("javascript", tree)


def test_named_siblings_are_searched_however_many_there_are() -> None:
    facts = facts_of("a.js", b"const a = [" + b"1,\n" * 20_000 + b"];\nfunction f() {}\n")
    assert [symbol.name for symbol in facts.symbols] == ["a", "f"]


def test_definitions_far_below_the_surface_are_not_looked_for() -> None:
    nested = "function f() {" * 200 + "}" * 200
    depths = [symbol.depth for symbol in facts_of("a.js", nested.encode()).symbols]
    assert depths == list(range(len(depths)))
    assert 20 < len(depths) < grammar.SEARCH_DEPTH


def test_only_so_many_definitions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "MOST_SYMBOLS", 3)
    facts = facts_of("a.py", b"def f(): pass\n" * 5)
    assert (len(facts.symbols), facts.parsed) == (3, "partial")
    assert "only the first 3 definitions" in facts.remark


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), MemoryError(), ValueError("text of the file"), KeyError("x")]
)
def test_a_reader_that_fails_costs_one_file_its_structure(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(syntax, "_read", fail)
    answer = read_syntax("def f(): pass\n", "python", 1)
    assert (answer.parsed, answer.symbols) == ("none", ())
    assert answer.remark == f"its structure could not be read ({type(error).__name__})"


def test_a_fault_of_the_grammar_is_not_taken_for_a_costly_text(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = languages.Language((".x",), reader="grammar", module="tree_sitter_python", function="absent")
    monkeypatch.setitem(languages.LANGUAGES, "broken", broken)
    assert "AttributeError" in read_syntax("x", "broken", 1).remark
