"""A CommonMark parser sees in the Markdown rendering what the renderer meant: one heading and one fence an item."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from test_render_formats import HEADS, blocks, text_of

from contextc.core.render import RENDERERS, Block, Head, Piece, render

MARKDOWN = RENDERERS["markdown"]


def as_parsed(text: str) -> str:
    """What a CommonMark parser makes of line ends and of NUL (CommonMark 2.2, 2.3)."""
    return re.sub(r"\r\n?", "\n", text).replace("\0", "\ufffd")


@settings(max_examples=200)
@given(head=HEADS, made=st.lists(blocks(), max_size=3))
def test_every_item_is_one_heading_and_its_text_one_fence(head, made):
    tokens = MarkdownIt("commonmark").disable("inline").parse(render(MARKDOWN, head, made))
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert headings == ["h1", *["h2"] * len(made), "h1"]
    fences = [token.content for token in tokens if token.type == "fence"]
    assert len(fences) == sum(1 for one in made if one.pieces)
    assert not [token.type for token in tokens if token.type in ("html_block", "code_block", "blockquote_open", "hr")]


@given(made=blocks())
def test_a_fence_of_one_piece_holds_its_very_text(made):
    if len(made.pieces) != 1 or not text_of(made):
        return
    tokens = MarkdownIt("commonmark").disable("inline").parse(render(MARKDOWN, Head(title="", source=""), [made]))
    (content,) = [token.content for token in tokens if token.type == "fence"]
    text = text_of(made)
    assert content == as_parsed(text if text.endswith("\n") else text + "\n")


def test_the_language_is_the_info_string():
    made = Block(
        id="a", path="a.cpp", form="full", kind="source", language="c++", total_lines=1,
        pieces=(Piece(first=1, last=1, text="int x;\n"),),
    )  # fmt: skip
    assert MARKDOWN.block(made) == "## a.cpp (full, 1 line)\n```c++\nint x;\n```\n\n"
