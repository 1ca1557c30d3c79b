"""Plain text: every line that is not quoted begins with a run of `=` longer than any in the quoted lines."""

from __future__ import annotations

from contextc.core.render.base import Block, Head
from contextc.core.render.names import one_line, quoted
from contextc.core.render.pieces import ends_well, gap_in_words, joined, label, mark, shown_title

#: One more than the longest run that is common in code (`===`), so that the mark seldom changes.
RUN = 4


class Plain:
    """`==== path (form, lines)`, the lines, `====`; see docs/formats.md."""

    name = "plain"

    def head(self, head: Head) -> str:
        """The same for every bundle."""
        return "Context\n\n"

    def block(self, block: Block) -> str:
        """One item."""
        pieces = joined(block.pieces)
        run = mark("=", RUN, [piece.text for piece in pieces])
        lines = [f"{run} {quoted(block.path)} ({label(block, pieces)})\n"]
        title, remark = shown_title(block), one_line(block.remark)
        if title:
            lines.append(f"{run} title: {title}\n")
        if block.group:
            lines.append(f"{run} belongs together with {', '.join(map(quoted, block.group))}\n")
        if remark:
            lines.append(f"{run} remark: {remark}\n")
        for at, piece in enumerate(pieces):
            if at:
                lines.append(f"{run} {gap_in_words(pieces[at - 1], piece)}\n")
            lines.append(piece.text if ends_well(piece) else piece.text + "\n")
        ended = not pieces or ends_well(pieces[-1])
        lines.append(f"{run}\n\n" if ended else f"{run} no line feed at the end\n\n")
        return "".join(lines)

    def tail(self, head: Head) -> str:
        """Title and source."""
        title = one_line(head.title)
        return f"End of context{' for: ' if title else ''}{title}\nSource: {one_line(head.source)}\n"
