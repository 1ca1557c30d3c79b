"""What the index knows of a file's content, and how it is asked.

Facts depend on the bytes and the file's name extension only, so they are kept by (blob id, language) and are true for
every commit and every clone. Ranking statistics (document frequency, average length) are computed over the files of
the snapshot at hand, never over whatever else the store holds: an answer must not depend on what was indexed before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from contextc.frontend.sources.base import Omission


class Symbol(Struct, frozen=True, array_like=True, gc=False):
    """A definition, or a heading of a document.

    `kind`: function, method, class, interface, enum, type, module, constant, macro, heading.
    `name` is the simple name, `qualified` includes the containers (`Session.open`).
    Lines count from 1, inclusive; `first_line` includes decorators and the doc comment directly above.
    The signature ends in `signature_last`; for a heading, the section ends in `last_line`.
    `depth` counts the containers. `signature_end` is the number of characters of line `signature_last` that belong to
    the signature (what follows is the body, or its opening brace); 0 means the whole line.
    """

    kind: str
    name: str
    qualified: str
    first_line: int
    signature_first: int
    signature_last: int
    last_line: int
    depth: int
    signature_end: int = 0


class Import(Struct, frozen=True, array_like=True):
    """One import as written: the module or path named, the names taken from it, and its lines."""

    target: str
    names: tuple[str, ...]
    first_line: int
    last_line: int


class Facts(Struct, frozen=True, array_like=True):
    """What is known of one text.

    `status` is text, binary or secret (a secret has no words, symbols or text for anyone); `encoding` and `eol`
    (lf, crlf, cr, mixed, none) say how it was decoded, `remark` what was done on the way.
    `parsed` is grammar, headings, none or partial (the grammar met errors; symbols are what could be found).
    `length` counts words (the BM25 document length, in words).
    """

    status: str
    language: str
    encoding: str
    eol: str
    remark: str
    size: int
    lines: int
    length: int
    parsed: str
    symbols: tuple[Symbol, ...]
    imports: tuple[Import, ...]
    generated: bool


class IndexedFile(Struct, frozen=True):
    """A file of the snapshot with its facts. `flag` says that it is no ordinary one: `lock` (of a package manager),
    `vendored` (the code of others, by its folder), `generated` (by its text or name), else ""."""

    path: str
    oid: str
    facts: Facts
    flag: str = ""


class Statistics(Struct, frozen=True):
    """What ranking needs to know of all files of the snapshot together: their number and their lengths in words."""

    files: int
    words: int
    average_length: float


class Posting(Struct, frozen=True, array_like=True, gc=False):
    """How often a word stands in one file: in the text (comments and strings included) and in names it defines."""

    path: str
    text: int
    symbols: int


class Past(Struct, frozen=True, array_like=True, gc=False):
    """One commit. `words` are those of its message, each once, in the order they stand there; the first `title` of
    them are those of its first line. `paths` are what it changed, empty where that is too much to say anything."""

    id: str
    words: tuple[str, ...]
    title: int
    paths: tuple[str, ...]


class History(Struct, frozen=True):
    """Commits, newest first, from the commit of a snapshot backwards. `digest` is a SHA-256 over their ids, "" where
    there are none."""

    commits: tuple[Past, ...]
    digest: str


class IndexView(Protocol):
    """The index as seen through one snapshot.

    Words of a path are no postings (facts belong to content); `path_words` gives them.
    """

    @property
    def statistics(self) -> Statistics:
        """Over `files`."""
        ...

    @property
    def left_out(self) -> Sequence[Omission]:
        """What the source left out, and besides: `binary` and `secret` files with the reason, and `unreadable` ones
        whose bytes could not be had any more. Ascending by path."""
        ...

    def definitions(self, name: str) -> Sequence[tuple[str, Symbol]]:
        """Where a simple name is defined, ascending by path and line; letter case counts. Headings are no
        definitions."""
        ...

    def path_words(self, path: str) -> Sequence[str]:
        """The words of a path, each once."""
        ...

    def texts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """`text` for several paths, read in one go."""
        ...

    @property
    def files(self) -> Sequence[IndexedFile]:
        """All readable text files, ascending by path."""
        ...

    def file(self, path: str) -> IndexedFile | None:
        """One file by its path."""
        ...

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[Posting]]:
        """For each word (already split and lower-cased by `words.split`), the files of the snapshot that hold it."""
        ...

    def text(self, path: str) -> str:
        """The decoded text of a file, line ends as they are. Raises `SourceError` when it cannot be had."""
        ...

    @property
    def history(self) -> History:
        """What led to the commit of the snapshot; read when first asked for, empty where there is none."""
        ...

    def count(self, counter: str, keys: Sequence[bytes]) -> Mapping[bytes, int]:
        """Remembered token counts by SHA-256 of (text) for a counter; unknown keys are absent."""
        ...

    def remember(self, counter: str, counts: Mapping[bytes, int]) -> None:
        """Remember token counts. A store that cannot be written forgets silently: it is only a cache."""
        ...
