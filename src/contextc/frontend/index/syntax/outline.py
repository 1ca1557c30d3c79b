"""From the matches of a query to symbols: nested, with qualified names and exact lines.

Captures that the query files use:

    @definition.KIND   the definition; a function in a class becomes a method, a constant in a function is dropped
    @name              its name, or @declarator, the C declarator that holds it
    @scope             what it belongs to, where that is written beside the name and not around it
    @end               the last part of the signature, or
    @body              where the signature ends, if the node has no field `body`
    @wrap              a node around a definition (decorators, `export`); @wrap.header when it is part of the signature
    @lead              comments and attributes: those directly above a definition, in its column, belong to it
    @import            a statement for `imports.py`; other captures are for predicates

Lines are rows of the parser plus one. Containers are joined by `.` in every language.
"""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter

from contextc.frontend.index.base import Symbol
from contextc.frontend.index.syntax.grammar import Matches
from contextc.frontend.index.syntax.names import Name, name_of, scope_of

#: A definition in one of these is a member.
_CLASSES = frozenset(("class", "interface", "enum"))
_FUNCTIONS = frozenset(("function", "method"))
# Without a body, only the first line is the signature: the rest is a value.
_VALUES = frozenset(("constant", "type", "macro"))
# Stand in a declaration before its own words; they belong to it, but not to its signature.
_MARKS = frozenset(("decorator", "annotation", "marker_annotation"))


class _Definition:
    """A definition found, in bytes and rows of the parser (both from 0), before nesting."""

    __slots__ = ("end", "first", "kind", "last", "name", "prototype", "row", "signature", "start")

    def __init__(self, kind: str, name: Name, node: tree_sitter.Node) -> None:
        self.kind = kind
        self.name = name
        self.prototype = False
        self.start = node.start_byte
        self.end = node.end_byte
        self.row = node.start_point.row
        self.first = self.row
        self.last = last_row(node)
        self.signature = (self.row, self.row, 0)


class _Lines:
    """Rows and columns of the source."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def begins(self, node: tree_sitter.Node) -> bool:
        """Whether only blanks stand before a node on its line."""
        start = node.start_byte
        return not self.data[start - node.start_point.column : start].strip()

    def indent(self, byte: int) -> int:
        """The column of the first non-blank of the line that holds a byte."""
        start = self.data.rfind(b"\n", 0, byte) + 1
        line = self.data[start : start + 400]
        return len(line) - len(line.lstrip(b" \t"))

    def before(self, node: tree_sitter.Node) -> tuple[int, int]:
        """Row, and column in characters, of the end of what stands before a node, blanks aside."""
        data = self.data
        at = node.start_byte
        row = node.start_point.row
        while at and data[at - 1] in b" \t\r\n":
            at -= 1
            row -= data[at] == 10
        return row, self.characters(at)

    def characters(self, at: int) -> int:
        """Characters of a line before a byte."""
        start = self.data.rfind(b"\n", 0, at) + 1
        return len(self.data[start:at].decode("utf-8", "replace"))


def last_row(node: tree_sitter.Node) -> int:
    """The last row a node has text on; some nodes take the line end with them."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point.row else row


def symbols_of(matches: Matches, data: bytes) -> tuple[Symbol, ...]:
    """The definitions among the matches, in the order of the text, containers before their members."""
    lines = _Lines(data)
    found: dict[int, _Definition] = {}
    wraps: dict[int, tuple[int, int, bool]] = {}
    leads: dict[int, tuple[int, int]] = {}
    for _, captures in matches:
        for capture, nodes in captures.items():
            if capture.startswith("definition."):
                _add(found, capture[11:], nodes[0], captures, lines)
            elif capture == "lead":
                _add_lead(leads, nodes[0], lines)
            elif capture.startswith("wrap"):
                _add_wrap(wraps, nodes[0], capture == "wrap.header")
    ordered = sorted(found.values(), key=lambda item: (item.start, -item.end))
    for item in ordered:
        _set_first(item, wraps, leads, lines)
    return tuple(_nest(ordered))


def _add(
    found: dict[int, _Definition],
    kind: str,
    node: tree_sitter.Node,
    captures: dict[str, list[tree_sitter.Node]],
    lines: _Lines,
) -> None:
    named = (captures.get("name") or captures["declarator"])[0]
    earlier = found.get(named.start_byte)
    if earlier is not None and (earlier.kind not in _VALUES or kind in _VALUES):
        return
    name = name_of(named, lines.data)
    if name is None or node.is_missing:
        return
    item = _Definition(kind, name, node)
    if "declarator" in captures and kind == "constant" and name.wrapper == "function_declarator":
        item.kind, item.prototype = "function", True
    if "scope" in captures:
        name.scopes[:0] = scope_of(captures["scope"][0], lines.data)
    item.signature = _signature(item, node, captures, lines)
    found[named.start_byte] = item


