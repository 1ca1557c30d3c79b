"""Commands that are more than the plain projection of a capability, and those that are no capability."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from contextc.capabilities.base import Capability
from contextc.core.records.canonical import pretty_json
from contextc.surfaces.cli import command, deliver
from contextc.surfaces.cli.options import input_of, parameters
from contextc.surfaces.outcomes import BY_VERDICT


def _main_job(capability: Capability) -> click.Command:
    from contextc.surfaces.cli.compile import compile_command

    return compile_command(capability)


def bundle_compile(capability: Capability) -> click.Command:
    """`bundle compile`: on a refusal the JSON stands on standard output only, and `--store` keeps either outcome."""

    def run(output: str, store_file: str | None, **values: Any) -> int:  # noqa: ANN401 - click hands over values
        from contextc.capabilities.bundle_compile import BundleCompileInput, answer, compile_pool

        question = input_of(capability, values)
        assert isinstance(question, BundleCompileInput)
        kept = compile_pool(question)
        if store_file:
            deliver.to_file(store_file, pretty_json(kept))
        compiled = answer(kept, question.as_)
        ending = BY_VERDICT[capability.verdict(compiled)]
        deliver.to_file(output if compiled.result.success else "-", pretty_json(compiled))
        if compiled.result.failure is not None:
            deliver.to_stderr(f"contextc: refused: {compiled.result.failure.diagnostic}")
        return ending.exit_code

    store = click.Option(
        ["--store", "store_file"],
        metavar="FILE",
        help="Write the compilation with all its candidates, for validate, inspect, explain, diff and replay.",
    )
    return command.make(capability, [*parameters(capability), command.output_option(), store], run)


#: Makers of commands by capability id, where the plain projection does not do.
SPECIAL: dict[str, Callable[[Capability], click.Command]] = {
    "compile": _main_job,
    "bundle.compile": bundle_compile,
}


def benchmarks() -> dict[str, Callable[[], click.Command]]:
    """The commands of `contextc bench`, each loaded when it is called."""
    return {
        "cli": _bench_cli,
        "compiler": partial(
            _bench_main, "compiler", "Seconds of the compiler by shape and size; give sizes to choose."
        ),
        "usefulness": _bench_usefulness,
        "quality": partial(
            _bench_main, "quality", "How far policy v2 is from the exact optimum (needs the extra exact)."
        ),
    }


def _bench_cli() -> click.Command:
    from contextc.bench.cli import bench_cli_command

    return bench_cli_command


def _bench_usefulness() -> click.Command:
    from contextc.bench.usefulness.command import usefulness_command

    return usefulness_command


def _bench_main(name: str, about: str) -> click.Command:
    """A benchmark whose module has a `main(arguments)`."""

    def run(arguments: tuple[str, ...]) -> None:
        importlib.import_module(f"contextc.bench.{name}").main(arguments)

    argument = click.Argument(["arguments"], nargs=-1, metavar="[N]...")
    return click.Command(name, params=[argument], callback=run, help=about)


def standing() -> dict[str, Callable[[], click.Command]]:
    """The commands that are no question: servers, and what describes contextc itself."""
    return {"serve": _serve, "mcp": _mcp}


def _serve() -> click.Command:
    from contextc.surfaces.cli.servers import serve_command

    return serve_command()


def _mcp() -> click.Command:
    from contextc.surfaces.cli.servers import mcp_command

    return mcp_command()


def experiments() -> dict[str, Callable[[], click.Command]]:
    """The commands of `contextc experiment`."""
    return {"construction": _construction}


def _construction() -> click.Command:
    from contextc.experiment import experiment_command

    command: click.Command = experiment_command.commands["construction"]
    return command
