"""The access log: a JSON object a line, of what was asked for and how it ended, and of no contents.

No query, body, header or address is written: a query holds the words of a task, and paths of a repository.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, MutableMapping
from typing import Any

from contextc.surfaces.http.guard import App, Receive, Scope, Send

#: Signs of a path that are written; a longer one was made up.
PATH_SIGNS = 200


class AccessLog:
    """An ASGI application around another that writes a line when a response is through.

    `time` is in seconds since 1970, `ms` the milliseconds until the last byte, `bytes` those of the body.
    """

    def __init__(self, app: App, write: Callable[[str], None]) -> None:
        self.app = app
        self.write = write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and note how it ended; one that fell over counts as 500."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status, size = 500, 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            line = {
                "time": round(time.time(), 3),
                "method": scope["method"],
                "path": scope["path"][:PATH_SIGNS],
                "status": status,
                "bytes": size,
                "ms": round(1000 * (time.perf_counter() - began), 2),
            }
            self.write(json.dumps(line))
