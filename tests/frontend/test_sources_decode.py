"""Bytes to text and back."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.sources import decode, encode

SURROGATES = {"exclude_categories": ("Cs",)}
TEXTS = st.text(st.characters(**SURROGATES), max_size=60)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252", "cp1251", "shift_jis")


@given(st.binary(max_size=80) | TEXTS.map(str.encode))
def test_whatever_is_decoded_encodes_to_the_same_bytes(data):
    decoded = decode(data)
    if not decoded.binary:
        assert encode(decoded.text, decoded.encoding) == data


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_text_in_any_encoding_survives_or_is_called_binary(text, encoding):
    data = text.encode(encoding, "ignore")
    decoded = decode(data)
    if not decoded.binary:
        assert encode(decoded.text, decoded.encoding) == data
        assert decoded.text.count("\ufffd") == data.decode(encoding, "ignore").count("\ufffd")


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=60).filter(
        lambda t: t[:1] != "\ufeff"
    )
)
def test_utf8_without_controls_is_always_text_as_it_stands(text):
    decoded = decode(text.encode())
    assert (decoded.binary, decoded.text, decoded.encoding, decoded.remark) == (False, text, "utf-8", "")


@pytest.mark.parametrize("offset", [*range(1000, 1031), *range(4090, 4100), *range(8185, 8195), 65535])
def test_a_wide_character_at_any_offset_is_text(offset):
    text = "a" * offset + "漢" + "b" * 100
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"", "utf-8", ""),
        (b"plain\n", "utf-8", "plain\n"),
        (codecs.BOM_UTF8 + "é\n".encode(), "utf-8-bom", "é\n"),
        (codecs.BOM_UTF16_LE + "é漢\r\n".encode("utf-16-le"), "utf-16-le-bom", "é漢\r\n"),
        (codecs.BOM_UTF16_BE + "é漢\r\n".encode("utf-16-be"), "utf-16-be-bom", "é漢\r\n"),
        ("plain words\r\n".encode("utf-16-le"), "utf-16-le", "plain words\r\n"),
        ("plain words\r\n".encode("utf-16-be"), "utf-16-be", "plain words\r\n"),
        ("naïve façade, déjà vu".encode("latin-1"), "latin-1", "naïve façade, déjà vu"),
        ("a “quoted” word … and more".encode("cp1252"), "cp1252", "a “quoted” word … and more"),
        (b"printf '\x1b[31mred\x1b[0m'\n", "utf-8", "printf '\x1b[31mred\x1b[0m'\n"),
        (b"page one\n\x0cpage two\n", "utf-8", "page one\n\x0cpage two\n"),
        (codecs.BOM_UTF8 + b"caf\xe9 and menu", "latin-1", "ï»¿café and menu"),
    ],
)
def test_each_encoding_is_recognised(data, encoding, text):
    decoded = decode(data)
    assert (decoded.binary, decoded.encoding, decoded.text) == (False, encoding, text)
    assert (decoded.remark == "") == (encoding == "utf-8")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0", "NUL"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "NUL"),
        (b"text and one \0 in it", "NUL"),
        ("short".encode("utf-16-le"), "NUL"),
        ("漢字漢字漢字漢字".encode("utf-16-le") + b"\0\0", "NUL"),
        (codecs.BOM_UTF16_LE + b"odd", "not valid UTF-16"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8a\x00", "not valid UTF-16"),
        (codecs.BOM_UTF16_LE + ("words " * 20 + "\0").encode("utf-16-le"), "control"),
        (codecs.BOM_UTF32_LE + "text".encode("utf-32-le"), "control"),
        (b"\x01\x02\x03\x04", "control"),
        (b"%PDF-1.4\n1 0 obj\n", "PDF"),
        (b"GIF89a\xff\xfe\x01\x02\x03", "control"),
        ("Привет, мир! Как дела?".encode("koi8-r"), "beyond ASCII"),
        (bytes(range(0x80, 0x100)), "beyond ASCII"),
    ],
)
def test_what_is_no_text_is_binary_and_says_why(data, why):
    decoded = decode(data)
    assert decoded.binary
    assert why in decoded.remark
    assert decoded.text == ""


@pytest.mark.parametrize(
    ("text", "eol"),
    [
        ("", "none"),
        ("no end", "none"),
        ("a\nb\n", "lf"),
        ("a\r\nb\r\n", "crlf"),
        ("a\rb\r", "cr"),
        ("a\r\nb\n", "mixed"),
        ("a\rb\r\n", "mixed"),
        ("a\n\rb", "mixed"),
        ("a\r\r\n", "mixed"),
        ("form\x0cfeed\x0b\u2028\x85", "none"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_line_ends_are_named_and_kept(text, eol, encoding):
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.eol) == (text, eol)


def test_one_stray_control_character_does_not_hide_a_source_file():
    decoded = decode(b"value = 'a\x01b'\nother = 2\n")
    assert not decoded.binary


def test_a_replacement_character_is_only_where_the_file_has_one():
    assert decode("a\ufffdb".encode()).text == "a\ufffdb"
    assert "\ufffd" not in decode(b"a\xffb caf\xe9 and more text").text
