"""`init`: a `contextc.toml` for a repository, each line with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session
from contextc.core.records.base import Record
from contextc.errors import InputError, NotFound, PluginError, RepositoryError

FILE = "contextc.toml"


class InitInput(Record, frozen=True, kw_only=True):
    """What `init` is asked with."""

    root: Annotated[str, Meta(description="The repository, or a directory in it.")] = "."
    write: Annotated[bool, Meta(description="Write the file at the root of the repository, unless one is there.")] = (
        False
    )


class Proposal(Record, frozen=True, kw_only=True):
    """`contextc.proposal.v1`: the text of the file, and whether it was written."""

    path: Annotated[str, Meta(description="Where it belongs, relative to the root.")]
    text: str
    written: bool
    schema_version: Literal["contextc.proposal.v1"] = "contextc.proposal.v1"


def run(question: InitInput, session: Session) -> Proposal:
    """Read the repository and propose. Raises what reading a repository raises, and `InputError` for a repository that
    has an `.ai` layer, for a file that is there and cannot be read, and for writing where a file is."""
    from contextc.frontend.ordinary import layer_root, read_layer
    from contextc.frontend.ordinary.propose import proposal
    from contextc.pipeline import Job, open_repository

    layered = layer_root(question.root)
    if layered is not None:
        raise InputError(
            "this repository has an `.ai` layer, which says by itself what is what; contextc.toml is not read there",
            where=str(layered),
        )
    cache_dir = Path(session.cache_dir) if session.cache_dir else None
    opened = open_repository(Job(root=question.root, cache_dir=cache_dir), session.progress)
    text = proposal(read_layer(opened.source, opened.snapshot, opened.view))
    if question.write:
        _write(opened.source.root / FILE, text)
    return Proposal(path=FILE, text=text, written=question.write)


def _write(place: Path, text: str) -> None:
    """Write a file that is not there; never over another, never through a link."""
    try:
        with place.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        hint = "edit it, or see what is proposed without --write"
        raise InputError(f"expected no {FILE}; there is one", where=str(place), hint=hint) from None
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", where=str(place)) from None


def in_words(answer: Proposal) -> str:
    """The text itself, or that it was written."""
    return f"{answer.path} is written; it counts when git tracks it" if answer.written else answer.text.rstrip("\n")


CAPABILITY = Capability(
    id="init",
    summary="Propose a contextc.toml for a repository and explain each line; with write, put it there unless one is.",
    input=InitInput,
    output=(Proposal,),
    effect="writes-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    in_words=in_words,
    tags=("repository",),
    exposed=("cli",),
    run=run,
)
