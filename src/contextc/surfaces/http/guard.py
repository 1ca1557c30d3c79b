"""Who may ask, and how much: the check of Host, Origin and token, and the limits of a request.

A page of another site can make a browser send requests to this machine. Its Origin gives it away; and where a name was
made to point here (DNS rebinding), the Host does. A server that others can reach wants a token besides.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from contextc.surfaces.faults import Fault
from contextc.surfaces.http.answers import fault

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Names of this machine that no other machine can bear.
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))

#: Bytes of a query; a browser and most proxies stop well below.
QUERY_LIMIT = 32 * 1024

#: Bytes of a body when nobody says: a stored compilation of a large repository fits several times.
BODY_LIMIT = 32 * 1024 * 1024

#: Paths that say nothing of the repository, so that a page can load and ask for the token.
OPEN_PATHS = frozenset(("/healthz", "/readyz"))


class Rules(Struct, frozen=True, kw_only=True):
    """`hosts` are the names a request may be addressed to; without a token nothing but loopback is served. `public`
    says which paths need no token."""

    hosts: frozenset[str] = LOOPBACK
    literals: bool = False
    token: str | None = None
    body_limit: int = BODY_LIMIT
    public: Callable[[str], bool] = OPEN_PATHS.__contains__


class Guard:
    """An ASGI application in front of another: what breaks a rule never gets there."""

    def __init__(self, app: App, rules: Rules) -> None:
        self.app = app
        self.rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge a request by its head, count its body while it comes, and pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        found, extra = self._judge(scope, headers)
        if found is not None:
            await fault(found, extra)(scope, receive, send)
            return
        try:
            await self.app(scope, self._counted(receive), send)
        except TooLarge:
            await fault(_too_large(self.rules.body_limit))(scope, receive, send)

    def _judge(self, scope: Scope, headers: dict[str, str]) -> tuple[Fault | None, dict[str, str]]:
        rules = self.rules
        host = host_name(headers.get("host", ""))
        if host is None or not self._served(host):
            return _forbidden("the request is addressed to a host that is not served here"), {}
        origin = headers.get("origin")
        if origin is not None and not self._own(origin, headers["host"]):
            return _forbidden("the request comes from a page of another site"), {}
        if rules.token is not None and not rules.public(scope["path"]) and not self._authorized(headers):
            what = Fault(status=401, code="unauthorized", message="expected a token: Authorization: Bearer TOKEN")
            return what, {"WWW-Authenticate": "Bearer"}
        if len(scope["query_string"]) > QUERY_LIMIT:
            return Fault(status=414, code="too_large", message=f"a query may have {QUERY_LIMIT} bytes"), {}
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > rules.body_limit:
            return _too_large(rules.body_limit), {"Connection": "close"}
        return None, {}

    def _served(self, host: str) -> bool:
        return host in self.rules.hosts or (self.rules.literals and _is_address(host))

    def _own(self, origin: str, host: str) -> bool:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def _authorized(self, headers: dict[str, str]) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        expected = (self.rules.token or "").encode()
        return kind.lower() == "bearer" and hmac.compare_digest(token.strip().encode("latin-1"), expected)

    def _counted(self, receive: Receive) -> Receive:
        left = self.rules.body_limit

        async def counted() -> MutableMapping[str, Any]:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge
            return message

        return counted


class TooLarge(Exception):
    """A body without a stated length turned out to be too large."""


def host_name(header: str) -> str | None:
    """The name in a Host header, without the port and in lower case; None when it is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _forbidden(message: str) -> Fault:
    return Fault(status=403, code="forbidden", message=message)


def _too_large(limit: int) -> Fault:
    return Fault(status=413, code="too_large", message=f"a request may have {limit} bytes")
