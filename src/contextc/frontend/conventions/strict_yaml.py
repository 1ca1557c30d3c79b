"""YAML that means what is written: PyYAML's scanner under a constructor of our own.

Scalars follow the core schema of YAML 1.2, so `no`, `on` and `2024-01-02` stay strings. Refused, each with its line:
a key given twice, a key that is no string, an anchor or alias (a small text can stand for a huge one), a tag.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple, TypeAlias

import yaml

#: Any value: None, bool, int, float, str, list or dict with string keys.
Value: TypeAlias = Any
#: Where a value stands: keys and positions from the root.
Path: TypeAlias = tuple[str | int, ...]

#: Characters of one document. Records and front matter are far smaller; composing costs memory per character.
SIZE_LIMIT = 1_000_000
#: Levels of nesting; beyond, a document is hostile.
DEPTH_LIMIT = 50

#: Characters of a number; what is longer stays text.
LONGEST_NUMBER = 40

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
# libyaml's scanner where PyYAML was built with it, its own otherwise: the same language.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(Exception):
    """A document that is not YAML, or uses what is refused; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Parsed(NamedTuple):
    """The value of a document, and the line (from 1) of every value and key in it by its path."""

    value: Value
    lines: dict[Path, int]


def parse(text: str, *, first_line: int = 1) -> Parsed:
    """Parse one document; `first_line` is the line of the file that `text` begins on. Raises `YamlError`."""
    if len(text) > SIZE_LIMIT:
        raise YamlError(first_line, f"expected at most {SIZE_LIMIT:,} characters")
    reader = _Reader(first_line)
    try:
        _refuse_marks(text, first_line)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark is not None else 0)
        raise YamlError(line, error.problem or "not valid YAML") from error
    except (yaml.YAMLError, UnicodeError) as error:  # a control character, a lone surrogate
        raise YamlError(first_line, "a character that YAML does not allow") from error
    return Parsed(reader.value(node, (), 0) if node is not None else None, reader.lines)


def _refuse_marks(text: str, first_line: int) -> None:
    """Refuse anchors, aliases and tags before anything is made of them."""
    if not any(mark in text for mark in "&*!"):
        return
    for event in yaml.parse(text, Loader=_LOADER):
        mark = event.start_mark
        line = first_line + (mark.line if mark is not None else 0)
        if getattr(event, "anchor", None) is not None:
            raise YamlError(line, "anchors and aliases are not read")
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise YamlError(line, f"the tag {tag} is not read")


class _Reader:
    def __init__(self, first_line: int) -> None:
        self._first = first_line
        self.lines: dict[Path, int] = {}

    def value(self, node: yaml.Node, path: Path, depth: int) -> Value:
        """The value of a node; its line is noted under `path`."""
        line = self._first + node.start_mark.line
        self.lines.setdefault(path, line)
        if depth > DEPTH_LIMIT:
            raise YamlError(line, "expected a document that is not nested this deeply")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, line)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, at), depth + 1) for at, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, depth)
        raise YamlError(line, "expected a scalar, a list or a mapping")

    def _mapping(self, node: yaml.MappingNode, path: Path, depth: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for key_node, value_node in node.value:
            line = self._first + key_node.start_mark.line
            if not isinstance(key_node, yaml.ScalarNode):
                raise YamlError(line, "expected a key that is a string")
            key = key_node.value
            if key in found:
                raise YamlError(line, f"the key {key!r} is given twice")
            self.lines[(*path, key)] = line
            found[key] = self.value(value_node, (*path, key), depth + 1)
        return found

    def _scalar(self, node: yaml.ScalarNode, line: int) -> Value:
        text: str = node.value
        if node.style:  # quoted or a block: a string whatever it holds
            return text
        if text in _WORDS:
            return _WORDS[text]
        # Longer digit strings are ids or noise, and converting them would take long.
        if len(text) <= LONGEST_NUMBER and _INT.fullmatch(text):
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if math.isfinite(number) else text
        if _INFINITE.fullmatch(text):
            raise YamlError(line, "expected a finite number")
        return text
