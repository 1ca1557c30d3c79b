"""Code, tests and documentation: every readable file that nothing else has taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

from contextc.core.records.layer import Value
from contextc.frontend.index import IndexedFile
from contextc.frontend.ordinary.base import Draft
from contextc.frontend.select.kinds import Kind, kind_of

#: Object kind and class by what a path is. Locks, generated files and the code of others are no objects.
_OBJECTS: Mapping[Kind, tuple[str, str]] = {
    "source": ("implementation", "source"),
    "config": ("implementation", "config"),
    "example": ("implementation", "example"),
    "test": ("test", "test"),
    "doc": ("knowledge", "docs"),
}
#: Documents that tell the history of a repository, or its terms, and not how it works.
_RECORD = re.compile(
    r"(?:CHANGES|CHANGELOG|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|LICEN[CS]E|COPYING|NOTICE|MAINTAINERS|CODE_OF_CONDUCT)"
    r"(?:[.-][^/]*)?",
    re.IGNORECASE,
)


def file_drafts(files: Iterator[IndexedFile], taken: Set[str]) -> Iterator[Draft]:
    """A draft for each file that is worth one. Nothing is read: titles come from the index."""
    for file in files:
        if file.path in taken:
            continue
        found = _OBJECTS.get(kind_of(file.path, file.flag))
        if found is None:
            continue
        kind, source_class = found
        if kind == "knowledge" and _RECORD.fullmatch(file.path.rpartition("/")[2]):
            kind, source_class = "document", "record"
        metadata: dict[str, Value] = {}
        if source_class in ("config", "example"):
            metadata["class"] = source_class
        yield Draft(kind=kind, path=file.path, source_class=source_class, title=title_of(file), metadata=metadata)


def title_of(file: IndexedFile | None) -> str | None:
    """The first heading of a document."""
    if file is None:
        return None
    return next((symbol.name for symbol in file.facts.symbols if symbol.kind == "heading"), None)
