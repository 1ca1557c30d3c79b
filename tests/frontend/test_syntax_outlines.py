"""What is found in a sample of each language. The expected outlines were checked by hand against the samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from outlines import DATA, facts_of, written

from contextc.frontend.index.syntax import LANGUAGES, language_of

SAMPLES = sorted(path for path in DATA.iterdir() if path.suffix != ".outline")


def name_of(path: Path) -> str:
    """`sample.py.txt` stands for `sample.py`: the tools of this project would take it for their own."""
    return path.name.removesuffix(".txt")


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_a_sample_has_the_outline_a_reader_expects(sample: Path) -> None:
    data = sample.read_bytes()
    expected = (DATA / f"{name_of(sample)}.outline").read_text("utf-8")
    assert written(facts_of(name_of(sample), data), data.decode()) == expected


def test_every_language_with_structure_has_a_sample() -> None:
    read = {language_of(name_of(path)) for path in SAMPLES}
    assert read == {key for key, language in LANGUAGES.items() if language.reader != "none"}


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_change_no_outline(sample: Path, end: str) -> None:
    text = sample.read_text("utf-8")
    changed = text.replace("\n", end)
    plain, other = facts_of(name_of(sample), text.encode()), facts_of(name_of(sample), changed.encode())
    assert (other.symbols, other.imports, other.lines) == (plain.symbols, plain.imports, plain.lines)
    assert other.eol == ("crlf" if end == "\r\n" else "cr")


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_the_encoding_changes_no_outline(sample: Path, encoding: str) -> None:
    text = "\n" + sample.read_text("utf-8")  # an empty line first: a mark before it is no part of a column
    plain, other = facts_of(name_of(sample), text.encode()), facts_of(name_of(sample), text.encode(encoding))
    assert (other.symbols, other.imports, other.length) == (plain.symbols, plain.imports, plain.length)
    assert other.remark.startswith(("decoded from UTF-16", "UTF-8; the byte order mark"))


def test_the_signature_of_a_one_line_function_ends_before_its_body() -> None:
    facts = facts_of(
        "a.js", b"function foo() { console.log('x'); }\nconst \xc3\xa9t\xc3\xa9 = (a) => console.log(a);\n"
    )
    text = "function foo() { console.log('x'); }\nconst été = (a) => console.log(a);\n"
    assert [line.partition("| ")[2] for line in written(facts, text).splitlines()[1:]] == [
        "function foo()",
        "const été = (a) =>",
    ]


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("a.py", "def f():\n    pass\n    # about f\n# about g\ndef g(): pass\n", [(1, 3), (4, 5)]),
        ("a.py", "# far\n\n# near\n# nearer\nX = 1\n", [(3, 5)]),
        ("a.py", "class A: pass  # not about B\nclass B: pass\n", [(1, 1), (2, 2)]),
        ("a.go", "package a\n// about x\nvar x = 1 // trailing\nvar y = 2\n", [(2, 3), (4, 4)]),
        ("a.java", "class A {} /* trailing\n*/\nclass B {}\n", [(1, 1), (3, 3)]),
        ("a.rs", "/* over\n two lines */\n#[inline]\n// and\nfn a() {}\n", [(1, 5)]),
    ],
)
def test_comments_directly_above_belong_to_a_definition(
    name: str, source: str, expected: list[tuple[int, int]]
) -> None:
    assert [(s.first_line, s.last_line) for s in facts_of(name, source.encode()).symbols] == expected


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("a/b.py", "python"),
        ("A.PY", "python"),
        ("Rakefile", "ruby"),
        ("lib/Gemfile", "ruby"),
        ("Gemfile.lock", "text"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "tsx"),
        ("x.h", "c-header"),
        (".py", "text"),
        ("py", "text"),
        ("noext", "text"),
        ("a.b/c", "text"),
        ("README.md", "markdown"),
        ("Makefile", "make"),
        ("\udcff.go", "go"),
        ("x.R", "r"),
    ],
)
def test_the_language_is_told_by_the_name(path: str, key: str) -> None:
    assert language_of(path) == key


def test_every_extension_and_name_stands_for_one_language() -> None:
    endings = [ending for language in LANGUAGES.values() for ending in (*language.extensions, *language.names)]
    assert len(endings) == len(set(endings))
