"""From the bytes of one file to its objects, or to what is wrong with it (SPEC 2.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from contextc.core.records.layer import IndexDiagnostic, IndexSeverity, LayerObject, Value, scalar_text
from contextc.frontend.layer.front_matter import FrontMatter, heading, split
from contextc.frontend.layer.keys import KEYS, unknown_keys
from contextc.frontend.layer.kinds import HEADING, KINDS, Kind
from contextc.frontend.layer.yaml_subset import YamlError, parse
from contextc.frontend.sources import secret_content

#: The scheme of identifiers of an `ai-repository/v1` layer (SPEC 2.3).
SCHEME = "majordomus"


class Place(NamedTuple):
    """A file of the layer as it was found."""

    path: str
    source_class: str
    kind: str
    section: str | None
    must_be_contract: bool


class Read(NamedTuple):
    """What a file gave."""

    objects: tuple[LayerObject, ...] = ()
    diagnostics: tuple[IndexDiagnostic, ...] = ()


class Fault(Exception):
    """Why a file or a member gives no object."""

    def __init__(self, code: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line


def read_file(place: Place, data: bytes, kinds: Mapping[str, Kind] = KINDS) -> Read:
    """The objects of a file. A fault drops the file, one in a member that member; nothing is raised. A key that its
    kind does not have is only reported."""
    try:
        kind = kinds.get(place.kind)
        if kind is None:
            raise Fault("unknown_kind", f"the class {place.source_class!r} is of the unknown kind {place.kind!r}")
        text = _text(data)
        if kind.format == "text":
            return Read((_object(place, kind, {}, text, text, len(data)),))
        if kind.format == "yaml":
            return _checked(_structured(place, kind, text, len(data)), kinds, text)
        return _checked(Read((_markdown(place, kind, text, len(data)),)), kinds, text)
    except Fault as fault:
        return Read(diagnostics=(diagnostic(place.path, fault),))


def _checked(read: Read, kinds: Mapping[str, Kind], text: str) -> Read:
    """What was read without what breaks the schema of its kind; each key that its kind does not have is reported."""
    kept: list[LayerObject] = []
    faults = list(read.diagnostics)
    for one in read.objects:
        where = f"{one.member}: " if one.member else ""
        judge = kinds[one.kind].schema
        wrong = judge.violations(one.metadata) if judge is not None else []
        faults += [diagnostic(one.path, Fault("schema_violation", where + message)) for message in wrong]
        for key in unknown_keys(KEYS.get(one.kind), one.metadata):
            message = f"{where}a key that a {one.kind} does not have: {key!r}"
            line = 0 if one.member else _line_of(key, text)
            faults.append(diagnostic(one.path, Fault("unknown_key", message, line), "warning"))
        if not wrong:
            kept.append(one)
    return Read(tuple(kept), tuple(faults))


def _line_of(key: str, text: str) -> int:
    """The line of a top-level key."""
    return next((at for at, line in enumerate(text.split("\n"), 1) if line.startswith(f"{key}:")), 0)


def diagnostic(path: str, fault: Fault, severity: IndexSeverity = "error") -> IndexDiagnostic:
    """A fault as it is reported."""
    return IndexDiagnostic(path=path, line=fault.line, code=fault.code, severity=severity, message=fault.message)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Fault("invalid_utf8", f"{error.reason} at byte {error.start}", line) from None


def _markdown(place: Place, kind: Kind, text: str, size: int) -> LayerObject:
    front = _front(text, place)
    declared = front.data.get("kind") if front.data is not None else None
    if place.must_be_contract and declared != "context":
        raise Fault("missing_context_contract", "a file of this name must carry the contract of its directory", 1)
    if declared == "context":
        kind = KINDS["context"]
    elif front.data is None and kind.format == "required":
        raise Fault("missing_front_matter", f"a {kind.name} starts with front matter between two lines `---`", 1)
    elif front.data is None:
        kind = KINDS["document"]
    elif declared is not None and declared != kind.name:
        raise Fault("kind_mismatch", f"it says `kind: {declared}` and lies where a {kind.name} is expected", 1)
    metadata = front.data or {}
    _check_marker(kind, metadata)
    return _object(place, kind, metadata, text, front.body, size)


def _front(text: str, place: Place) -> FrontMatter:
    try:
        return split(text)
    except YamlError as error:
        raise Fault("malformed_front_matter", error.message, error.line) from None


def _structured(place: Place, kind: Kind, text: str, size: int) -> Read:
    try:
        found = parse(text)
    except YamlError as error:
        raise Fault("malformed_yaml", error.message, error.line) from None
    _check_marker(kind, found)
    if not kind.members:
        return Read((_object(place, kind, found, text, "", size),))
    items = found.get(kind.members, [])
    if not isinstance(items, list):
        raise Fault("schema_violation", f"expected a list under `{kind.members}`")
    objects = []
    faults = []
    for index, item in enumerate(items):
        member = f"{kind.members}.{index}"
        try:
            objects.append(_member(place, kind, item, member, size))
        except Fault as fault:
            faults.append(diagnostic(place.path, Fault(fault.code, f"{member}: {fault.message}")))
    return Read(tuple(objects), tuple(faults))


def _member(place: Place, kind: Kind, item: Value, member: str, size: int) -> LayerObject:
    if not isinstance(item, dict):
        raise Fault("schema_violation", "expected a map")
    content = json.dumps(item, indent=2, ensure_ascii=False)
    return _object(place, kind, item, content, "", size, member)


def _check_marker(kind: Kind, metadata: Mapping[str, Value]) -> None:
    if kind.marker is None:
        return
    field, expected = kind.marker
    found = metadata.get(field)
    if found != expected or isinstance(found, bool):
        said = "nothing" if found is None else repr(scalar_text(found))
        raise Fault("unsupported_version", f"expected `{field}: {expected}` of a {kind.name}, found {said}")


def _object(
    place: Place,
    kind: Kind,
    metadata: Mapping[str, Value],
    content: str,
    body: str,
    size: int,
    member: str | None = None,
) -> LayerObject:
    identity = _identity(kind, metadata) if kind.identity else place.path
    found = heading(body) if kind.title == HEADING else scalar_text(metadata.get(kind.title))
    return LayerObject(
        uri=f"{SCHEME}://{kind.name}/{identity}",
        kind=kind.name,
        identity=identity,
        # A title is shown wherever the object is.
        title=found if found is None or secret_content(found) is None else None,
        description=scalar_text(metadata.get(kind.description)),
        metadata=metadata,
        content=content,
        path=place.path,
        directory=place.path.rpartition("/")[0] or ".",
        source_class=place.source_class,
        section=place.section,
        bytes=size,
        cost_bytes=size if member is None else len(content.encode("utf-8")),
        member=member,
    )


def _identity(kind: Kind, metadata: Mapping[str, Value]) -> str:
    parts = []
    for field in kind.identity:
        text = scalar_text(metadata.get(field))
        if not text:
            raise Fault("missing_field", f"a {kind.name} needs `{field}`")
        if any(char in "/@" or char.isspace() for char in text):
            raise Fault("schema_violation", f"`{field}` may hold no `/`, no `@` and no blank; found {text!r}")
        parts.append(text)
    return "@".join(parts)
