"""Commands that keep running: `contextc serve` and `contextc mcp`. What they serve is loaded when they are called."""

from __future__ import annotations

from typing import Any

import click

from contextc.surfaces.cli import deliver

HELP = {"help_option_names": ["-h", "--help"]}


def _root() -> click.Option:
    return click.Option(
        ["-C", "--root", "root"],
        default=".",
        show_default=True,
        metavar="DIR",
        help="The repository to serve, or a directory in it.",
    )


def _listening(port: int) -> list[click.Parameter]:
    return [
        click.Option(
            ["--host"],
            default="127.0.0.1",
            show_default=True,
            metavar="ADDRESS",
            help="Where to listen. An address that others can reach needs a token.",
        ),
        click.Option(
            ["--port"],
            default=port,
            show_default=True,
            type=click.IntRange(0, 65_535),
            help="0 takes any that is free and says which.",
        ),
        click.Option(
            ["--name", "names"],
            multiple=True,
            metavar="HOST",
            help="A further name by which requests may address the server. May be repeated.",
        ),
        click.Option(
            ["--token-file"],
            metavar="FILE",
            help="The token that requests must carry; else the environment's CONTEXTC_TOKEN.",
        ),
        click.Option(
            ["--max-body", "body_limit"],
            default=32 * 1024 * 1024,
            show_default=True,
            type=click.IntRange(min=0),
            metavar="BYTES",
            help="The largest request that is read.",
        ),
    ]


def serve_command() -> click.Command:
    """`contextc serve`."""

    def run(root: str, quiet: bool, **listening: Any) -> int:  # noqa: ANN401 - click hands over values
        from contextc.surfaces.http.run import Listening, serve

        log = None if quiet else deliver.to_stderr
        serve(root, Listening(**listening), log=log, say=deliver.to_stderr)
        return 0

    options: list[click.Parameter] = [
        _root(),
        *_listening(8400),
        click.Option(["--quiet", "-q"], is_flag=True, help="No access log on standard error."),
    ]
    return click.Command(
        "serve",
        params=options,
        callback=run,
        help="Serve a repository over HTTP: the API, its OpenAPI document and a page. Loopback only by default.",
        context_settings=HELP,
    )


def mcp_command() -> click.Command:
    """`contextc mcp`."""
    from contextc.surfaces.mcp.clients import CLIENTS

    def run(root: str, http: bool, max_tokens: int, verbose: bool, client: str | None, **listening: Any) -> int:  # noqa: ANN401
        if client is not None:
            place, snippet = CLIENTS[client]
            deliver.to_stderr(f"for {place}:")
            deliver.to_stdout(snippet())
            return 0
        from contextc.surfaces.mcp.run import mounted, over_stdio

        if not http:
            over_stdio(root, max_tokens, verbose=verbose)
            return 0
        from contextc.surfaces.http.run import Listening, serve

        log = deliver.to_stderr if verbose else None
        where = Listening(**listening)
        serve(root, where, log=log, say=deliver.to_stderr, extra=lambda settings: mounted(settings, max_tokens))
        return 0

    options: list[click.Parameter] = [
        _root(),
        click.Option(
            ["--http"], is_flag=True, help="Streamable HTTP at /mcp instead of stdio, with the API beside it."
        ),
        *_listening(8401),
        click.Option(
            ["--max-tokens"],
            default=25_000,
            show_default=True,
            type=click.IntRange(min=2_000),
            help="The most tokens of a result; what is longer comes with a cursor for more.",
        ),
        click.Option(
            ["--print-config", "client"],
            type=click.Choice(list(CLIENTS)),
            help="Print the snippet for a client's configuration, and nothing else.",
        ),
        click.Option(["--verbose", "-v"], is_flag=True, help="Say on standard error what is asked."),
    ]
    return click.Command(
        "mcp",
        params=options,
        callback=run,
        help="Serve a repository to coding agents over MCP: on standard input and output, or over HTTP.",
        context_settings=HELP,
    )
