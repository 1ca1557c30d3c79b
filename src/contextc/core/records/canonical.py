"""The one canonical JSON form, the one total order of strings, and the digests made of them.

Order: strings compare by Unicode code point, which is Python's own order of `str` and, for UTF-8, the order of the
bytes. It is total, knows no locale, and two different strings are never equal under it, so ties cannot occur
between different ids. Every sort of ids in contextc uses plain `str` comparison for this reason.

JSON: keys ascending by code point, no blanks, UTF-8, floats in shortest round-trip form, no NaN.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from contextc.core.records.bundle import Item

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> bytes:  # noqa: ANN401 - any record or JSON value
    """The canonical JSON bytes of a record or of a JSON value whose numbers are finite (see `finite`)."""
    return _ENCODER.encode(value)


def digest(value: Any) -> str:  # noqa: ANN401 - any record or JSON value
    """SHA-256 (hex) of the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def pretty_json(value: Any) -> str:  # noqa: ANN401 - any record or JSON value
    """The canonical JSON, indented by two for people, ending in a line feed. Same value, same bytes."""
    return msgspec.json.format(canonical_json(value), indent=2).decode("utf-8") + "\n"


def bundle_hash(items: Iterable[Item]) -> str:
    """SHA-256 (hex) over id, a zero byte, content, a zero byte of each item in order (construction SPEC 9)."""
    sha = hashlib.sha256()
    for item in items:
        sha.update(item.id.encode("utf-8", "surrogatepass") + b"\0")
        sha.update(item.content.encode("utf-8", "surrogatepass") + b"\0")
    return sha.hexdigest()


def finite(value: Any, path: str = "$") -> str | None:  # noqa: ANN401 - any JSON value
    """The path of the first NaN or infinity in a value, or None. NaN has no JSON form and would encode as null."""
    if isinstance(value, float):
        return None if value == value and abs(value) != float("inf") else path
    if isinstance(value, Mapping):
        for key in value:
            found = finite(value[key], f"{path}.{key}")
            if found:
                return found
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            found = finite(item, f"{path}[{index}]")
            if found:
                return found
    return None
