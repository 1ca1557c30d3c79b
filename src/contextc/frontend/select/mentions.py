"""Files that a task writes out: a path or its end, a dotted module, a line of a traceback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from contextc.frontend.select.query import Query

#: Files that one written path may stand for; an end like `index.js` that fits more says nothing.
MOST_FILES = 3
#: Names of files that stand for their folder in imports.
_FOLDER_FILES = ("__init__", "index", "mod", "lib", "main")


class Mention(NamedTuple):
    """How a file is written out. `strength` in 0..1; `lines` are those that a traceback names."""

    strength: float
    written: str
    lines: tuple[int, ...]


def mentions(query: Query, paths: Iterable[str]) -> dict[str, Mention]:
    """The files that the task writes out, by path."""
    if not (query.paths or query.dotted or query.places):
        return {}
    names, stems = _by_name(paths)
    found: dict[str, Mention] = {}
    for place in query.places:
        for path, share in _ends(place.path, names):
            before = found.get(path)
            lines = (*before.lines, place.line) if before else (place.line,)
            found[path] = Mention(max(share, before.strength if before else 0.0), place.path, lines)
    for written in query.paths:
        for path, share in _ends(written, names):
            if path not in found or found[path].strength < share:
                found[path] = Mention(share, written, found[path].lines if path in found else ())
    for parts in query.dotted:
        for path, share in _modules(parts, stems):
            if path not in found:
                found[path] = Mention(share, ".".join(parts), ())
    return found


def _by_name(paths: Iterable[str]) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    names: dict[str, list[str]] = {}
    stems: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        names.setdefault(name, []).append(path)
        stem = name.partition(".")[0]
        stems.setdefault(stem, []).append(path)
        if stem in _FOLDER_FILES and folder:
            stems.setdefault(folder.rpartition("/")[2], []).append(path)
    return names, stems


def _ends(written: str, names: Mapping[str, list[str]]) -> list[tuple[str, float]]:
    """Files whose path and the written one end alike in as many components as any does."""
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    if not parts or parts[-1] not in names:
        return []
    alike = [(_common(parts, path.split("/")), path) for path in names[parts[-1]]]
    most = max(count for count, _ in alike)
    best = sorted(path for count, path in alike if count == most)
    if len(best) > MOST_FILES:
        return []
    return [(path, 1.0 / len(best)) for path in best]


def _common(written: list[str], path: list[str]) -> int:
    count = 0
    for a, b in zip(reversed(written), reversed(path), strict=False):
        if a != b:
            break
        count += 1
    return count


def _modules(parts: tuple[str, ...], stems: Mapping[str, list[str]]) -> list[tuple[str, float]]:
    """Files that a dotted name leads to, at least two components deep: `flask.sessions.open` to `flask/sessions.py`."""
    for last in range(len(parts), 1, -1):
        tail = list(parts[:last])
        fits = sorted({path for path in stems.get(tail[-1], ()) if _fits(tail, path)})
        if fits:
            return [(path, 0.8 / len(fits)) for path in fits] if len(fits) <= MOST_FILES else []
    return []


def _fits(tail: list[str], path: str) -> bool:
    components = path.split("/")
    stem = components[-1].partition(".")[0]
    components = components[:-1] if stem in _FOLDER_FILES and tail[-1] != stem else [*components[:-1], stem]
    return components[-len(tail) :] == tail
