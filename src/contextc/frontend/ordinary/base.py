"""What readers of conventions hand on: drafts of objects, and what they name of each other as it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from contextc.core.records.layer import IndexDiagnostic, IndexSeverity, Value
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.sources import display_path

#: Letters of an identity; a longer one was not meant to be typed.
LONGEST_NAME = 120

_FOREIGN = re.compile(
    r"(?:^|/)(?:tests?|__tests__|testdata|test-data|fixtures?|examples?|samples?|templates?|node_modules|vendor|third_party)/"
)
_BLANKS = re.compile(r"\s+")
_VERSION = re.compile(r"@(?=[0-9]+$)")


class Link(Struct, frozen=True):
    """A reference as written. `kinds` are what it may name, tried in that order; `file` is a path.

    `quiet`: words of a text, which may well name nothing. `backward`: the edge is drawn from what is named.
    """

    edge: str
    written: str
    kinds: tuple[str, ...]
    field: str = ""
    line: int = 0
    quiet: bool = False
    backward: bool = False


class Draft(Struct, kw_only=True):
    """An object in the making. `id` is the short identity its record gives, "" where the path is the identity;
    `names` are further names that others may call it by. `shelf` is the collection it lies in: a name is looked for
    there first. `text` is what may mention others; `line` is where the record begins."""

    kind: str
    path: str
    source_class: str
    id: str = ""
    names: Sequence[str] = ()
    shelf: str = ""
    title: str | None = None
    description: str | None = None
    metadata: dict[str, Value] = field(default_factory=dict)
    content: str = ""
    text: str = ""
    links: list[Link] = field(default_factory=list)
    member: str | None = None
    line: int = 0

    @property
    def place(self) -> str:
        """Where the record stands, for a person."""
        shown = display_path(self.path)
        return f"{shown}:{self.line}" if self.line and self.member else shown


class Reading(Struct, frozen=True, kw_only=True):
    """What a reader found. `owned` are the files it has taken, also those that gave no object."""

    drafts: Sequence[Draft] = ()
    diagnostics: Sequence[IndexDiagnostic] = ()
    owned: frozenset[str] = frozenset()


class Repository(Struct, frozen=True, kw_only=True):
    """What all readers look at: the tree, the texts that were asked for ahead, the sizes of listed files in bytes."""

    tree: Tree
    sizes: Mapping[str, int]

    def text(self, path: str) -> str | None:
        """The text of a file, None when it cannot be had."""
        return self.tree.readable(path)


def foreign(path: str) -> bool:
    """Whether records at a path are data of tests, examples, or of others, and not of this repository."""
    return _FOREIGN.search(path) is not None


def remark(path: str, line: int, code: str, message: str, severity: IndexSeverity = "error") -> IndexDiagnostic:
    """A fault of one record."""
    return IndexDiagnostic(path=display_path(path), line=line, code=code, severity=severity, message=message)


def plain_id(text: str) -> str:
    """An id as an identity: blanks become hyphens, `@` is encoded as it separates versions; "" when it is none."""
    found = _BLANKS.sub("-", text.strip()).replace("@", "%40")
    return display_path(found) if found and len(found) <= LONGEST_NAME else ""


def path_identity(path: str, member: str | None = None) -> str:
    """The identity of what is known by its path; one that ends like a version is encoded, for it is none."""
    shown = _VERSION.sub("%40", display_path(path))
    return f"{shown}#{member}" if member else shown


def strings_of(value: object) -> tuple[str, ...]:
    """A field of a record as strings: a list, or one string with commas; numbers are taken as they are written."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") and text.endswith("]"):  # a list in a block that was read leniently
            text = text[1:-1]
        value = [part.strip().strip("\"'") for part in text.split(",")]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list):
        return ()
    texts = (str(item).strip() for item in value if isinstance(item, (str, int, float)) and not isinstance(item, bool))
    return tuple(dict.fromkeys(text for text in texts if text))


def scalar_of(value: object) -> str:
    """A field of a record as one string, "" where it is no scalar."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, (str, int, float)) else ""
