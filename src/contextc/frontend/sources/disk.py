"""A tree on disk, read without ever following a symlink.

Every directory is opened by name relative to its parent's descriptor with O_NOFOLLOW, and files relative to theirs. So
neither a tracked directory that has become a link to `/etc`, nor one that is exchanged while we look, leads outside.
"""

from __future__ import annotations

import errno
import os
import stat
from types import TracebackType
from typing import Self

from contextc.errors import RepositoryError, SourceError
from contextc.frontend.sources.base import SIZE_LIMIT
from contextc.frontend.sources.paths import legal_name

#: Directories below each other that are entered: far beyond any real tree, below the usual limit of 1,024 open files.
DEPTH_LIMIT = 256

# O_PATH (Linux) needs no permission to read the directory, only to pass through it.
_DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: should a pipe take the file's place at this moment, opening it does not wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

_SPECIAL = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_REASONS = {
    errno.EACCES: ("unreadable", "permission denied"),
    errno.EPERM: ("unreadable", "permission denied"),
    errno.ENOENT: ("deleted", "not in the working tree"),
    errno.ENOTDIR: ("deleted", "a directory of its path is a file now"),
    errno.ELOOP: ("symlink", "it became a link while it was read"),
    errno.ENAMETOOLONG: ("unreadable", "the name is too long for this file system"),
}

#: Not a property of the file: recording it as left out would make the answer depend on the machine's load.
_EXHAUSTED = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))


class Blocked(Exception):
    """A path that is not read; `reason` and `detail` are those of an `Omission`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def blocked_by(error: OSError) -> Blocked:
    """The reason a failed system call gives, in words that do not depend on a locale."""
    code = error.errno or 0
    if code in _EXHAUSTED:
        raise SourceError(f"the system has run out of means to read files ({errno.errorcode[code]})") from error
    return Blocked(*_REASONS.get(code, ("unreadable", f"the system says {errno.errorcode.get(code, 'no')}")))


def not_regular(mode: int) -> Blocked:
    """The reason for something that is neither a regular file nor a link."""
    if stat.S_ISDIR(mode):
        return Blocked("special", "a directory stands where a file is listed")
    return Blocked("special", _SPECIAL.get(stat.S_IFMT(mode), "not a regular file"))


def oversized(size: int) -> Blocked:
    """The reason for a file of `size` bytes above the limit."""
    return Blocked("oversized", f"{size} bytes, the limit is {SIZE_LIMIT}")


class Disk:
    """The tree below one root. Keeps the directories of the last path open; use as a context manager.

    Raises `RepositoryError` when the root itself is gone.
    All methods take paths as bytes relative to the root and raise `Blocked` for what may not or cannot be read.
    """

    def __init__(self, root: bytes) -> None:
        try:
            self._root = os.open(root, _DIRECTORY)
        except OSError as error:
            raise RepositoryError("the directory cannot be opened any more", where=os.fsdecode(root)) from error
        self._names: list[bytes] = []
        self._descriptors: list[int] = []
        self._current = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close_below(0)
        os.close(self._root)

    def stat(self, path: bytes) -> os.stat_result:
        """`lstat` of a path."""
        parent, name = self._parent(path)
        try:
            return os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError as error:
            raise blocked_by(error) from error

    def readlink(self, path: bytes) -> bytes:
        """The target text of a symlink."""
        parent, name = self._parent(path)
        try:
            return os.readlink(name, dir_fd=parent)
        except OSError as error:
            raise blocked_by(error) from error

    def read(self, path: bytes) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file of at most SIZE_LIMIT bytes, and its `fstat` from before they were read."""
        parent, name = self._parent(path)
        try:
            descriptor = os.open(name, _FILE, dir_fd=parent)
        except OSError as error:
            raise blocked_by(error) from error
        try:
            return _read_open(descriptor)
        except OSError as error:
            raise blocked_by(error) from error
        finally:
            os.close(descriptor)

    def _parent(self, path: bytes) -> tuple[int, bytes]:
        folder, slash, name = path.rpartition(b"/")
        if not legal_name(name) or (slash and not folder):
            raise Blocked("unreadable", "a name that no tree may hold")
        if folder != self._current:
            self._enter(folder)
        return (self._descriptors[-1] if self._descriptors else self._root), name

    def _enter(self, folder: bytes) -> None:
        names = folder.split(b"/") if folder else []
        if len(names) > DEPTH_LIMIT:
            raise Blocked("unreadable", f"more than {DEPTH_LIMIT} directories deep")
        shared = 0
        while shared < min(len(names), len(self._names)) and names[shared] == self._names[shared]:
            shared += 1
        self._close_below(shared)
        for name in names[shared:]:
            self._open_directory(name)

    def _open_directory(self, name: bytes) -> None:
        if not legal_name(name):
            raise Blocked("unreadable", "a name that no tree may hold")
        parent = self._descriptors[-1] if self._descriptors else self._root
        try:
            descriptor = os.open(name, _DIRECTORY, dir_fd=parent)
        except OSError as error:
            if _is_link(name, parent):
                raise Blocked("symlink", "a directory of its path is a link") from error
            raise blocked_by(error) from error
        self._names.append(name)
        self._descriptors.append(descriptor)
        self._current = b"/".join(self._names)

    def _close_below(self, depth: int) -> None:
        while len(self._descriptors) > depth:
            os.close(self._descriptors.pop())
            self._names.pop()
        self._current = b"/".join(self._names)


def _is_link(name: bytes, parent: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _read_open(descriptor: int) -> tuple[bytes, os.stat_result]:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        raise not_regular(before.st_mode)
    if before.st_size > SIZE_LIMIT:
        raise oversized(before.st_size)
    # One byte more than expected shows the end in the same call; a file that grows is followed up to the limit.
    data = os.read(descriptor, before.st_size + 1)
    while len(data) != before.st_size and (more := os.read(descriptor, SIZE_LIMIT + 1 - len(data))):
        data += more
    if len(data) > SIZE_LIMIT:
        raise oversized(len(data))
    return data, before
