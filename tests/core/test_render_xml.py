"""The XML rendering is well-formed whatever a repository holds, by the judgement of a real parser (expat)."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty import HOSTILE_TEXT, NAME
from rendered import named, restored
from test_render_formats import HEADS, block, blocks, text_of

from contextc.core.render import RENDERERS, Block, Head, Piece, render

XML = RENDERERS["xml"]


def as_parsed(text: str) -> str:
    """What an XML parser makes of line ends (XML 1.0, 2.11)."""
    return re.sub(r"\r\n?", "\n", text)


@settings(max_examples=400)
@given(head=HEADS, made=st.lists(blocks(), max_size=3))
def test_a_parser_finds_every_path_and_text(head, made):
    root = ElementTree.fromstring(render(XML, head, made).encode())
    assert root.tag == "documents"
    *documents, about = root
    assert about.tag == "about"
    assert [named(found.get("path", "")) for found in documents] == [one.path for one in made]
    for found, one in zip(documents, made, strict=True):
        text = "".join(part.text or "" for part in found if part.tag == "document_content")
        assert restored(text, found.get("stand-ins", "")) == as_parsed(text_of(one))


@given(text=HOSTILE_TEXT, path=NAME)
def test_a_reader_who_looks_for_tags_alone_is_not_misled(text, path):
    document = render(XML, Head(title="t", source="s"), [block(text, path)])
    for tag in (
        "<documents>",
        "</documents>",
        "<document ",
        "</document>",
        "<document_content>",
        "</document_content>",
    ):
        assert document.count(tag) == 1, tag


@pytest.mark.parametrize("code", [*range(0x20), 0x7F, 0x85, 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10FFFF])
def test_each_sign_that_xml_forbids_has_a_visible_stand_in_that_is_named(code):
    forbidden = (code < 0x20 and chr(code) not in "\t\n\r") or code in (0xFFFE, 0xFFFF)
    found = ElementTree.fromstring(XML.block(block(f"a{chr(code)}b\n")))
    content = found[0].text or ""
    if not forbidden:
        assert found.get("stand-ins") is None
        assert content == as_parsed(f"a{chr(code)}b\n")
        return
    stand_in = content[1]
    assert found.get("stand-ins") == f"{stand_in} U+{code:04X}"
    assert stand_in.isprintable() and not stand_in.isspace()
    assert content == f"a{stand_in}b\n"


def test_a_stand_in_is_a_sign_that_the_text_does_not_use():
    found = ElementTree.fromstring(XML.block(block("\x00 \u2400 \uffff \ufffd \x01")))
    said = found.get("stand-ins", "")
    assert said == "\u25a0 U+0000, \u2401 U+0001, \u25a1 U+FFFF"
    assert restored(found[0].text or "", said) == "\x00 \u2400 \uffff \ufffd \x01"


def test_what_is_left_out_between_pieces_is_an_element():
    made = Block(
        id="a", path="a", form="focused", kind="rule", language="python", total_lines=9,
        pieces=(Piece(first=2, last=3, text="x\ny\n"), Piece(first=7, last=7, text="z\n")), remark="from Latin-1",
        group=("b",), title="A & B",
    )  # fmt: skip
    assert XML.block(made) == (
        '<document path="a" kind="rule" form="focused" language="python" lines="2-3, 7" of="9" title="A &amp; B"'
        ' belongs-with="b" remark="from Latin-1">\n'
        "<document_content><![CDATA[x\ny\n]]></document_content>\n"
        '<left_out lines="4-6"/>\n'
        "<document_content><![CDATA[z\n]]></document_content>\n"
        "</document>\n"
    )
