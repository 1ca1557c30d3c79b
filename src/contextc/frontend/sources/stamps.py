"""When a remembered blob id may stand for a file that is not read again.

git's own rule (Documentation/technical/racy-git): an entry whose file was written within the granularity of its time
stamps of the moment it was recorded is "racily clean": a later write could leave the same stamp. git compares with the
time of its index file; a stamp here is put only when it was already settled as its bytes were read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from contextc.frontend.sources.base import Stamp

#: Nanoseconds a time stamp must be old before it is trusted: 2 s is the coarsest granularity in use (FAT), and leaves
#: room for the tick of a kernel's cached clock (at most 10 ms) and small differences to a file server's clock.
SETTLED_NS = 2_000_000_000


def settled(stat: os.stat_result, before_ns: int) -> bool:
    """Whether a stamp can be trusted later on, `before_ns` being the clock before the bytes were read."""
    return max(stat.st_mtime_ns, stat.st_ctime_ns) + SETTLED_NS < before_ns


def stamp_of(stat: os.stat_result, oid: str) -> Stamp:
    """The stamp of a file as `lstat` or `fstat` saw it."""
    return Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, oid)


def unchanged(stamp: Stamp, stat: os.stat_result) -> bool:
    """Whether a file still is as it was when the stamp was made."""
    return (
        stamp.mtime_ns == stat.st_mtime_ns
        and stamp.size == stat.st_size
        and stamp.ctime_ns == stat.st_ctime_ns
        and stamp.inode == stat.st_ino
    )


class MemoryStatCache:
    """A `StatCache` that lives as long as the process."""

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp] = {}

    def get(self, paths: Sequence[str]) -> Mapping[str, Stamp]:
        """All stamps there are."""
        return self.stamps

    def put(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Remember stamps, forget those that are None."""
        for path, stamp in stamps.items():
            if stamp is None:
                self.stamps.pop(path, None)
            else:
                self.stamps[path] = stamp
