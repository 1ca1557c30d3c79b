"""Ignore rules are git's own: what git would ignore is never listed, what it would not is."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from builders import Repository, environment
from hypothesis import given, settings
from hypothesis import strategies as st

from contextc.frontend.sources import open_source

FILES = [
    "a.log",
    "keep.log",
    "src/a.py",
    "src/a.log",
    "src/keep.log",
    "src/build/out.o",
    "src/build/keep.log",
    "build/out.o",
    "build/deep/out.o",
    "docs/x.md",
    "docs/.hidden/y.md",
    "docs/!odd.md",
    "docs/#odd.md",
    "tmp/a/b/c/d.txt",
    "tmp/a/b/keep.txt",
]


def listed(path, **options) -> set[str]:
    return {entry.path for entry in open_source(path, **options).snapshot().entries}


def not_ignored(repository: Repository) -> set[str]:
    """Every file on disk that `git check-ignore` does not name: another of git's commands, asked path by path."""
    names = [
        os.path.relpath(os.path.join(folder, name), repository.path)
        for folder, _, files in os.walk(repository.path)
        for name in files
        if os.path.relpath(folder, repository.path).split(os.sep)[0] != ".git"
    ]
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=repository.path,
        input="\0".join(names).encode(),
        capture_output=True,
        env={**environment(), "GIT_CONFIG_GLOBAL": os.environ["GIT_CONFIG_GLOBAL"]},
    )
    assert done.returncode in (0, 1), done.stderr
    return set(names) - set(done.stdout.decode().split("\0"))


def build(path, rules: dict[str, str]) -> Repository:
    repository = Repository.create(path)
    repository.files(dict.fromkeys(FILES, "x"))
    repository.files(rules)
    return repository


@pytest.mark.parametrize(
    "rules",
    [
        {".gitignore": "*.log\n!keep.log\n"},
        {".gitignore": "build/\n"},
        {".gitignore": "/build/\n", "src/.gitignore": "!*.log\nbuild\n"},
        {".git/info/exclude": "docs/\n*.o\n"},
        {".gitignore": "tmp/**/c\n!tmp/a/b/c/d.txt\n"},
        {".gitignore": "*\n!*/\n!*.py\n!.gitignore\n"},
        {".gitignore": "\\#odd.md\n\\!odd.md\ntrailing \n"},
        {".gitignore": "*.log\n", "src/.gitignore": "!a.log\n", "src/build/.gitignore": "*\n!keep.log\n"},
        {".gitignore": "\ufeff*.log\r\n"},
    ],
)
def test_nested_rules_negations_and_exclude_files_are_gits(tmp_path, rules):
    repository = build(tmp_path / "r", rules)
    expected = not_ignored(repository)
    assert listed(repository.path, untracked=True) == expected
    assert expected != set(FILES) | {".gitignore"}


PATTERNS = [
    *("*.log", "!keep.log", "?.log", "[ak]*.log", "*.o", "a", "*", "!*/", "#comment", "\\#odd.md"),
    *("build", "/build", "build/", "**/build", "src/**", "!src/", "!src/a.py", "docs/.*"),
    *("tmp/*", "!tmp/a", "tmp/a/b/*", "!tmp/a/b/keep.txt"),
]
RULES = st.dictionaries(
    st.sampled_from([".gitignore", "src/.gitignore", "src/build/.gitignore", "tmp/a/.gitignore", ".git/info/exclude"]),
    st.lists(st.sampled_from(PATTERNS), max_size=5).map(lambda lines: "".join(f"{line}\n" for line in lines)),
    max_size=4,
)


@settings(max_examples=60)
@given(RULES)
def test_any_rules_mean_what_git_says_they_mean(tmp_path_factory, rules):
    path = tmp_path_factory.mktemp("rules") / "r"
    try:
        repository = build(path, rules)
        assert listed(path, untracked=True) == not_ignored(repository)
    finally:
        shutil.rmtree(path.parent)