def _signature(
    item: _Definition, node: tree_sitter.Node, captures: dict[str, list[tree_sitter.Node]], lines: _Lines
) -> tuple[int, int, int]:
    """First row, last row and characters of the last row, 0 for all of it."""
    first = _first_word(node).start_point.row
    if "end" in captures:
        end = captures["end"][0]
        return first, end.end_point.row, lines.characters(end.end_byte)
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    if body is not None and body.start_byte > node.start_byte:
        return (first, *lines.before(body))
    return first, (first if item.kind in _VALUES else item.last), 0


def _first_word(node: tree_sitter.Node) -> tree_sitter.Node:
    """The first part of a declaration that is no decorator or annotation."""
    for child in node.children[:50]:
        if child.type == "modifiers":
            rest = [part for part in child.children if part.type not in _MARKS]
            if rest:
                return rest[0]
        elif child.type not in _MARKS:
            return child
    return node


def _add_wrap(wraps: dict[int, tuple[int, int, bool]], node: tree_sitter.Node, header: bool) -> None:
    inner = node.named_children[-1:]
    if inner and inner[0].start_byte > node.start_byte:
        wraps[inner[0].start_byte] = (node.start_byte, node.start_point.row, header)


def _add_lead(leads: dict[int, tuple[int, int]], node: tree_sitter.Node, lines: _Lines) -> None:
    if lines.begins(node):
        row, column = node.start_point
        leads[last_row(node)] = (row, column)


def _set_first(
    item: _Definition,
    wraps: dict[int, tuple[int, int, bool]],
    leads: dict[int, tuple[int, int]],
    lines: _Lines,
) -> None:
    start = item.start
    row = item.row
    while start in wraps:
        start, row, header = wraps[start]
        if header:
            item.signature = (row, *item.signature[1:])
    column = lines.indent(start)
    while (lead := leads.get(row - 1)) is not None and lead[1] == column:
        row = lead[0]
    item.first = row


def _nest(ordered: Iterable[_Definition]) -> list[Symbol]:
    symbols: list[Symbol] = []
    stack: list[tuple[_Definition, str]] = []
    constants: set[tuple[str, str]] = set()
    ends: dict[int, int] = {}  # by depth, the last row of the sibling before
    for item in ordered:
        while stack and not _holds(stack[-1][0], item):
            outer, _ = stack.pop()
            if outer.kind == "type" and outer.end >= item.end and outer.name.simple == item.name.simple:
                symbols.pop()  # `typedef struct point {...} point`: the second name says nothing new
        kind = _kind(item, [outer for outer, _ in stack])
        container = stack[-1][1] if stack else ""
        if kind is None or (kind == "constant" and (container, item.name.simple) in constants):
            continue
        if kind == "constant":
            constants.add((container, item.name.simple))
        depth = len(stack)
        qualified = ".".join([*([container] if container else []), *item.name.scopes, item.name.simple])
        symbols.append(_symbol(item, kind, qualified, depth, ends.get(depth, -1)))
        ends[depth] = item.last
        ends.pop(depth + 1, None)
        stack.append((item, qualified))
    return symbols


def _holds(outer: _Definition, inner: _Definition) -> bool:
    """Whether one definition contains another. `a, b = 1, 2` is one node for two names, and a type that is given a
    second name (C) is not a part of that name."""
    if outer.kind == "type" and inner.kind in _CLASSES:
        return False
    return outer.end >= inner.end and (outer.start, outer.end) != (inner.start, inner.end)


def _kind(item: _Definition, containers: list[_Definition]) -> str | None:
    """The final kind, None for what only a function itself can see."""
    local = any(outer.kind in _FUNCTIONS for outer in containers)
    if local and (item.kind == "constant" or item.prototype):
        return None
    if item.kind == "function" and (item.name.scopes or (containers and containers[-1].kind in _CLASSES)):
        return "method"
    return item.kind


def _symbol(item: _Definition, kind: str, qualified: str, depth: int, sibling_end: int) -> Symbol:
    first = max(item.first, min(sibling_end + 1, item.row))
    sig_first, sig_last, sig_end = item.signature
    return Symbol(
        kind, item.name.simple, qualified, first + 1, sig_first + 1, sig_last + 1, item.last + 1, depth, sig_end
    )
