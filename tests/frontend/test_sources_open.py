"""Which source a path is, and what is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from builders import Repository, environment, hostile_config, repository_of, run_git

from contextc.errors import InputError, NotFound, RepositoryError
from contextc.frontend.sources import open_source
from contextc.frontend.sources.git import executable

FILES = {"README.md": "# A\n", "src/a.py": "x = 1\n", "src/b/c.py": "y = 2\n"}
AS_ROOT = os.geteuid() == 0
#: The user id and group id of nobody, on every system in use.
NOBODY = 65534


@pytest.fixture
def repository(tmp_path) -> Repository:
    return repository_of(tmp_path / "r", FILES)


def listed(source) -> list[str]:
    return [entry.path for entry in source.snapshot().entries]


@pytest.mark.parametrize("below", ["", "src", "src/b"])
def test_the_whole_repository_is_found_from_every_directory_of_it(repository, below, monkeypatch):
    source = open_source(repository.path / below)
    assert source.root == repository.path
    assert listed(source) == sorted(FILES)
    monkeypatch.chdir(repository.path / below)
    assert open_source(".").root == open_source(Path(), rev="HEAD").root == repository.path


def test_a_linked_worktree_has_its_own_root_and_files(repository, tmp_path):
    repository.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side/src/a.py").write_text("side\n")
    source = open_source(tmp_path / "side/src")
    assert source.root == tmp_path / "side"
    assert {e.path: d for e, d in source.read(source.snapshot().entries)}["src/a.py"] == b"side\n"
    assert open_source(tmp_path / "side", rev="side").snapshot() == open_source(repository.path, rev="HEAD").snapshot()


def test_worktrees_around_a_bare_repository(repository, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    run_git(tmp_path, "clone", "--quiet", "--bare", str(repository.path), str(project / ".bare"))
    (project / ".git").write_text("gitdir: ./.bare\n")
    run_git(project, "worktree", "add", "--quiet", "main-tree", "main")
    assert open_source(project / "main-tree/src").root == project / "main-tree"
    assert open_source(project).snapshot().kind == "commit"


def test_a_git_directory_somewhere_else(tmp_path):
    work = tmp_path / "work"
    repository = Repository.create(work, f"--separate-git-dir={tmp_path / 'store'}").files(FILES)
    repository.commit()
    assert (work / ".git").is_file()
    assert open_source(work / "src").root == work


def test_a_git_directory_reached_by_a_link(repository, tmp_path):
    (repository.path / ".git").rename(tmp_path / "store")
    (repository.path / ".git").symlink_to(tmp_path / "store")
    assert listed(open_source(repository.path / "src")) == sorted(FILES)


def test_an_empty_directory_called_git_is_passed_over_as_git_does(repository):
    (repository.path / "src/.git").mkdir()
    assert open_source(repository.path / "src").root == repository.path


def test_a_root_with_a_name_of_any_bytes(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/new\nline \xff/r"))
    repository = repository_of(path, FILES)
    for source in (open_source(path), open_source(path / "src", rev="HEAD")):
        assert source.root == repository.path
        assert listed(source) == sorted(FILES)


def test_a_root_reached_through_a_link_is_the_real_one(repository, tmp_path):
    (tmp_path / "alias").symlink_to(repository.path)
    assert open_source(tmp_path / "alias/src").root == repository.path


def test_the_environment_of_another_repository_is_not_looked_at(repository, tmp_path, monkeypatch):
    other = repository_of(tmp_path / "other", {"other.py": "o"})
    before = open_source(repository.path).snapshot()
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git/index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git/objects"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert open_source(repository.path).snapshot() == before


def test_a_directory_without_a_repository(tmp_path):
    (tmp_path / "plain/sub").mkdir(parents=True)
    (tmp_path / "plain/b.txt").write_text("b")
    (tmp_path / "plain/sub/a.txt").write_text("a")
    (tmp_path / "plain/link").symlink_to("/etc/passwd")
    source = open_source(tmp_path / "plain")
    snapshot = source.snapshot()
    assert (snapshot.kind, snapshot.commit, snapshot.dirty) == ("directory", None, False)
    assert source.root == tmp_path / "plain"
    assert [(entry.path, data) for entry, data in source.read(snapshot.entries)] == [
        ("b.txt", b"b"),
        ("link", b"/etc/passwd"),
        ("sub/a.txt", b"a"),
    ]
    assert [o.reason for o in snapshot.omitted] == ["symlink"]
    with pytest.raises(RepositoryError, match="revision"):
        open_source(tmp_path / "plain", rev="HEAD")


def test_an_empty_directory(tmp_path):
    assert open_source(tmp_path).snapshot().entries == ()


def test_a_directory_holds_what_a_fresh_repository_there_would(tmp_path):
    plain = tmp_path / "plain"
    for name in (b"\xff\xfe", b"new\nline", b"a", b"sub/b", b"sub.x/c"):
        path = Path(os.fsdecode(os.fsencode(plain) + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name)
    before = open_source(plain).snapshot()
    Repository.create(plain)
    assert open_source(plain, untracked=True).snapshot().digest == before.digest


class TestWithoutGit:
    @pytest.fixture(autouse=True)
    def no_git(self, repository, tmp_path, monkeypatch):
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))

    def test_a_directory_is_walked_and_the_snapshot_says_so(self, repository):
        repository.link("loop", ".")
        (repository.path / "inner/.git").mkdir(parents=True)
        repository.write("inner/x.py", "x")
        snapshot = open_source(repository.path).snapshot()
        assert snapshot.kind == "directory"
        assert [entry.path for entry in snapshot.entries] == sorted([*FILES, "loop"])
        assert [(o.path, o.reason) for o in snapshot.omitted] == [("inner", "submodule"), ("loop", "symlink")]
        assert snapshot.remarks == ("git is not installed: no ignore rules were applied",)

    def test_a_pipe_is_recorded_and_not_opened(self, repository):
        os.mkfifo(repository.path / "pipe")
        assert [(o.path, o.detail) for o in open_source(repository.path).snapshot().omitted] == [("pipe", "a pipe")]

    def test_a_revision_needs_git(self, repository):
        with pytest.raises(RepositoryError, match="not installed"):
            open_source(repository.path, rev="HEAD")


def test_what_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFound, match="no such directory"):
        open_source(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="found a file"):
        open_source(tmp_path / "file")
    with pytest.raises(InputError):
        open_source("a\0b")


def test_a_root_that_vanishes_is_an_error_that_names_it(repository, tmp_path):
    (tmp_path / "plain").mkdir()
    sources = [open_source(repository.path), open_source(repository.path, rev="HEAD"), open_source(tmp_path / "plain")]
    shutil.rmtree(repository.path)
    (tmp_path / "plain").rmdir()
    for source in sources:
        with pytest.raises(RepositoryError) as error:
            source.snapshot()
        assert str(source.root) in error.value.where


def test_inside_the_git_directory_there_is_no_working_tree(repository):
    with pytest.raises(RepositoryError, match="work tree"):
        open_source(repository.path / ".git")
    assert listed(open_source(repository.path / ".git", rev="HEAD")) == sorted(FILES)


@pytest.mark.parametrize("worktree", ["/", "../.."])
def test_a_configured_work_tree_around_the_repository_is_not_believed(repository, tmp_path, worktree):
    (tmp_path / "README.md").write_text("OUTSIDE CANARY")
    repository.git("config", "core.worktree", worktree)
    source = open_source(repository.path)
    assert source.root == repository.path
    assert {entry.path: data for entry, data in source.read(source.snapshot().entries)}["README.md"] == b"# A\n"


def test_a_configured_work_tree_elsewhere_is_refused(repository):
    repository.git("config", "core.worktree", "/etc")
    with pytest.raises(RepositoryError, match="work tree"):
        open_source(repository.path)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda git: (git / "config").write_text("[core\n"), "config"),
        (lambda git: (git / "index").write_bytes(b"DIRC garbage"), "index"),
    ],
)
def test_a_damaged_repository_is_an_error_in_gits_words(repository, damage, words):
    damage(repository.path / ".git")
    with pytest.raises(RepositoryError, match=words):
        open_source(repository.path).snapshot()


def test_a_git_file_that_points_to_nothing_is_an_error_and_not_a_plain_directory(tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r/.git").write_text("gitdir: ../gone\n")
    with pytest.raises(RepositoryError, match="not a git repository"):
        open_source(tmp_path / "r")


@pytest.mark.skipif(not AS_ROOT, reason="giving a repository to another user needs root")
def test_a_repository_of_another_user_is_refused_with_the_way_out(repository, monkeypatch, tmp_path):
    for folder, folders, files in os.walk(repository.path):
        for name in (folder, *(os.path.join(folder, name) for name in folders + files)):
            os.chown(name, NOBODY, NOBODY)
    for rev in (None, "HEAD"):
        with pytest.raises(RepositoryError, match="another user") as error:
            open_source(repository.path / "src", rev=rev)
        assert "safe.directory" in error.value.hint
    (tmp_path / "config").write_text(f"[safe]\n\tdirectory = {repository.path}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert listed(open_source(repository.path)) == sorted(FILES)


#: Root may read everything, so look as nobody; what Python needs is imported while root may still read it.
LOOK = """
import os, sys
from contextc.frontend.sources import open_source
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
snapshot = open_source(sys.argv[1]).snapshot()
print([e.path for e in snapshot.entries], [(o.path, o.reason, o.detail) for o in snapshot.omitted])
"""


def test_files_without_permission_are_recorded_and_the_others_read():
    trusted = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    env = {**environment(), **trusted, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    with tempfile.TemporaryDirectory() as folder:  # pytest's own directories are closed to others
        Path(folder).chmod(0o755)
        repository = repository_of(Path(folder) / "r", FILES)
        (repository.path / "src/a.py").chmod(0)
        (repository.path / "src/b").chmod(0)
        command = [sys.executable, "-c", LOOK, str(repository.path)]
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        (repository.path / "src/b").chmod(0o755)
    reasons = [("src/a.py", "unreadable", "permission denied"), ("src/b/c.py", "unreadable", "permission denied")]
    assert (done.stdout.strip(), done.stderr) == (f"['README.md'] {reasons}", "")


class TestHostileConfiguration:
    def test_no_program_of_a_repository_is_run(self, repository, tmp_path):
        marker = tmp_path / "was-run"
        hostile_config(repository, marker)
        repository.write("src/a.py", "changed\n")
        repository.write("new.py", "new\n")
        for options in ({}, {"untracked": True}, {"rev": "HEAD"}):
            source = open_source(repository.path, **options)
            snapshot = source.snapshot()
            assert {entry.path for entry, _ in source.read(snapshot.entries)} >= set(FILES)
        assert not marker.exists()
        subprocess.run(["git", "status"], cwd=repository.path, env=environment(), capture_output=True, check=False)
        assert marker.exists()  # git by itself would have: the check above can fail

    def test_a_git_in_the_checkout_is_not_run(self, repository, tmp_path, monkeypatch):
        marker = tmp_path / "was-run"
        repository.write("git", f"#!/bin/sh\ntouch '{marker}'\n", executable=True)
        (tmp_path / "bin").mkdir()
        repository.write("bin/git", f"#!/bin/sh\ntouch '{marker}'\n", executable=True)
        monkeypatch.chdir(repository.path)
        monkeypatch.setenv("PATH", f".:bin::{os.environ['PATH']}")
        assert listed(open_source(".")) == sorted(FILES)
        program = executable()
        assert program is not None and os.path.isabs(program) and "pytest" not in program
        assert not marker.exists()

    def test_the_git_directory_and_the_working_tree_are_not_written(self, repository):
        def state():
            return sorted(
                (str(path), path.lstat().st_mtime_ns, path.lstat().st_size) for path in repository.path.rglob("*")
            )

        repository.write("src/a.py", "changed\n")
        before = state()
        for options in ({}, {"untracked": True}, {"rev": "HEAD"}):
            source = open_source(repository.path, **options)
            list(source.read(source.snapshot().entries))
        assert state() == before
