"""A result of today as the first version knew it (`--as v1`), and one of the first version in today's records."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from contextc.core.records.outcome import Result, ResultV1
from contextc.core.records.trace import Trace, TraceEntry, TraceEntryV1, TraceV1

T = TypeVar("T")


def project_v1(result: Result) -> ResultV1:
    """Project a v2 result on v1: no `pulled_in_by`, empty closures, both budgets those before the decision."""
    entries = tuple(
        _as(TraceEntryV1, entry, dependency_closure=(), budget_after=entry.budget_before)
        for entry in result.trace.entries
    )
    return _as(ResultV1, result, trace=_as(TraceV1, result.trace, entries=entries))


def lift_v1(result: ResultV1) -> Result:
    """A result of version 1 in today's records. What version 1 did not say stays empty."""
    entries = tuple(
        msgspec.convert({**_fields(TraceEntryV1, entry), "pulled_in_by": ()}, TraceEntry)
        for entry in result.trace.entries
    )
    return _as(Result, result, trace=_as(Trace, result.trace, entries=entries))


def _as(record: type[T], value: msgspec.Struct, **changed: object) -> T:
    """Another record with the fields of a value that it knows, but for those that are changed."""
    return record(**{**_fields(record, value), **changed})


def _fields(record: type, value: msgspec.Struct) -> dict[str, object]:
    names = [field.name for field in msgspec.structs.fields(record) if field.name != "schema_version"]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}
