"""Ordinary repositories for tests: files in a plain directory, or committed to git, read as a layer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.devcontext.answers import ask as ask_layer
from tests.devcontext.builder import repository, write

from contextc.core.devcontext import build_graph
from contextc.core.devcontext.graph import Finding
from contextc.core.records.devcontext import CompiledContext
from contextc.core.records.layer import Layer, LayerObject
from contextc.frontend.index import open_index
from contextc.frontend.ordinary import read_layer
from contextc.frontend.sources import open_source

SCHEME = "contextc://"


class Ordinary(NamedTuple):
    """A layer as tests ask about it; identifiers without the scheme."""

    layer: Layer

    def __getitem__(self, uri: str) -> LayerObject:
        return next(one for one in self.layer.objects if one.uri == SCHEME + uri)

    @property
    def uris(self) -> list[str]:
        """All identifiers."""
        return [one.uri.removeprefix(SCHEME) for one in self.layer.objects]

    def of(self, kind: str) -> list[str]:
        """The identities of a kind."""
        return [one.identity for one in self.layer.objects if one.kind == kind]

    def edges(self, kind: str) -> list[tuple[str, str]]:
        """Relations of a kind."""
        return [
            (source.removeprefix(SCHEME), target.removeprefix(SCHEME))
            for source, target, edge in build_graph(self.layer).edges
            if edge == kind
        ]

    @property
    def findings(self) -> list[Finding]:
        """References to nothing."""
        return list(build_graph(self.layer).findings)

    @property
    def faults(self) -> list[str]:
        """Diagnostics as `severity place code`."""
        return [f"{one.severity} {one.place} {one.code}" for one in self.layer.diagnostics]

    def ask(self, **request: object) -> CompiledContext:
        """The answer to a request, after it was checked against the schemas and the invariants."""
        return ask_layer(self.layer, **request)

    def given(self, **request: object) -> dict[str, str]:
        """What is given, with the selectors that found it."""
        return {
            one.uri.removeprefix(SCHEME): " ".join(
                sorted({found.edge or found.selector for found in one.discovered_by})
            )
            for one in self.ask(**request).selected
        }


def ordinary(root: Path, files: Mapping[str, str | bytes], *, git: bool = False) -> Ordinary:
    """The layer of these files at `root/repo`."""
    place = root / "repo"
    if git:
        repository(place, files)
    else:
        place.mkdir(exist_ok=True)
        write(place, files)
    return read(place, root / "cache")


def read(place: Path, cache: Path) -> Ordinary:
    """The layer of a directory."""
    source = open_source(place)
    snapshot = source.snapshot()
    return Ordinary(read_layer(source, snapshot, open_index(source, snapshot, cache_dir=cache, jobs=1)))


def matter(body: str = "Text.\n", **fields: str) -> str:
    """A document with front matter; `__` in a name stands for a hyphen."""
    block = "".join(f"{name.replace('__', '-')}: {value}\n" for name, value in fields.items())
    return f"---\n{block}---\n\n{body}"
