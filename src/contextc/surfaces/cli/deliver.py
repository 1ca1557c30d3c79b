"""Where answers go: standard output, files, the clipboard. Nothing else in contextc writes for a user.

Text is UTF-8 on every terminal and in every locale, so the same answer is the same bytes everywhere.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from contextc.errors import UsageError

#: Programs that put their standard input on the clipboard, in the order they are tried, and the environment variable
#: without which the program has no desktop to talk to.
CLIPBOARDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("pbcopy",), ""),
    (("wl-copy",), "WAYLAND_DISPLAY"),
    (("xclip", "-selection", "clipboard"), "DISPLAY"),
    (("xsel", "--clipboard", "--input"), "DISPLAY"),
    (("clip.exe",), ""),
)

#: Seconds after which a clipboard program that does not answer is given up.
CLIPBOARD_PATIENCE = 5


class ReaderGone(Exception):
    """The reader of standard output closed it. That is the reader's choice and no fault."""


def encoded(text: str) -> bytes:
    """Text as UTF-8. A byte that was no UTF-8 where the text came from is shown as `\\udcNN`; nothing ever fails."""
    return text.encode("utf-8", "backslashreplace")


def to_stdout(text: str) -> None:
    """Write to standard output. Raises `ReaderGone` when nobody reads any more."""
    stream = getattr(sys.stdout, "buffer", None)
    try:
        if stream is None:
            raise BrokenPipeError
        stream.write(encoded(text))
        stream.flush()
    except BrokenPipeError:
        # The interpreter flushes standard output once more when it ends and would complain then.
        with contextlib.suppress(OSError, AttributeError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ReaderGone from None


def to_stderr(text: str) -> None:
    """Write to standard error, if there is one that takes it."""
    draw(text if text.endswith("\n") else text + "\n")


def draw(text: str) -> None:
    """Write signs to a terminal on standard error as they are, without a line feed."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        sys.stderr.buffer.write(encoded(text))
        sys.stderr.buffer.flush()


def to_file(path: str, text: str) -> None:
    """Write a whole file or nothing: readers see the old content or the new one. `-` is standard output.

    A link is followed, so that its target changes and the link stays; a device or a pipe is written to directly.
    Raises `UsageError` when it cannot be written.
    """
    if path == "-":
        to_stdout(text)
        return
    try:
        target = Path(path).resolve()
        known = target.stat() if target.exists() else None
        if known is not None and not stat.S_ISREG(known.st_mode):
            target.write_bytes(encoded(text))
            return
        handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=".contextc-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(encoded(text))
            Path(scratch).chmod(stat.S_IMODE(known.st_mode) if known is not None else 0o666 & ~_umask())
            Path(scratch).replace(target)
        except BaseException:
            Path(scratch).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot write the file: {reason}", where=path) from None


def to_clipboard(text: str) -> str:
    """Put text on the clipboard of the desktop; the answer says in words what happened. Never raises."""
    for command, needs in CLIPBOARDS:
        program = shutil.which(command[0])
        if program is None or (needs and not os.environ.get(needs)):
            continue
        try:
            subprocess.run(
                [program, *command[1:]],
                input=encoded(text),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=CLIPBOARD_PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return f"copied to the clipboard with {command[0]}"
    return "not copied: no clipboard program worked (pbcopy, wl-copy, xclip, xsel, clip.exe)"


def _umask() -> int:
    """The umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
