"""JSON as records hold it: any nesting that the parser bears, and no halves of characters."""

from __future__ import annotations

import json
from typing import Any


class JsonFault(Exception):
    """What is wrong, and the line (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def load(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """The value of a text. Raises `JsonFault`."""
    try:
        value = json.loads(text)
        return _whole(value) if "\\u" in text else value
    except json.JSONDecodeError as error:
        raise JsonFault(error.lineno, f"not valid JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise JsonFault(1, "not valid JSON: a number or a nesting that is too large") from None


def dump(value: object) -> str:
    """A value as it is shown, keys in the order of the file."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def _whole(value: Any) -> Any:  # noqa: ANN401
    """A value whose strings can be written: an escape that stands for half a character becomes a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value
