"""`search`: the files of a repository that speak of some words, with the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import search_cases
from contextc.core.records.base import Count, Record
from contextc.errors import NotFound, PluginError, RepositoryError, UsageError

#: Files an answer lists when nobody says how many.
DEFAULT_LIMIT = 20


class SearchInput(Record, frozen=True, kw_only=True):
    """What `search` is asked with."""

    words: Annotated[tuple[str, ...], Meta(description="Words, names, paths or a whole task.")]
    limit: Annotated[Count, Meta(description="The most files to list.")] = DEFAULT_LIMIT
    root: Annotated[str, Meta(description="The repository, or a directory in it.")] = "."
    rev: Annotated[str | None, Meta(description="Search this commit instead of the working tree.")] = None


class Found(Record, frozen=True, kw_only=True):
    """One file and what speaks for it."""

    path: str
    score: Annotated[float, Meta(description="How strongly the words speak for it; comparable within one answer only.")]
    why: tuple[str, ...]


class SearchAnswer(Record, frozen=True, kw_only=True):
    """`contextc.search.v1`: files, the best first."""

    files: tuple[Found, ...]
    schema_version: Literal["contextc.search.v1"] = "contextc.search.v1"


def run(question: SearchInput, session: Session) -> SearchAnswer:
    """Rank. Raises `UsageError` without a word, and what reading a repository raises."""
    from contextc.frontend.select.evidence import Found as Evidence
    from contextc.frontend.select.query import read_task
    from contextc.frontend.select.rank import rank
    from contextc.frontend.select.reasons import reasons
    from contextc.frontend.sources import display_path
    from contextc.pipeline import Job, open_repository

    text = " ".join(question.words)
    if not text.strip():
        raise UsageError("there is nothing to search for", hint="give words, names or a path")
    cache_dir = Path(session.cache_dir) if session.cache_dir else None
    opened = open_repository(Job(root=question.root, rev=question.rev, cache_dir=cache_dir), session.progress)
    hits = rank(opened.view, read_task(text)).hits[: question.limit]
    files = []
    for hit in hits:
        why = reasons(Evidence(hit=hit, lines=[], blocks=[], worth=0.0))
        files.append(Found(path=display_path(hit.file.path), score=round(hit.score, 3), why=why))
    return SearchAnswer(files=tuple(files))


def in_words(answer: SearchAnswer) -> str:
    """A file a paragraph: its score and path, then the reasons."""
    if not answer.files:
        return "no file holds these words"
    return "\n".join(
        f"{f.score:9.3f}  {f.path}\n" + "".join(f"           {why}\n" for why in f.why) for f in answer.files
    )


CAPABILITY = Capability(
    id="search",
    summary="Rank the files of a repository by words, names and paths, with reasons.",
    input=SearchInput,
    output=(SearchAnswer,),
    effect="writes-index",
    errors=(NotFound, PluginError, RepositoryError, UsageError),
    in_words=in_words,
    tags=("repository",),
    positional=("words",),
    cases=search_cases,
    leading=("files",),
    run=run,
)
