"""Names of any bytes, and paths as people type them."""

from __future__ import annotations

import os

import pytest
from builders import Repository, repository_of
from hypothesis import given
from hypothesis import strategies as st

from contextc.errors import InputError
from contextc.frontend.sources import (
    display_path,
    known_paths,
    open_source,
    parse_display_path,
    relative_path,
    to_bytes,
    to_text,
)

NAMES = st.binary(min_size=1, max_size=40).filter(lambda raw: b"\0" not in raw)
MIXED = st.lists(
    st.sampled_from([b'"', b"\\", b"\n", b"\t", b"a", b"303", b"n", "é".encode(), b"\xc3", b"\xa9", b"\xff", b" "])
).map(b"".join)


@given(NAMES | MIXED)
def test_a_displayed_name_gives_the_name_back(raw):
    name = to_text(raw)
    assert parse_display_path(display_path(name)) == name
    assert to_bytes(name) == raw


@given(MIXED, MIXED)
def test_two_names_are_never_displayed_alike(first, second):
    assert (display_path(to_text(first)) == display_path(to_text(second))) == (first == second)


@given(NAMES | MIXED)
def test_a_displayed_name_is_one_line_of_visible_unicode(raw):
    shown = display_path(to_text(raw))
    shown.encode("utf-8")
    assert len(shown.splitlines()) <= 1
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in shown)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"src/a b.py", "src/a b.py"),
        ("docs/übersicht 漢字.md".encode(), "docs/übersicht 漢字.md"),
        (b'say "hi"', r'"say \"hi\""'),
        (b"back\\slash", r'"back\\slash"'),
        (b"line\nend\ttab\x07", r'"line\nend\ttab\a"'),
        (b"\xff\xfe.py", r'"\377\376.py"'),
        ("right\u202eleft".encode(), r'"right\342\200\256left"'),
        ("two\u2028lines".encode(), r'"two\342\200\250lines"'),
        ("hidden\U000e0041".encode(), r'"hidden\363\240\201\201"'),
        ("é\xff".encode("latin-1"), r'"\351\377"'),
    ],
)
def test_names_are_quoted_as_git_quotes_them(raw, shown):
    assert display_path(to_text(raw)) == shown


def test_what_git_quotes_is_read_and_what_we_quote_git_reads(tmp_path):
    names = [b"\xff\xfe", b"tab\there", b'quo"te', b"new\nline", b"bell\x07", b"\x01\x7f"]
    repository = Repository.create(tmp_path / "r")
    for name in names:
        repository.write(name, "x")
    quoted = repository.git("ls-files", "-o").decode().splitlines()
    assert sorted(to_bytes(parse_display_path(line)) for line in quoted) == sorted(names)
    ours = "".join(f"{display_path(to_text(name))}\n" for name in names).encode()
    repository.git("update-index", "--add", "--stdin", stdin=ours)
    assert sorted(repository.git("ls-files", "-z").split(b"\0")[:-1]) == sorted(names)


@pytest.mark.parametrize("text", ['"', '"a', '"a"b"', r'"\x"', r'"\9"', r'"\400"', '"a\\"'])
def test_a_badly_quoted_name_is_refused(text):
    with pytest.raises(InputError, match="quoted"):
        parse_display_path(text)


def test_every_name_git_can_hold_is_listed_the_same_from_disk_and_from_a_commit(tmp_path):
    names = [
        b"\xff\xfe",
        b"latin-\xe9.txt",
        b"new\nline",
        b'quote"',
        b"-dash",
        b" lead and trail ",
        b"star*",
        b":(glob)x",
        "漢字/ключ.py".encode(),
        b"a\\b",
        b"\xed\xa0\x80 lone surrogate",
        b"...",
        b"dir.with.dots/.gitattributes",
        b"tab\tname/\xf0\x9f\x98\x80",
    ]
    repository = Repository.create(tmp_path / "r")
    for name in names:
        repository.write(name, name)
    commit = repository.commit()
    disk = open_source(repository.path)
    tree = open_source(repository.path, rev=commit)
    one, other = disk.snapshot(), tree.snapshot()
    assert one.entries == other.entries
    assert [to_bytes(entry.path) for entry in one.entries] == [to_bytes(p) for p in sorted(map(to_text, names))]
    for source in (disk, tree):
        assert all(to_bytes(entry.path) == data for entry, data in source.read(one.entries))


@pytest.mark.parametrize(
    ("cwd", "text", "expected"),
    [
        ("", "src/a.py", "src/a.py"),
        ("", "./src//a.py", "src/a.py"),
        ("", "src/", "src"),
        ("", ".", ""),
        ("src", "a.py", "src/a.py"),
        ("src", "../docs/x.md", "docs/x.md"),
        ("src", "..", ""),
        ("src", "../new.py", "new.py"),
        ("src", "src/a.py", "src/a.py"),
        ("src", "docs/x.md", "docs/x.md"),
        ("src", "new.py", "src/new.py"),
        ("src/deep", "../a.py", "src/a.py"),
    ],
)
def test_a_typed_path_is_meant_from_the_current_directory_or_from_the_root(tmp_path, cwd, text, expected):
    for name in ("src/a.py", "src/deep/b.py", "docs/x.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert relative_path(tmp_path, tmp_path / cwd, text) == expected
    assert relative_path(tmp_path, tmp_path / cwd, str(tmp_path / expected)) == expected


@pytest.mark.parametrize("text", ["..", "../x", "src/../../x", "/", "/etc/passwd", "", "a\0b", "\ud800"])
def test_a_path_outside_the_root_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        relative_path(tmp_path / "r", tmp_path / "r", text)


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "root-2").mkdir()
    with pytest.raises(InputError, match="inside the repository"):
        relative_path(tmp_path / "root", tmp_path, str(tmp_path / "root-2/x"))


def test_a_root_reached_through_a_link_still_holds_its_paths(tmp_path):
    (tmp_path / "real/src").mkdir(parents=True)
    (tmp_path / "alias").symlink_to("real")
    assert relative_path(tmp_path / "real", tmp_path, str(tmp_path / "alias/src/a.py")) == "src/a.py"
    assert relative_path(tmp_path / "alias", tmp_path / "alias/src", "a.py") == "src/a.py"
    assert relative_path(tmp_path / "real", tmp_path, str(tmp_path / "alias")) == ""


def test_a_link_inside_is_named_and_not_followed(tmp_path):
    (tmp_path / "out").symlink_to("/etc/passwd")
    assert relative_path(tmp_path, tmp_path, "out") == "out"


def test_from_outside_the_root_a_path_is_meant_from_the_root(tmp_path):
    (tmp_path / "r").mkdir()
    assert relative_path(tmp_path / "r", tmp_path, "src/a.py") == "src/a.py"


def test_paths_of_a_commit_need_not_be_on_disk(tmp_path):
    repository = repository_of(tmp_path / "r", {"src/gone.py": "x", "src/lib/a.py": "y"})
    known = known_paths(open_source(repository.path, rev="HEAD").snapshot())
    os.unlink(repository.path / "src/gone.py")
    assert known("src/gone.py") and known("src/lib") and known("") and not known("src/li")
    cwd = repository.path / "src/lib"
    assert relative_path(repository.path, cwd, "src/gone.py", known) == "src/gone.py"
