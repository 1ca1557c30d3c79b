"""`contextc compile`: the main job on a command line, with its ways of giving a task and of delivering an answer."""

from __future__ import annotations

from typing import Any

import click

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.compile import CompileInput, Made, make_answer
from contextc.core.records.canonical import pretty_json
from contextc.errors import UsageError
from contextc.surfaces.cli import command, deliver
from contextc.surfaces.cli.options import Reader, input_of, parameters
from contextc.surfaces.outcomes import DONE, REFUSED


def compile_command(capability: Capability) -> click.Command:
    """The command: the capability's parameters, and options that only a command line has."""

    def run(**values: Any) -> int:  # noqa: ANN401 - click hands over values
        return _compile(capability, values)

    made = [_with_json(parameter) for parameter in parameters(capability)]
    made[1:1] = [
        click.Option(
            ["--intent-file", "intent_file"], metavar="FILE", help="Read the task from a file, `-` for standard input."
        )
    ]
    made += [
        command.output_option(),
        click.Option(["--json", "json_file"], metavar="FILE", help="Write the whole answer as JSON to a file."),
        click.Option(["--trace", "trace_file"], metavar="FILE", help="Write the decision on every candidate as JSON."),
        click.Option(
            ["--store", "store_file"],
            metavar="FILE",
            help="Write the compilation with all its candidates, for `bundle validate|inspect|explain|diff|replay`.",
        ),
        click.Option(
            ["--explain", "explain"],
            metavar="ID",
            help="Instead of the bundle, say why this path or candidate is in or out.",
        ),
        click.Option(["--copy", "copy"], is_flag=True, help="Also put the bundle on the clipboard."),
        click.Option(["--quiet", "-q", "quiet"], is_flag=True, help="No account on standard error."),
    ]
    return command.make(capability, made, run)


def _with_json(parameter: click.Parameter) -> click.Parameter:
    """`--format json` is a way to deliver, and not a way to render: the answer holds the Markdown."""
    if parameter.name == "format" and isinstance(parameter.type, click.Choice):
        parameter.type = click.Choice([*parameter.type.choices, "json"])
        assert isinstance(parameter, click.Option)
        parameter.help = f"{parameter.help} json is the whole answer, with the text in Markdown."
    return parameter


def _compile(capability: Capability, values: dict[str, Any]) -> int:
    read = Reader()
    as_json = values["format"] == "json"
    if as_json:
        values["format"] = "markdown"
    if values["intent_file"] is not None:
        if values["intent"]:
            raise UsageError("the task is given twice", hint="give --intent or --intent-file")
        values["intent"] = read(values["intent_file"]).decode("utf-8", "replace")
    question = input_of(capability, values, read)
    assert isinstance(question, CompileInput)
    made = make_answer(question, Session(progress=command.watched()))
    if values["json_file"]:
        deliver.to_file(values["json_file"], pretty_json(made.answer))
    if values["trace_file"]:
        deliver.to_file(values["trace_file"], pretty_json(made.answer.result.trace))
    if values["store_file"]:
        deliver.to_file(values["store_file"], pretty_json(made.stored()))
    if values["explain"] is not None:
        deliver.to_file(values["output"], made.explain(values["explain"]))
        return DONE.exit_code
    return _deliver(made, values, as_json=as_json)


def _deliver(made: Made, values: dict[str, Any], *, as_json: bool) -> int:
    answer = made.answer
    if answer.bundle is None:
        if as_json:
            # Only standard output: a file that was asked for holds a bundle or is left as it is.
            deliver.to_stdout(pretty_json(answer))
        deliver.to_stderr(made.refusal())
        return REFUSED.exit_code
    remarks = [f"trace in {values['trace_file']}"] if values["trace_file"] else []
    if values["copy"]:
        remarks.append(deliver.to_clipboard(answer.text))
    if not values["quiet"]:
        deliver.to_stderr(made.account(remarks))
    deliver.to_file(values["output"], pretty_json(answer) if as_json else answer.text)
    return DONE.exit_code
