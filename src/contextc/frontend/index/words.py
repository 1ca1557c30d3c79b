"""Words of code and prose, for the index, for queries and for paths alike: one rule, so that both sides agree.

A token is a run of letters, digits and underscores. It gives itself in lower case, and its parts: split at underscores,
at changes of case and between letters and digits (`HTTPServer_v2b` gives httpserver_v2b, http, server; parts of one
character are left out). Scripts written without spaces (Chinese, Japanese, Korean) give pairs of neighbours, the usual
substitute for a dictionary. A token that starts with a digit is a number, an anchor of an issue or a status: it is a
word, without parts, when it is short. There is no stemming: the index holds what was written, a query may expand.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

#: Characters; longer tokens are hashes, encoded data or minified code, which nobody asks for by word.
LONGEST_TOKEN = 100
#: Characters of a token that starts with a digit: from `3d` and `404` to the number of an issue. Single digits say
#: nothing, longer numbers are data.
NUMBER_LENGTHS = range(2, 7)
#: Tokens remembered with their words; about 30 MB. A larger repository starts over, which costs little.
MEMORY = 100_000

_TOKEN = re.compile(r"\w+")
_ASCII_SEPARATORS = str.maketrans({chr(n): " " for n in range(128) if not (chr(n).isalnum() or chr(n) == "_")})
# Over a shape: A upper case, a other letters, 0 digits, C letters of scripts without spaces.
_SHAPE_PARTS = re.compile("A+(?=Aa)|A?a+|A+|0+|C+")
_ASCII_PARTS = re.compile("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# Kana, Han with its extensions and compatibility forms, Hangul (Unicode blocks).
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]")


def split(text: str) -> list[str]:
    """The words of a text in the order they stand there, each token followed by its parts; repeated as often as it
    occurs."""
    return [word for token in _tokens(text) for word in _MEMORY[token]]


def count(text: str) -> tuple[dict[str, int], int]:
    """How often each word of `split` stands in a text, and the number of tokens that are words (the length of the
    document for ranking)."""
    counts: dict[str, int] = {}
    get = counts.get
    length = 0
    for token, times in Counter(_tokens(text)).items():
        words = _MEMORY[token]
        if words:
            length += times
            for word in words:
                counts[word] = get(word, 0) + times
    return counts, length


def of_path(path: str) -> list[str]:
    """The words of a path, from the top down, each once. Bytes that are not UTF-8 separate words."""
    return list(dict.fromkeys(split(path)))


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return text.translate(_ASCII_SEPARATORS).split()
    # Composed and compatibility forms are one word, as Python's own identifiers have it (PEP 3131).
    return _TOKEN.findall(unicodedata.normalize("NFKC", text))


def _words_of(token: str) -> tuple[str, ...]:
    if len(token) > LONGEST_TOKEN:
        return ()
    whole = token.lower()
    if not whole.strip("_"):
        return ()
    if token[0].isdigit():
        return (whole,) if len(token) in NUMBER_LENGTHS else ()
    parts = _ASCII_PARTS.findall(token) if token.isascii() else _parts(token)
    words = dict.fromkeys((whole,))
    words.update((part.lower(), None) for part in parts if len(part) > 1)
    return tuple(words)


def _parts(token: str) -> list[str]:
    found: list[str] = []
    shape = "".join(map(_shape, token))
    for match in _SHAPE_PARTS.finditer(shape):
        part = token[match.start() : match.end()]
        if match.group()[0] == "C":
            found.extend(part[i : i + 2] for i in range(len(part) - 1))
        else:
            found.append(part)
    return found


def _shape(char: str) -> str:
    if char == "_":
        return "_"
    if _UNSPACED.match(char):
        return "C"
    if char.isnumeric():
        return "0"
    return "A" if char.isupper() else "a"


class _Memory(dict[str, tuple[str, ...]]):
    """The words of tokens seen before: most tokens of a repository occur in many of its files."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= MEMORY:
            self.clear()
        words = _words_of(token)
        self[token] = words
        return words


_MEMORY = _Memory()
