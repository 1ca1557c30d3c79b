"""How a bundle becomes text: a head, one block for each item, a tail.

Every renderer keeps two promises, and tests hold it to them:

1. Cuts are where no tokenizer joins: the head, each block and the tail end in a line feed, and each block and the
   tail begin with a sign that is neither blank nor a slash. So the price of the whole is the sum over its parts.
2. A text cannot forge a delimiter: whatever a repository contains, the end of a block is the one the renderer wrote.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Head(Struct, frozen=True, kw_only=True):
    """What a bundle as a whole is about. Holds no figure that depends on which items were admitted.

    Renderers put it below the items: what stands first is then the same for every task and every commit, and a
    provider's prompt cache can keep it.
    """

    title: str
    source: str


class Piece(Struct, frozen=True, kw_only=True):
    """Consecutive lines of one file: numbers of the first and last line (from 1) and their text."""

    first: int
    last: int
    text: str


class Block(Struct, frozen=True, kw_only=True):
    """One item as a renderer sees it."""

    id: str
    path: str
    form: str
    kind: str
    language: str = ""
    title: str = ""
    pieces: tuple[Piece, ...] = ()
    total_lines: int = 0
    remark: str = ""
    group: tuple[str, ...] = ()


class Renderer(Protocol):
    """Text from a head and blocks; a pure function of them."""

    name: str

    def head(self, head: Head) -> str:
        """The text above the items."""
        ...

    def block(self, block: Block) -> str:
        """The text of one item; does not depend on the other items or its position."""
        ...

    def tail(self, head: Head) -> str:
        """The text below the items; may be empty."""
        ...
