"""`contextc serve`: the socket, the server process, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn
from msgspec import Struct

from contextc.errors import NotFound, RepositoryError, UsageError
from contextc.surfaces.http.app import Settings, create_app
from contextc.surfaces.http.guard import BODY_LIMIT, LOOPBACK, App, Rules

#: Seconds that requests in flight get to end when the server is told to stop.
GRACE = 10

#: Environment variable with the token: a command line can be read by everybody on the machine.
TOKEN_VARIABLE = "CONTEXTC_TOKEN"

#: Signs of a token at least: one that can be guessed is none.
TOKEN_SIGNS = 16


class Listening(Struct, frozen=True, kw_only=True):
    """Where to listen, and for whom. `names` are further names the server is known by."""

    host: str = "127.0.0.1"
    port: int = 8400
    names: tuple[str, ...] = ()
    token_file: str | None = None
    body_limit: int = BODY_LIMIT


def rules_of(listening: Listening) -> Rules:
    """Who may ask. Raises `UsageError` for an address that others can reach when there is no token."""
    token = _token(listening.token_file)
    local = listening.host in LOOPBACK
    if not local and token is None:
        raise UsageError(
            f"an address that others can reach ({listening.host}) needs a token",
            hint=f"set {TOKEN_VARIABLE}, or give --token-file FILE",
        )
    own = LOOPBACK if local else LOOPBACK | {listening.host.lower()}
    return Rules(
        hosts=own | {name.lower() for name in listening.names},
        # A name can be made to point here by others; an address that is written out can not.
        literals=not local,
        token=token,
        body_limit=listening.body_limit,
    )


def _token(file: str | None) -> str | None:
    token = os.environ.get(TOKEN_VARIABLE) or None
    if file is not None:
        try:
            token = Path(file).read_text("utf-8").strip()
        except (OSError, ValueError):
            raise NotFound("the file with the token cannot be read", where=file) from None
    if token is not None and (len(token) < TOKEN_SIGNS or not token.isascii()):
        raise UsageError(f"a token has at least {TOKEN_SIGNS} signs, all ASCII", hint="openssl rand -hex 32 makes one")
    return token


def serve(
    root: str,
    listening: Listening,
    *,
    log: Callable[[str], None] | None,
    say: Callable[[str], None],
    extra: Callable[[Settings], Settings] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM. `say` is told the address once requests are taken.

    Raises `UsageError`, `NotFound` and `RepositoryError` before anything is served.
    """
    settings = Settings(rules=rules_of(listening), log=log)
    # The process works in the repository, so that a relative path means the same on every surface.
    try:
        os.chdir(root)
    except OSError as error:
        raise NotFound(f"there is no directory to serve: {error.strerror}", where=root) from None
    if not os.access(".", os.R_OK | os.X_OK):
        raise RepositoryError("this directory may not be read", where=root)
    if extra is not None:
        settings = extra(settings)
    with _socket(listening) as listener:
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        asyncio.run(_run(create_app(settings), listener, lambda: say(f"contextc serves http://{shown}:{port}/")))


def _socket(listening: Listening) -> socket.socket:
    try:
        infos = socket.getaddrinfo(listening.host, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = infos[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except OSError as error:
        place = f"{listening.host}:{listening.port}"
        raise UsageError(f"cannot listen: {error.strerror or error}", where=place, hint="give another --port") from None
    return made


async def _run(app: App, listener: socket.socket, started: Callable[[], None]) -> None:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
    server = _Server(config)
    watch = asyncio.ensure_future(_when_started(server, started))
    try:
        await server.serve(sockets=[listener])
    finally:
        watch.cancel()


async def _when_started(server: uvicorn.Server, started: Callable[[], None]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    started()


class _Server(uvicorn.Server):
    """A server for which being told to stop is a good end: uvicorn would raise the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
