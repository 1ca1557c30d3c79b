"""`contextc experiment construction`: the experiment on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from contextc.core.records.canonical import pretty_json
from contextc.errors import ContextError, UsageError
from contextc.experiment.strategies import PUBLISHED, STRATEGIES
from contextc.experiment.strategies.base import Registered

#: Exit code when results differ from the published ones (a check found problems).
EXIT_DIFFERENT = 1


@click.group(name="experiment")
def experiment_command() -> None:
    """Compare strategies over a corpus with hidden labels."""


@experiment_command.command(name="construction")
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the corpus. Left out: the published corpus where it is at hand, else the one of contextc.",
)
@click.option("--own", is_flag=True, help="The corpus that comes with contextc.")
@click.option(
    "--ledger", type=click.Path(path_type=Path), metavar="FILE", help="Labels; by default ledger.json in the corpus."
)
@click.option(
    "--strategy",
    "names",
    multiple=True,
    metavar="NAME",
    help=f"Run only this one; repeatable. Known: {', '.join(entry.key for entry in STRATEGIES)}. "
    "Left out: the six published ones.",
)
@click.option("--format", "style", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write results.json, compilation.jsonl and observations.jsonl in the published layout.",
)
def construction(
    corpus: Path | None, own: bool, ledger: Path | None, names: tuple[str, ...], style: str, out: Path | None
) -> None:
    """Run strategies over fixtures at several budgets and judge them by the labels.

    Where published results stand beside the ledger, rows and artifacts are compared with them, and the exit code is
    1 when one differs.
    """
    # Imported here: the rest of the command line does not need them.
    from contextc.experiment.artifacts import ARTIFACTS
    from contextc.experiment.comparison import compare
    from contextc.experiment.corpora import load_corpus
    from contextc.experiment.places import OWN_CORPUS, place_of
    from contextc.experiment.report import report_of
    from contextc.experiment.run import run_experiment
    from contextc.experiment.table import render_table

    if own and corpus is not None:
        raise UsageError("expected either --own or --corpus", hint="leave one of them out")
    place = place_of(OWN_CORPUS if own else corpus, ledger)
    loaded = load_corpus(place.corpus, place.ledger)
    rows = run_experiment(loaded, pick_strategies(names))
    artifacts = {name: make(loaded, rows) for name, make in ARTIFACTS.items()}
    comparison = compare(place.results, rows, artifacts) if place.results is not None else None
    if out is not None:
        _write(out, artifacts)
    report = report_of(loaded, rows, comparison)
    click.echo(pretty_json(report) if style == "json" else render_table(report), nl=False)
    if comparison is not None and not comparison.same:
        raise click.exceptions.Exit(EXIT_DIFFERENT)


def pick_strategies(names: Sequence[str]) -> tuple[Registered, ...]:
    """The strategies of these names in the order of the table; without names, the published six.

    Raises `UsageError` for a name that is not in the table.
    """
    known = {entry.key: entry for entry in STRATEGIES}
    for name in names:
        if name not in known:
            raise UsageError(f"no strategy is called {name!r}", where="--strategy", hint=f"known: {', '.join(known)}")
    return tuple(entry for entry in STRATEGIES if entry.key in names) if names else PUBLISHED


def _write(folder: Path, artifacts: dict[str, bytes]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in artifacts.items():
            (folder / name).write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"cannot write there: {error.strerror}", where=str(folder), hint="name another folder"
        ) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command by itself, without the rest of contextc. Returns the exit code."""
    try:
        code = experiment_command.main(
            args=None if argv is None else list(argv), prog_name="contextc experiment", standalone_mode=False
        )
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ContextError as error:
        click.echo(f"error: {error}", err=True)
        if error.hint:
            click.echo(f"hint: {error.hint}", err=True)
        return error.exit_code
    return code if isinstance(code, int) else 0
