"""Names and short texts on one line, whatever signs they hold: nothing in them can start a line or act on a terminal.

A name is exact: it stands as it is, or, when it holds a sign that could mislead, as a JSON string that gives it back.
A short text (a title, a remark) is read by people and models: such signs become a blank.
"""

from __future__ import annotations

import json
import re

#: Signs that move, hide or reorder text or end a line: controls, white space but the plain blank, formats, signs of
#: direction, tags, surrogates, non-characters of the first plane. Spelled out rather than asked of `str.isprintable`,
#: whose answer changes with the version of Python.
UNSAFE = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u3000\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

#: What a bare name must not hold: unsafe signs, what Markdown reads as code, HTML or a link, and blanks at its ends.
_NOT_BARE = re.compile(rf'\A"|\A | \Z|\A\Z|\]\(|[`<>{UNSAFE}]')
#: What is escaped in a quoted name.
_ESCAPED = re.compile(rf"\](?=\()|[`<>{UNSAFE}]")
_UNSAFE_RUN = re.compile(rf"[ {UNSAFE}]+")
_NOT_IN_WORD = re.compile(r"[^0-9A-Za-z_.+#-]+")


def quoted(name: str) -> str:
    """A name on one line: as it is, or as a JSON string. What begins with `"` is always the latter."""
    if _NOT_BARE.search(name) is None:
        return name
    return _ESCAPED.sub(_escape, json.dumps(name, ensure_ascii=False))


def one_line(text: str) -> str:
    """A short text on one line: runs of blanks and unsafe signs are one blank, none at the ends."""
    return _UNSAFE_RUN.sub(" ", text).strip(" ")


def word(text: str) -> str:
    """A name of our own (a form, a kind, a language) with nothing in it but letters, digits and `_ . + # -`."""
    return _NOT_IN_WORD.sub("-", text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