def test_a_directory_without_a_repository_obeys_the_same_rules(tmp_path):
    rules = {".gitignore": "*.log\n/build/\n", "src/.gitignore": "!keep.log\n", "tmp/a/.gitignore": "*\n"}
    repository = build(tmp_path / "r", rules)
    expected = not_ignored(repository)
    shutil.rmtree(repository.path / ".git")
    assert listed(repository.path) == expected


def test_the_users_own_exclude_file_holds(tmp_path, monkeypatch):
    (tmp_path / "ignore").write_text("*.md\n")
    (tmp_path / "config").write_text(f"[core]\n\texcludesFile = {tmp_path}/ignore\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    repository = build(tmp_path / "r", {})
    assert listed(repository.path, untracked=True) == not_ignored(repository)
    assert "docs/x.md" not in listed(repository.path, untracked=True)
    shutil.rmtree(repository.path / ".git")
    assert "docs/x.md" not in listed(repository.path)


def test_from_the_root_from_below_and_from_elsewhere_the_same_files_are_eligible(tmp_path, monkeypatch):
    repository = build(tmp_path / "r", {".gitignore": "*.log\nbuild/\n"})
    expected = listed(repository.path, untracked=True)
    for cwd in (repository.path, repository.path / "src", tmp_path):
        monkeypatch.chdir(cwd)
        for start in ("src", "src/build", "docs", "."):
            assert listed(repository.path / start, untracked=True) == expected
        assert cwd == tmp_path or listed(".", untracked=True) == expected


def test_an_untracked_file_is_never_in_a_commit(tmp_path):
    repository = build(tmp_path / "r", {})
    repository.git("add", "src/a.py")
    repository.git("commit", "--quiet", "--message", "one")
    assert listed(repository.path, rev="HEAD", untracked=True) == {"src/a.py"}


def test_a_named_file_is_listed_although_it_is_ignored_and_nothing_else_is(tmp_path):
    repository = build(tmp_path / "r", {".gitignore": "*.log\nbuild/\n"})
    repository.git("add", "src/a.py", ".gitignore")
    repository.git("commit", "--quiet", "--message", "one")
    repository.link("escape", "/etc/passwd")
    named = ["build/out.o", "src/a.py", "docs", "", "nowhere.py", "docs/x.md", ".git/config", "../r/a.log", "escape"]
    source = open_source(repository.path, named=named)
    snapshot = source.snapshot()
    assert [entry.path for entry in snapshot.entries] == [
        ".gitignore",
        "build/out.o",
        "docs/x.md",
        "escape",
        "src/a.py",
    ]
    assert {entry.path: data for entry, data in source.read(snapshot.entries)}["build/out.o"] == b"x"
    reasons = {omission.path: omission.reason for omission in snapshot.omitted}
    assert reasons == {".git/config": "unreadable", "../r/a.log": "unreadable", "escape": "symlink"}
    assert snapshot.dirty
    plain = open_source(repository.path).snapshot()
    assert open_source(repository.path, named=["src/a.py", "docs", "nowhere"]).snapshot() == plain
    shutil.rmtree(repository.path / ".git")
    assert "a.log" in listed(repository.path, named=["a.log"])
    assert "a.log" not in listed(repository.path)


def test_a_repository_inside_is_pointed_to_and_not_entered(tmp_path):
    repository = build(tmp_path / "r", {})
    Repository.create(repository.path / "vendor/inner").files({"lib.py": "x"}).commit()
    Repository.create(repository.path / "vendor/empty").files({"lib.py": "x"})
    for options in ({"untracked": True}, {}):
        snapshot = open_source(repository.path, **options).snapshot()
        assert [(o.path, o.reason, o.detail) for o in snapshot.omitted] == [
            ("vendor/empty", "submodule", "a repository of its own"),
            ("vendor/inner", "submodule", "a repository of its own"),
        ]
        assert not any("lib.py" in entry.path for entry in snapshot.entries)
        shutil.rmtree(repository.path / ".git", ignore_errors=True)  # the second time: no repository around them
