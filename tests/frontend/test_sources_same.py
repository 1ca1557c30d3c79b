"""The same content gives the same snapshot, wherever and however it is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import environment, repository_of
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.sources import Entry, Omission, open_source
from contextc.frontend.sources.listing import assemble, digest_of

FILES = {"README.md": "# A\n", "src/a.py": "x = 1\n", "src/ü.py": "y = 2\r\n", "z": "\0\1"}


@pytest.fixture
def repository(tmp_path):
    repository = repository_of(tmp_path / "r", FILES)
    repository.link("link", "src/a.py")
    repository.commit("Second")
    return repository


def digests(path) -> set[str]:
    return {open_source(path).snapshot().digest, open_source(path, rev="HEAD").snapshot().digest}


def test_the_digest_does_not_depend_on_clone_path_depth_or_times(repository, tmp_path):
    expected = digests(repository.path)
    assert len(expected) == 1
    for number, options in enumerate([(), ("--depth=1",), ("--no-hardlinks",), ("--single-branch",)]):
        clone = repository.clone(tmp_path / f"a longer path {number}", *options)
        os.utime(clone.path / "src/a.py", (1, 1))
        assert digests(clone.path) == expected


@pytest.mark.parametrize("setting", ["true", "input", "false"])
def test_the_digest_of_the_same_bytes_does_not_depend_on_line_end_settings(repository, setting):
    expected = digests(repository.path)
    repository.git("config", "core.autocrlf", setting)
    repository.write(".git/info/attributes", "* text=auto eol=crlf ident\n")
    assert digests(repository.path) == expected


def test_the_digest_does_not_depend_on_the_working_directory(repository, tmp_path, monkeypatch):
    expected = digests(repository.path)
    for cwd in (tmp_path, repository.path / "src", repository.path / ".git"):
        monkeypatch.chdir(cwd)
        assert digests(repository.path) == expected


PRINT = """
import sys
from contextc.frontend.sources import open_source
for rev in (None, "HEAD"):
    for untracked in (False, True):
        print(ascii(open_source(sys.argv[1], rev=rev, untracked=untracked).snapshot()))
"""


def test_neither_locale_time_zone_nor_hash_seed_changes_a_byte(repository):
    repository.write("untracked \udcff ß", "u")
    seen = set()
    for seed, extra in [
        ("0", {"LC_ALL": "C"}),
        ("1", {"LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"}),
        ("2", {"LANG": "tr_TR.UTF-8", "LANGUAGE": "de", "PYTHONUTF8": "0"}),
        ("3", {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ]:
        env = {**environment(), "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), **extra}
        command = [sys.executable, "-c", PRINT, str(repository.path)]
        done = subprocess.run(command, capture_output=True, env=env)
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout)
    assert len(seen) == 1


def test_no_absolute_path_is_in_a_snapshot(repository, tmp_path):
    repository.link("outside", str(tmp_path / "elsewhere"))
    repository.git("add", "--all")
    for untracked in (False, True):
        assert str(tmp_path) not in str(open_source(repository.path, untracked=untracked).snapshot())


PATHS = st.text(st.sampled_from("ab/\0é\udcff \n".replace("\0", "")), min_size=1, max_size=4)
ENTRIES = st.builds(
    Entry, PATHS, st.sampled_from(["file", "executable", "symlink"]), st.sampled_from(["0a", "1b"]), st.just(1)
)
OMISSIONS = st.builds(Omission, PATHS, st.sampled_from(["special", "deleted"]), st.sampled_from(["", "a pipe"]))


@given(
    st.lists(ENTRIES, unique_by=lambda e: e.path, max_size=5),
    st.lists(OMISSIONS, max_size=3, unique=True),
    st.randoms(),
)
def test_a_snapshot_does_not_depend_on_the_order_of_what_was_found(entries, omitted, random):
    first = assemble("directory", None, entries, omitted)
    random.shuffle(entries)
    random.shuffle(omitted)
    assert assemble("directory", None, entries, omitted) == first
    assert list(first.entries) == sorted(entries, key=lambda e: e.path)


@given(
    st.lists(ENTRIES, max_size=3),
    st.lists(ENTRIES, max_size=3),
    st.lists(OMISSIONS, max_size=2),
    st.lists(OMISSIONS, max_size=2),
)
def test_two_different_listings_never_share_a_digest(first, second, third, fourth):
    same = (first, third) == (second, fourth)
    assert (digest_of(first, third) == digest_of(second, fourth)) == same


def test_entries_and_omissions_do_not_run_into_each_other():
    entries = [Entry("x", "symlink", "0a", 1), Entry("y", "file", "1b", 1)]
    assert digest_of(entries, []) != digest_of([], [Omission("0a x", "symlink", "file 1b y")])
