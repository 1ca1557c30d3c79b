"""`devcontext.compile`: what work on something in a repository with a layer should be given, and why."""

from __future__ import annotations

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.capabilities.cases import devcontext_cases
from contextc.capabilities.devcontext_desk import ROOT, desk
from contextc.core.records.devcontext import CompiledContext, DevContextInput
from contextc.errors import InputError, NotFound, PluginError, RepositoryError


class DevContextCompileInput(DevContextInput, frozen=True, kw_only=True):
    """What `devcontext.compile` is asked with."""

    root: ROOT = "."


def run(question: DevContextCompileInput, session: Session) -> CompiledContext:
    """Compile. Raises `NotFound` and `InputError` for the request, and what reading a layer raises."""
    from contextc.core.devcontext import compile_devcontext

    return desk(question.root).answer("compile", question, compile_devcontext)


def verdict(answer: CompiledContext) -> Verdict:
    """Done, or over budget when what is required alone costs more than the limit."""
    return "over-budget" if answer.budget.over_budget else "done"


def in_words(answer: CompiledContext) -> str:
    """Columns of text."""
    from contextc.core.devcontext.words import compiled_in_words

    return compiled_in_words(answer)


CAPABILITY = Capability(
    id="devcontext.compile",
    summary="Select what work on an issue, a milestone, paths or an intent should be given from the repository's own "
    "records: each with its identifier, where it comes from, every way it was found, its tier and its cost; and what "
    "was left out, folded or in conflict. Within a budget, and the same for the same tree and request.",
    input=DevContextCompileInput,
    output=(CompiledContext,),
    effect="reads-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    verdict=verdict,
    in_words=in_words,
    tags=("context", "session", "planning", "introspection"),
    path="devcontext",
    tool="devcontext",
    cases=devcontext_cases,
    leading=("selected",),
    run=run,
)
