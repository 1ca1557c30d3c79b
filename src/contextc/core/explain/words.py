"""Numbers, lists and foreign text as a person reads them: the same in every locale, and nothing acts on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.pricing import Unit

#: What one unit of a pricing is called.
NOUNS: dict[Unit, str] = {"tokens": "token", "bytes4": "byte", "words13": "word"}

#: Names that a sentence lists; the rest is counted.
LISTED = 5


def amount(count: int, noun: str = "token") -> str:
    """`1 token`, `1,234 tokens`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listing(names: Sequence[str], limit: int = LISTED, joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`, `a, b and 7 more`."""
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit:,} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"


def plain(text: str) -> str:
    """Foreign text on one line: controls and signs that hide or reorder text are shown as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join([sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text])


def sentence(text: str) -> str:
    """A text with a capital first and a full stop last."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
