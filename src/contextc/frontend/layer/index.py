"""The index of a layer: every object of every class, and a diagnostic for everything that is none (SPEC 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from contextc.core.records.layer import IndexDiagnostic, IndexSeverity, Layer, LayerObject
from contextc.errors import InputError
from contextc.frontend.layer.globs import compiled
from contextc.frontend.layer.kinds import KINDS, Kind
from contextc.frontend.layer.manifest import (
    MANIFEST,
    Manifest,
    SourceClass,
    read_classes,
    read_manifest,
)
from contextc.frontend.layer.objects import SCHEME, Fault, Place, diagnostic, read_file
from contextc.frontend.layer.own_kinds import FILE as KINDS_FILE
from contextc.frontend.layer.own_kinds import read_kinds
from contextc.frontend.layer.scope import DEFAULT, Scope, read_scope
from contextc.frontend.sources import Entry, Omission, display_path

#: Gives the bytes of entries, in the order asked.
Reading = Callable[[Iterable[Entry]], Iterable[tuple[Entry, bytes]]]

#: What an omission of the snapshot is called in the index (SPEC 2.3).
_OMITTED = {"oversized": "oversized", "symlink": "symlink", "submodule": "not_a_file", "special": "not_a_file"}


class Files(NamedTuple):
    """The listed files of the repository by their path relative to the root of the layer."""

    entries: Mapping[str, Entry]
    omitted: Mapping[str, Omission]
    read: Reading


class _Found(NamedTuple):
    place: Place
    entry: Entry


def build_layer(files: Files) -> Layer:
    """Read everything the layer declares. Raises `InputError` for a manifest, classes or scope that cannot be read."""
    manifest = read_manifest(_needed(files, MANIFEST))
    classes = read_classes(_needed(files, manifest.sources), manifest.sources)
    kinds = _kinds(files, manifest)
    scope = _scope(files, manifest)
    diagnostics: list[IndexDiagnostic] = []
    found = _discover(files, manifest, classes, scope, diagnostics)
    objects: list[LayerObject] = []
    for one, data in zip(found, (data for _, data in files.read([one.entry for one in found])), strict=True):
        if scope.is_binary(data):
            diagnostics.append(_warning(one.place.path, "out_of_scope", "binary: it holds a NUL"))
            continue
        read = read_file(one.place, data, kinds)
        objects.extend(read.objects)
        diagnostics.extend(read.diagnostics)
    contested = _contested(objects, diagnostics)
    kept = tuple(sorted((one for one in objects if one.uri not in contested), key=lambda one: one.uri))
    return Layer(
        scheme=SCHEME,
        objects=kept,
        contested=contested,
        sizes={path: entry.size for path, entry in files.entries.items()},
        fingerprint=fingerprint(kept),
        diagnostics=tuple(sorted(diagnostics)),
    )


def fingerprint(objects: Iterable[LayerObject]) -> str:
    """SHA-256 (hex) over path, a zero byte, content, a line feed of each object in order (SPEC 2.4)."""
    sha = hashlib.sha256()
    for one in objects:
        sha.update(one.path.encode("utf-8", "surrogateescape") + b"\0" + one.content.encode("utf-8") + b"\n")
    return sha.hexdigest()


def _scope(files: Files, manifest: Manifest) -> Scope:
    path = manifest.sections.get("scope")
    return DEFAULT if path is None else read_scope(_needed(files, path), path)


def _kinds(files: Files, manifest: Manifest) -> Mapping[str, Kind]:
    """The kinds of the tool and those that the repository declares beside its classes."""
    path = manifest.sources.rpartition("/")[0] + f"/{KINDS_FILE}"
    if path not in files.entries and path not in files.omitted:
        return KINDS
    return read_kinds(_needed(files, path), path, lambda place: _needed(files, place))


def _needed(files: Files, path: str) -> bytes:
    entry = files.entries.get(path)
    if entry is None or entry.kind not in ("file", "executable"):
        omission = files.omitted.get(path)
        why = f"it is left out: {omission.reason} {omission.detail}".rstrip() if omission else "it is not there"
        hint = "a layer is read from the files git tracks: `git add` it"
        raise InputError(f"the layer cannot be read without this file; {why}", where=path, hint=hint)
    return next(data for _, data in files.read([entry]))


def _discover(
    files: Files,
    manifest: Manifest,
    classes: tuple[SourceClass, ...],
    scope: Scope,
    diagnostics: list[IndexDiagnostic],
) -> list[_Found]:
    """The files to read, class by class, in path order."""
    listed = sorted(set(files.entries) | set(files.omitted))
    listed = [path for path in listed if not path.startswith(manifest.local + "/")]
    owners: dict[str, str] = {}
    found: list[_Found] = []
    for one in classes:
        match = compiled(one.pattern).fullmatch
        paths = [path for path in listed if match(path)]
        if one.required and not paths:
            message = f"the class {one.id!r} must not be empty; nothing matches {one.pattern}"
            diagnostics.append(diagnostic(manifest.sources, Fault("required_source_empty", message)))
        for path in paths:
            if path in owners:
                message = f"the class {one.id!r} matches a file that belongs to {owners[path]!r}"
                diagnostics.append(_warning(path, "claimed_twice", message))
                continue
            owners[path] = one.id
            entry = _readable(files, path, scope, diagnostics)
            if entry is not None:
                found.append(_Found(_place(manifest, one, path), entry))
    return found


def _readable(files: Files, path: str, scope: Scope, diagnostics: list[IndexDiagnostic]) -> Entry | None:
    """The entry of a path that may and can be read; else what is in the way is noted."""
    shown = display_path(path)
    if any("\ud800" <= char <= "\udfff" for char in path):
        diagnostics.append(diagnostic(shown, Fault("invalid_utf8", "the name of the file is not UTF-8")))
        return None
    entry = files.entries.get(path)
    out = scope.why_out(path, entry.size if entry is not None else 0)
    if out is not None:
        category, rule = out
        diagnostics.append(_warning(path, "out_of_scope", f"{category}: {rule}"))
        if category == "secret":
            message = f"git tracks a file that holds secrets by its name: {rule}"
            diagnostics.append(_warning(path, "tracked_secret", message))
        return None
    omission = files.omitted.get(path)
    if omission is not None:
        code = _OMITTED.get(omission.reason, "unreadable")
        diagnostics.append(diagnostic(shown, Fault(code, f"{omission.reason}: {omission.detail}".removesuffix(": "))))
        return None
    return entry


def _place(manifest: Manifest, one: SourceClass, path: str) -> Place:
    sections = [
        (len(prefix), name)
        for name, prefix in manifest.sections.items()
        if path == prefix or path.startswith(prefix + "/")
    ]
    contract = path.startswith(".ai/") and path.rpartition("/")[2] in manifest.documents
    return Place(path, one.id, one.kind, max(sections)[1] if sections else None, contract)


def _contested(objects: list[LayerObject], diagnostics: list[IndexDiagnostic]) -> dict[str, tuple[str, ...]]:
    """The identifiers that more than one object claims, with the places; an error for each claimant."""
    places: dict[str, list[str]] = {}
    for one in objects:
        places.setdefault(one.uri, []).append(f"{one.path}#{one.member}" if one.member else one.path)
    contested = {uri: tuple(sorted(found)) for uri, found in sorted(places.items()) if len(found) > 1}
    for one in objects:
        if one.uri in contested:
            message = f"{one.uri} is claimed by {' and '.join(contested[one.uri])}; none of them is taken"
            diagnostics.append(diagnostic(one.path, Fault("duplicate_identity", message)))
    return contested


def _warning(path: str, code: str, message: str) -> IndexDiagnostic:
    severity: IndexSeverity = "warning"
    return IndexDiagnostic(path=display_path(path), line=0, code=code, severity=severity, message=message)
