"""What is remembered of files between runs is only a hint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from builders import repository_of

from contextc.errors import SourceError
from contextc.frontend.sources import MemoryStatCache, Stamp
from contextc.frontend.sources.blobs import blob_id
from contextc.frontend.sources.directory import DirectorySource
from contextc.frontend.sources.git import executable, locate
from contextc.frontend.sources.stamps import SETTLED_NS, stamp_of, unchanged
from contextc.frontend.sources.worktree import WorktreeSource

FILES = {"README.md": "# A\n", "src/a.py": "x = 1\n"}


def later() -> int:
    """A clock an hour ahead: every file has long been settled."""
    return time.time_ns() + 3_600_000_000_000


def at_once() -> int:
    """A clock at the very moment the files were written: none of them is settled."""
    return 0


@pytest.fixture
def repository(tmp_path):
    return repository_of(tmp_path / "r", FILES)


def worktree(repository, cache, clock=later):
    place = locate(executable(), str(repository.path))
    return WorktreeSource(place.git, place.algorithm, untracked=True, cache=cache, clock=clock)


def oids(source):
    return {entry.path: entry.oid for entry in source.snapshot().entries}


def test_settled_files_are_remembered_and_not_hashed_again(repository):
    cache = MemoryStatCache()
    first = worktree(repository, cache).snapshot()
    assert cache.stamps.keys() == FILES.keys()
    # A hint that is wrong on purpose shows that it is used.
    stamp = cache.stamps["src/a.py"]
    cache.put({"src/a.py": Stamp(stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, "f" * 40)})
    assert oids(worktree(repository, cache))["src/a.py"] == "f" * 40
    cache.put({"src/a.py": stamp})
    assert worktree(repository, cache).snapshot() == first


def test_a_wrong_hint_is_forgotten_when_the_bytes_are_read(repository):
    cache = MemoryStatCache()
    first = oids(worktree(repository, cache))
    stamp = cache.stamps["src/a.py"]
    cache.put({"src/a.py": Stamp(stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, "f" * 40)})
    source = worktree(repository, cache)
    with pytest.raises(SourceError, match="changed"):
        list(source.read(source.snapshot().entries))
    assert oids(worktree(repository, cache)) == first


def test_files_written_just_now_are_not_remembered(repository):
    cache = MemoryStatCache()
    worktree(repository, cache, at_once).snapshot()
    assert cache.stamps == {}


def test_the_rule_of_the_racily_clean_counts_both_times(repository):
    path = repository.path / "src/a.py"
    os.utime(path, ns=(0, 0))  # the file claims to be old; its change time does not
    changed = path.stat().st_ctime_ns
    for moment, remembered in ((changed + SETTLED_NS, False), (changed + SETTLED_NS + 1, True)):
        cache = MemoryStatCache()
        worktree(repository, cache, lambda moment=moment: moment).snapshot()
        assert ("src/a.py" in cache.stamps) == remembered
    os.utime(path, ns=(2**62, 2**62))  # and one from the future never is
    cache = MemoryStatCache()
    worktree(repository, cache).snapshot()
    assert "src/a.py" not in cache.stamps


@pytest.mark.parametrize("field", ["size", "mtime_ns", "ctime_ns", "inode"])
def test_a_stamp_holds_only_while_everything_is_as_it_was(repository, field):
    found = (repository.path / "src/a.py").lstat()
    stamp = stamp_of(found, "f" * 40)
    assert unchanged(stamp, found)
    assert not unchanged(msgspec.structs.replace(stamp, **{field: getattr(stamp, field) + 1}), found)


def test_a_file_that_is_no_longer_settled_is_forgotten(repository):
    cache = MemoryStatCache()
    worktree(repository, cache).snapshot()
    repository.write("src/a.py", "x = 2\n")
    worktree(repository, cache, at_once).snapshot()
    assert "src/a.py" not in cache.stamps and "README.md" in cache.stamps


@pytest.mark.parametrize("how", ["in place", "replaced", "touched back"])
def test_a_change_of_the_same_size_is_never_missed(repository, how):
    cache = MemoryStatCache()
    worktree(repository, cache).snapshot()
    path = repository.path / "src/a.py"
    before = path.stat()
    if how == "replaced":
        repository.write("src/new.py", "x = 2\n").rename(path)
    else:
        path.write_text("x = 2\n")
    if how == "touched back":
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert oids(worktree(repository, cache))["src/a.py"] == blob_id(b"x = 2\n", "sha1")


def test_hints_of_another_hash_are_not_used(repository, tmp_path):
    cache = MemoryStatCache()
    first = oids(worktree(repository, cache))
    for path, stamp in list(cache.stamps.items()):
        cache.put({path: Stamp(stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, "f" * 64)})
    assert oids(worktree(repository, cache)) == first


def test_a_snapshot_is_the_same_with_and_without_a_memory(repository):
    repository.write("new.txt", "n")
    cache = MemoryStatCache()
    plain = worktree(repository, None).snapshot()
    assert worktree(repository, cache).snapshot() == worktree(repository, cache).snapshot() == plain


def test_a_directory_remembers_too(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a.txt").write_text("a")
    cache = MemoryStatCache()
    first = DirectorySource(tmp_path / "d", executable(), cache=cache, clock=later).snapshot()
    assert cache.stamps.keys() == {"a.txt"}
    assert DirectorySource(tmp_path / "d", executable(), cache=cache, clock=later).snapshot() == first


COUNT_OPENS = """
import collections, json, sys, time
opened = collections.Counter()
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        name = arguments[0] if isinstance(arguments[0], str) else arguments[0].decode()
        opened[name.rpartition("/")[2]] += 1
from contextc.frontend.sources import MemoryStatCache
from contextc.frontend.sources.git import executable, locate
from contextc.frontend.sources.worktree import WorktreeSource
place = locate(executable(), sys.argv[1])
cache = MemoryStatCache()
counts = []
sys.addaudithook(hook)
for run in range(2):
    opened.clear()
    source = WorktreeSource(place.git, place.algorithm, cache=cache, clock=lambda: time.time_ns() + 3600 * 10**9)
    entries = source.snapshot().entries
    listed = dict(opened)
    for entry, data in source.read(entries):
        assert data.decode().startswith("content of " + entry.path)
    counts.append([listed, dict(opened)])
print(json.dumps(counts))
"""


def test_each_file_is_opened_at_most_once_in_a_run_and_listing_again_opens_none(tmp_path):
    names = [f"d{i % 5}/only-{i}.txt" for i in range(40)]
    repository = repository_of(tmp_path / "r", {name: f"content of {name}" for name in names})
    repository.write(".git/info/exclude", "ignored/\n")
    for number in range(50):
        repository.write(f"ignored/build-{number}.o", "object")
        repository.write(f"untracked-{number}.txt", "untracked")
    (repository.path / "large.bin").write_bytes(b"")
    os.truncate(repository.path / "large.bin", 40_000_000)
    repository.git("add", "--intent-to-add", "large.bin")
    done = subprocess.run(
        [sys.executable, "-c", COUNT_OPENS, str(repository.path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )
    assert done.returncode == 0, done.stderr
    (cold_listed, cold), (warm_listed, warm) = json.loads(done.stdout)
    files = {Path(name).name for name in names}
    for opened in (cold, warm):
        assert {name: opened.get(name) for name in files} == dict.fromkeys(files, 1)
    assert {name for name in cold_listed if name in files} == files
    assert not {name for name in warm_listed if name in files}
    everything = {*cold, *warm}
    assert not any(name.startswith(("build-", "untracked-", "large")) for name in everything)
