"""`contextc mcp`: the server over stdio, or mounted at `/mcp` of the HTTP server."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator

import anyio
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from msgspec.structs import replace

from contextc.errors import NotFound
from contextc.surfaces.http.app import Settings
from contextc.surfaces.mcp.results import DEFAULT_LIMIT
from contextc.surfaces.mcp.server import create_server

#: Where the HTTP server has it.
PATH = "/mcp"


def over_stdio(root: str, limit: int = DEFAULT_LIMIT, *, verbose: bool = False) -> None:
    """Serve on standard input and output until the client closes them.

    While it serves, file descriptor 1 is standard error for everybody but the transport (the SDK sees to it), so
    nothing that prints can break the protocol. Raises `NotFound` for a directory that is not there.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.DEBUG if verbose else logging.ERROR, format="%(message)s")
    try:
        os.chdir(root)
    except OSError as error:
        raise NotFound(f"there is no directory to serve: {error.strerror}", where=root) from None
    server = create_server(".", limit)

    async def run() -> None:
        async with stdio_server() as (read, write), anyio.create_task_group() as group:
            group.start_soon(_stop_on_signals, group.cancel_scope)
            await server.run(read, write, server.create_initialization_options())
            group.cancel_scope.cancel()
        # A thread still waits for the next line of standard input, and would keep the process.
        sys.stderr.flush()
        os._exit(0)

    anyio.run(run)


async def _stop_on_signals(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
            return


def mounted(settings: Settings, limit: int = DEFAULT_LIMIT) -> Settings:
    """The settings of an HTTP server that serves MCP too, without sessions: every request stands for itself."""
    manager = StreamableHTTPSessionManager(
        app=create_server(settings.root, limit),
        json_response=True,
        stateless=True,
        max_request_body_size=settings.rules.body_limit,
    )

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with manager.run():
            yield

    return replace(settings, extra=(*settings.extra, (PATH, StreamableHTTPASGIApp(manager), running)))
