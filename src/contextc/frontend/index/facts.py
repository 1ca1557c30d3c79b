"""From the bytes of one file to its facts and words. Depends on the bytes and the language key only."""

from __future__ import annotations

from typing import NamedTuple

from contextc.frontend.index import words
from contextc.frontend.index.base import Facts
from contextc.frontend.index.generated import CHEAP, looks_generated
from contextc.frontend.index.lines import count_lines, with_lf
from contextc.frontend.index.syntax import LANGUAGES, Syntax, read_syntax
from contextc.frontend.sources.decode import decode
from contextc.frontend.sources.secrets import secret_content

_UNFINISHED = "its structure was not read: the grammar crashed or did not come to an end"


class Document(NamedTuple):
    """The facts of a file, and how often each word stands in its text and in the names it defines."""

    facts: Facts
    text: dict[str, int]
    symbols: dict[str, int]


def read_document(data: bytes, key: str, *, structure: bool = True) -> Document:
    """Everything the index keeps of a file. Without `structure` its definitions are not looked for, as
    the grammar fails at it."""
    decoded = decode(data)
    if decoded.binary:
        return _unread("binary", key, decoded.remark, len(data))
    secret = secret_content(decoded.text)
    if secret is not None:
        return _unread("secret", key, secret, len(data))
    text = with_lf(decoded.text)
    lines = count_lines(text)
    generated = looks_generated(text)
    syntax = _syntax(text, key, lines, generated) if structure else Syntax(key, "none", remark=_UNFINISHED)
    counts, length = words.count(text)
    facts = Facts(
        status="text",
        language=syntax.language,
        encoding=decoded.encoding,
        eol=decoded.eol,
        remark="; ".join(filter(None, (decoded.remark, syntax.remark))),
        size=len(data),
        lines=lines,
        length=length,
        parsed=syntax.parsed,
        symbols=syntax.symbols,
        imports=syntax.imports,
        generated=generated,
    )
    return Document(facts, counts, _symbol_words(syntax))


def _syntax(text: str, key: str, lines: int, generated: bool) -> Syntax:
    if generated and LANGUAGES[key].reader == "grammar" and len(text) > CHEAP:
        return Syntax(key, "none", remark="generated and large: its structure was not read")
    return read_syntax(text, key, lines)


def _symbol_words(syntax: Syntax) -> dict[str, int]:
    counts: dict[str, int] = {}
    for symbol in syntax.symbols:
        for word in words.split(symbol.name):
            counts[word] = counts.get(word, 0) + 1
    return counts


def _unread(status: str, key: str, remark: str, size: int) -> Document:
    facts = Facts(
        status=status,
        language=key,
        encoding="",
        eol="none",
        remark=remark,
        size=size,
        lines=0,
        length=0,
        parsed="none",
        symbols=(),
        imports=(),
        generated=False,
    )
    return Document(facts, {}, {})
