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
