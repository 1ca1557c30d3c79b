"""What a line is: it ends at LF, CR LF, or a CR alone (old Mac files, and stray ones in others).

Python's `str.splitlines` also splits at form feeds and Unicode separators, which no editor counts; every line number
of the index is by this rule.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; joined they are the text."""
    return _LINE.findall(text)


def with_lf(text: str) -> str:
    """The same lines, each ended by LF. Columns stay as they are."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def count_lines(lf_text: str) -> int:
    """Lines of a text of `with_lf`; a last line without an end counts."""
    return lf_text.count("\n") + (lf_text[-1:] not in ("", "\n"))
