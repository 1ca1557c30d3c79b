"""Parsing with tree-sitter, and running a query over the tree, with bounds that do not depend on a clock.

Both steps are linear on real code and can be far worse on hostile text: grammars explode on ambiguous input (40 kB of
`a<a<a<` kept that of Java busy for 10 s), and the query cursor looks past every nameless sibling up to the next named
one (500,000 opening brackets took 148 s). Work is therefore counted, not timed, and the same text stops at the same
place on every machine. What no count can bound, the end of a text that leaves thousands of things open, is the
business of whoever runs this in a process that can be ended (`worker.py`).
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TypeAlias

import tree_sitter

from contextc.frontend.index.syntax.languages import LANGUAGES

#: What a query gives: for each match the nodes by capture name.
Matches: TypeAlias = list[tuple[int, dict[str, list[tree_sitter.Node]]]]

#: Reports of the parser (one in 100 steps) allowed per 1,000 bytes read so far, and on top for a whole file. Code needs
#: 4 to 9, minified code up to 19, tables of numbers (`1,` on each line) up to 40 in most grammars; in 10,500 files of 9
#: languages none used any of the reserve.
REPORTS_PER_KB = 40
#: The same for grammars whose steps become slow at a lower rate: less room for tables, but seconds and not minutes.
REPORTS_OF_FRAGILE = {"java": 20}
REPORTS_RESERVE = 300
#: Nodes below each other that are searched. Methods of a class in a namespace lie at about 10, a function in callbacks
#: some 4 deeper for each of them.
SEARCH_DEPTH = 80
#: Nameless siblings in a row that are still searched; no code outside of hostile text comes near.
NAMELESS_RUN = 2_000

#: Bytes handed to the parser at once. It asks again for the text of every node in a predicate, so not all of it.
PIECE = 16_384

_QUERIES = Path(__file__).parent.parent / "queries"


class TooCostly(Exception):
    """The text would take far more work than any code of its size."""


@cache
def _language(key: str) -> tree_sitter.Language:
    entry = LANGUAGES[key]
    return tree_sitter.Language(getattr(importlib.import_module(entry.module), entry.function)())


@cache
def _query(key: str) -> tree_sitter.Query:
    sources = [(_QUERIES / f"{name}.scm").read_text("utf-8") for name in LANGUAGES[key].queries]
    return tree_sitter.Query(_language(key), "\n".join(sources))


def parse(key: str, data: bytes) -> tree_sitter.Tree:
    """The tree of UTF-8 bytes in the language of a key with a grammar. Raises `TooCostly`."""
    reports = 0
    rate = REPORTS_OF_FRAGILE.get(key, REPORTS_PER_KB)

    def stop(offset: int, _has_error: bool) -> bool:
        nonlocal reports
        reports += 1
        return reports > REPORTS_RESERVE + offset * rate // 1000

    def read(offset: int, _point: tree_sitter.Point) -> bytes:
        return data[offset : offset + PIECE]

    parser = tree_sitter.Parser(_language(key))
    try:
        return parser.parse(read, encoding="utf8", progress_callback=stop)
    except ValueError as error:  # the binding's word for a parser that was stopped
        raise TooCostly("the grammar needs too many steps") from error


def matches(key: str, tree: tree_sitter.Tree) -> Matches:
    """All matches of the language's query, in the order of the text. Raises `TooCostly`."""
    root = tree.root_node
    if _tangled(root):
        raise TooCostly("thousands of symbols without a structure")
    cursor = tree_sitter.QueryCursor(_query(key))
    cursor.set_max_start_depth(SEARCH_DEPTH)
    return cursor.matches(root)


def _tangled(root: tree_sitter.Node) -> bool:
    """Whether some node has a run of nameless children that the query cursor would search again and again."""
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        if node.descendant_count <= NAMELESS_RUN:
            continue
        children = node.children
        if len(children) > NAMELESS_RUN and _longest_run(children) > NAMELESS_RUN:
            return True
        if depth < SEARCH_DEPTH:
            pending.extend((child, depth + 1) for child in children if child.descendant_count > NAMELESS_RUN)
    return False


def _longest_run(children: list[tree_sitter.Node]) -> int:
    longest = run = 0
    for child in children:
        run = 0 if child.is_named else run + 1
        longest = max(longest, run)
    return longest
