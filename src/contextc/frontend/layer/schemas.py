"""JSON Schemas of the kinds that a repository declares for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from contextc.core.records.layer import Value
from contextc.errors import InputError


class RecordSchema:
    """A schema, ready to judge records.

    Raises `InputError` for one that is none, or that refers to another: nothing is fetched.
    """

    def __init__(self, schema: Mapping[str, Any], where: str) -> None:
        import jsonschema_rs  # only repositories with schemas of their own pay for it

        try:
            self._validator = jsonschema_rs.Draft202012Validator(dict(schema), retriever=_refuse)
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            message = str(error).partition("\n")[0]
            raise InputError(f"expected a JSON Schema that stands alone: {message}", where=where) from None

    def violations(self, record: Mapping[str, Value]) -> list[str]:
        """Where a record breaks the schema, and by which part of it; values are not repeated."""
        found = self._validator.iter_errors(dict(record))
        return sorted({f"{_pointer(error.instance_path)} breaks {_pointer(error.schema_path)}" for error in found})


def _refuse(uri: str) -> Any:  # noqa: ANN401 - what the library wants
    raise ValueError(f"{uri} is outside of this schema")


def _pointer(parts: Sequence[str | int]) -> str:
    return "/" + "/".join(str(part) for part in parts)
