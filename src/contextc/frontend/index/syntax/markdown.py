"""Headings of Markdown, as sections.

Judged by a CommonMark parser (block structure only), so fenced and indented code, HTML blocks and quotes hide what
looks like a heading, and underlined headings count. Headings inside lists and quotes are no sections of the document.
"""

from __future__ import annotations

import itertools
import re
from functools import cache

from markdown_it import MarkdownIt

from contextc.frontend.index.base import Symbol
from contextc.frontend.index.syntax.sections import LONGEST_TITLE, Heading, sections

# Without one of these at the start of a line there is no heading: most pages of data need no parser.
_POSSIBLE = re.compile(r"^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_MARKUP = re.compile(r"[`*]+|\{#[^{}]*\}\s*$|</?[A-Za-z][^<>]*>")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def headings(text: str, lines: int) -> tuple[Symbol, ...]:
    """The sections of a text with LF line ends and so many lines."""
    if _POSSIBLE.search(text) is None:
        return ()
    front = _FRONT_MATTER.match(text)
    if front is not None:  # `---` under `title: x` would be a heading
        text = "\n" * front.group().count("\n") + text[front.end() :]
    found: list[Heading] = []
    tokens = _parser().parse(text)
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map is not None:
            first, after = opening.map
            found.append(Heading(int(opening.tag[1:]), _plain(inline.content), first + 1, after))
    return sections(found, lines)


def _plain(title: str) -> str:
    """The words of a heading without its markup."""
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", title[:LONGEST_TITLE])).split())
