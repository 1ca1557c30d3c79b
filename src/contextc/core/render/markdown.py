"""Markdown: a heading for each item, its lines in a fence longer than any run of backticks in them."""

from __future__ import annotations

from contextc.core.render.base import Block, Head, Piece
from contextc.core.render.names import one_line, quoted, word
from contextc.core.render.pieces import ends_well, gap_in_words, joined, label, mark, shown_title

#: The least fence that CommonMark knows, and as many dots as people write for something left out.
FENCE = 3
DOTS = 3


class Markdown:
    """`## path (form, lines)`, then lines of metadata, then a fenced text; see docs/formats.md."""

    name = "markdown"

    def head(self, head: Head) -> str:
        """The same for every bundle."""
        return "# Context\n\nText between fences is quoted; lines left out are named.\n\n"

    def block(self, block: Block) -> str:
        """One item."""
        pieces = joined(block.pieces)
        lines = [f"## {quoted(block.path)} ({label(block, pieces)})\n"]
        title, remark = shown_title(block), one_line(block.remark)
        if title:
            lines.append(f"Title: {title}\n")
        if block.group:
            lines.append(f"Belongs together with {', '.join(map(quoted, block.group))}.\n")
        if remark:
            lines.append(f"Remark: {remark}\n")
        if pieces:
            lines += _fenced(block, pieces)
        lines.append("\n")
        return "".join(lines)

    def tail(self, head: Head) -> str:
        """Title and source."""
        title = one_line(head.title)
        return f"# End of context{' for: ' if title else ''}{title}\n\nSource: {one_line(head.source)}\n"


def _fenced(block: Block, pieces: list[Piece]) -> list[str]:
    texts = [piece.text for piece in pieces]
    fence = mark("`", FENCE, texts)
    dots = mark(".", DOTS, texts) if len(pieces) > 1 else ""
    made = [f"{fence}{word(block.language)}\n"]
    for at, piece in enumerate(pieces):
        if at:
            made.append(f"{dots} {gap_in_words(pieces[at - 1], piece)}\n")
        made.append(piece.text if ends_well(piece) else piece.text + "\n")
    made.append(f"{fence}\n")
    if not ends_well(pieces[-1]):
        made.append("No line feed at the end.\n")
    return made
