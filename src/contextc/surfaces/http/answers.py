"""Answers and faults as HTTP responses: JSON, a tag to ask again with, compressed when the client can."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from contextc.capabilities.executor import COMPRESS_FROM, COMPRESSION, Reply
from contextc.core.records.canonical import pretty_json
from contextc.surfaces.faults import Fault, refused

JSON = "application/json"

#: Stored by the client, asked again each time: what the answer is made of can change at any moment.
REVALIDATE = "no-cache"

#: The tag of a compressed answer is another one, since its bytes are (RFC 9110, 8.8.3).
ZIPPED = "-gzip"


def answer(reply: Reply, headers: Mapping[str, str], *, conditional: bool) -> Response:
    """The response to a question that was answered: the answer, 304 when the client has it, or 422 with it refused."""
    if reply.verdict == "refused":
        return _refused(reply)
    zipped = reply.zipped if accepts_gzip(headers.get("accept-encoding", "")) else None
    shared = {"Vary": "Accept-Encoding"}
    if conditional:
        shared |= {"ETag": f'"{reply.tag}{ZIPPED if zipped else ""}"', "Cache-Control": REVALIDATE}
        if _known(headers.get("if-none-match", ""), reply.tag):
            return Response(status_code=304, headers=shared)
    else:
        shared["Cache-Control"] = "no-store"
    if zipped is not None:
        shared["Content-Encoding"] = "gzip"
    return Response(zipped or reply.json, media_type=JSON, headers=shared)


def _refused(reply: Reply) -> Response:
    """The fault, and beside it the answer, which holds the proof."""
    assert reply.capability.refusal is not None, "a capability that can refuse says why"
    found = refused(reply.capability.refusal(reply.answer))
    body = {"error": _error(found), "answer": msgspec.Raw(reply.compact)}
    return Response(pretty_json(body), found.status, {"Cache-Control": "no-store"}, JSON)


def fault(found: Fault, headers: Mapping[str, str] | None = None) -> Response:
    """The response for a fault: `{"error": {"code", "message"}}` (SPEC 5.3)."""
    return Response(
        pretty_json({"error": _error(found)}),
        found.status,
        {"Cache-Control": "no-store", **(headers or {})},
        JSON,
    )


def _error(found: Fault) -> dict[str, str]:
    hint = f"; {found.hint}" if found.hint else ""
    return {"code": found.code, "message": f"{found.message}{hint}"}


def accepts_gzip(header: str) -> bool:
    """Whether an `Accept-Encoding` allows gzip (RFC 9110, 12.5.3)."""
    wildcard = False
    for part in header.lower().split(","):
        name, _, rest = part.strip().partition(";")
        wanted = _weight(rest) > 0
        if name.strip() == "gzip":
            return wanted
        if name.strip() == "*":
            wildcard = wanted
    return wildcard


def _weight(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.strip().partition("=")
        if name == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def _known(header: str, tag: str) -> bool:
    """Whether an `If-None-Match` names the tag, in whichever encoding the client has it."""
    for part in header.split(","):
        text = part.strip().removeprefix("W/")
        if text == "*" or text.strip('"').removesuffix(ZIPPED) == tag:
            return True
    return False


class Kept:
    """Bytes that do not change while a process runs, with their compressed form and tag."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self.body = body
        self.media_type = media_type
        self.tag = hashlib.sha256(body).hexdigest()[:32]
        self.zipped = gzip.compress(body, COMPRESSION, mtime=0) if len(body) >= COMPRESS_FROM else None

    def response(self, headers: Mapping[str, str]) -> Response:
        """The bytes, or 304 when the client has them."""
        zipped = self.zipped if accepts_gzip(headers.get("accept-encoding", "")) else None
        tag = f'"{self.tag}{ZIPPED if zipped else ""}"'
        shared = {"Vary": "Accept-Encoding", "ETag": tag, "Cache-Control": REVALIDATE}
        if _known(headers.get("if-none-match", ""), self.tag):
            return Response(status_code=304, headers=shared)
        if zipped is not None:
            shared["Content-Encoding"] = "gzip"
        return Response(zipped or self.body, media_type=self.media_type, headers=shared)
