"""Answers and faults as results of tools, within the tokens a client takes."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from functools import cached_property
from threading import Lock
from typing import Any

import mcp_types as types
import msgspec

from contextc.capabilities.executor import Reply, count_tokens
from contextc.core.records.canonical import canonical_json
from contextc.errors import InternalError, NotFound
from contextc.surfaces.faults import Fault
from contextc.surfaces.mcp.pages import Cut, Page, Piece, grouped
from contextc.surfaces.mcp.tools import MORE, validator_of

#: Tokens of a result when nobody says: what clients take without complaint.
DEFAULT_LIMIT = 25_000

#: Tokens kept free for the frame of a result and the note on what is missing.
RESERVE = 500

#: Bytes of JSON that a token stands for at the very most.
MOST_BYTES = 8

#: Answers whose rest can still be asked for, and results that are kept; the oldest leaves first.
KEPT = 16

#: Where a tool error holds its code and its hint, for programs.
CODE_KEY = "contextc.error.code"
HINT_KEY = "contextc.error.hint"

#: Classes of errors as their first words.
CLASSES = {"invalid_input": "invalid input", "not_found": "not found", "refused": "refused", "internal": "internal"}


def failed(found: Fault) -> types.CallToolResult:
    """A tool error: the class and the reason in words, then the hint."""
    text = f"{CLASSES.get(found.code, found.code)}: {found.in_words()}"
    meta = {CODE_KEY: found.code, **({HINT_KEY: found.hint} if found.hint else {})}
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True, _meta=meta)


class Held:
    """An answer that was too long, for as long as its rest may be asked for."""

    def __init__(self, cut: Cut, limit: int, allowance: int, key: str) -> None:
        self._cut = cut
        self._limit = limit
        self._allowance = allowance
        self.key = key

    @cached_property
    def pages(self) -> tuple[tuple[Piece, ...], ...]:
        """All pages after the first."""
        return tuple(grouped(self._cut.pieces(self._allowance // 4), self._fits))

    def _fits(self, pieces: list[Piece]) -> bool:
        return len(canonical_json(pieces)) <= self._allowance and fits(canonical_json(pieces).decode(), self._limit)


def fits(text: str, limit: int) -> bool:
    """Whether a text costs no more tokens than the limit. No text has more tokens than bytes; one with many times the
    bytes is not worth counting."""
    size = len(text.encode("utf-8"))
    return size <= limit or (size <= MOST_BYTES * limit and count_tokens(text) <= limit)


class Results:
    """Makes results, keeps those of answers that are given again, and the rest of long ones."""

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._limit = limit - RESERVE
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._made: OrderedDict[tuple[str, int], tuple[Reply, types.CallToolResult]] = OrderedDict()
        self._lock = Lock()

    def of(self, tool: str, reply: Reply) -> types.CallToolResult:
        """The result for an answer: whole, or its first page with a cursor. Raises `InternalError` for an answer that
        is not as the tool's schema says."""
        key = (tool, id(reply))
        with self._lock:
            kept = self._made.get(key)
            if kept is not None and kept[0] is reply:
                return kept[1]
        made = self._make(tool, reply)
        with self._lock:
            self._made[key] = (reply, made)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made

    def more(self, cursor: str) -> types.CallToolResult:
        """A further page. Raises `NotFound` for a cursor that is not known, or not any more."""
        key, _, number = cursor.partition(".")
        with self._lock:
            held = self._held.get(key)
        at = int(number) if number.isdecimal() and number.isascii() and len(number) < 10 else -1
        if held is None or not 0 <= at < len(held.pages):
            raise NotFound("the cursor is not known, or not any more", where=cursor[:40], hint="ask the question again")
        following = f"{key}.{at + 1}" if at + 1 < len(held.pages) else None
        page = Page(pieces=held.pages[at], next=following)
        return _result(MORE, msgspec.json.decode(canonical_json(page)), canonical_json(page).decode())

    def _make(self, tool: str, reply: Reply) -> types.CallToolResult:
        text = reply.compact.decode("utf-8")
        if fits(text, self._limit):
            return _result(tool, msgspec.json.decode(reply.compact), text)
        # A byte of JSON is a third of a token or so; where it is more, less is taken until it fits.
        allowance = 3 * self._limit
        while True:
            cut = Cut(reply.answer, allowance, reply.capability.leading)
            text = canonical_json(cut.first).decode("utf-8")
            if fits(text, self._limit) or allowance < self._limit:
                break
            allowance = allowance * 4 // 5
        key = hashlib.sha256(reply.compact).hexdigest()[:16]
        with self._lock:
            self._held[key] = Held(cut, self._limit, allowance, key)
            self._held.move_to_end(key)
            if len(self._held) > KEPT:
                self._held.popitem(last=False)
        return _result(tool, msgspec.json.decode(text), text, f"{key}.0")


def _result(tool: str, value: Any, text: str, cursor: str | None = None) -> types.CallToolResult:  # noqa: ANN401
    validator = validator_of(tool)
    if not validator.is_valid(value):
        place = next(iter(validator.iter_errors(value))).instance_path
        raise InternalError("the answer is not as the schema of the tool says", where=".".join(map(str, place)))
    content: list[Any] = [types.TextContent(text=text)]
    meta = None
    if cursor is not None:
        note = (
            f"This is the first part of a long answer: lists and long texts are cut. "
            f'For what is missing call the tool `{MORE}` with {{"cursor": "{cursor}"}}.'
        )
        content.append(types.TextContent(text=note))
        meta = {"contextc.cursor": cursor}
    return types.CallToolResult(content=content, structured_content=value, is_error=False, _meta=meta)
