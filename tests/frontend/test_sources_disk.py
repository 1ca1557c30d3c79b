"""The reader of a tree on disk, asked directly: nothing leads out of the root, nothing is waited for."""

from __future__ import annotations

import os
import sys

import pytest
from builders import repository_of

from contextc.frontend.sources import disk, open_source
from contextc.frontend.sources.disk import DEPTH_LIMIT, Blocked, Disk


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "outside").write_text("OUTSIDE CANARY")
    root = tmp_path / "root"
    for name in ("a/b/c.txt", "a/d.txt", "e.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def blocked(tree, path, method="read") -> str:
    with Disk(os.fsencode(tree)) as reader, pytest.raises(Blocked) as error:
        getattr(reader, method)(path)
    return error.value.reason


def test_files_are_read_in_any_order(tree):
    with Disk(os.fsencode(tree)) as reader:
        for name in (b"a/b/c.txt", b"e.txt", b"a/d.txt", b"a/b/c.txt", b"a/d.txt"):
            assert reader.read(name)[0] == name


@pytest.mark.parametrize("path", [b"../outside", b"a/../../outside", b"/e.txt", b"//e.txt", b"a//d.txt", b"./e.txt"])
@pytest.mark.parametrize("method", ["read", "stat", "readlink"])
def test_only_plain_names_are_looked_up(tree, path, method):
    assert blocked(tree, path, method) == "unreadable"


@pytest.mark.parametrize("path", [b"", b".", b"..", b"a/", b".git/config", b"a/.GIT/config", b".git"])
def test_what_no_tree_may_hold_is_not_looked_up(tree, path):
    assert blocked(tree, path) == "unreadable"


def test_links_are_not_followed_at_the_end_or_on_the_way(tree):
    (tree / "leak").symlink_to("../outside")
    (tree / "up").symlink_to("..")
    assert blocked(tree, b"leak") == "symlink"
    assert blocked(tree, b"up/outside") == "symlink"
    with Disk(os.fsencode(tree)) as reader:
        assert reader.readlink(b"leak") == b"../outside"


def test_a_failed_path_does_not_disturb_the_next(tree):
    with Disk(os.fsencode(tree)) as reader:
        for missing in (b"a/b/no/x", b"a/no/x", b"no/x", b"a/b/c.txt/x", b"a/b/.git/x"):
            with pytest.raises(Blocked):
                reader.stat(missing)
            assert reader.read(b"a/d.txt")[0] == b"a/d.txt"
            with pytest.raises(Blocked):
                reader.stat(missing)
            assert reader.read(b"a/b/c.txt")[0] == b"a/b/c.txt"


def test_a_directory_exchanged_while_it_is_open_does_not_lead_elsewhere(tree, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/d.txt").write_text("OUTSIDE CANARY")
    with Disk(os.fsencode(tree)) as reader:
        reader.stat(b"a/d.txt")
        (tree / "a").rename(tree / "moved")
        (tree / "a").symlink_to(tmp_path / "other")
        assert reader.read(b"a/d.txt")[0] == b"a/d.txt"


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tree):
    (tree / "e.txt").unlink()
    os.mkfifo(tree / "e.txt")
    assert blocked(tree, b"e.txt") == "special"
    assert blocked(tree, b"a") == "special"


def test_a_file_of_a_terabyte_is_not_read(tree):
    os.truncate(tree / "e.txt", 10**12)
    assert blocked(tree, b"e.txt") == "oversized"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc holds the files whose size is told as 0")
def test_a_file_that_is_longer_than_it_says_is_read_to_its_end_up_to_the_limit(monkeypatch):
    with Disk(os.path.realpath(b"/proc/self")) as reader:
        data, said = reader.read(b"status")
        assert said.st_size == 0 and data.endswith(b"\n") and len(data) > 200
        monkeypatch.setattr(disk, "SIZE_LIMIT", 100)
        with pytest.raises(Blocked) as error:
            reader.read(b"status")
        assert error.value.reason == "oversized"


def test_a_tree_deeper_than_any_real_one_is_recorded_and_hides_nothing(tmp_path):
    deep = "d/" * (DEPTH_LIMIT + 1) + "f"
    repository = repository_of(tmp_path / "r", {"a": "x", "d/" * DEPTH_LIMIT + "g": "x", deep: "x"})
    snapshot = open_source(repository.path).snapshot()
    assert [entry.path for entry in snapshot.entries] == ["a", "d/" * DEPTH_LIMIT + "g"]
    assert [(o.path, o.reason) for o in snapshot.omitted] == [(deep, "unreadable")]


def test_no_descriptor_is_left_open(tree):
    before = os.listdir("/dev/fd")
    with Disk(os.fsencode(tree)) as reader:
        reader.read(b"a/b/c.txt")
        with pytest.raises(Blocked):
            reader.read(b"a/b/none")
    assert os.listdir("/dev/fd") == before
