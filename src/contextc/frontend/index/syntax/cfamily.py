"""C and C++ before they are parsed: which of the two a header is, and macros that no grammar can know.

A grammar sees the text without the preprocessor. `class SHOP_EXPORT Seller {` is then a broken function, and all
members are lost. Macros that only decorate a declaration are overwritten with blanks, byte for byte, so that offsets
and lines stay true. What is blanked is known by convention (upper case where a declaration allows a decoration) or by
name (compilers and common libraries).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Only C++ has these at the start of a line. Comments and strings rarely do.
_CPP_LINE = re.compile(
    r"^[ \t]*(?:class\s+\w+[^;()]{0,200}[{:]|class\s+\w+\s*;|namespace\b[\w:\s]{0,100}\{|template\s*<|using\s+\w+"
    r"|(?:public|private|protected)\s*:|constexpr\b|friend\b|virtual\b|explicit\b"
    r"|#[ \t]*include[ \t]*<(?:algorithm|array|atomic|c?memory|cstd\w+|functional|iostream|limits|map|optional|set"
    r"|sstream|stdexcept|string|string_view|tuple|type_traits|unordered_map|utility|vector)>)",
    re.MULTILINE,
)
# Where a part begins or ends that is for one of the languages only.
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|else|elif|endif)\b(?P<rest>.*)", re.MULTILINE)

_CALL = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))"
_UPPER = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:.*\\\r?\n)*.*", re.MULTILINE)
_DECORATION = re.compile(
    rb"|".join(
        (
            # Attributes of compilers and the GNU C library, with arguments.
            rb"\b(?:__attribute(?:__|_\w+)?|__attr_\w+|__declspec|_Alignas|alignas|__asm(?:__)?|__nonnull"
            rb"|_GLIBCXX_VISIBILITY|__REDIRECT_NTH\w*)" + _CALL,
            # Words of compilers and of system headers that stand alone.
            rb"\b(?:__extension__|__restrict(?:__)?|__inline(?:__)?|__forceinline|__(?:cdecl|stdcall|fastcall|vectorcall)"
            rb"|__THROWN?L?|__wur|__COLD|__LEAF|__attribute_\w+__|_Noreturn|__(?:BEGIN|END)_DECLS|G_(?:BEGIN|END)_DECLS"
            rb"|WINAPI|APIENTRY|CALLBACK|STDMETHODCALLTYPE|_GLIBCXX\w*|_LIBCPP\w*|_NOEXCEPT|_Nonnull|_Nullable)\b"
            rb"(?![ \t]*\()",
            # Upper case before the name of a type: `class SHOP_EXPORT Seller {`.
            rb"(?<=\bclass )[A-Z][A-Z0-9_]{2,}" + _CALL + rb"?(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?[:{;<])",
            rb"(?<=\bstruct )[A-Z][A-Z0-9_]{2,}" + _CALL + rb"?(?=[ \t]+[A-Za-z_]\w*\s*(?:final\s*)?[:{;<])",
            # Upper case at the start of a line, before a type and a name: `SHOP_API int add(`.
            rb"^[ \t]*[A-Z][A-Z0-9_]{2,}\b"
            rb"(?=\s+(?:[A-Za-z_][\w:]*(?:<[^<>;(){}]*>)?[\s*&]+){1,6}[*&]*[A-Za-z_~][\w:]*\s*[(;=\[])",
            # Upper case around the type: `SHOP_API(int) add(`. The type stays.
            rb"^[ \t]*" + _UPPER + rb"[ \t]*\((?P<type>[ \t]*[\w:]+[\w:<>, \t*&]*)\)"
            rb"(?=\s*[*&]*(?![A-Z0-9_]+[ \t]*\()[A-Za-z_]\w*[ \t]*\()",
            # A line that is one macro without a semicolon, between declarations.
            rb"^[ \t]*" + _UPPER + _CALL + rb"?[ \t]*(?=\r?\n\s*(?:[A-Za-z_~#/}]|\Z))",
            # After the parameters: `int add(int) SHOP_NOEXCEPT;`.
            rb"(?<=\))[ \t]+" + _UPPER + _CALL + rb"?(?=[ \t]*(?:;|\{|\r?\n\s*\{))",
        )
    ),
    re.MULTILINE,
)
_VISIBLE = re.compile(rb"[^\s]")


def is_cpp(text: str) -> bool:
    """Whether a header (`.h`) is C++ rather than C."""
    return any(_CPP_LINE.search(part) for part in _common(text))


def _common(text: str) -> Iterator[str]:
    """The parts of a header outside of `#ifdef __cplusplus`: a C header has such parts too, which say nothing of the
    rest."""
    at = 0
    within = False
    for condition in _CONDITION.finditer(text):
        if within:
            within = False
            at = condition.end()
        elif condition["word"] in ("if", "ifdef") and "__cplusplus" in condition["rest"]:
            yield text[at : condition.start()]
            within = True
    if not within:
        yield text[at:]


def blank_macros(data: bytes, language: str) -> bytes:
    """The same source, of the same length and lines, with decorating macros as blanks. Directives stay as they are:
    they define the names. In C, what stands under `#ifdef __cplusplus` (the half of an `extern "C"`) is blank too."""
    pieces: list[bytes] = []
    at = 0
    foreign = False
    for directive in _DIRECTIVE.finditer(data):
        pieces.append(_without_decorations(data[at : directive.start()], foreign))
        pieces.append(directive.group())
        at = directive.end()
        word, _, rest = directive.group().strip(b" \t#").partition(b" ")
        foreign = language == "c" and word in (b"if", b"ifdef") and b"__cplusplus" in rest
    pieces.append(_without_decorations(data[at:], foreign))
    return b"".join(pieces)


def _without_decorations(code: bytes, foreign: bool) -> bytes:
    return _VISIBLE.sub(b" ", code) if foreign else _DECORATION.sub(_blank, code)


def _blank(match: re.Match[bytes]) -> bytes:
    text = match.group()
    first, last = match.span("type")
    if first < 0:
        return _VISIBLE.sub(b" ", text)
    first, last = first - match.start(), last - match.start()
    return _VISIBLE.sub(b" ", text[:first]) + text[first:last] + _VISIBLE.sub(b" ", text[last:])
