"""No answer may know of what came later: the same task in a copy of the repository that ends at the parent commit.

The copy is a pack of what the parent reaches, and nothing else; it has an index of its own. An answer that differs by
one byte has read something it could not have known.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from contextc.bench.usefulness.history import git_of
from contextc.bench.usefulness.itinerary import Stop
from contextc.bench.usefulness.measure import job_of
from contextc.core.records.answer import Answer
from contextc.errors import RepositoryError
from contextc.frontend.sources.git import environment
from contextc.pipeline import compile_repository


def leaks(stop: Stop, budgets: Sequence[int]) -> str:
    """What differs in the copy, in words; "" when nothing does. Raises `RepositoryError` when it cannot be made."""
    with tempfile.TemporaryDirectory(prefix="contextc-sealed-") as scratch:
        copy = Path(scratch, "copy.git")
        seal(stop.root, stop.case.parent, copy)
        sealed = Stop(stop.case, copy, Path(scratch, "cache"))
        for budget in budgets:
            whole = compile_repository(job_of(stop, budget)).answer
            alone = compile_repository(job_of(sealed, budget)).answer
            if msgspec.json.encode(whole) != msgspec.json.encode(alone):
                return f"at {budget} tokens the answer knows more than the parent commit: {_different(whole, alone)}"
    return ""


def seal(root: Path, commit: str, copy: Path) -> None:
    """Make a bare repository of all that a commit reaches, with it as HEAD. Raises `RepositoryError`."""
    git = git_of(root)
    algorithm = "sha1" if len(commit) == 40 else "sha256"
    _run(["git", "init", "-q", "--bare", f"--object-format={algorithm}", str(copy)])
    with tempfile.TemporaryFile() as wanted, tempfile.TemporaryFile() as pack:
        wanted.write(f"{commit}\n".encode("ascii"))
        wanted.seek(0)
        _run(git.command(["pack-objects", "--revs", "--stdout", "-q", "--missing=allow-any"]), wanted, pack)
        pack.seek(0)
        _run(["git", f"--git-dir={copy}", "index-pack", "--stdin"], pack)
    _run(["git", f"--git-dir={copy}", "update-ref", "--no-deref", "HEAD", commit])


def _run(command: Sequence[str], given: IO[bytes] | None = None, out: IO[bytes] | None = None) -> None:
    done = subprocess.run(
        command,
        env=environment(),
        stdin=given or subprocess.DEVNULL,
        stdout=out or subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise RepositoryError(f"a copy of the repository cannot be made: {said}", where=" ".join(command[:3]))


def _different(whole: Answer, alone: Answer) -> str:
    names = [name for name in whole.__struct_fields__ if getattr(whole, name) != getattr(alone, name)]
    return f"{', '.join(names)} differ"
