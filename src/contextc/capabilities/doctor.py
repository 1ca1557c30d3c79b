"""`doctor`: whether this machine has what contextc needs, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from contextc import __version__
from contextc.capabilities.base import Capability, Session, Verdict
from contextc.core.records.base import Record
from contextc.errors import ContextError

#: The oldest git whose listing commands contextc relies on, as it is tested.
OLDEST_GIT = (2, 30)

#: Seconds that git gets to say its version.
PATIENCE = 10

#: What can be missing without harm, by the module that is looked for, and what it is for.
EXTRAS: tuple[tuple[str, str, str], ...] = (
    ("exact solver", "ortools", "proves refusals that the bounded search leaves open; pip install 'contextc[exact]'"),
)

#: Parts of the package that a damaged or partial installation can lack.
PARTS: tuple[tuple[str, str, str], ...] = (
    ("server", "uvicorn", "contextc serve"),
    ("mcp", "mcp", "contextc mcp"),
)

Standing = Literal["ok", "optional", "problem"]


class DoctorInput(Record, frozen=True, kw_only=True):
    """What `doctor` is asked with."""

    root: Annotated[str, Meta(description="The repository to look at, or a directory in it.")] = "."


class Check(Record, frozen=True, kw_only=True):
    """One thing that was looked at. `optional`: it is missing and nothing needs it."""

    name: str
    standing: Standing
    found: Annotated[str, Meta(description="What is there.")]
    hint: Annotated[str, Meta(description="What to do; empty where nothing is.")] = ""


class Diagnosis(Record, frozen=True, kw_only=True):
    """`contextc.doctor.v1`: healthy exactly when no check found a problem."""

    version: str
    healthy: bool
    checks: tuple[Check, ...]
    schema_version: Literal["contextc.doctor.v1"] = "contextc.doctor.v1"


def run(question: DoctorInput, session: Session) -> Diagnosis:
    """Look at everything. Raises nothing: what fails is a finding."""
    looks: tuple[Callable[[], Check], ...] = (
        _python,
        _git,
        lambda: _cache(question.root, session),
        _grammars,
        _vocabulary,
        *(_part(*part) for part in PARTS),
        *(_extra(*extra) for extra in EXTRAS),
        lambda: _repository(question.root),
        lambda: _layer(question.root),
    )
    checks = tuple(look() for look in looks)
    healthy = all(check.standing != "problem" for check in checks)
    return Diagnosis(version=__version__, healthy=healthy, checks=checks)


def _python() -> Check:
    return Check(name="python", standing="ok", found=f"{platform.python_implementation()} {platform.python_version()}")


def _git() -> Check:
    from contextc.frontend.sources.git import executable

    program = executable()
    hint = "install git; without it only plain directories can be read"
    if program is None:
        return Check(name="git", standing="problem", found="not on PATH", hint=hint)
    try:
        said = subprocess.run([program, "version"], capture_output=True, timeout=PATIENCE, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return Check(name="git", standing="problem", found="does not run", hint=hint)
    words = said.decode("utf-8", "replace").split()
    version = words[2] if len(words) > 2 else ""
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    if numbers < OLDEST_GIT:
        oldest = ".".join(map(str, OLDEST_GIT))
        return Check(name="git", standing="problem", found=version, hint=f"use git {oldest} or newer")
    return Check(name="git", standing="ok", found=version)


def _cache(root: str, session: Session) -> Check:
    from contextc.frontend.index.cachedir import store_path

    chosen = Path(session.cache_dir) if session.cache_dir else None
    slow = "set CONTEXTC_CACHE_DIR to a directory of your own; without one every run indexes anew"
    try:
        place = store_path(Path(root).resolve(), chosen)
        if place is None:
            return Check(name="cache", standing="problem", found="no directory can be used", hint=slow)
        with tempfile.TemporaryFile(dir=place.parent) as probe:
            probe.write(b"\0")
    except OSError as error:
        return Check(name="cache", standing="problem", found=f"cannot be written: {error.strerror}", hint=slow)
    return Check(name="cache", standing="ok", found=_home(place.parent))


def _home(place: Path) -> str:
    home = os.environ.get("HOME", "")
    text = str(place)
    return f"~{text[len(home) :]}" if home and text.startswith(home + "/") else text


def _grammars() -> Check:
    from contextc.frontend.index.syntax.languages import LANGUAGES

    modules = sorted({language.module for language in LANGUAGES.values() if language.module})
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        hint = "install contextc again; files of these languages are read as words only"
        return Check(name="grammars", standing="problem", found=f"missing: {', '.join(missing)}", hint=hint)
    return Check(name="grammars", standing="ok", found=f"{len(modules)} of {len(modules)}")


def _vocabulary() -> Check:
    import hashlib

    from contextc.counters.vocabulary import PUBLISHED_SHA256, load, published_text

    hint = "install contextc again"
    for name, expected in PUBLISHED_SHA256.items():
        try:
            text = published_text(load(name))
        except ContextError as error:
            return Check(name="vocabulary", standing="problem", found=error.message, hint=hint)
        if hashlib.sha256(text).hexdigest() != expected:
            return Check(name="vocabulary", standing="problem", found=f"{name} is not the published one", hint=hint)
    return Check(name="vocabulary", standing="ok", found=", ".join(PUBLISHED_SHA256))


def _version(module: str) -> str | None:
    if find_spec(module) is None:
        return None
    try:
        return metadata.version(module)
    except metadata.PackageNotFoundError:
        return "of unknown version"


def _part(name: str, module: str, used_by: str) -> Callable[[], Check]:
    def look() -> Check:
        version = _version(module)
        if version is None:
            hint = f"install contextc again; `{used_by}` needs it"
            return Check(name=name, standing="problem", found=f"{module} is missing", hint=hint)
        return Check(name=name, standing="ok", found=f"{module} {version}")

    return look


def _extra(name: str, module: str, purpose: str) -> Callable[[], Check]:
    def look() -> Check:
        version = _version(module)
        if version is None:
            return Check(name=name, standing="optional", found="not installed", hint=purpose)
        return Check(name=name, standing="ok", found=f"{module} {version}")

    return look


def _repository(root: str) -> Check:
    from contextc.frontend.sources import open_source

    try:
        snapshot = open_source(root).snapshot()
    except ContextError as error:
        return Check(name="repository", standing="problem", found=error.message, hint=error.hint)
    kind = {"worktree": "working tree", "commit": "commit", "directory": "plain directory"}[snapshot.kind]
    return Check(name="repository", standing="ok", found=f"{kind}, {len(snapshot.entries)} files")


def _layer(root: str) -> Check:
    from contextc.capabilities.devcontext_desk import desk

    try:
        layer, _ = desk(root).layer()
    except ContextError as error:
        hint = "nothing is to be done: only `contextc devcontext` and `contextc objects` read one"
        return Check(name="layer", standing="optional", found=error.message, hint=hint)
    return Check(name="layer", standing="ok", found=f"{len(layer.objects)} objects")


def verdict(diagnosis: Diagnosis) -> Verdict:
    """Problems unless healthy."""
    return "done" if diagnosis.healthy else "problems"


def in_words(diagnosis: Diagnosis) -> str:
    """A line a check, and what to do."""
    lines = [f"contextc {diagnosis.version}"]
    for check in diagnosis.checks:
        lines.append(f"{check.standing:<8}  {check.name:<12}  {check.found}")
        if check.hint:
            lines.append(f"{'':<8}  {'':<12}  {check.hint}")
    lines.append("all that is needed is here" if diagnosis.healthy else "something is missing")
    return "\n".join(lines)


CAPABILITY = Capability(
    id="doctor",
    summary="Check what contextc needs on this machine, and say what is missing.",
    input=DoctorInput,
    output=(Diagnosis,),
    effect="writes-index",
    errors=(),
    verdict=verdict,
    in_words=in_words,
    tags=("environment",),
    exposed=("cli",),
    run=run,
)
