"""XML: one `document` for each item, its text in CDATA that it cannot close; well-formed XML 1.0 whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from contextc.core.render.base import Block, Head, Piece
from contextc.core.render.names import one_line, quoted, word
from contextc.core.render.pieces import UNSAID_KINDS, gap, joined, ranges, shown_title

#: What XML 1.0 has no way to hold (production 2, `Char`).
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: Where CDATA is interrupted: at its own end, which the text must not write, and in our own tags, so that a reader
#: who looks for the end of a document by its tag alone finds the right one.
_INTERRUPTED = re.compile(r"\]\](?=>)|<(?=/?document)")

#: Visible signs for what has no picture of its own, or whose picture the text uses: geometric shapes and all after.
_STAND_INS = range(0x25A0, 0xD800)

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


class Xml:
    """`<document path= form= lines= of=>` with `<document_content>`; see docs/formats.md."""

    name = "xml"

    def head(self, head: Head) -> str:
        """The opening of the root element, the same for every bundle."""
        return "<documents>\n"

    def block(self, block: Block) -> str:
        """One item."""
        pieces = joined(block.pieces)
        stand_ins = _stand_ins([piece.text for piece in pieces])
        lines = [_tag("document", _attributes(block, pieces, stand_ins)), ">\n"]
        for at, piece in enumerate(pieces):
            between = gap(pieces[at - 1], piece) if at else ""
            if between:
                lines.append(f'<left_out lines="{between}"/>\n')
            text = piece.text.translate(stand_ins) if stand_ins else piece.text
            text = _INTERRUPTED.sub(r"\g<0>]]><![CDATA[", text)
            lines.append(f"<document_content><![CDATA[{text}]]></document_content>\n")
        lines.append("</document>\n")
        return "".join(lines)

    def tail(self, head: Head) -> str:
        """Title and source, and the end of the root element."""
        about = _tag("about", [("title", one_line(head.title)), ("source", one_line(head.source))])
        return f"{about}/>\n</documents>\n"


def _attributes(block: Block, pieces: Sequence[Piece], stand_ins: dict[int, str]) -> list[tuple[str, str]]:
    said = ", ".join([f"{sign} U+{code:04X}" for code, sign in stand_ins.items()])
    return [
        ("path", quoted(block.path)),
        ("kind", "" if block.kind in UNSAID_KINDS else word(block.kind)),
        ("form", word(block.form)),
        ("language", word(block.language)),
        ("lines", ranges(pieces)),
        ("of", str(block.total_lines or "")),
        ("title", shown_title(block)),
        ("belongs-with", ", ".join(map(quoted, block.group))),
        ("remark", one_line(block.remark)),
        ("stand-ins", said),
    ]


def _tag(tag: str, attributes: Sequence[tuple[str, str]]) -> str:
    """A tag without its end; an attribute without a value is left out."""
    return "".join([f"<{tag}", *[f' {name}="{_escaped(value)}"' for name, value in attributes if value]])


def _escaped(value: str) -> str:
    for sign, entity in _ESCAPES.items():
        value = value.replace(sign, entity)
    return value


def _stand_ins(texts: Sequence[str]) -> dict[int, str]:
    """For each forbidden sign of the texts, by code point, a visible one that is not in them."""
    forbidden = sorted({sign for text in texts for sign in FORBIDDEN.findall(text)})
    if not forbidden:
        return {}
    taken = set(chain.from_iterable(texts))
    made: dict[int, str] = {}
    for sign in forbidden:
        picture = chr(0x2400 + ord(sign)) if ord(sign) < 0x20 else "\ufffd"
        free = (chr(code) for code in _STAND_INS if chr(code) not in taken)
        made[ord(sign)] = picture if picture not in taken else next(free, "\ufffd")
        taken.add(made[ord(sign)])
    return made
