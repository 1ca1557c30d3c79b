"""C and C++: which of the two a header is, and macros that would hide what a file defines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlines import DATA, facts_of

from contextc.frontend.index.syntax.cfamily import blank_macros, is_cpp

PROFILE = settings(derandomize=True, deadline=None, max_examples=150)
PIECES = st.sampled_from(
    ["SHOP_API ", "class ", "Seller ", "{", "}", ";", "(", ")", "\n", "int ", "add", "#define X ", "\\\n", "é",
     "__THROW", "__attribute__((x))", "#ifdef __cplusplus\n", "#endif\n", " : public Base"]
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "class Shop {\n};\n",
        "class Shop;\n",
        "namespace a::b {\n}\n",
        "template <typename T>\nT f();\n",
        "#include <vector>\n",
        "  public:\n",
        "constexpr int x = 1;\n",
        "using Id = int;\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint f();\n#ifdef __cplusplus\n}\n#endif\nclass A;\n',
    ],
)
def test_a_header_with_words_of_cpp_is_cpp(text: str) -> None:
    assert is_cpp(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "int add(int a, int b);\n",
        "#include <stdio.h>\nstruct point { int x; };\n",
        "/* a class of things */\n// namespace\n",
        '#ifdef __cplusplus\nextern "C" {\ntemplate <class T> T f();\n#endif\nint f(void);\n',
        "#if defined(__cplusplus)\nclass A;\n#else\ntypedef struct A A;\n#endif\n",
        "int class_of(int x);\nint template_count;\n",
    ],
)
def test_a_header_without_them_is_c(text: str) -> None:
    assert not is_cpp(text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class SHOP_EXPORT Seller : public Base {};", ["Seller"]),
        ("class SHOP_API(1) Seller final {\n void f();\n};", ["Seller", "Seller.f"]),
        ("struct ALIGNED_16 Point {\n int x;\n};", ["Point"]),
        ("SHOP_API int add(int a);", ["add"]),
        ("SHOP_API(int) add(int a);", ["add"]),
        ("GLAPI void APIENTRY draw(int a);", ["draw"]),
        ("int add(int a) SHOP_NOEXCEPT;\nint sub(int a) __attribute__((pure));", ["add", "sub"]),
        ("SHOP_BEGIN_NAMESPACE\nint add(int a);\nSHOP_END_NAMESPACE\n", ["add"]),
        ('class A {\n Q_OBJECT\n public:\n  SHOP_DEPRECATED("x") void f();\n};', ["A", "A.f"]),
        ("class __declspec(dllexport) A {\n};", ["A"]),
        ("SHOP_API\nint\nadd(int a)\n{\n}\n", ["add"]),
    ],
)
def test_decorating_macros_do_not_hide_definitions(source: str, expected: list[str]) -> None:
    assert [symbol.qualified for symbol in facts_of("a.cpp", source.encode()).symbols] == expected


def test_the_half_of_an_extern_block_does_not_hide_the_functions_of_a_c_header() -> None:
    source = (DATA / "sample.h").read_bytes()
    facts = facts_of("a.h", source)
    assert (facts.language, facts.parsed) == ("c", "grammar")
    assert [symbol.name for symbol in facts.symbols] == ["SHOP_VERSION", "shop_t", "shop_open", "shop_close"]


def test_names_of_macros_are_kept_where_they_are_defined() -> None:
    source = b"#define SHOP_API __attribute__((x))\n#define SHOP_MAX 3\n"
    assert blank_macros(source, "c") == source
    assert [symbol.name for symbol in facts_of("a.c", source).symbols] == ["SHOP_API", "SHOP_MAX"]


def test_a_source_the_grammar_understands_is_read_as_it_stands() -> None:
    facts = facts_of("a.c", b"BOOL OPEN_IT(int a) { return 1; }\n")
    assert (facts.parsed, [symbol.name for symbol in facts.symbols]) == ("grammar", ["OPEN_IT"])


def test_a_source_with_errors_is_partial_and_keeps_what_was_found() -> None:
    facts = facts_of("a.c", b"int good(void) { return 1; }\nint bad( { ] ;\nint after(void) { return 2; }\n")
    assert facts.parsed == "partial"
    assert "good" in [symbol.name for symbol in facts.symbols]
    assert facts.remark == "the grammar met errors"


@PROFILE
@given(st.lists(PIECES, max_size=30), st.sampled_from(["c", "cpp"]))
def test_blanking_moves_nothing(pieces: list[str], language: str) -> None:
    source = "".join(pieces).encode()
    blanked = blank_macros(source, language)
    assert len(blanked) == len(source)
    assert [at for at, byte in enumerate(blanked) if byte in b"\r\n"] == [
        at for at, byte in enumerate(source) if byte in b"\r\n"
    ]
    assert all(new in (old, 32) for new, old in zip(blanked, source, strict=True))
