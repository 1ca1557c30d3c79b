"""Bytes of blobs by id: hashed by ourselves, or asked of git's object store, never of a network."""

from __future__ import annotations

import hashlib
import itertools
import subprocess
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from contextc.errors import SourceError
from contextc.frontend.sources.base import Algorithm
from contextc.frontend.sources.git import Git, GitFailure

#: Ids written before their answers are read. 512 lines of at most 65 bytes fit in the smallest pipe buffer in use
#: (64 KiB on Linux; macOS grows to it), so writing never waits for us to read.
_WINDOW = 512


def blob_id(data: bytes, algorithm: str) -> str:
    """The id git gives these very bytes (`git hash-object --no-filters`)."""
    make = hashlib.sha1 if algorithm == "sha1" else hashlib.sha256
    state = make(b"blob %d\0" % len(data), usedforsecurity=False)
    state.update(data)
    return state.hexdigest()


def algorithm_of(oid: str) -> Algorithm:
    """Which hash an id was made with, by its length."""
    return "sha1" if len(oid) == 40 else "sha256"


class BlobReader:
    """One `git cat-file --batch`, started when first needed. Use as a context manager."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def read(self, oids: Iterable[str]) -> Iterator[bytes | None]:
        """The bytes of each blob in the order asked; None where the store does not hold it.

        A partial clone stops the reading at the first blob it lacks: from there on all answers are None.
        """
        remaining = iter(oids)
        while window := list(itertools.islice(remaining, _WINDOW)):
            try:
                asked = self._ask(window)
            except BrokenPipeError:
                asked = False
            for _ in window:
                yield self._answer() if asked else None

    def one(self, oid: str) -> bytes | None:
        """The bytes of one blob, None where the store does not hold it."""
        (data,) = self.read((oid,))
        return data

    def _ask(self, window: list[str]) -> bool:
        if self._process is None:
            self._process = self._git.start("cat-file", "--batch")
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{oid}\n" for oid in window).encode("ascii"))
        self._process.stdin.flush()
        return True

    def _answer(self) -> bytes | None:
        assert self._process is not None and self._process.stdout is not None
        header = self._process.stdout.readline().split()
        if len(header) != 3:
            return None  # "<oid> missing", or the end
        size = int(header[2])
        data = self._process.stdout.read(size)
        self._process.stdout.read(1)
        return data if header[1] == b"blob" and len(data) == size else None


def read_present(git: Git, wanted: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """The bytes of (path, oid) in the order asked. Raises `SourceError` naming the first path that cannot be had."""
    wanted = list(wanted)
    with BlobReader(git) as reader:
        for (path, oid), data in zip(wanted, reader.read(oid for _, oid in wanted), strict=True):
            if data is None:
                raise lost(path, oid)
            yield data


def lost(path: str, oid: str) -> SourceError:
    """The error for bytes that were listed and cannot be had any more."""
    return SourceError(
        f"expected the content {oid[:12]}; the file has changed or the object is gone since it was listed",
        where=path,
        hint="run again; in a partial clone, fetch the missing objects with git first",
    )


def sizes(git: Git, oids: Iterable[str]) -> dict[str, int]:
    """Sizes in bytes of the blobs the store holds; the others are absent."""
    wanted = set(oids)
    if not wanted:
        return {}
    try:
        lines = _check(git, sorted(wanted))
    except GitFailure:
        # A partial clone that lacks one of them: git would fetch it and was stopped. List what is here instead.
        lines = git.run("cat-file", "--batch-all-objects", "--batch-check", "--unordered").splitlines()
    found: dict[str, int] = {}
    for line in lines:
        oid, kind, *size = line.decode("ascii").split()
        if kind == "blob" and oid in wanted:
            found[oid] = int(size[0])
    return found


def _check(git: Git, oids: list[str]) -> list[bytes]:
    process = git.start("cat-file", "--batch-check", "--buffer")
    out, _ = process.communicate("".join(f"{oid}\n" for oid in oids).encode("ascii"))
    if process.returncode != 0:
        raise GitFailure("an object is missing", process.returncode)
    return out.splitlines()
