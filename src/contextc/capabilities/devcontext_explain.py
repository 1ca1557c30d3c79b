"""`devcontext.explain`: why something is, or is not, in the answer to a request."""

from __future__ import annotations

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import explain_cases
from contextc.capabilities.devcontext_desk import ROOT, desk
from contextc.core.records.devcontext import ExplainInput, Explanation
from contextc.errors import InputError, NotFound, PluginError, RepositoryError


class DevContextExplainInput(ExplainInput, frozen=True, kw_only=True):
    """What `devcontext.explain` is asked with."""

    root: ROOT = "."


def run(question: DevContextExplainInput, session: Session) -> Explanation:
    """Explain. Raises what `devcontext.compile` raises, and `InputError` for a blank identifier."""
    from contextc.core.devcontext import explain_devcontext

    return desk(question.root).answer("explain", question, lambda *rest: explain_devcontext(question.uri, *rest))


def in_words(answer: Explanation) -> str:
    """A few lines."""
    from contextc.core.devcontext.words import explained_in_words

    return explained_in_words(answer)


CAPABILITY = Capability(
    id="devcontext.explain",
    summary="Say why an identifier is, or is not, in the answer of `devcontext compile` to the same request.",
    input=DevContextExplainInput,
    output=(Explanation,),
    effect="reads-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    in_words=in_words,
    tags=("context", "introspection"),
    positional=("uri",),
    tool="explain",
    cases=explain_cases,
    run=run,
)
