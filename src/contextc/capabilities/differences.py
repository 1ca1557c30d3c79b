"""Where two JSON values differ first."""

from __future__ import annotations

from typing import Any

from contextc.core.records.codec import to_builtins


def first_difference(left: Any, right: Any) -> str | None:  # noqa: ANN401 - any record or JSON value
    """The JSON path at which two values differ first, or None when their canonical JSON is the same."""
    return _compare(to_builtins(left), to_builtins(right), "$")


def _compare(left: Any, right: Any, path: str) -> str | None:  # noqa: ANN401 - any JSON value
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            if key not in left or key not in right:
                return f"{path}.{key}"
            found = _compare(left[key], right[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list):
        for index, (one, other) in enumerate(zip(left, right, strict=False)):
            found = _compare(one, other, f"{path}[{index}]")
            if found:
                return found
        return None if len(left) == len(right) else f"{path}[{min(len(left), len(right))}]"
    # `1` and `1.0` are one number but not the same bytes, and `True == 1` in Python.
    return None if type(left) is type(right) and left == right else path
