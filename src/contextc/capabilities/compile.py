"""`compile`: repository + task + budget -> a checked bundle, or a refusal with a proof."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.core.records.answer import Answer
from contextc.core.records.base import Count, Record
from contextc.core.records.policy import Policy
from contextc.errors import DocumentError, InputError, InternalError, NotFound, PluginError, RepositoryError, UsageError

#: Tokens a bundle may cost when nobody says: a tenth of the window of a common model, room for the work itself.
DEFAULT_BUDGET = 24_000


class CompileInput(Record, frozen=True, kw_only=True):
    """What `compile` is asked with."""

    intent: Annotated[str, Meta(description="The task in words: an issue, a question, what is to change.")] = ""
    paths: Annotated[
        tuple[str, ...],
        Meta(description="A file or directory the task is about; it must be in the bundle. May be repeated."),
    ] = ()
    budget: Annotated[Count, Meta(description="The most tokens the delivered text may cost.")] = DEFAULT_BUDGET
    root: Annotated[str, Meta(description="The repository, or a directory in it.")] = "."
    rev: Annotated[
        str | None, Meta(description="Compile this commit instead of the working tree: any name git knows.")
    ] = None
    format: Annotated[
        Literal["markdown", "xml", "plain"], Meta(description="How the bundle is written.")
    ] = "markdown"
    counter: Annotated[
        Literal["o200k_base", "bytes4", "words13"], Meta(description="How tokens are counted.")
    ] = "o200k_base"
    policy: Annotated[Policy | None, Meta(description="Another policy than the built-in compiler-policy-v2.")] = None
    untracked: Annotated[bool, Meta(description="Read files too that git does not track and does not ignore.")] = False


def run(question: CompileInput, session: Session) -> Answer:
    """Compile. Raises `UsageError` without a task, and what reading a repository raises."""
    return compile_repository(question, session).answer
