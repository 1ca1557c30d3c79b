"""The one executor of a process: every surface asks it, and gets an answer together with its bytes.

It keeps no answer of its own that could grow old. What is still true is known where the state is looked at (the desk of
a repository, `devcontext_desk`); here is kept only what follows from an answer alone: its JSON, its tag, its compressed
form. Questions that are equal and come while one of them is being answered share the next look at the repository:
that look begins after they came, so what they get is as fresh as if each had looked for itself.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from functools import cached_property
from threading import Event, Lock
from typing import Any

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.core.records.base import Record
from contextc.core.records.canonical import canonical_json, pretty_json

#: Rendered answers a process keeps; the oldest leaves first.
KEPT_REPLIES = 16

#: Below this many bytes compressing costs more than it saves.
COMPRESS_FROM = 1024

#: Of zlib's levels: half the time of the default one and, on JSON, within some per cent of its size.
COMPRESSION = 4


class Reply:
    """An answer and what follows from it alone; the forms are made when they are first asked for."""

    def __init__(self, capability: Capability, answer: Record) -> None:
        self.capability = capability
        self.answer = answer

    @cached_property
    def verdict(self) -> Verdict:
        """How the answer ended."""
        return self.capability.verdict(self.answer)

    @cached_property
    def json(self) -> bytes:
        """The answer as every surface writes it: canonical JSON, indented by two, ending in a line feed."""
        return pretty_json(self.answer).encode("utf-8")

    @cached_property
    def compact(self) -> bytes:
        """The canonical JSON in one line."""
        return canonical_json(self.answer)

    @cached_property
    def tag(self) -> str:
        """Changes whenever a byte of the answer does. It starts with the answer's own fingerprint where it has one."""
        fingerprint = getattr(self.answer, "fingerprint", "")
        own = hashlib.sha256(self.json).hexdigest()[:32]
        return f"{fingerprint[:12]}-{own}" if fingerprint else own

    @cached_property
    def zipped(self) -> bytes | None:
        """`json` compressed by gzip, the same bytes every time; None where that does not pay."""
        if len(self.json) < COMPRESS_FROM:
            return None
        return gzip.compress(self.json, COMPRESSION, mtime=0)


class Executor:
    """Runs capabilities. Safe under threads."""

    def __init__(self) -> None:
        self._flights: dict[bytes, list[_Flight]] = {}
        self._replies: dict[int, Reply] = {}
        self._lock = Lock()

    def ask(self, capability: Capability, question: Record, session: Session | None = None) -> Reply:
        """Answer a question. Raises what the capability raises; an error is never kept."""
        ask = session or Session()
        answer = self._together(capability, question, lambda: capability.run(question, ask))
        return self._reply(capability, answer)

    def _reply(self, capability: Capability, answer: Record) -> Reply:
        """The reply for this very answer: the same object is the same value, since records never change."""
        key = id(answer)
        with self._lock:
            kept = self._replies.get(key)
            if kept is not None and kept.answer is answer and kept.capability is capability:
                return kept
            made = Reply(capability, answer)
            self._replies.pop(key, None)
            self._replies[key] = made
            if len(self._replies) > KEPT_REPLIES:
                del self._replies[next(iter(self._replies))]
            return made

    def _together(self, capability: Capability, question: Record, run: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Run, or join equal questions that wait for the next run. The first to wait runs it for all."""
        key = _key(capability, question)
        with self._lock:
            line = self._flights.setdefault(key, [])
            # The first of the line is in the air, so it may have looked already; the second has not begun.
            if len(line) == 2:
                flight, before = line[1], None
                joined = True
            else:
                flight, before = _Flight(), (line[0] if line else None)
                line.append(flight)
                joined = False
        if joined:
            return flight.result()
        if before is not None:
            before.wait()
        try:
            flight.fly(run)
        finally:
            with self._lock:
                line.remove(flight)
                if not line:
                    self._flights.pop(key, None)
            flight.land()
        return flight.result()


def _key(capability: Capability, question: Record) -> bytes:
    try:
        return canonical_json([capability.id, question])
    except UnicodeEncodeError:
        # A path that is no UTF-8, as a command line can give one.
        return f"{capability.id} {question!r}".encode("utf-8", "surrogatepass")


class _Flight:
    """One run and its outcome, for all who wait."""

    def __init__(self) -> None:
        self._landed = Event()
        self._answer: Any = None
        self._error: BaseException | None = None

    def fly(self, run: Callable[[], Any]) -> None:
        try:
            self._answer = run()
        except BaseException as error:
            self._error = error

    def land(self) -> None:
        self._landed.set()

    def wait(self) -> None:
        self._landed.wait()

    def result(self) -> Any:  # noqa: ANN401 - the answer
        self._landed.wait()
        if self._error is not None:
            raise self._error
        return self._answer


#: The executor of this process.
EXECUTOR = Executor()


def count_tokens(text: str) -> int:
    """Tokens of a text by `o200k_base`, exactly. A text without more bytes than a limit cannot have more tokens."""
    from contextc.core.records.pricing import tokens_of
    from contextc.counters import counter

    meter = counter("o200k_base")
    return tokens_of(meter.measure(text), meter.unit)
