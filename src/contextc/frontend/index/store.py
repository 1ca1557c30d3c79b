"""What is remembered between runs, in one SQLite file for each repository.

    segment   packed documents (`segment.py`) with the fingerprint of the code that made them
    tokens    token counts by counter and SHA-256 of the text
    stamps    what a source remembers of files, one row for each root
    history   messages and paths of past commits (`history.py`), one row, with the fingerprint of the code

It is a cache and nothing else. A file that is damaged, of another layout or not SQLite at all is thrown away and begun
anew; one that is busy, read-only, on a full disk or not creatable is left alone, and the run works in memory. Every
value carries a checksum over itself and its key, so that even damage SQLite does not notice is seen. Therefore no
synchronisation with the disk is needed: after a crash of the machine the worst is a rebuild.

A connection lives for one operation: a store may be used from any thread and process, and holds no lock in between.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

#: `user_version` of the file. Raise it when the tables change.
LAYOUT = 2
#: "ctxc", so that `file` and a wrong path are told apart.
APPLICATION_ID = 0x63747863
#: Milliseconds to wait for another process before working in memory; it writes for about 50 ms.
BUSY_MS = 2_000
#: Remembered token counts; beyond that all are forgotten. About 50 bytes each.
MOST_COUNTS = 1_000_000
#: Bytes all stores may take together. Beyond that those that were not used for longest are deleted.
MOST_BYTES = 2_000_000_000

_TABLES = """
CREATE TABLE segment (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE tokens (key BLOB PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE stamps (root BLOB PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE history (fingerprint BLOB PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL);
"""
#: SQLite limits the variables of a statement; 999 was the limit before 3.32.
_VARIABLES = 900
# Primary result codes that say the file itself is bad (sqlite.org/rescode.html): ERROR (no such table), CORRUPT,
# MISMATCH, NOTADB. The others (BUSY, READONLY, IOERR, FULL, CANTOPEN ...) say that it cannot be used now.
_BAD_FILE = frozenset((1, 11, 20, 26))

_T = TypeVar("_T")


class _Foreign(Exception):
    """The file has another layout, or a value fails its checksum."""


class Store:
    """The store at a path, or none. No method raises for what may happen to a file."""

    def __init__(self, path: Path | None, *, busy_ms: int = BUSY_MS) -> None:
        self._path = path
        self._busy_ms = busy_ms

    def segments(self, fingerprint: bytes) -> list[tuple[int, bytes]]:
        """Segments made by the code of this fingerprint, oldest first, by their numbers."""

        def read(db: sqlite3.Connection) -> list[tuple[int, bytes]]:
            rows = db.execute(
                "SELECT id, checksum, data FROM segment WHERE fingerprint = ? ORDER BY id", (fingerprint,)
            ).fetchall()
            for _, checksum, data in rows:
                _verify(checksum, fingerprint, data)
            return [(number, data) for number, _, data in rows]

        found = self._read(read)
        if found and self._path is not None:
            with contextlib.suppress(OSError):
                os.utime(self._path)  # by this the least recently used store is known
        return found or []

    def replace(self, fingerprint: bytes, add: Sequence[bytes], remove: Sequence[int]) -> bool:
        """Add segments and remove some, in one step; segments of other fingerprints go too. Whether it was done.

        Another process may have removed some of them meanwhile: then its segments hold the same documents.
        """

        def write(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM segment WHERE fingerprint <> ?", (fingerprint,))
            db.executemany("DELETE FROM segment WHERE id = ?", [(number,) for number in remove])
            db.executemany(
                "INSERT INTO segment (fingerprint, checksum, data) VALUES (?, ?, ?)",
                [(fingerprint, _checksum(fingerprint, data), data) for data in add],
            )

        done = self._write(write)
        if done:
            self._evict()
        return done

    def counts(self, counter: str, keys: Sequence[bytes]) -> dict[bytes, int]:
        """Remembered token counts; keys (SHA-256, 32 bytes) that are not known are absent."""
        wanted = {_count_key(counter, key): key for key in keys}

        def read(db: sqlite3.Connection) -> dict[bytes, int]:
            found: dict[bytes, int] = {}
            for part in _parts(list(wanted)):
                marks = ",".join("?" * len(part))
                for key, value in db.execute(f"SELECT key, value FROM tokens WHERE key IN ({marks})", part):
                    found[wanted[key]] = _opened(key, value)
            return found

        return (self._read(read) if wanted else None) or {}

    def remember(self, counter: str, counts: Mapping[bytes, int]) -> bool:
        """Remember token counts. Whether it was done."""
        rows = [(key, _sealed(key, value)) for key, value in _by_count_key(counter, counts)]

        def write(db: sqlite3.Connection) -> None:
            (known,) = db.execute("SELECT count(*) FROM tokens").fetchone()
            if known + len(rows) > MOST_COUNTS:
                db.execute("DELETE FROM tokens")
            db.executemany("INSERT OR REPLACE INTO tokens VALUES (?, ?)", rows[:MOST_COUNTS])

        return self._write(write) if rows else True

    def stamps(self, root: bytes) -> bytes | None:
        """What was put for a root."""

        def read(db: sqlite3.Connection) -> bytes | None:
            row = db.execute("SELECT checksum, data FROM stamps WHERE root = ?", (root,)).fetchone()
            if row is None:
                return None
            _verify(row[0], root, row[1])
            return bytes(row[1])

        return self._read(read)

    def put_stamps(self, root: bytes, data: bytes) -> bool:
        """Keep a value for a root. Whether it was done."""
        row = (root, _checksum(root, data), data)
        return self._write(lambda db: db.execute("INSERT OR REPLACE INTO stamps VALUES (?, ?, ?)", row))

    def history(self, fingerprint: bytes) -> bytes | None:
        """What was put by the code of this fingerprint."""

        def read(db: sqlite3.Connection) -> bytes | None:
            row = db.execute("SELECT checksum, data FROM history WHERE fingerprint = ?", (fingerprint,)).fetchone()
            if row is None:
                return None
            _verify(row[0], fingerprint, row[1])
            return bytes(row[1])

        return self._read(read)

    def put_history(self, fingerprint: bytes, data: bytes) -> bool:
        """Keep a value, and none of other fingerprints. Whether it was done."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM history")
            db.execute("INSERT INTO history VALUES (?, ?, ?)", (fingerprint, _checksum(fingerprint, data), data))

        return self._write(write)

    def _read(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """The answer of a reading, None when there is no usable file."""
        if self._path is None or not self._path.is_file():
            return None
        try:
            with self._open() as db:
                # Another process may just have created the file and not yet laid it out.
                return work(db) if _tables(db) else None
        except (_Foreign, sqlite3.Error, OSError, OverflowError, TypeError, ValueError) as error:
            self._give_up(error)
            return None

    def _write(self, work: Callable[[sqlite3.Connection], object]) -> bool:
        """Whether a change was made. A file that turns out bad is replaced by a new one, once."""
        if self._path is None:
            return False
        for _ in range(2):
            try:
                _create(self._path)
                with self._open() as db:
                    db.execute("BEGIN IMMEDIATE")
                    if not _tables(db):
                        _lay_out(db)
                    work(db)
                    db.execute("COMMIT")
                    return True
            except (_Foreign, sqlite3.Error, OSError, OverflowError, TypeError, ValueError) as error:
                if not self._give_up(error):
                    return False
        return False

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        assert self._path is not None
        # Readers, too, open it for writing where they may: so they can undo what a killed writer left half done. The
        # mode makes no file where there is none.
        address = f"{self._path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(address, uri=True, timeout=self._busy_ms / 1000, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cache_spill = OFF")  # readers are shut out for the moment of the commit only
            if _tables(db) and db.execute("PRAGMA user_version").fetchone() != (LAYOUT,):
                raise _Foreign
            yield db

    def _give_up(self, error: Exception) -> bool:
        """Delete a bad file; leave one alone that only cannot be used now. Whether it was deleted."""
        assert self._path is not None
        if isinstance(error, OSError):
            return False
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(error, sqlite3.Error) and code is not None and code & 0xFF not in _BAD_FILE:
            return False
        try:
            for suffix in ("-journal", "-wal", "-shm", ""):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _evict(self) -> None:
        assert self._path is not None
        with contextlib.suppress(OSError):
            others = [path for path in self._path.parent.glob("*.sqlite") if path != self._path]
            ages = sorted((path.stat().st_mtime_ns, path.name, path) for path in others)
            total = self._path.stat().st_size + sum(path.stat().st_size for path in others)
            for _, _, path in ages:
                if total <= MOST_BYTES:
                    break
                total -= path.stat().st_size
                path.unlink()


def _create(path: Path) -> None:
    """An empty file that only this user may read; SQLite would make it by the umask."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _tables(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _lay_out(db: sqlite3.Connection) -> None:
    for statement in filter(str.strip, _TABLES.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {LAYOUT}")


def _checksum(key: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(key))


def _verify(checksum: object, key: bytes, data: object) -> None:
    if not isinstance(data, bytes) or checksum != _checksum(key, data):
        raise _Foreign


def _count_key(counter: str, key: bytes) -> bytes:
    return hashlib.sha256(counter.encode("utf-8") + b"\0" + key).digest()[:16]


def _by_count_key(counter: str, counts: Mapping[bytes, int]) -> list[tuple[bytes, int]]:
    return sorted((_count_key(counter, key), value) for key, value in counts.items())


def _sealed(key: bytes, value: int) -> int:
    """A count with a checksum over key and count, in one 63-bit number."""
    if not 0 <= value < 1 << 31:
        raise ValueError(f"expected a count of tokens from 0 to {(1 << 31) - 1}, found {value}")
    return value << 32 | zlib.crc32(struct.pack("<q", value), zlib.crc32(key))


def _opened(key: bytes, sealed: int) -> int:
    value = sealed >> 32
    if sealed != _sealed(key, value):
        raise _Foreign
    return value


def _parts(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), _VARIABLES):
        yield keys[start : start + _VARIABLES]
