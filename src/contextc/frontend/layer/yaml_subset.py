"""The small YAML of a layer (SPEC 1.4): two-space nesting, block maps and lists, inline lists, plain scalars.

It is not YAML: only the first colon of a line separates, there are no escapes, no anchors, no flow maps, no scalars of
more than one line. Real layers rely on it (`description: a: b`), and a general parser rejects them.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import NamedTuple

from contextc.core.records.layer import Value

#: Maps and lists inside each other; a real layer has four. Beyond it a file is hostile.
DEPTH_LIMIT = 64

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?: |$)")
_INTEGER = re.compile(r"-?[0-9]+")
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]+")
_COMMENT = re.compile(r"(?:^|[ \t])#")
_REFUSED = ("&", "*", "|", ">")
_INT64 = range(-(2**63), 2**63)


class YamlError(Exception):
    """What is wrong, and the line (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


def parse(text: str, first_line: int = 1) -> dict[str, Value]:
    """The map a document holds, keys in the order of the file. `first_line` is the number of its first line.

    Raises `YamlError`.
    """
    lines = _lines(text, first_line)
    if not lines:
        return {}
    parser = _Parser(lines)
    found = parser.map(0, 0)
    if parser.at < len(lines):
        raise YamlError(lines[parser.at].number, "expected a key at the indentation of the keys before it")
    return found


def _lines(text: str, first_line: int) -> list[_Line]:
    found = []
    for number, raw in enumerate(text.split("\n"), first_line):
        line = raw.rstrip(" \t\r")
        body = line.lstrip(" ")
        if not body or body.startswith("#") or body == "---":
            continue
        if "\t" in raw:
            raise YamlError(number, "a tab; indent and separate with spaces")
        indent = len(line) - len(body)
        if indent % 2:
            raise YamlError(number, f"an indentation of {indent} spaces; nesting is by two")
        found.append(_Line(number, indent, body))
    return found


class _Parser:
    """A position in the lines; each method reads one block and stops at the first line that is not of it."""

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.at = 0

    def map(self, indent: int, depth: int) -> dict[str, Value]:
        """The keys at `indent`."""
        if depth > DEPTH_LIMIT:
            raise YamlError(self.lines[self.at].number, f"nested more than {DEPTH_LIMIT} deep")
        found: dict[str, Value] = {}
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            match = _KEY.match(line.text)
            if match is None:
                raise YamlError(line.number, "expected `key:` followed by a space or the end of the line")
            key = match.group(1)
            if key in found:
                raise YamlError(line.number, f"the key {key!r} is given twice")
            self.at += 1
            value = self.value(line.text[len(key) + 1 :], line.number, indent, depth)
            if value is not None:
                found[key] = value
        if self.at < len(self.lines) and self.lines[self.at].indent > indent:
            raise YamlError(self.lines[self.at].number, "more indented than the keys before it")
        return found

    def value(self, rest: str, number: int, indent: int, depth: int) -> Value | None:
        """The value of a key at `indent`, of which `rest` stands on its own line; None when there is none."""
        if not _cut(rest).strip():
            return self.block(indent, depth)
        return _scalar_or_list(rest.strip(), number)

    def block(self, indent: int, depth: int) -> Value | None:
        """What is opened by a key at `indent` with nothing after it."""
        if self.at >= len(self.lines):
            return None
        line = self.lines[self.at]
        if _is_item(line.text) and line.indent in (indent, indent + 2):
            return self.list(line.indent, depth + 1)
        if line.indent == indent + 2:
            return self.map(indent + 2, depth + 1)
        return None

    def list(self, indent: int, depth: int) -> Value:
        """The items at `indent`."""
        if depth > DEPTH_LIMIT:
            raise YamlError(self.lines[self.at].number, f"nested more than {DEPTH_LIMIT} deep")
        found: list[Value] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.indent != indent or not _is_item(line.text):
                break
            body = line.text[2:].strip()
            if not body:
                raise YamlError(line.number, "an item with nothing after its `-`")
            inner = len(line.text) - len(line.text[2:].lstrip(" "))
            if _KEY.match(body):
                if inner != 2:
                    raise YamlError(line.number, "expected one space between `-` and the key")
                self.lines[self.at] = _Line(line.number, indent + 2, body)
                found.append(self.map(indent + 2, depth + 1))
            else:
                self.at += 1
                found.append(_scalar_or_list(body, line.number))
        if self.at < len(self.lines) and self.lines[self.at].indent > indent:
            raise YamlError(self.lines[self.at].number, "more indented than the items before it")
        return found


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _cut(text: str) -> str:
    """Text without a comment."""
    match = _COMMENT.search(text)
    return text[: match.start()] if match else text


def _scalar_or_list(text: str, number: int) -> Value:
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [_unquoted(part.strip()) for part in inner.split(",")] if inner else []
    return _scalar(text, number)


def _unquoted(text: str) -> str:
    quoted = len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def _scalar(text: str, number: int) -> Value:
    plain = _unquoted(text)
    if plain != text:
        return plain
    text = _cut(text).rstrip(" \t")
    plain = _unquoted(text)
    if plain != text:
        return plain
    if text.startswith(_REFUSED):
        raise YamlError(number, f"a plain value may not start with {text[0]!r}; put it in quotes")
    if text in ("true", "false"):
        return text == "true"
    # Longer digit strings are no 64-bit integers, and converting them would take long.
    if len(text) <= 20 and _INTEGER.fullmatch(text) and int(text) in _INT64:
        return int(text)
    if _FLOAT.fullmatch(text) and isfinite(float(text)):
        return float(text)
    return text
