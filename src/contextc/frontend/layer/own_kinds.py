"""Kinds that a repository declares for itself: `kinds.yaml` beside the classes, and JSON Schemas of them.

    version: 1
    kinds:
      - name: runbook
        format: required          # required, optional, else-document, yaml or text, as for the kinds of the tool
        identity: [id]            # without it the path
        title: title              # or @heading
        description: summary
        schema: runbook/v1        # the marker that each file must carry
        members: runbooks         # yaml only: the list whose items are the objects
        json_schema: schemas/runbook.json

The kinds of the tool cannot be declared anew. A fault here is an error and not a diagnostic: discovery rests on it.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Mapping
from typing import get_args

from contextc.core.records.layer import Value
from contextc.errors import InputError
from contextc.frontend.layer.kinds import KINDS, Format, Kind
from contextc.frontend.layer.schemas import RecordSchema
from contextc.frontend.layer.yaml_subset import YamlError, parse

FILE = "kinds.yaml"
_KEYS = ("name", "format", "identity", "title", "description", "schema", "members", "json_schema")


def read_kinds(data: bytes, where: str, load: Callable[[str], bytes]) -> dict[str, Kind]:
    """All kinds: those of the tool and the declared ones. `load` gives the bytes of a schema by its path.

    Raises `InputError` with the file, and what `load` raises.
    """
    try:
        found = parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"expected UTF-8: {error.reason} at byte {error.start}", where=where) from None
    except YamlError as error:
        raise InputError(error.message, where=f"{where}:{error.line}") from None
    unknown = sorted(set(found) - {"version", "kinds"})
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r}", where=where, hint="known: kinds, version")
    if found.get("version") != 1:
        raise InputError(f"expected `version: 1`, found {found.get('version')!r}", where=where)
    items = found.get("kinds", [])
    if not isinstance(items, list):
        raise InputError("expected a list under `kinds`", where=where)
    kinds = dict(KINDS)
    for index, item in enumerate(items):
        kind = _kind(item, f"kinds[{index}]", where, load)
        if kind.name in kinds:
            whose = "the tool has" if kind.name in KINDS else "there is already"
            raise InputError(f"{whose} a kind {kind.name!r}; it cannot be declared again", where=where)
        kinds[kind.name] = kind
    return kinds


def _kind(item: Value, place: str, where: str, load: Callable[[str], bytes]) -> Kind:
    if not isinstance(item, dict):
        raise InputError(f"expected a map as {place}", where=where)
    unknown = sorted(set(item) - set(_KEYS))
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r} in {place}", where=where, hint=f"known: {', '.join(_KEYS)}")
    form = _text(item, "format", place, where)
    if form not in get_args(Format):
        raise InputError(f"expected one of {', '.join(get_args(Format))} as `format` of {place}", where=where)
    identity = item.get("identity", [])
    names = identity if isinstance(identity, list) else [identity]
    if not all(isinstance(name, str) and name for name in names):
        raise InputError(f"expected names of fields as `identity` of {place}", where=where)
    marker = item.get("schema")
    schema = _schema(_text(item, "json_schema", place, where), where, load) if "json_schema" in item else None
    return Kind(
        name=_text(item, "name", place, where),
        format=form,  # type: ignore[arg-type] # one of the formats, as was just checked
        identity=tuple(str(name) for name in names),
        title=_text(item, "title", place, where) if "title" in item else "",
        description=_text(item, "description", place, where) if "description" in item else "",
        marker=("schema", marker) if isinstance(marker, (str, int)) and not isinstance(marker, bool) else None,
        members=_text(item, "members", place, where) if "members" in item else "",
        schema=schema,
    )


def _text(item: Mapping[str, Value], key: str, place: str, where: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(f"expected text as `{key}` of {place}", where=where)
    return value


def _schema(path: str, where: str, load: Callable[[str], bytes]) -> RecordSchema:
    """A JSON Schema beside the file. It may not refer to others: nothing is fetched."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(where), path))
    if not place.startswith(posixpath.dirname(where) + "/"):
        raise InputError(f"expected a path below {posixpath.dirname(where)}, found {path!r}", where=where)
    try:
        found = json.loads(load(place))
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError("expected a JSON Schema", where=f"{place}{line}") from None
    if not isinstance(found, dict):
        raise InputError("expected a JSON Schema, an object", where=place)
    return RecordSchema(found, place)
