"""Where the store lies, and where it never does."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from builders import repository_of

from contextc.frontend.index.cachedir import cache_root, store_path


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"CONTEXTC_CACHE_DIR": "/c", "XDG_CACHE_HOME": "/x", "HOME": "/"}, "linux", "/c"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/"}, "linux", "/x/contextc"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/"}, "linux", "/.cache/contextc"),
        ({"HOME": "/"}, "linux", "/.cache/contextc"),
        ({"HOME": "/", "XDG_CACHE_HOME": "/x"}, "darwin", "/Library/Caches/contextc"),
        ({"LOCALAPPDATA": "/l"}, "win32", "/l/contextc"),
        ({}, "win32", None),
        ({}, "linux", None),
        ({}, "darwin", None),
        ({"HOME": "/no/such/home"}, "linux", None),
    ],
)
def test_the_cache_lies_where_the_system_wants_it(environ: dict[str, str], platform: str, expected: str | None) -> None:
    assert cache_root(environ, platform) == (Path(expected) if expected else None)


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "absent"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("CONTEXTC_CACHE_DIR", raising=False)
    assert store_path(tmp_path) is None
    assert not (tmp_path / "absent").exists()


def test_the_directory_is_made_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert store_path(tmp_path / "root", folder) is not None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_others_are_shut_out_of_a_directory_that_was_open(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    assert store_path(tmp_path / "root", folder) is not None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_directory_of_someone_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert store_path(tmp_path / "root", tmp_path / "cache") is None


def test_a_cache_in_the_tree_that_is_read_is_not_used(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    assert store_path(root, root / "cache") is None
    assert store_path(root, root) is None
    assert not (root / "cache").exists()
    assert store_path(root, root / ".git" / "contextc") is not None


def test_a_link_does_not_hide_that_the_cache_is_in_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "inside").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "inside")
    assert store_path(root, tmp_path / "link" / "cache") is None


@pytest.mark.parametrize("blocked", ["a file", "a file on the way"])
def test_a_place_where_no_directory_can_be_is_not_used(tmp_path: Path, blocked: str) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" if blocked == "a file" else tmp_path / "file" / "below"
    assert store_path(tmp_path / "root", folder) is None


def test_all_work_trees_of_a_repository_share_a_store(tmp_path: Path) -> None:
    main = repository_of(tmp_path / "main", {"a": "1"})
    main.git("worktree", "add", "--quiet", str(tmp_path / "other"), "-b", "other")
    cache = tmp_path / "cache"
    first, second = store_path(tmp_path / "main", cache), store_path(tmp_path / "other", cache)
    assert first is not None and second is not None
    assert first.name.split("-")[-1] == second.name.split("-")[-1]
    elsewhere = store_path(repository_of(tmp_path / "third", {"a": "1"}).path, cache)
    assert elsewhere is not None and elsewhere.name.split("-")[-1] != first.name.split("-")[-1]


@pytest.mark.parametrize("pointer", [b"", b"gitdir: \xff\xfe", b"gitdir: a\0b", b"gitdir:", b"nonsense", b"gitdir: /"])
def test_a_strange_git_file_is_no_obstacle(tmp_path: Path, pointer: bytes) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".git").write_bytes(pointer)
    assert store_path(tmp_path / "root", tmp_path / "cache") is not None


def test_the_name_of_the_root_is_made_fit_for_a_file(tmp_path: Path) -> None:
    root = tmp_path / "Ein Ordner\n..é"
    root.mkdir()
    path = store_path(root, tmp_path / "cache")
    assert path is not None and path.name.startswith("Ein-Ordner")
    assert path.name.isascii() and "\n" not in path.name
