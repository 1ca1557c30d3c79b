"""The tree of commands, and how a run of one ends.

The tree is made of the registry; a command is built when it is called, so that a small one starts quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from contextc.errors import ContextError, UsageError
from contextc.surfaces.cli import deliver
from contextc.surfaces.outcomes import DONE, ENDINGS, INTERNAL, USAGE, ending_of

#: What a group of commands is for, by the first part of their ids.
GROUPS: dict[str, str] = {
    "bundle": "Compile candidates at the JSON boundary, and audit what came out.",
    "devcontext": "What work on a repository should be given, from the repository's own records.",
    "objects": "What a repository's own `.ai` records hold.",
    "index": "The index of a repository in the cache directory.",
    "bench": "Measure contextc on this machine. Prints figures, judges nothing.",
    "experiment": "The published experiment on strategies of construction.",
}

#: The exit code of a process that was stopped from the keyboard, as shells have it.
INTERRUPTED = 130


class Tree(click.Group):
    """A group whose commands are built when they are asked for, with a guess for one that does not exist."""

    def __init__(self, name: str, makers: dict[str, Callable[[], click.Command]], **settings: Any) -> None:  # noqa: ANN401
        super().__init__(name, context_settings={"help_option_names": ["-h", "--help"]}, **settings)
        self.makers = makers

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the registry."""
        return list(self.makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Build one command."""
        maker = self.makers.get(cmd_name)
        return maker() if maker else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called. Raises `UsageError` with the nearest names for one that does not exist."""
        name = args[0]
        if name in self.makers or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        near = get_close_matches(name, self.makers, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(self.makers)}"
        raise UsageError(f"no command {name!r} of {ctx.command_path}", hint=hint)


def tree() -> Tree:
    """The root of all commands."""
    from contextc.capabilities.registry import REGISTRY
    from contextc.surfaces.cli.command import command_of
    from contextc.surfaces.cli.extra import SPECIAL, benchmarks, experiments, standing

    makers: dict[str, dict[str, Callable[[], click.Command]]] = {"": {}}
    for capability in REGISTRY:
        if "cli" not in capability.exposed:
            continue
        group, _, name = capability.id.rpartition(".")
        special = SPECIAL.get(capability.id, command_of)
        makers.setdefault(group, {})[name] = partial(special, capability)
    makers["bench"] = benchmarks()
    makers["experiment"] = experiments()
    root = makers.pop("")
    root |= standing()
    for group, commands in makers.items():
        root[group] = partial(Tree, group, commands, help=GROUPS[group])
    codes = "\n".join(f"  {ending.exit_code:>2}  {ending.meaning}" for ending in ENDINGS)
    return Tree(
        "contextc",
        root,
        help="Compile the context of a coding agent: a repository, a task and a token budget become a checked bundle, "
        "or a refusal with a proof.",
        epilog=f"\b\nExit codes:\n{codes}",
        params=[version_option()],
    )


def version_option() -> click.Option:
    """`--version`, for the help; `__main__` answers it before any of this is loaded."""

    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            from contextc import __version__

            deliver.to_stdout(f"contextc {__version__}\n")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show the version."
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. No exception leaves."""
    try:
        code = tree().main(list(arguments), prog_name="contextc", standalone_mode=False)
        return code if isinstance(code, int) else DONE.exit_code
    except ContextError as error:
        complain(error)
        return ending_of(error).exit_code
    except click.ClickException as error:
        complain(_usage(error))
        return USAGE.exit_code
    except deliver.ReaderGone:
        return DONE.exit_code
    except (click.Abort, KeyboardInterrupt):
        deliver.to_stderr("contextc: stopped")
        return INTERRUPTED
    except Exception as error:
        fault(error)
        return INTERNAL.exit_code


def complain(error: ContextError) -> None:
    """Say what is wrong, where, and what to do."""
    from contextc.errors import DocumentError

    if isinstance(error, DocumentError) and len(error.problems) > 1:
        lines = [f"contextc: {error.where or 'the document'} has {len(error.problems)} problems"]
        lines += [f"  {problem}" for problem in error.problems]
    else:
        lines = [f"contextc: {error}"]
    if error.hint:
        lines.append(f"  {error.hint}")
    deliver.to_stderr("\n".join(lines))


def fault(error: Exception) -> None:
    """Report a fault of our own: the kind of error and the place in contextc, without values, which may be private."""
    frame = error.__traceback__
    place = ""
    while frame is not None:
        name = frame.tb_frame.f_globals.get("__name__", "")
        if name.startswith("contextc"):
            place = f"{name}:{frame.tb_lineno}"
        frame = frame.tb_next
    deliver.to_stderr(
        f"contextc: a fault of contextc itself: {type(error).__name__} at {place}\n"
        "  set CONTEXTC_DEBUG=1 to see the whole trace, and report it with the version and the command"
    )
    import os

    if os.environ.get("CONTEXTC_DEBUG"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)


def _usage(error: click.ClickException) -> UsageError:
    """What click says, in our words: the nearest names where it knows them, and where to find help."""
    message = error.message.rstrip(".")
    hint = ""
    near = getattr(error, "possibilities", None)
    if isinstance(error, click.NoSuchOption):
        message = f"no option {error.option_name}"
        if near:
            hint = f"did you mean {' or '.join(sorted(near))}?"
    else:
        message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if not hint and context is not None:
        hint = f"see {context.command_path} --help"
    return UsageError(message, hint=hint)
