"""What the index keeps of the history behind a commit."""

from __future__ import annotations

from pathlib import Path

from builders import Repository

from contextc.frontend.index import open_index
from contextc.frontend.index.base import History
from contextc.frontend.sources import open_source


def history(root: Path, cache: Path, rev: str) -> History:
    source = open_source(root, rev=rev)
    return open_index(source, source.snapshot(), cache_dir=cache).history


def test_names_that_are_no_utf8_are_left_out_of_a_change_that_is_kept(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "odd")
    repository.write(b"gr\xf6sse.txt", "one")
    repository.write("size.txt", "two")
    commit = repository.commit("Measure the size")
    for _ in ("made", "kept"):
        (past,) = history(repository.path, tmp_path / "cache", commit).commits
        assert past.paths == ("size.txt",)


def test_later_commits_and_other_branches_are_not_in_the_history_of_a_commit(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "two")
    repository.write("a.txt", "one")
    before = repository.commit("First of all")
    repository.write("a.txt", "two")
    after = repository.commit("Telling word: xylophone")
    cache = tmp_path / "cache"
    assert len(history(repository.path, cache, after).commits) == 2
    early = history(repository.path, cache, before)
    assert [past.id for past in early.commits] == [before]
    assert early == history(repository.path, tmp_path / "fresh", before)
