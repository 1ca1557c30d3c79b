"""Where the store of a repository lies: in the user's cache directory, readable by that user alone.

    CONTEXTC_CACHE_DIR, else  $XDG_CACHE_HOME/contextc, ~/.cache/contextc   (XDG base directory specification)
                              ~/Library/Caches/contextc                     (macOS)
                              %LOCALAPPDATA%\\contextc                       (Windows)

A directory that belongs to someone else is not used: what is in it cannot be trusted. One inside the work tree is not
used either, unless in its `.git`: a run never changes what it reads.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from pathlib import Path

#: Bytes of a `.git` file or a `commondir` file that are looked at: each holds one path.
_POINTER = 4_096


def cache_root(environ: dict[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """The directory all stores lie in, None where the user has no home."""
    env = dict(os.environ) if environ is None else environ
    chosen = env.get("CONTEXTC_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if platform == "win32":
        base = env.get("LOCALAPPDATA")
        return Path(base) / "contextc" if base else None
    home = env.get("HOME")
    if home is not None and not Path(home).is_dir():
        home = None  # nobody wants a home made by a tool that only looks for its cache
    if platform == "darwin":
        return Path(home) / "Library" / "Caches" / "contextc" if home else None
    # The specification wants relative values ignored.
    base = env.get("XDG_CACHE_HOME", "")
    if Path(base).is_absolute():
        return Path(base) / "contextc"
    return Path(home) / ".cache" / "contextc" if home else None


def store_path(root: Path, cache_dir: Path | None = None) -> Path | None:
    """The file of the store for the repository or directory at `root`; its directory exists and is private.

    None where no directory can be used, which costs time and nothing else.
    """
    folder = cache_dir if cache_dir is not None else cache_root()
    if folder is None:
        return None
    try:
        folder = folder.absolute()
        if _inside(folder, root):
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(folder):
            return None
        identity = os.fsencode(_identity(root))
    except OSError:
        return None
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", root.name)[:40].strip("-.") or "root"
    return folder / f"{name}-{hashlib.sha256(identity).hexdigest()[:16]}.sqlite"


def _inside(folder: Path, root: Path) -> bool:
    """Whether the cache would lie in the tree that is read."""
    top = root.resolve()
    place = folder.resolve()
    return place.is_relative_to(top) and not place.is_relative_to(top / ".git")


def _private(folder: Path) -> bool:
    """Whether a directory is this user's own; others are shut out of it where the system knows such a thing."""
    if not hasattr(os, "getuid"):
        return True
    found = folder.stat()
    if found.st_uid != os.getuid():
        return False
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
    return True


def _identity(root: Path) -> Path:
    """What all work trees of one repository have in common: the directory git calls common.

    Only a name for the store is made of it. Facts are kept by content, so a wrong guess costs a second indexing.
    """
    pointer = root / ".git"
    if pointer.is_dir():
        return pointer.resolve()
    target = _pointed(pointer, b"gitdir:")
    if target is None:
        return root.resolve()
    directory = (root / target).resolve()
    common = _pointed(directory / "commondir", b"")
    return (directory / common).resolve() if common is not None else directory


def _pointed(file: Path, prefix: bytes) -> Path | None:
    try:
        with file.open("rb") as stream:
            line = stream.read(_POINTER)
    except OSError:
        return None
    if not line.startswith(prefix) or b"\0" in line:
        return None
    return Path(os.fsdecode(line.removeprefix(prefix).strip()))
