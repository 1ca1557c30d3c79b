"""JSON Schema (2020-12) of every record, made from the types."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def schema_of(record: Any) -> dict[str, Any]:  # noqa: ANN401 - a record type or a type expression
    """The JSON Schema of a record type, self-contained (`$defs`), with descriptions and ranges."""
    return {"$schema": DIALECT, **msgspec.json.schema(record)}
