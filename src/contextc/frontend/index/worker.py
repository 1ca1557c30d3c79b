"""Indexing in other processes: what a worker does, and how its parent talks to it.

A grammar is native code that a hostile text can crash, or keep busy for hours (quadratic and worse at the end of a
text that opens thousands of things and closes none). Nothing inside the process can stop it, so files that are large
enough for harm are parsed in a process that can be ended.

A worker is a plain `python -I -c ...`, not one of `multiprocessing`: nothing is forked (the caller may have threads)
and the caller's main module is not run a second time. Frames are a length and that many bytes. The parent sends
pieces of work and, at the end, an empty frame; the worker answers hello, one empty frame for each file, and last the
packed segment. So the parent knows which file a worker died of, or does not come to an end with.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
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

#: Seconds to wait for one file. The largest file there is (2 MB) of the densest code (1.4 s per MB) takes 3 s.
PATIENCE = 60.0

_HELLO = b"contextc index worker"
_LENGTH = struct.Struct("<q")
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from contextc.frontend.index.worker import main; main()"
)

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Item])


class WorkerDied(Exception):
    """The worker ended, was ended, or was never there. `culprit` is the file it had before it, if any."""

    def __init__(self, culprit: Key | None = None) -> None:
        super().__init__(culprit)
        self.culprit = culprit


def main() -> None:
    """Serve one parent over the standard streams until it says stop or goes away."""
    # The streams are taken over by number, and nothing else can write to standard output by mistake.
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    writer = SegmentWriter()
    try:
        _send(sink, _HELLO)
        while piece := _receive(source):
            for key, data in _decoder.decode(piece):
                signal.alarm(int(2 * PATIENCE))  # should the parent be gone by then, nobody else would end it
                writer.add(key, read_document(data, key[1]))
                _send(sink, b"")
            signal.alarm(0)
        _send(sink, writer.pack())
    except (EOFError, BrokenPipeError):
        os._exit(1)  # the parent is gone


class Worker:
    """The parent's end. Every method but `close` raises `WorkerDied`."""

    def __init__(self) -> None:
        if not sys.executable:
            raise WorkerDied
        # Isolated (-I): neither the working directory nor the environment decides what is imported.
        command = [sys.executable, "-I", "-c", _BOOT, json.dumps(sys.path)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        except OSError as error:
            raise WorkerDied from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._output, selectors.EVENT_READ)

    def greet(self) -> None:
        """Wait until the worker is ready. One that never is, is closed."""
        try:
            if self._hear(None) != _HELLO:
                raise WorkerDied
        except WorkerDied:
            self.close()
            raise

    def work(self, items: Sequence[Item]) -> None:
        """Have files indexed, and wait for it."""
        self._say(_encoder.encode(items))
        for key, _ in items:
            self._hear(key)

    def finish(self) -> bytes:
        """The packed segment of all files; the worker ends."""
        self._say(b"")
        packed = self._hear(None)
        self.close()
        return packed

    def close(self) -> None:
        """End the worker whatever it is doing."""
        self._waiting.close()
        self._process.kill()
        with contextlib.suppress(OSError), self._process:
            pass

    def _say(self, data: bytes) -> None:
        rest = memoryview(_LENGTH.pack(len(data)) + data)
        try:
            while rest:
                rest = rest[os.write(self._input, rest) :]
        except OSError as error:
            raise WorkerDied from error

    def _hear(self, culprit: Key | None) -> bytes:
        (length,) = _LENGTH.unpack(self._take(_LENGTH.size, culprit))
        return self._take(length, culprit)

    def _take(self, size: int, culprit: Key | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                part = os.read(self._output, size - len(data)) if self._waiting.select(PATIENCE) else b""
            except OSError as error:
                raise WorkerDied(culprit) from error
            if not part:
                raise WorkerDied(culprit)
            data += part
        return bytes(data)


def _send(sink: BinaryIO, data: bytes) -> None:
    sink.write(_LENGTH.pack(len(data)))
    sink.write(data)
    sink.flush()


def _receive(source: BinaryIO) -> bytes:
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = source.read(length)
    if len(data) != length:
        raise EOFError
    return data
