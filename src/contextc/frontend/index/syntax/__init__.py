"""What a file defines and imports: grammars of tree-sitter for code, section headings for documents.

`read_syntax` never fails: a text that cannot be parsed gives what could be found, and a remark.
"""

from __future__ import annotations

from msgspec import Struct

from contextc.frontend.index.base import Import, Symbol
from contextc.frontend.index.syntax.languages import LANGUAGES, language_of

__all__ = ["LANGUAGES", "Syntax", "language_of", "read_syntax"]

#: Definitions and imports kept of one file; a file with more is data in the form of code.
MOST_SYMBOLS = 20_000
MOST_IMPORTS = 5_000


class Syntax(Struct, frozen=True):
    """What was found; `language` is the one it was read as (`c-header` becomes c or cpp), `parsed` and `remark` are
    those of `Facts`."""

    language: str
    parsed: str
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    remark: str = ""


def read_syntax(text: str, key: str, lines: int) -> Syntax:
    """The definitions and imports of a text with LF line ends and so many lines, in the language of a key."""
    language = key
    try:
        if key == "c-header":
            from contextc.frontend.index.syntax.cfamily import is_cpp

            language = "cpp" if is_cpp(text) else "c"
        return _bounded(_read(text, language, lines))
    except (Exception, MemoryError) as error:
        # The boundary between one file and the rest: whatever a grammar or a parser does with a hostile text, the
        # others are still read. The type of the error says enough; its text could quote the file.
        return Syntax(language, "none", remark=f"its structure could not be read ({type(error).__name__})")


def _read(text: str, language: str, lines: int) -> Syntax:
    # The parsers are imported when a file needs them: a run that finds everything in the store needs none.
    match LANGUAGES[language].reader:
        case "grammar":
            from contextc.frontend.index.syntax.code import read_code

            parsed, symbols, imports, remark = read_code(text, language)
            return Syntax(language, parsed, symbols, imports, remark)
        case "markdown":
            from contextc.frontend.index.syntax import markdown

            return Syntax(language, "headings", markdown.headings(text, lines))
        case "restructuredtext":
            from contextc.frontend.index.syntax import restructured

            return Syntax(language, "headings", restructured.headings(text, lines))
        case _:
            return Syntax(language, "none")


def _bounded(syntax: Syntax) -> Syntax:
    if len(syntax.symbols) <= MOST_SYMBOLS and len(syntax.imports) <= MOST_IMPORTS:
        return syntax
    remark = f"only the first {MOST_SYMBOLS} definitions and {MOST_IMPORTS} imports are kept"
    symbols, imports = syntax.symbols[:MOST_SYMBOLS], syntax.imports[:MOST_IMPORTS]
    return Syntax(syntax.language, "partial", symbols, imports, remark)
