"""Front matter: YAML between two lines of three hyphens at the head of a document."""

from __future__ import annotations

import re
from typing import NamedTuple

from contextc.frontend.conventions.strict_yaml import Path, Value, YamlError, parse

_FENCE = re.compile(r"---[ \t]*")
_PAIR = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*)|)$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")


class FrontMatter(NamedTuple):
    """The fields, the line (from 1) each stands on, and the first line of the body.

    `fault` is (line, message) where the block is not YAML: then `fields` is what a lenient reading gives.
    """

    fields: dict[str, Value]
    lines: dict[str, int]
    body_line: int
    fault: tuple[int, str] | None

    def line(self, field: str) -> int:
        """The line of a field, 1 where it is absent."""
        return self.lines.get(field, 1)


def read_front_matter(text: str) -> FrontMatter:
    """The front matter of a document. No block: no fields. A block that never ends is a fault with no fields."""
    lines = text.split("\n")
    if not _FENCE.fullmatch(lines[0].rstrip("\r")):
        return FrontMatter({}, {}, 1, None)
    end = next((at for at, line in enumerate(lines[1:], 1) if _FENCE.fullmatch(line.rstrip("\r"))), None)
    if end is None:
        return FrontMatter({}, {}, 1, (1, "the front matter that begins here is not closed by a line `---`"))
    block = [line.rstrip("\r") for line in lines[1:end]]
    try:
        value, at = parse("\n".join(block) + "\n", first_line=2)
        if value is None:
            return FrontMatter({}, {}, end + 2, None)
        if not isinstance(value, dict):
            raise YamlError(2, "expected `key: value` lines")
    except YamlError as error:
        fields, where = _lenient(block)
        return FrontMatter(fields, where, end + 2, (error.line, error.message))
    return FrontMatter(value, _top(at), end + 2, None)


def _top(lines: dict[Path, int]) -> dict[str, int]:
    return {path[0]: line for path, line in lines.items() if len(path) == 1 and isinstance(path[0], str)}


def _lenient(block: list[str]) -> tuple[dict[str, Value], dict[str, int]]:
    """`key: value` lines and `- item` lines below a key, read as the strings they are. Rules are often written by
    hand with globs (`**/*` is no YAML), and a rule that nobody can read is worse than one read with a warning."""
    fields: dict[str, Value] = {}
    lines: dict[str, int] = {}
    key = ""
    for number, line in enumerate(block, 2):
        pair = _PAIR.match(line)
        item = _ITEM.match(line)
        if pair:
            key = pair.group(1)
            text = (pair.group(2) or "").strip()
            fields[key] = {"true": True, "false": False}.get(text.lower(), _bare(text))
            lines[key] = number
        elif item and key:
            before = fields[key]
            fields[key] = [*(before if isinstance(before, list) else []), _bare(item.group(1).strip())]
    return fields, lines


def _bare(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
