"""A command for a capability: its parameters, the run, the answer on standard output, the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.executor import EXECUTOR
from contextc.core.records.canonical import pretty_json
from contextc.errors import DocumentError
from contextc.surfaces.cli import deliver
from contextc.surfaces.cli.options import input_of, name_files, parameters
from contextc.surfaces.outcomes import BY_VERDICT

#: Width of the bar that shows how far a long first index is, in signs.
BAR = 30


def command_of(capability: Capability) -> click.Command:
    """The plain projection of a capability."""

    def run(output: str, form: str | None = None, **values: Any) -> int:  # noqa: ANN401 - click hands over values
        answer = ask(capability, values)
        words = capability.in_words
        text = words(answer) if words is not None and form != "json" else pretty_json(answer)
        deliver.to_file(output, text if text.endswith("\n") else text + "\n")
        return BY_VERDICT[capability.verdict(answer)].exit_code

    params = parameters(capability)
    if capability.in_words is not None:
        params.append(format_option())
    params.append(output_option())
    return make(capability, params, run)


def make(capability: Capability, params: list[click.Parameter], run: Callable[..., int]) -> click.Command:
    """A click command under the last part of the capability's id. `run` returns the exit code."""
    return click.Command(
        capability.id.rpartition(".")[2],
        params=params,
        callback=run,
        help=capability.summary,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def ask(capability: Capability, values: dict[str, Any]) -> Any:  # noqa: ANN401 - the capability's own output record
    """Run a capability on the values of a command line. Errors name files, not fields."""
    question = input_of(capability, values)
    try:
        return EXECUTOR.ask(capability, question, Session(progress=watched())).answer
    except DocumentError as error:
        raise name_files(error, values) from None


def format_option() -> click.Option:
    """`--format text|json` for answers that have words."""
    return click.Option(
        ["--format", "form"],
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Words for people, or the whole answer as JSON.",
    )


def output_option() -> click.Option:
    """`-o FILE`."""
    return click.Option(
        ["-o", "--output", "output"],
        default="-",
        metavar="FILE",
        help="Write there instead of to standard output; the file is replaced whole.",
    )


def watched() -> Progress | None:
    """Progress on standard error when it is a terminal, else none."""
    try:
        return Progress() if sys.stderr.isatty() else None
    except (AttributeError, ValueError):
        return None


class Progress:
    """A bar on a terminal. It draws only when its percentage changes and wipes itself when a stage is through."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of `stage` are through."""
        percent = 100 * done // total if total else 0
        if (stage, percent) == self._last:
            return
        self._last = (stage, percent)
        finished = bool(total) and done >= total
        filled = BAR * percent // 100
        line = f"{stage} [{'#' * filled}{'.' * (BAR - filled)}] {percent} %"
        # Back to the first column; then the line, or, when finished, nothing in its place.
        deliver.draw("\r\x1b[K" + ("" if finished else line))
