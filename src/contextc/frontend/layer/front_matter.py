"""Front matter: the block between the first line `---` and the next (SPEC 1.4)."""

from __future__ import annotations

from typing import NamedTuple

from contextc.core.records.layer import Value
from contextc.frontend.layer.yaml_subset import YamlError, parse

#: Bytes a block may have (SPEC 1.4).
BLOCK_LIMIT = 65_536


class FrontMatter(NamedTuple):
    """The map of a block, and the text after it. `data` is None when the text has no block."""

    data: dict[str, Value] | None
    body: str


def split(text: str) -> FrontMatter:
    """The front matter and the body of a text. Raises `YamlError` for a block that cannot be read."""
    first, _, rest = text.partition("\n")
    if first.removesuffix("\r") != "---":
        return FrontMatter(None, text)
    at = 0
    while at < len(rest):
        end = rest.find("\n", at)
        line = rest[at:] if end < 0 else rest[at:end]
        if line.removesuffix("\r") == "---":
            block = rest[:at]
            if len(block.encode("utf-8")) > BLOCK_LIMIT:
                raise YamlError(1, f"front matter of more than {BLOCK_LIMIT} bytes")
            return FrontMatter(parse(block, first_line=2), "" if end < 0 else rest[end + 1 :])
        if end < 0:
            break
        at = end + 1
    raise YamlError(1, "front matter that is not closed by a line `---`")


def heading(body: str) -> str | None:
    """The text of the first line that starts with `# `."""
    for line in body.split("\n"):
        if line.startswith("# "):
            return line[2:].strip()
    return None
