"""`contextc bench cli`: seconds of the whole process, cold and warm, and its memory.

The real command runs as a child process, so start-up, index, selection and output are all in the figures. Cold is a
fresh cache directory (the files of the repository may well be in the memory of the system); warm is the same command
again. Memory is the most that any child held, as the system counts resident pages.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from msgspec import Struct

from contextc.errors import InputError

#: Runs after the first, of which the median is shown: odd, and few enough for a repository of any size.
WARM_RUNS = 5

#: Runs of `--version`, which is short and so needs more of them.
VERSION_RUNS = 15

#: A task in general words, for a repository one knows nothing of.
DEFAULT_INTENT = "where is the configuration read and how are errors reported"


class Figures(Struct, frozen=True, kw_only=True):
    """What was measured. Times in seconds of wall time, memory in bytes."""

    files: int
    cold: float
    warm: tuple[float, ...]
    cold_memory: int
    version: tuple[float, ...]


def measure(repo: str, intent: str, budget: int) -> Figures:
    """Run the command on a repository. Raises `InputError` when it does not answer with a bundle or a refusal."""
    with tempfile.TemporaryDirectory(prefix="contextc-bench-") as scratch:
        environment = {**os.environ, "XDG_CACHE_HOME": scratch}
        words = ["compile", "-C", repo, "--intent", intent, "--budget", str(budget), "--quiet", "-o", os.devnull]
        cold = _run(words, environment)
        memory = _children_memory()
        warm = tuple(_run(words, environment) for _ in range(WARM_RUNS))
        version = tuple(_run(["--version"], environment) for _ in range(VERSION_RUNS))
    return Figures(files=_count_files(repo), cold=cold, warm=warm, cold_memory=memory, version=version)


def table(repo: str, figures: Figures) -> str:
    """The figures as lines for a person. Seconds and milliseconds of wall time; MiB."""
    version = statistics.median(figures.version) * 1000
    lines = [
        f"repository        {Path(repo).resolve().name}, {figures.files:,} tracked files",
        f"first run         {figures.cold:8.2f} s   fresh cache directory",
        f"later runs        {statistics.median(figures.warm):8.2f} s   "
        f"median of {len(figures.warm)}, {min(figures.warm):.2f} to {max(figures.warm):.2f} s",
        f"peak memory       {figures.cold_memory / 2**20:8.0f} MiB of the first run",
        f"contextc --version{version:8.0f} ms  median of {len(figures.version)}",
    ]
    return "\n".join(lines) + "\n"


def _run(words: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "contextc", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    seconds = time.perf_counter() - began
    if done.returncode not in (0, 11):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise InputError(f"the command ended with {done.returncode}: {said}", where=" ".join(words[:3]))
    return seconds


def _children_memory() -> int:
    """The most resident memory of any child so far, in bytes; Linux counts in KiB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _count_files(repo: str) -> int:
    from contextc.frontend.sources import open_source

    return len(open_source(repo).snapshot().entries)


@click.command("cli")
@click.option("--repo", default=".", show_default=True, metavar="DIR", help="The repository to run on.")
@click.option("--intent", default=DEFAULT_INTENT, show_default=True, metavar="TEXT", help="The task.")
@click.option("--budget", default=24_000, show_default=True, type=click.IntRange(min=0), help="Tokens.")
def bench_cli_command(repo: str, intent: str, budget: int) -> None:
    """Seconds of the whole process, cold and warm, its peak memory, and what `--version` takes."""
    click.echo(table(repo, measure(repo, intent, budget)), nl=False)
