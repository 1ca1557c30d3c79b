"""Names: bytes on disk, `str` inside, a quoted form for output, and what a user typed made relative to the root."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from contextc.errors import InputError
from contextc.frontend.sources.base import Snapshot

#: Characters that may not stand bare in output: quote and backslash (they carry the quoting), controls (C0, C1, DEL),
#: line and paragraph separators, and invisible or direction-changing characters, which make two names look alike or
#: hide text; lone surrogates stand for bytes that are not UTF-8. Listed by hand, not by Unicode category, so that no
#: other Unicode version of a Python changes an output.
_UNFIT = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e'
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
#: The letters C and git use (git: quote.c, `core.quotePath`).
_LETTERS = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_UNLETTERS = {letter: ord(char) for char, letter in _LETTERS.items()}
_ESCAPE = re.compile(r'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_WELL_QUOTED = re.compile(r'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"', re.DOTALL)

#: Names git never lets into a tree: they would lead out of it or into the repository's own store (git: verify_path).
FORBIDDEN_NAMES = frozenset((b"", b".", b"..", b".git"))


def to_text(raw: bytes) -> str:
    """A name as `str`: UTF-8 whatever the locale, other bytes kept as surrogate escapes."""
    return raw.decode("utf-8", "surrogateescape")


def to_bytes(path: str) -> bytes:
    """The bytes of a name made by `to_text`. Raises `InputError` for a surrogate that stands for no byte."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InputError(
            "expected a path that can be a file name; it holds a lone surrogate", where=repr(path)
        ) from error


def legal_name(name: bytes) -> bool:
    """Whether one component of a path may stand in a tree; `.GIT` counts as `.git`, as some file systems think so."""
    return name.lower() not in FORBIDDEN_NAMES


def legal_path(raw: bytes) -> bool:
    """Whether a path stays inside the root and out of `.git`, component by component."""
    return all(map(legal_name, raw.split(b"/")))


def display_path(path: str) -> str:
    """The form of a path that is fit for output: as it is, or quoted as git quotes (C style, octal bytes).

    Injective over all names: different names give different text, and `parse_display_path` gives the name back.
    """
    if _UNFIT.search(path) is None:
        return path
    return '"' + _UNFIT.sub(lambda match: _escape(match.group()), path) + '"'


def _escape(char: str) -> str:
    letter = _LETTERS.get(char)
    if letter is not None:
        return "\\" + letter
    byte_like = "\udc80" <= char <= "\udcff"
    raw = char.encode("utf-8", "surrogateescape" if byte_like else "surrogatepass")
    return "".join(f"\\{byte:03o}" for byte in raw)


def parse_display_path(text: str) -> str:
    """The name that `display_path` made `text` of. Raises `InputError` when it is not well quoted."""
    if not text.startswith('"'):
        return text
    match = _WELL_QUOTED.fullmatch(text)
    if match is None:
        raise InputError("expected a path quoted as git quotes it", where=text, hint='like "caf\\303\\251"')
    parts: list[bytes] = []
    last = 0
    body = match.group(1)
    for escape in _ESCAPE.finditer(body):
        parts.append(to_bytes(body[last : escape.start()]))
        code = escape.group(1)
        parts.append(bytes((_UNLETTERS[code] if code in _UNLETTERS else int(code, 8),)))
        last = escape.end()
    parts.append(to_bytes(body[last:]))
    return to_text(b"".join(parts))


def relative_path(source_root: Path, cwd: Path, text: str, exists: Callable[[str], bool] | None = None) -> str:
    """What a user typed, relative to the root of the source; `""` for the root itself.

    A relative text is meant from `cwd` when `cwd` lies in the root, and from the root otherwise. When nothing is there
    by `exists` (default: on disk; for a commit see `known_paths`) but something is at that place counted from the root,
    the latter is meant. A final `/` is dropped; `..` is resolved by name. Raises `InputError` for a path outside.
    """
    if not text or "\0" in text:
        raise InputError("expected a path", where=repr(text))
    to_bytes(text)
    root = os.path.realpath(source_root)
    base = os.path.realpath(cwd)
    if text.startswith("/"):
        return _inside(root, text, text)
    if not _contains(root, base):
        return _inside(root, f"{root}/{text}", text)
    from_cwd = _inside(root, f"{base}/{text}", text)
    known = exists or (lambda path: os.path.lexists(f"{root}/{path}"))
    if base == root or known(from_cwd) or ".." in text.split("/"):
        return from_cwd
    from_root = _inside(root, f"{root}/{text}", text)
    return from_root if known(from_root) else from_cwd


def known_paths(snapshot: Snapshot) -> Callable[[str], bool]:
    """An `exists` for `relative_path`: true of every listed path and of every directory that holds one."""
    known = {""}
    listed = [entry.path for entry in snapshot.entries] + [item.path for item in snapshot.omitted]
    for path in listed:
        while path not in known:
            known.add(path)
            path = path.rpartition("/")[0]
    return known.__contains__


def _contains(root: str, path: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _inside(root: str, path: str, text: str) -> str:
    """`path` relative to `root`, by name; a root that was reached through a link, by where it really is.

    The last component is never resolved: a link is named, not followed.
    """
    plain = "/" + os.path.normpath(path).lstrip("/")
    if not _contains(root, plain):
        parent, name = os.path.split(plain)
        real = os.path.realpath(plain)
        plain = real if real == root else os.path.realpath(parent).rstrip("/") + "/" + name
    if not _contains(root, plain):
        raise _outside(text)
    return plain[len(root.rstrip("/")) :].strip("/")


def _outside(text: str) -> InputError:
    return InputError(
        "expected a path inside the repository",
        where=display_path(text),
        hint="give it relative to the current directory or to the repository's root",
    )
