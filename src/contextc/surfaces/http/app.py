"""The application: a route a capability, the documents that describe them, health, and the page."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

import anyio
from anyio import to_thread
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute

from contextc.capabilities.executor import EXECUTOR
from contextc.core.records.base import Record
from contextc.core.records.canonical import pretty_json
from contextc.core.records.codec import decode
from contextc.errors import ContextError
from contextc.surfaces.asking import question_of
from contextc.surfaces.faults import Fault, fault_of
from contextc.surfaces.http import answers
from contextc.surfaces.http.docs import docs_page, static
from contextc.surfaces.http.guard import OPEN_PATHS, App, Guard, Rules
from contextc.surfaces.http.log import AccessLog
from contextc.surfaces.http.openapi import document
from contextc.surfaces.http.query import read_query
from contextc.surfaces.http.routes import PREFIX, Route, routes

#: Questions that are worked on at a time; more wait. Each is a thread, which mostly waits for git or for its turn.
THREADS = 96

#: What the browser may do with our pages: nothing from elsewhere, nothing inline.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


class Settings(Struct, frozen=True, kw_only=True):
    """What a server is bound to. `root` is the repository; `log` takes a line of the access log, None for no log;
    `extra` are applications at further paths with what must run while they serve."""

    root: str = "."
    rules: Rules = Rules()
    log: Callable[[str], None] | None = None
    extra: tuple[tuple[str, App, Callable[[], AbstractAsyncContextManager[None]]], ...] = ()


def create_app(settings: Settings) -> App:
    """The whole application for the repository a server is bound to."""
    rules = settings.rules
    server = Starlette(
        routes=_all_routes(settings),
        exception_handlers={HTTPException: _http_fault, Exception: _any_fault},
        lifespan=_lifespan(settings),
    )
    guarded: App = Guard(
        server,
        Rules(
            hosts=rules.hosts,
            literals=rules.literals,
            token=rules.token,
            body_limit=rules.body_limit,
            public=lambda path: path in OPEN_PATHS or not path.startswith((PREFIX, "/mcp")),
        ),
    )
    return AccessLog(guarded, settings.log) if settings.log is not None else guarded


def _all_routes(settings: Settings) -> list[BaseRoute]:
    limiter = anyio.CapacityLimiter(THREADS)
    made: list[BaseRoute] = [
        StarletteRoute(route.path, _endpoint(route, settings, limiter), methods=[route.method]) for route in routes()
    ]
    openapi = pretty_json(document(token=settings.rules.token is not None))
    made += [
        StarletteRoute("/openapi.json", _constant(openapi, answers.JSON)),
        StarletteRoute("/docs", _constant(docs_page(), "text/html; charset=utf-8")),
        StarletteRoute("/healthz", _constant(pretty_json({"status": "ok"}), answers.JSON)),
        StarletteRoute("/readyz", _ready(settings)),
    ]
    made += [StarletteRoute(path, app, include_in_schema=False) for path, app, _ in settings.extra]
    return [*made, StarletteRoute("/{name:path}", _asset)]


def _lifespan(settings: Settings) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for _path, _app, running in settings.extra:
                await stack.enter_async_context(running())
            yield

    return life


Endpoint = Callable[[Request], Awaitable[Response]]


def _endpoint(route: Route, settings: Settings, limiter: anyio.CapacityLimiter) -> Endpoint:
    bound = {"root": settings.root}
    conditional = route.method == "GET"

    async def endpoint(request: Request) -> Response:
        try:
            sent = await _sent(route, request)
            question = question_of(route.capability, sent, bound)
            reply = await to_thread.run_sync(EXECUTOR.ask, route.capability, question, limiter=limiter)
            return answers.answer(reply, request.headers, conditional=conditional)
        except ContextError as error:
            return answers.fault(fault_of(error))

    return endpoint


async def _sent(route: Route, request: Request) -> Record:
    if route.method == "GET":
        return read_query(request.scope["query_string"], route.sent)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != answers.JSON:
        raise HTTPException(415, f"expected a body of the type {answers.JSON}")
    if request.scope["query_string"]:
        read_query(request.scope["query_string"], Record)
    return decode(await request.body(), route.sent)


def _constant(text: str, media_type: str) -> Endpoint:
    """A document that never changes while the server runs."""
    kept = answers.Kept(text.encode("utf-8"), media_type)

    async def endpoint(request: Request) -> Response:
        return _with_policy(kept.response(request.headers))

    return endpoint


def _ready(settings: Settings) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        if os.access(settings.root, os.R_OK | os.X_OK):
            return Response(pretty_json({"status": "ready"}), media_type=answers.JSON)
        what = Fault(status=503, code="not_ready", message="the repository cannot be read any more")
        return answers.fault(what)

    return endpoint


async def _asset(request: Request) -> Response:
    name = request.path_params["name"] or "index.html"
    found = static(name)
    if found is None:
        raise HTTPException(404)
    return _with_policy(found.response(request.headers))


def _with_policy(response: Response) -> Response:
    response.headers.update({**SAFE_HEADERS, "Content-Security-Policy": POLICY})
    return response


async def _http_fault(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {404: "not_found", 405: "method_not_allowed", 415: "unsupported_media_type"}
    words = {404: "there is nothing at this address; /openapi.json lists what there is"}
    code = codes.get(error.status_code, "invalid_input")
    message = words.get(error.status_code, error.detail)
    return answers.fault(Fault(status=error.status_code, code=code, message=message), error.headers)


async def _any_fault(_: Request, error: Exception) -> Response:
    return answers.fault(fault_of(error))
