"""`index.status`: what the index knows of a repository."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import empty_case
from contextc.core.records.answer import LeftOut
from contextc.core.records.base import Count, Record
from contextc.errors import NotFound, PluginError, RepositoryError


class IndexStatusInput(Record, frozen=True, kw_only=True):
    """What `index.status` is asked with."""

    root: Annotated[str, Meta(description="The repository, or a directory in it.")] = "."
    rev: Annotated[str | None, Meta(description="This commit instead of the working tree.")] = None


class IndexStatus(Record, frozen=True, kw_only=True):
    """`contextc.index-status.v1`: figures over the files of the snapshot."""

    source: Annotated[str, Meta(description="commit, worktree or directory.")]
    commit: str | None
    tree: Annotated[str, Meta(description="Digest of all paths and contents.")]
    files: Annotated[Count, Meta(description="Readable text files.")]
    bytes: Annotated[Count, Meta(description="Bytes of them.")]
    lines: Annotated[Count, Meta(description="Lines of them.")]
    definitions: Annotated[Count, Meta(description="Definitions found in them.")]
    languages: Annotated[dict[str, int], Meta(description="Files by language; empty where none is known.")]
    partly_parsed: Annotated[tuple[str, ...], Meta(description="Files in which a grammar met errors.")]
    left_out: Annotated[tuple[LeftOut, ...], Meta(description="Paths that are listed and not read.")]
    schema_version: Literal["contextc.index-status.v1"] = "contextc.index-status.v1"


def run(question: IndexStatusInput, session: Session) -> IndexStatus:
    """List and index, and say what is there. Raises what reading a repository raises."""
    from contextc.frontend.sources import display_path
    from contextc.pipeline import Job, open_repository

    cache_dir = Path(session.cache_dir) if session.cache_dir else None
    opened = open_repository(Job(root=question.root, rev=question.rev, cache_dir=cache_dir), session.progress)
    files = opened.view.files
    languages = Counter(file.facts.language for file in files)
    return IndexStatus(
        source=opened.snapshot.kind,
        commit=opened.snapshot.commit,
        tree=opened.snapshot.digest,
        files=len(files),
        bytes=sum(file.facts.size for file in files),
        lines=sum(file.facts.lines for file in files),
        definitions=sum(1 for file in files for symbol in file.facts.symbols if symbol.kind != "heading"),
        languages=dict(sorted(languages.items())),
        partly_parsed=tuple(display_path(file.path) for file in files if file.facts.parsed == "partial"),
        left_out=tuple(
            LeftOut(path=display_path(o.path), reason=o.reason, detail=o.detail) for o in opened.view.left_out
        ),
    )


def in_words(status: IndexStatus) -> str:
    """A few lines of figures."""
    languages = sorted(status.languages.items(), key=lambda pair: (-pair[1], pair[0]))
    lines = [
        f"{status.source} {status.commit or ''}".rstrip(),
        f"{status.files} files, {status.lines} lines, {status.bytes} bytes, {status.definitions} definitions",
        "languages: " + ", ".join(f"{name or 'other'} {count}" for name, count in languages),
        f"parsed in part: {len(status.partly_parsed)}",
        f"left out: {len(status.left_out)}",
        *(f"  {left.path} ({left.reason})" for left in status.left_out),
    ]
    return "\n".join(lines)


CAPABILITY = Capability(
    id="index.status",
    summary="Say what the index knows of a repository: files, languages, what is left out and why.",
    input=IndexStatusInput,
    output=(IndexStatus,),
    effect="writes-index",
    errors=(NotFound, PluginError, RepositoryError),
    in_words=in_words,
    tags=("repository",),
    exposed=("cli", "http"),
    cases=empty_case,
    run=run,
)
