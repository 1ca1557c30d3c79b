"""Indexing in other processes: what a worker does, and how its parent talks to it.

A worker is a plain `python -I -c ...`, not one of `multiprocessing`: nothing is forked (the caller may have threads)
and the caller's main module is not run a second time. Frames are a length and that many bytes. The parent sends
pieces of work and, at the end, an empty frame; the worker answers hello, one empty frame for each piece, and last the
packed segment. A worker that dies takes what it was given with it, no more.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from typing import BinaryIO, TypeAlias

import msgspec

from contextc.frontend.index.facts import read_document
from contextc.frontend.index.segment import Key, SegmentWriter

#: One file: its key and its bytes.
Item: TypeAlias = tuple[Key, bytes]

_HELLO = b"contextc index worker"
_LENGTH = struct.Struct("<q")
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from contextc.frontend.index.worker import main; main()"
)

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Item])


class WorkerDied(Exception):
    """The worker ended, or was never there."""


def main() -> None:
    """Serve one parent over the standard streams until it says stop or goes away."""
    # The streams are opened by number, and standard output is closed to everything else that might write to it.
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _send(sink, _HELLO)
    writer = SegmentWriter()
    try:
        while piece := _receive(source):
            for key, data in _decoder.decode(piece):
                writer.add(key, read_document(data, key[1]))
            _send(sink, b"")
        _send(sink, writer.pack())
    except (WorkerDied, BrokenPipeError):
        os._exit(1)  # the parent is gone


class Worker:
    """The parent's end. Every method raises `WorkerDied`."""

    def __init__(self) -> None:
        if not sys.executable:
            raise WorkerDied
        # Isolated (-I): neither the working directory nor the environment decides what is imported.
        command = [sys.executable, "-I", "-c", _BOOT, json.dumps(sys.path)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise WorkerDied from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self._from: BinaryIO = self._process.stdout  # type: ignore[assignment]

    def greet(self) -> None:
        """Wait until the worker is ready."""
        try:
            if _receive(self._from) != _HELLO:
                raise WorkerDied
        except WorkerDied:
            self.close()
            raise

    def work(self, items: Sequence[Item]) -> None:
        """Have files indexed, and wait for it."""
        self._say(_encoder.encode(items))
        if _receive(self._from):
            raise WorkerDied

    def finish(self) -> bytes:
        """The packed segment of all files; the worker ends."""
        self._say(b"")
        packed = _receive(self._from)
        self.close()
        return packed

    def close(self) -> None:
        """End the worker whatever it is doing."""
        self._process.kill()
        with contextlib.suppress(OSError), self._process:  # what is still buffered cannot be sent any more
            pass

    def _say(self, data: bytes) -> None:
        try:
            _send(self._to, data)
        except (OSError, ValueError) as error:
            raise WorkerDied from error


def _send(sink: BinaryIO, data: bytes) -> None:
    sink.write(_LENGTH.pack(len(data)))
    sink.write(data)
    sink.flush()


def _receive(source: BinaryIO) -> bytes:
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise WorkerDied
    (length,) = _LENGTH.unpack(head)
    data = source.read(length) if length >= 0 else b""
    if len(data) != length:
        raise WorkerDied
    return data
