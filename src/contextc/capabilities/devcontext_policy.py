"""`devcontext.policy`: the rules by which `devcontext.compile` selects."""

from __future__ import annotations

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import empty_case
from contextc.core.records.base import Record
from contextc.core.records.devcontext import DevContextPolicy


class DevContextPolicyInput(Record, frozen=True, kw_only=True):
    """Nothing is asked: the rules are the same everywhere."""


def run(question: DevContextPolicyInput, session: Session) -> DevContextPolicy:
    """The rules."""
    from contextc.core.devcontext import policy

    return policy()


def in_words(answer: DevContextPolicy) -> str:
    """Tables."""
    from contextc.core.devcontext.words import policy_in_words

    return policy_in_words(answer)


CAPABILITY = Capability(
    id="devcontext.policy",
    summary="Show the rules of `devcontext compile`: tiers, weights of every relation, selectors, defaults.",
    input=DevContextPolicyInput,
    output=(DevContextPolicy,),
    effect="pure",
    errors=(),
    in_words=in_words,
    tags=("context", "introspection"),
    resource="contextc://devcontext/policy",
    cases=empty_case,
    run=run,
)
