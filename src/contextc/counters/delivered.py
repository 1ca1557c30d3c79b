"""What of a text is counted: the very signs that are delivered."""

from __future__ import annotations


def delivered(text: str) -> str:
    """A text as it leaves contextc in UTF-8.

    Only a lone surrogate, which stands for a byte that was no UTF-8 where a name came from, has no UTF-8 form. It is
    delivered as the six signs `\\udcNN`, so it is counted as these.
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text
