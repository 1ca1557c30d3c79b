"""A working tree as a source: what git tracks, as it is on disk now."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket

import pytest
from builders import Repository, repository_of

from contextc.errors import SourceError
from contextc.frontend.sources import SIZE_LIMIT, open_source

FILES = {"README.md": "# A\n", "src/a.py": "x = 1\n", "src/b/c.py": "y = 2\n"}


@pytest.fixture
def repository(tmp_path) -> Repository:
    return repository_of(tmp_path / "r", FILES)


def contents(source):
    snapshot = source.snapshot()
    return {e.path: data for e, data in source.read(e for e in snapshot.entries if e.kind != "submodule")}


def omissions(source):
    return {omission.path: omission.reason for omission in source.snapshot().omitted}


def test_a_clean_tree_is_its_commit(repository):
    disk = open_source(repository.path).snapshot()
    tree = open_source(repository.path, rev="HEAD").snapshot()
    assert (disk.kind, disk.commit, disk.dirty) == ("worktree", tree.commit, False)
    assert (disk.entries, disk.omitted, disk.digest) == (tree.entries, tree.omitted, tree.digest)


def test_an_edit_is_seen_at_once(repository):
    before = open_source(repository.path).snapshot()
    repository.write("src/a.py", "x = 2\n")
    source = open_source(repository.path)
    after = source.snapshot()
    assert after.dirty and after.digest != before.digest
    assert contents(source)["src/a.py"] == b"x = 2\n"


def test_only_tracked_files_unless_asked(repository):
    repository.write(".gitignore", "*.log\n")
    repository.write("new.py", "n")
    repository.write("trace.log", "t")
    assert contents(open_source(repository.path)).keys() == FILES.keys()
    assert not open_source(repository.path).snapshot().dirty
    asked = open_source(repository.path, untracked=True)
    assert contents(asked).keys() == {*FILES, ".gitignore", "new.py"}
    assert asked.snapshot().dirty


def test_a_tracked_file_stays_listed_when_a_rule_ignores_it(repository):
    repository.write(".gitignore", "src/\n")
    for untracked in (False, True):
        assert contents(open_source(repository.path, untracked=untracked)).keys() >= FILES.keys()


def test_a_staged_change_is_dirty_even_when_the_disk_was_set_back(repository):
    repository.write("src/a.py", "x = 2\n")
    repository.git("add", "src/a.py")
    assert open_source(repository.path).snapshot().dirty
    repository.write("src/a.py", "x = 1\n")
    assert open_source(repository.path).snapshot().dirty


def test_a_staged_file_is_tracked_and_so_is_one_with_intent_to_add(repository):
    repository.write("staged.py", "s")
    repository.write("intended.py", "i")
    repository.write("intended-empty.py", "")
    repository.git("add", "staged.py")
    repository.git("add", "--intent-to-add", "intended.py", "intended-empty.py")
    source = open_source(repository.path)
    assert contents(source).keys() == {*FILES, "staged.py", "intended.py", "intended-empty.py"}
    assert contents(source)["intended.py"] == b"i"
    assert source.snapshot().dirty


def test_a_file_with_only_intent_to_add_is_dirty(repository):
    repository.write("empty.py", "")
    repository.git("add", "--intent-to-add", "empty.py")
    assert open_source(repository.path).snapshot().dirty


def test_a_removed_file_is_recorded_as_deleted(repository):
    (repository.path / "src/a.py").unlink()
    source = open_source(repository.path)
    assert omissions(source) == {"src/a.py": "deleted"}
    assert source.snapshot().dirty


def test_a_removed_directory_is_recorded_by_its_files(repository):
    shutil.rmtree(repository.path / "src")
    assert omissions(open_source(repository.path)) == {"src/a.py": "deleted", "src/b/c.py": "deleted"}


def test_a_file_staged_for_removal_is_not_tracked_any_more(repository):
    repository.git("rm", "--quiet", "--cached", "src/a.py")
    source = open_source(repository.path)
    assert contents(source).keys() == {"README.md", "src/b/c.py"}
    assert source.snapshot().dirty


def test_a_directory_where_a_file_is_tracked(repository):
    (repository.path / "src/a.py").unlink()
    repository.write("src/a.py/inner.py", "i")
    assert omissions(open_source(repository.path)) == {"src/a.py": "special"}
    assert "src/a.py/inner.py" in contents(open_source(repository.path, untracked=True))


def test_a_file_where_a_directory_is_tracked(repository):
    shutil.rmtree(repository.path / "src/b")
    repository.write("src/b", "now a file")
    source = open_source(repository.path, untracked=True)
    assert omissions(source) == {"src/b/c.py": "deleted"}
    assert contents(source)["src/b"] == b"now a file"


def test_an_unresolved_merge_is_read_as_it_stands(repository):
    repository.git("checkout", "--quiet", "-b", "other")
    repository.write("src/a.py", "x = 'theirs'\n")
    repository.write("README.md", "# Theirs\n")
    repository.commit("Theirs")
    repository.git("checkout", "--quiet", "main")
    repository.write("src/a.py", "x = 'ours'\n", executable=True)
    (repository.path / "README.md").unlink()
    repository.commit("Ours")
    with pytest.raises(AssertionError, match="git"):
        repository.git("merge", "--quiet", "other")
    source = open_source(repository.path)
    snapshot = source.snapshot()
    assert snapshot.dirty
    assert snapshot.remarks == (
        "README.md has an unresolved merge; it is read as it stands on disk",
        "src/a.py has an unresolved merge; it is read as it stands on disk",
    )
    assert {e.path: e.kind for e in snapshot.entries}["src/a.py"] == "executable"  # as on our side
    found = contents(source)
    assert found["README.md"] == b"# Theirs\n"
    assert b"<<<<<<<" in found["src/a.py"] and b"theirs" in found["src/a.py"]
    (repository.path / "src/a.py").unlink()
    assert omissions(open_source(repository.path)) == {"src/a.py": "deleted"}


def test_a_sparse_checkout_lists_the_whole_tree(repository):
    whole = open_source(repository.path).snapshot()
    for index in ("false", "true"):
        repository.git("config", "index.sparse", index)
        repository.git("sparse-checkout", "set", "--cone", "docs")
        assert not (repository.path / "src").exists()
        source = open_source(repository.path)
        assert source.snapshot() == whole
        assert contents(source) == {name: text.encode() for name, text in FILES.items()}
        repository.git("sparse-checkout", "disable")


def test_a_path_outside_a_sparse_checkout_that_is_on_disk_is_read_from_disk(repository):
    repository.git("update-index", "--skip-worktree", "src/a.py")
    repository.write("src/a.py", "local\n")
    source = open_source(repository.path)
    assert contents(source)["src/a.py"] == b"local\n"
    (repository.path / "src/a.py").unlink()
    assert contents(source)["src/a.py"] == b"x = 1\n"


def test_links_and_large_files_outside_a_sparse_checkout(repository):
    repository.link("lib/link", "../src/a.py")
    repository.write("lib/large", b"x" * (SIZE_LIMIT + 1))
    repository.commit()
    whole = open_source(repository.path).snapshot()
    repository.git("sparse-checkout", "set", "src")
    sparse = open_source(repository.path)
    assert sparse.snapshot() == whole
    assert contents(sparse)["lib/link"] == b"../src/a.py"


def test_a_sparse_and_partial_clone_records_what_it_does_not_have(repository, tmp_path):
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.write("lib/z.py", "z")
    repository.commit()
    clone = repository.clone(tmp_path / "clone", "--filter=blob:none", "--sparse")
    source = open_source(clone.path)
    snapshot = source.snapshot()
    assert [entry.path for entry in snapshot.entries] == ["README.md"]
    assert {o.path: o.reason for o in snapshot.omitted} == dict.fromkeys(
        ("lib/z.py", "src/a.py", "src/b/c.py"), "unreadable"
    )
    assert contents(source) == {"README.md": b"# A\n"}


def test_the_executable_bit_is_gits_word_for_tracked_files_and_the_disks_for_others(repository):
    repository.git("config", "core.fileMode", "false")
    repository.git("update-index", "--chmod=+x", "src/a.py")
    (repository.path / "src/b/c.py").chmod(0o755)
    repository.write("tool", "#!/bin/sh\n", executable=True)
    kinds = {entry.path: entry.kind for entry in open_source(repository.path, untracked=True).snapshot().entries}
    assert kinds == {"README.md": "file", "src/a.py": "executable", "src/b/c.py": "file", "tool": "executable"}


def test_a_repository_without_a_commit(tmp_path):
    repository = Repository.create(tmp_path / "r")
    empty = open_source(repository.path).snapshot()
    assert (empty.kind, empty.commit, empty.entries, empty.dirty) == ("worktree", None, (), False)
    repository.write("a.py", "x")
    assert contents(open_source(repository.path, untracked=True)) == {"a.py": b"x"}
    repository.git("add", "a.py")
    source = open_source(repository.path)
    assert contents(source) == {"a.py": b"x"}
    assert source.snapshot().dirty


class TestLinks:
    @pytest.fixture
    def outside(self, tmp_path):
        folder = tmp_path / "outside"
        folder.mkdir()
        (folder / "a.py").write_text("OUTSIDE CANARY")
        (folder / "passwd").write_text("OUTSIDE CANARY")
        return folder

    def test_a_tracked_link_is_never_followed(self, repository, outside):
        repository.link("leak", str(outside / "passwd"))
        repository.link("leak-relative", "../outside/passwd")
        repository.link("inside", "src/a.py")
        repository.link("dir", "src")
        repository.git("add", "--all")
        source = open_source(repository.path)
        details = {o.path: o.detail for o in source.snapshot().omitted}
        assert details == {
            "leak": "it points outside the root",
            "leak-relative": "it points outside the root",
            "inside": "it points to src/a.py",
            "dir": "it points to src",
        }
        assert not any(b"CANARY" in data for data in contents(source).values())

    def test_a_file_that_became_a_link_is_not_read_through_it(self, repository, outside):
        (repository.path / "src/a.py").unlink()
        repository.link("src/a.py", str(outside / "a.py"))
        source = open_source(repository.path)
        assert omissions(source) == {"src/a.py": "symlink"}
        assert contents(source)["src/a.py"] == os.fsencode(outside / "a.py")
        assert source.snapshot().dirty

    def test_a_directory_that_became_a_link_is_not_entered(self, repository, outside):
        shutil.rmtree(repository.path / "src")
        repository.link("src", str(outside))
        for untracked in (False, True):
            source = open_source(repository.path, untracked=untracked)
            snapshot = source.snapshot()
            found = {o.path: (o.reason, o.detail) for o in snapshot.omitted}
            assert found["src/a.py"] == ("symlink", "a directory of its path is a link")
            assert found["src/b/c.py"] == ("symlink", "a directory of its path is a link")
            assert not any(b"CANARY" in data for data in contents(source).values())

    def test_a_link_in_a_place_outside_the_sparse_checkout_is_not_entered(self, repository, outside):
        repository.git("sparse-checkout", "set", "--no-cone", "README.md")
        repository.link("src", str(outside))
        assert omissions(open_source(repository.path)) == {"src/a.py": "symlink", "src/b/c.py": "symlink"}

    def test_a_path_exchanged_between_listing_and_reading_gives_the_listed_bytes(self, repository, outside):
        source = open_source(repository.path)
        entries = source.snapshot().entries
        other = open_source(repository.path)  # without the memory of the listing
        shutil.rmtree(repository.path / "src")
        repository.link("src", str(outside))
        assert {entry.path: data for entry, data in other.read(entries)} == {
            name: text.encode() for name, text in FILES.items()
        }

    def test_a_link_checked_out_as_a_small_file_is_still_a_link(self, repository):
        repository.link("link", "src/a.py")
        repository.commit()
        whole = open_source(repository.path).snapshot()
        repository.git("config", "core.symlinks", "false")
        (repository.path / "link").unlink()
        repository.git("checkout", "--quiet", "link")
        assert not (repository.path / "link").is_symlink()
        source = open_source(repository.path)
        assert source.snapshot() == whole
        assert {e.path: d for e, d in open_source(repository.path).read(whole.entries)}["link"] == b"src/a.py"

    def test_an_untracked_link_is_listed_and_not_followed(self, repository, outside):
        repository.link("new", str(outside))
        source = open_source(repository.path, untracked=True)
        assert omissions(source) == {"new": "symlink"}
        assert not any(b"CANARY" in data for data in contents(source).values())


def test_what_is_no_regular_file_is_never_opened(repository):
    # Opening the pipe for reading would wait for ever.
    (repository.path / "src/a.py").unlink()
    os.mkfifo(repository.path / "src/a.py")
    (repository.path / "README.md").unlink()
    server = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(repository.path)
    try:
        server.bind("README.md")
    finally:
        os.chdir(here)
        server.close()
    snapshot = open_source(repository.path).snapshot()
    assert [(o.path, o.reason, o.detail) for o in snapshot.omitted] == [
        ("README.md", "special", "a socket"),
        ("src/a.py", "special", "a pipe"),
    ]


def test_a_large_file_is_listed_by_its_size_and_clean_while_it_keeps_it(repository):
    repository.write("large.bin", b"x" * (SIZE_LIMIT + 5))
    repository.commit()
    assert not open_source(repository.path).snapshot().dirty
    repository.write("large.bin", b"x" * (SIZE_LIMIT + 6))
    assert open_source(repository.path).snapshot().dirty


def test_an_index_that_names_paths_outside_is_not_believed(repository, tmp_path):
    (tmp_path / "secret").write_text("OUTSIDE CANARY")
    repository.write("xx/secret", "inside\n")
    repository.git("add", "--all")
    patch_index(repository, b"xx/secret\0", b"../secret\0")
    source = open_source(repository.path)
    assert omissions(source) == {"../secret": "unreadable"}
    assert not any(b"CANARY" in data for data in contents(source).values())


def test_an_index_that_names_an_absolute_path_is_not_believed(repository):
    repository.write("xetc/passwd", "inside\n")
    repository.git("add", "--all")
    patch_index(repository, b"xetc/passwd\0", b"/etc/passwd\0")
    source = open_source(repository.path)
    assert omissions(source) == {"/etc/passwd": "unreadable"}
    assert contents(source).keys() == FILES.keys()


def patch_index(repository, old, new):
    """Change a name in the index file, with a right checksum: what a hostile archive could bring."""
    index = repository.path / ".git/index"
    body = index.read_bytes()[:-20]
    assert old in body
    body = body.replace(old, new)
    index.write_bytes(body + hashlib.sha1(body).digest())


def test_what_was_listed_can_be_read_after_the_disk_has_changed_when_git_still_has_it(repository):
    entries = open_source(repository.path).snapshot().entries
    repository.write("src/a.py", "changed since\n")
    other = open_source(repository.path)
    assert {entry.path: data for entry, data in other.read(entries)}["src/a.py"] == b"x = 1\n"


def test_bytes_that_are_nowhere_any_more_are_an_error_that_names_the_path(repository):
    repository.write("src/a.py", "edited and never staged\n")
    source = open_source(repository.path)
    entries = source.snapshot().entries
    repository.write("src/a.py", "edited again\n")
    assert {e.path: d for e, d in source.read(entries)}["src/a.py"] == b"edited and never staged\n"
    with pytest.raises(SourceError) as error:
        list(open_source(repository.path).read(entries))
    assert error.value.where == "src/a.py"


def test_the_commits_bytes_can_be_read_beside_those_on_disk(repository):
    committed = open_source(repository.path, rev="HEAD").snapshot().entries
    repository.write("src/a.py", "edited\n")
    source = open_source(repository.path)
    source.snapshot()
    assert {entry.path: data for entry, data in source.read(committed)}["src/a.py"] == b"x = 1\n"


def test_line_ends_of_a_checkout_are_raw_bytes(repository, tmp_path):
    clone = repository.clone(tmp_path / "clone", "--config", "core.autocrlf=true")
    source = open_source(clone.path)
    snapshot = source.snapshot()
    assert contents(source)["src/a.py"] == b"x = 1\r\n"
    assert snapshot.dirty  # the bytes on disk are not those of the commit, whatever git's filters make of them
    commit = open_source(clone.path, rev="HEAD").snapshot()
    assert commit.digest == open_source(repository.path, rev="HEAD").snapshot().digest
