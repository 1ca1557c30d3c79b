"""From bytes to text and back, without loss: what is decoded can be encoded to the very bytes it came from.

Judged over the whole of the data, never over a piece of it, so no character can be cut by the judgement. Line ends
stay as they are. Nothing is replaced: U+FFFD is in a text only where the file itself holds it.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

from msgspec import Struct

Eol = Literal["lf", "crlf", "cr", "mixed", "none"]

#: Our names, and Python's codec with the mark that stands before the text. cp1252 and latin-1 are guesses.
_CODECS: dict[str, tuple[str, bytes]] = {
    "utf-8": ("utf-8", b""),
    "utf-8-bom": ("utf-8", codecs.BOM_UTF8),
    "utf-16-le-bom": ("utf-16-le", codecs.BOM_UTF16_LE),
    "utf-16-be-bom": ("utf-16-be", codecs.BOM_UTF16_BE),
    "utf-16-le": ("utf-16-le", b""),
    "utf-16-be": ("utf-16-be", b""),
    "cp1252": ("cp1252", b""),
    "latin-1": ("latin-1", b""),
}
_MARKED = ("utf-8-bom", "utf-16-le-bom", "utf-16-be-bom")
_REMARKS = {
    "utf-8": "",
    "utf-8-bom": "UTF-8; the byte order mark is left out",
    "utf-16-le-bom": "decoded from UTF-16 (little-endian); the byte order mark is left out",
    "utf-16-be-bom": "decoded from UTF-16 (big-endian); the byte order mark is left out",
    "utf-16-le": "decoded from UTF-16 (little-endian, no byte order mark)",
    "utf-16-be": "decoded from UTF-16 (big-endian, no byte order mark)",
    "cp1252": "not UTF-8; read as Windows-1252, which is a guess",
    "latin-1": "not UTF-8; read as Latin-1, which is a guess",
}

# Controls that texts do hold: backspace (old manual pages), tab, line ends, vertical tab, form feed, escape (logs in
# colour), and Ctrl-Z (the end mark of DOS files). NEL (U+0085) is a line end of mainframe texts.
_CONTROL = re.compile("[\x00-\x07\x0e-\x19\x1c-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL_BYTE = re.compile(rb"[\x00-\x07\x0e-\x19\x1c-\x1f\x7f]")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_ASCII_WIDE = {
    "utf-16-le": re.compile(rb"(?:[\t\n\r\x20-\x7e]\x00)+"),
    "utf-16-be": re.compile(rb"(?:\x00[\t\n\r\x20-\x7e])+"),
}

#: Formats that are no text to read even where their bytes are all printable.
_FORMATS = ((b"%PDF-", "a PDF document"),)

#: Valid UTF-8 without NUL is text unless more than one character in this many is a control character.
CONTROL_SHARE = 10
#: What is not UTF-8 is taken for Latin-1 only when at most this share of its bytes (in percent) is beyond ASCII: prose
#: in western languages stays below 10 %, while Cyrillic or East Asian text in its own 8-bit code lies far above and
#: would be read as garbage.
HIGH_BYTES_PERCENT = 30
#: UTF-16 without a mark is believed from this many characters on, when all of them are plain ASCII.
UNMARKED_MINIMUM = 8


class Decoded(Struct, frozen=True):
    """`binary` (then `text` is empty and `remark` says why), or the text, its encoding and line ends; `remark` says
    what was done to get it, "" when it was plain UTF-8."""

    binary: bool
    text: str
    encoding: str
    eol: Eol
    remark: str


def decode(data: bytes) -> Decoded:
    """The text of a file's bytes, or that they are binary."""
    for magic, what in _FORMATS:
        if data.startswith(magic):
            return _binary(what)
    for name in _MARKED:
        if data.startswith(_CODECS[name][1]):
            return _marked(data, name)
    if b"\0" in data:
        return _unmarked_utf16(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _eight_bit(data)
    if _garbled(text):
        return _binary("mostly control characters")
    return _text(text, "utf-8")


def encode(text: str, encoding: str) -> bytes:
    """The bytes a text was decoded from; `encoding` is a name `decode` gives. Raises `UnicodeEncodeError` for
    characters that the encoding lacks, `LookupError` for another name."""
    codec, mark = _CODECS[encoding]
    return mark + text.encode(codec)


def eol_of(text: str) -> Eol:
    """Which line ends a text has."""
    crlf = text.count("\r\n")
    kinds: tuple[tuple[Eol, int], ...] = (
        ("lf", text.count("\n") - crlf),
        ("crlf", crlf),
        ("cr", text.count("\r") - crlf),
    )
    present = [name for name, count in kinds if count]
    if len(present) > 1:
        return "mixed"
    return present[0] if present else "none"


def _marked(data: bytes, name: str) -> Decoded:
    codec, mark = _CODECS[name]
    try:
        text = data[len(mark) :].decode(codec)
    except UnicodeDecodeError:
        if name == "utf-8-bom":
            return _eight_bit(data)
        return _binary("starts with the mark of UTF-16 and is not valid UTF-16")
    if "\0" in text or _garbled(text):
        return _binary("control characters after a byte order mark")
    return _text(text, name)


def _unmarked_utf16(data: bytes) -> Decoded:
    for name, pattern in _ASCII_WIDE.items():
        if len(data) >= 2 * UNMARKED_MINIMUM and pattern.fullmatch(data):
            return _text(data.decode(name), name)
    return _binary("holds NUL bytes")


def _eight_bit(data: bytes) -> Decoded:
    if _CONTROL_BYTE.search(data):
        return _binary("not UTF-8, and holds control characters")
    if 100 * len(_HIGH_BYTE.findall(data)) > HIGH_BYTES_PERCENT * len(data):
        return _binary("in an encoding that is not known: not UTF-8, and mostly beyond ASCII")
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return _text(data.decode("latin-1"), "latin-1")
    # Without bytes 0x80-0x9f the two are the same, and Latin-1 is the simpler word.
    return _text(text, "latin-1" if text == data.decode("latin-1") else "cp1252")


def _garbled(text: str) -> bool:
    if _CONTROL.search(text) is None:
        return False
    return len(_CONTROL.findall(text)) * CONTROL_SHARE > len(text)


def _text(text: str, encoding: str) -> Decoded:
    return Decoded(binary=False, text=text, encoding=encoding, eol=eol_of(text), remark=_REMARKS[encoding])


def _binary(why: str) -> Decoded:
    return Decoded(binary=True, text="", encoding="", eol="none", remark=why)
