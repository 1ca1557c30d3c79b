"""One file of code: parsed, queried, and the tree dropped."""

from __future__ import annotations

from contextc.frontend.index.base import Import, Symbol
from contextc.frontend.index.syntax import grammar
from contextc.frontend.index.syntax.cfamily import blank_macros
from contextc.frontend.index.syntax.imports import imports_of
from contextc.frontend.index.syntax.languages import LANGUAGES
from contextc.frontend.index.syntax.outline import symbols_of

_Read = tuple[str, tuple[Symbol, ...], tuple[Import, ...], str]

_BROKEN = "the grammar met errors"


def read_code(text: str, language: str) -> _Read:
    """How it was parsed (grammar, partial, none), definitions, imports, and a remark.

    A source in C or C++ that the grammar does not understand is read again without decorating macros; of the two the
    reading that found more counts, for blanking can go wrong too.
    """
    data = text.encode("utf-8", "replace")
    read = _attempt(data, data, language)
    if read[0] == "partial" and language in ("c", "cpp"):
        blanked = blank_macros(data, language)
        if blanked != data:
            read = max(_attempt(blanked, data, language), read, key=lambda made: (made[0] == "grammar", len(made[1])))
    return read


def _attempt(prepared: bytes, data: bytes, language: str) -> _Read:
    """One reading of `data`, parsed as `prepared`, which has the same length and lines."""
    try:
        tree = grammar.parse(language, prepared)
        matches = grammar.matches(language, tree)
    except grammar.TooCostly as error:
        return "none", (), (), f"its structure was not read: {error}"
    broken = tree.root_node.has_error
    symbols = symbols_of(matches, data)
    imports = imports_of(LANGUAGES[language].imports, matches, data)
    return "partial" if broken else "grammar", symbols, imports, _BROKEN if broken else ""
