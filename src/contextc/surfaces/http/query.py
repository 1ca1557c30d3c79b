"""The fields of a record out of a query (SPEC 5.3).

Whole numbers, numbers, `true` and `false` are read from text; a list of texts is a JSON array in text. A parameter that
is not known, or that is given twice, is an error. Nothing is guessed: `1e3` is no whole number and `yes` is not true.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import inspect

from contextc.core.records.base import Record
from contextc.core.records.codec import convert
from contextc.errors import DocumentError, InputError, Problem
from contextc.surfaces.http.routes import plain

#: More parameters than any record has fields; what sends more means harm.
MOST_PARAMETERS = 100

_INTEGER = re.compile(r"-?(0|[1-9]\d{0,18})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def read_query(query: bytes, record: type[Record]) -> Record:
    """The record a query stands for. Raises `DocumentError` and `InputError` for one that cannot be understood."""
    kinds = kinds_of(record)
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in _pairs(query):
        if name not in kinds:
            problems.append(Problem(f"$.{name}", f"no such parameter; there are: {', '.join(kinds) or 'none'}"))
        elif name in given:
            problems.append(Problem(f"$.{name}", "expected one value, it is given twice"))
        else:
            try:
                given[name] = _value(kinds[name], text)
            except ValueError as error:
                given[name] = None
                problems.append(Problem(f"$.{name}", str(error)))
    if problems:
        raise DocumentError(problems)
    return convert(given, record)


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS)
    except ValueError:  # UnicodeError is one
        raise InputError("expected a query in percent-encoded UTF-8 with few parameters") from None


@cache
def kinds_of(record: type[Record]) -> dict[str, inspect.Type]:
    """The plain types of the fields of a record by the name they have on the wire."""
    info = inspect.type_info(record)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: plain(field.type) for field in info.fields}


def _value(kind: inspect.Type, text: str) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value a text stands for. Raises `ValueError` that says what was expected."""
    if isinstance(kind, inspect.VarTupleType):
        return _array(text)
    if isinstance(kind, inspect.IntType):
        return _whole(text)
    if isinstance(kind, inspect.FloatType):
        if _NUMBER.fullmatch(text) is None:
            raise ValueError("expected a number")
        return float(text)
    if isinstance(kind, inspect.BoolType):
        if text not in ("true", "false"):
            raise ValueError("expected true or false")
        return text == "true"
    return text


def _whole(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise ValueError("expected a whole number")
    return int(text)


def _array(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        value = None
    if not isinstance(value, list):
        raise ValueError('expected a JSON array in text, such as ["lib"]')
    return value
