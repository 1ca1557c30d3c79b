"""`.ai/manifest.yaml` and `knowledge/sources.yaml`: where the layer is, its sections, its classes (SPEC 1.1, 1.2, 1.5).

Discovery rests on these two, so a fault in them is an error and not a diagnostic.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from contextc.core.records.layer import Value
from contextc.errors import InputError, NotFound, RepositoryError
from contextc.frontend.layer.yaml_subset import YamlError, parse

MANIFEST = ".ai/manifest.yaml"
SCHEMA = "ai-repository/v1"
#: Where the classes are declared when the manifest names no `knowledge` section.
KNOWLEDGE = "repo/knowledge"
_KEYS: dict[str, frozenset[str]] = {
    "": frozenset(("schema", "repo", "local", "sections", "context")),
    "repo": frozenset(("path",)),
    "local": frozenset(("path", "tracked", "implicit_context")),
    "context": frozenset(("documents",)),
}
_CLASS_KEYS = frozenset(("id", "kind", "discovery", "pathspec", "required"))
_GLOB = ":(glob)"


class Manifest(NamedTuple):
    """The registry of sections, paths relative to the root of the repository; `documents` are names of contracts."""

    sections: Mapping[str, str]
    documents: frozenset[str]
    local: str
    sources: str


class SourceClass(NamedTuple):
    """One class of files: all that match `pattern` are of `kind`."""

    id: str
    kind: str
    pattern: str
    required: bool


def find_root(start: str) -> Path:
    """The nearest directory at or above `start` with a manifest.

    Raises `NotFound` when there is none, `RepositoryError` for a layout older than the manifest.
    """
    place = Path(os.path.realpath(start))
    if not place.is_dir():
        raise NotFound("there is no such directory", where=start)
    for folder in (place, *place.parents):
        if os.path.lexists(folder / MANIFEST):
            return folder
        if (folder / ".majordomus").is_dir():
            raise RepositoryError(
                "this repository has a legacy layout, a `.majordomus` directory without `.ai/manifest.yaml`",
                where=str(folder),
                hint="move the layer to `.ai` and write a manifest of schema ai-repository/v1",
            )
    raise NotFound(
        f"no {MANIFEST} in this directory or above it",
        where=start,
        hint="name a directory of a repository with an `.ai` layer",
    )


def read_manifest(data: bytes) -> Manifest:
    """The manifest. Raises `InputError` with file and line."""
    found = _document(data, MANIFEST)
    _closed(found, "", MANIFEST)
    if found.get("schema") != SCHEMA:
        raise InputError(
            f"expected `schema: {SCHEMA}`, found {found.get('schema')!r}",
            where=MANIFEST,
            hint="another version of the layer needs another version of contextc",
        )
    tables: dict[str, dict[str, Value]] = {}
    for name in ("repo", "local", "sections", "context"):
        value = found.get(name, {})
        if not isinstance(value, dict):
            raise InputError(f"expected a map under `{name}`", where=MANIFEST)
        tables[name] = value
        if name in _KEYS:
            _closed(value, name, MANIFEST)
    sections = {name: ".ai/" + _path(value, f"sections.{name}") for name, value in tables["sections"].items()}
    documents = tables["context"].get("documents", [])
    if not isinstance(documents, list):
        raise InputError("expected a list of file names under `context.documents`", where=MANIFEST)
    return Manifest(
        sections,
        frozenset(str(name) for name in documents),
        ".ai/" + _path(tables["local"].get("path", "local"), "local.path"),
        sections.get("knowledge", f".ai/{KNOWLEDGE}") + "/sources.yaml",
    )


def read_classes(data: bytes, where: str) -> tuple[SourceClass, ...]:
    """The classes in their order. Raises `InputError` with the file, and the class that is wrong."""
    found = _document(data, where)
    if found.get("version") != 1:
        raise InputError(f"expected `version: 1`, found {found.get('version')!r}", where=where)
    items = found.get("sources", [])
    if not isinstance(items, list):
        raise InputError("expected a list under `sources`", where=where)
    classes = tuple(_class(item, index, where) for index, item in enumerate(items))
    seen: set[str] = set()
    for one in classes:
        if one.id in seen:
            raise InputError(f"two source classes have the id {one.id!r}", where=where)
        seen.add(one.id)
    return classes


def _class(item: Value, index: int, where: str) -> SourceClass:
    place = f"sources[{index}]"
    if not isinstance(item, dict):
        raise InputError(f"expected a map as {place}", where=where)
    unknown = sorted(set(item) - _CLASS_KEYS)
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r} in {place}", where=where)
    texts = {name: item.get(name) for name in ("id", "kind", "discovery", "pathspec")}
    for name, value in texts.items():
        if not isinstance(value, str) or not value:
            raise InputError(f"expected text as `{name}` of {place}", where=where)
    pathspec = str(texts["pathspec"])
    if texts["discovery"] != "vcs":
        raise InputError(f"expected `discovery: vcs` in {place}, found {texts['discovery']!r}", where=where)
    if not pathspec.startswith(_GLOB):
        raise InputError(f"expected a pathspec that starts with {_GLOB!r} in {place}", where=where)
    required = item.get("required", False)
    if not isinstance(required, bool):
        raise InputError(f"expected true or false as `required` of {place}", where=where)
    return SourceClass(str(texts["id"]), str(texts["kind"]), pathspec.removeprefix(_GLOB), required)


def _document(data: bytes, where: str) -> dict[str, Value]:
    try:
        return parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"expected UTF-8: {error.reason} at byte {error.start}", where=where) from None
    except YamlError as error:
        raise InputError(error.message, where=f"{where}:{error.line}") from None


def _closed(found: Mapping[str, Value], table: str, where: str) -> None:
    unknown = sorted(set(found) - _KEYS[table])
    if unknown:
        name = f"{table}.{unknown[0]}" if table else unknown[0]
        raise InputError(f"unknown key {name!r}", where=where, hint=f"known: {', '.join(sorted(_KEYS[table]))}")


def _path(value: Value, name: str) -> str:
    if not isinstance(value, str) or not value.strip("/") or value.startswith("/") or ".." in value.split("/"):
        raise InputError(f"expected a path inside `.ai` as `{name}`", where=MANIFEST)
    return value.rstrip("/")
