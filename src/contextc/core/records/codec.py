"""From JSON to records, strictly, with every fault named by its path.

msgspec decodes and validates in one pass and stops at the first fault. Only then the same types, as a JSON Schema,
are put to jsonschema-rs, which lists all of them. Two more things are refused that JSON parsers let pass: a key
given twice in one object, and nesting deeper than the parser's limit.

Where the two judges differ: JSON Schema calls `5.0` an integer, contextc does not.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from contextc.core.records.canonical import canonical_json, finite
from contextc.core.records.schema import schema_of
from contextc.errors import DocumentError, Problem

T = TypeVar("T")

#: The most problems that one error lists; the rest is counted.
PROBLEM_LIMIT = 20

FINITE = "expected a finite number"


def decode(data: bytes | str, record: type[T], *, where: str = "") -> T:
    """Decode JSON text into a record. Raises `DocumentError` naming each path and what was expected there."""
    try:
        value = msgspec.json.decode(data, type=record)
    except msgspec.ValidationError as error:
        raise DocumentError(_problems(data, record, str(error)), where=where) from None
    except msgspec.DecodeError as error:
        raise DocumentError([_not_json(data, str(error))], where=where) from None
    except RecursionError:
        raise DocumentError([Problem("$", "expected JSON that is not nested this deeply")], where=where) from None
    except UnicodeDecodeError as error:
        raise DocumentError([Problem("$", f"expected UTF-8: {error.reason}")], where=where) from None
    repeated = _repeated_keys(data)
    if repeated:
        raise DocumentError(
            [Problem("$", f"key {key!r} is given twice in one object") for key in repeated], where=where
        )
    return value


def convert(value: Any, record: type[T], *, where: str = "") -> T:  # noqa: ANN401 - any JSON value
    """Turn a JSON value (dicts, lists, strings, numbers) into a record, as strictly as `decode`."""
    not_finite = finite(value)
    if not_finite:
        raise DocumentError([Problem(not_finite, FINITE)], where=where)
    try:
        return msgspec.convert(value, type=record)
    except msgspec.ValidationError as error:
        raise DocumentError(_problems(value, record, str(error)), where=where) from None


def to_builtins(value: Any) -> Any:  # noqa: ANN401 - any record
    """A record as plain JSON values (dicts, lists, strings, numbers)."""
    return msgspec.json.decode(canonical_json(value))


def _problems(data: Any, record: Any, first: str) -> list[Problem]:  # noqa: ANN401 - JSON text or value
    """All faults by the schema; the decoder's own words when the schema sees none (`5.0` for an integer)."""
    import jsonschema_rs  # imported late: needed only to explain a failure

    try:
        instance = json.loads(data) if isinstance(data, (bytes, str)) else data
        not_finite = finite(instance)
        if not_finite:  # 1e999, which is infinity for a float
            return [Problem(not_finite, FINITE)]
        errors = list(jsonschema_rs.Draft202012Validator(schema_of(record)).iter_errors(instance))
    except (ValueError, RecursionError):
        errors = []
    found: dict[tuple[str, str], Problem] = {}
    for error in errors:
        path = "$" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.instance_path)
        found.setdefault((path, error.message), Problem(path, error.message))
    problems = [found[key] for key in sorted(found)]
    if not problems:
        text, _, path = first.partition(" - at `")
        problems = [Problem(path.rstrip("`") or "$", text)]
    if len(problems) > PROBLEM_LIMIT:
        more = len(problems) - PROBLEM_LIMIT
        problems = [*problems[:PROBLEM_LIMIT], Problem("$", f"and {more} more problems")]
    return problems


def _not_json(data: bytes | str, words: str) -> Problem:
    """What stands where JSON was expected; NaN and Infinity, which some parsers let pass, by their path."""
    try:
        not_finite = finite(json.loads(data))
    except (ValueError, RecursionError):
        not_finite = None
    return Problem(not_finite, FINITE) if not_finite else Problem("$", f"expected JSON: {words}")


def _repeated_keys(data: bytes | str) -> list[str]:
    """Keys that stand twice in one object of a JSON text."""
    repeated: list[str] = []

    def note(pairs: list[tuple[str, Any]]) -> None:
        if len({key for key, _ in pairs}) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    repeated.append(key)
                seen.add(key)

    json.loads(data, object_pairs_hook=note)
    return repeated
