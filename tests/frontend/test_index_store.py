"""The store is a cache: whatever happens to its file, it answers as an empty one, and works again afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contextc.frontend.index import store as module
from contextc.frontend.index.store import APPLICATION_ID, LAYOUT, Store

CODE = b"f" * 32
KEY = b"k" * 32


def quick(path: Path) -> Store:
    """A store that does not wait for others."""
    return Store(path, busy_ms=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store that holds two segments, a count and stamps."""
    file = tmp_path / "x.sqlite"
    store = Store(file)
    assert store.replace(CODE, [b"one" * 1000, b"two"], [])
    assert store.remember("counter", {KEY: 42})
    assert store.put_stamps(b"root", b"stamps")
    return file


def data_of(store: Store) -> list[bytes]:
    return [data for _, data in store.segments(CODE)]


def is_whole(store: Store) -> bool:
    return data_of(store) == [b"one" * 1000, b"two"]


def works_again(path: Path) -> None:
    """After any accident: nothing wrong is told, and what is written next is found."""
    store = quick(path)
    told = data_of(store)
    assert told in ([], [b"one" * 1000, b"two"])
    assert store.counts("counter", [KEY]) in ({}, {KEY: 42})
    assert store.stamps(b"root") in (None, b"stamps")
    assert store.replace(CODE, [b"new"], [number for number, _ in store.segments(CODE)])
    assert data_of(store) == [b"new"]
    assert store.remember("counter", {KEY: 7})
    assert store.counts("counter", [KEY]) == {KEY: 7}
    assert store.put_stamps(b"root", b"again")
    assert store.stamps(b"root") == b"again"


def test_what_is_put_is_found_again(path: Path) -> None:
    store = Store(path)
    assert is_whole(store)
    assert store.counts("counter", [KEY, b"x" * 32]) == {KEY: 42}
    assert store.counts("another", [KEY]) == {}
    assert store.stamps(b"root") == b"stamps"
    assert store.stamps(b"elsewhere") is None


def test_the_file_is_for_its_user_alone_and_says_what_it_is(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA user_version").fetchone() == (LAYOUT,)
    assert sorted(item.name for item in path.parent.iterdir()) == [path.name]


def test_segments_are_replaced_in_one_step(path: Path) -> None:
    store = Store(path)
    (first, _), _ = store.segments(CODE)
    assert store.replace(CODE, [b"three"], [first, 99])
    assert data_of(store) == [b"two", b"three"]


def test_segments_of_other_code_are_not_told_and_go_with_the_next_writing(path: Path) -> None:
    store = Store(path)
    other = b"g" * 32
    assert store.segments(other) == []
    assert store.replace(other, [b"x"], [])
    assert [data for _, data in store.segments(other)] == [b"x"]
    assert store.segments(CODE) == []
    assert store.counts("counter", [KEY]) == {KEY: 42}


def test_a_store_without_a_file_forgets_everything() -> None:
    store = Store(None)
    assert not store.replace(CODE, [b"x"], [])
    assert not store.remember("counter", {KEY: 1})
    assert not store.put_stamps(b"root", b"x")
    assert store.segments(CODE) == []
    assert store.counts("counter", [KEY]) == {}
    assert store.stamps(b"root") is None


def test_reading_makes_no_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "absent.sqlite")
    assert store.segments(CODE) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1, 15, 16, 100, 1000, 4096, 5000, 8192, 12288])
def test_a_truncated_file_is_not_trusted(path: Path, size: int) -> None:
    assert size < path.stat().st_size
    os.truncate(path, size)
    works_again(path)


@pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 8192, b"x" * 100_000])
def test_a_file_that_is_none_is_not_trusted(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    works_again(path)


@pytest.mark.parametrize("step", [97])
def test_a_byte_that_changed_anywhere_makes_no_wrong_answer(path: Path, step: int) -> None:
    whole = path.read_bytes()
    for at in range(0, len(whole), step):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        path.write_bytes(damaged)
        store = quick(path)
        assert data_of(store) in ([], [b"one" * 1000, b"two"], [b"one" * 1000], [b"two"])
        assert store.counts("counter", [KEY]) in ({}, {KEY: 42})
        assert store.stamps(b"root") in (None, b"stamps")
        path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    "change",
    [
        f"PRAGMA user_version = {LAYOUT - 1}",
        f"PRAGMA user_version = {LAYOUT + 1}",
        "DROP TABLE segment",
        "DROP TABLE tokens",
        "DROP TABLE stamps",
        "ALTER TABLE segment DROP COLUMN checksum",
        "ALTER TABLE segment RENAME COLUMN data TO content",
        "UPDATE segment SET data = 'text'",
        "UPDATE segment SET data = x'00'",
        "UPDATE segment SET checksum = checksum + 1",
        "UPDATE tokens SET value = value + 4294967296",
        "UPDATE tokens SET value = -1",
        "UPDATE tokens SET value = 'many'",
        "UPDATE stamps SET data = x'00'",
        "CREATE TRIGGER t BEFORE INSERT ON segment BEGIN SELECT raise(ABORT, 'no'); END",
    ],
)
def test_another_layout_or_a_foreign_value_is_not_trusted(path: Path, change: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()
    if "TRIGGER" in change:
        assert not quick(path).replace(CODE, [b"new"], [])  # refused, and the run goes on
        assert is_whole(quick(path))
    else:
        works_again(path)


@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_file_that_another_process_holds_is_left_alone(path: Path, begin: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(begin)
        store = quick(path)
        assert not store.replace(CODE, [b"new"], [])
        assert not store.remember("counter", {KEY: 1})
        if begin == "BEGIN EXCLUSIVE":
            assert store.segments(CODE) == []
            assert store.counts("counter", [KEY]) == {}
        else:
            assert is_whole(store)
        other.execute("ROLLBACK")
    assert is_whole(Store(path))


def test_a_reader_does_not_stop_a_writer_for_good(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM segment").fetchone()
        assert not quick(path).replace(CODE, [b"new"], [])
        other.execute("COMMIT")
    assert quick(path).replace(CODE, [b"new"], [])
    assert data_of(Store(path)) == [b"one" * 1000, b"two", b"new"]


def test_a_directory_in_its_place_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "x.sqlite"
    folder.mkdir()
    store = Store(folder)
    assert store.segments(CODE) == []
    assert not store.replace(CODE, [b"x"], [])
    assert folder.is_dir()


@contextlib.contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Lose the rights of root, who may write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A directory that everyone can reach, unlike those of `tmp_path`."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_file_is_read_and_left_alone(open_folder: Path) -> None:
    path = open_folder / "x.sqlite"
    store = Store(path, busy_ms=1)
    store.replace(CODE, [b"one" * 1000, b"two"], [])
    path.chmod(0o444)
    open_folder.chmod(0o555)
    before = path.read_bytes()
    with as_nobody(open_folder):
        assert is_whole(store)
        assert not store.replace(CODE, [b"new"], [])
        assert not store.remember("counter", {KEY: 1})
    assert path.read_bytes() == before


def test_a_file_that_may_not_be_read_is_left_alone(open_folder: Path) -> None:
    path = open_folder / "x.sqlite"
    store = Store(path, busy_ms=1)
    store.replace(CODE, [b"x"], [])
    path.chmod(0o000)
    open_folder.chmod(0o555)
    with as_nobody(open_folder):
        assert store.segments(CODE) == []
        assert not store.replace(CODE, [b"new"], [])
    path.chmod(0o600)
    assert data_of(store) == [b"x"]


def test_a_directory_that_may_not_be_written_makes_no_store(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody(open_folder):
        store = Store(open_folder / "x.sqlite")
        assert not store.replace(CODE, [b"x"], [])
        assert store.segments(CODE) == []


FULL = """
import resource, sys
from pathlib import Path
from contextc.frontend.index.store import Store
store = Store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
assert not store.replace(b"f" * 32, [b"x" * 1_000_000], []), "a million bytes in forty thousand"
assert [len(data) for _, data in store.segments(b"f" * 32)] == [3000, 3]
"""


def test_a_full_disk_leaves_the_store_as_it_was(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert is_whole(Store(path))


KILLED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN IMMEDIATE")
db.execute("INSERT INTO segment (fingerprint, checksum, data) VALUES (?, 1, ?)", (b"f" * 32, b"y" * 1_000_000))
os._exit(9)
"""


def test_a_writer_that_was_killed_leaves_nothing_wrong(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == 9
    assert Path(f"{path}-journal").exists(), "the case is that of a journal left behind"
    assert is_whole(quick(path))
    works_again(path)


TOGETHER = """
import sys
from pathlib import Path
from contextc.frontend.index.store import Store
store = Store(Path(sys.argv[1]), busy_ms=20_000)
for number in range(40):
    data = f"{sys.argv[2]} {number}".encode()
    assert store.replace(b"f" * 32, [data], [])
    assert data in [each for _, each in store.segments(b"f" * 32)]
    assert store.remember("counter", {bytes([number]) * 32: number})
"""


def test_two_processes_write_one_store(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    command = [sys.executable, "-c", TOGETHER, str(path)]
    both = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in ("a", "b")]
    for process in both:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    expected = {f"{name} {number}".encode() for name in "ab" for number in range(40)}
    assert set(data_of(Store(path))) == expected
    assert Store(path).counts("counter", [bytes([7]) * 32]) == {bytes([7]) * 32: 7}


def test_counts_are_bounded_and_then_begin_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COUNTS", 3)
    store = Store(path)
    assert store.remember("counter", {bytes([n]) * 32: n for n in range(2)})
    assert store.counts("counter", [KEY]) == {KEY: 42}
    assert store.remember("counter", {bytes([9]) * 32: 9})
    assert store.counts("counter", [KEY, bytes([9]) * 32]) == {bytes([9]) * 32: 9}


def test_more_keys_than_a_statement_takes_are_asked_in_parts(path: Path) -> None:
    store = Store(path)
    counts = {n.to_bytes(32, "big"): n for n in range(3000)}
    assert store.remember("counter", counts)
    assert store.counts("counter", list(counts)) == counts


@pytest.mark.parametrize("value", [-1, 1 << 31])
def test_a_count_that_is_none_is_refused(path: Path, value: int) -> None:
    with pytest.raises(ValueError, match="expected a count of tokens"):
        Store(path).remember("counter", {KEY: value})


def test_stores_that_were_not_used_for_longest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.sqlite" for name in "abc"]
    for age, path in enumerate(paths):
        Store(path).replace(CODE, [bytes(50_000)], [])
        os.utime(path, ns=(age, age))
    assert Store(paths[0]).segments(CODE), "reading counts as use"
    monkeypatch.setattr(module, "MOST_BYTES", 2 * paths[0].stat().st_size + 20_000)
    (tmp_path / "other.txt").write_bytes(bytes(200_000))
    Store(paths[2]).replace(CODE, [b"x"], [])
    assert [path.exists() for path in paths] == [True, False, True]
    assert (tmp_path / "other.txt").exists()


def test_the_store_of_one_root_is_no_hindrance_to_another(path: Path) -> None:
    store = Store(path)
    assert store.put_stamps(b"second", b"other")
    assert (store.stamps(b"root"), store.stamps(b"second")) == (b"stamps", b"other")


def each_operation() -> list[Callable[[Store], object]]:
    return [
        lambda store: store.segments(CODE),
        lambda store: store.replace(CODE, [b"x"], []),
        lambda store: store.counts("counter", [KEY]),
        lambda store: store.remember("counter", {KEY: 1}),
        lambda store: store.stamps(b"root"),
        lambda store: store.put_stamps(b"root", b"x"),
    ]


@pytest.mark.parametrize("number", range(6))
def test_no_operation_leaves_a_lock_behind(path: Path, number: int) -> None:
    each_operation()[number](Store(path))
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute("ROLLBACK")
