"""`bundle.diff`: two compilations, or one pool under two policies, and the decision behind each difference."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw
from msgspec.structs import replace

from contextc.capabilities.base import Capability, Session
from contextc.capabilities.cases import diff_cases
from contextc.capabilities.documents import Case, DocumentField, complete, read_case
from contextc.core.records.base import Record
from contextc.core.records.candidate import CandidatePool
from contextc.core.records.outcome import Result
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.errors import DocumentError, InputError, InternalError, UsageError

#: No document.
NONE = Raw(b"null")


class BundleDiffInput(Record, frozen=True, kw_only=True):
    """What `bundle.diff` is asked with: a second document, or another policy for the first one."""

    before: DocumentField
    # Not `Raw | None`: of that union the decoder takes only null.
    after: Annotated[Raw, Meta(description="The compilation to compare with.")] = msgspec.field(
        default_factory=lambda: NONE
    )
    policy: Annotated[
        Policy | None, Meta(description="Instead of a second compilation: compile the first again by this policy.")
    ] = None
    request: Annotated[Request | None, Meta(description="The request, where the first document does not hold it.")] = (
        None
    )
    candidates: Annotated[
        CandidatePool | None, Meta(description="The candidates, where the first document does not hold them.")
    ] = None


class ContentChange(Record, frozen=True, kw_only=True):
    """One content that differs, and the decision that did it."""

    content_identity: str
    kind: Literal["came in", "fell out", "other form"]
    before: tuple[str, ...]
    after: tuple[str, ...]
    code: str
    words: str


class Difference(Record, frozen=True, kw_only=True):
    """`contextc.difference.v1`: came in, fell out, other form; each ascending by content."""

    before: str
    after: str
    changes: tuple[ContentChange, ...]
    text: Annotated[str, Meta(description="The same in words.")]
    schema_version: Literal["contextc.difference.v1"] = "contextc.difference.v1"


def run(question: BundleDiffInput, session: Session) -> Difference:
    """Compare. Raises `UsageError` unless exactly one of `after` and `policy` is given."""
    given = bytes(question.after) != bytes(NONE)
    if given == (question.policy is not None):
        raise UsageError("expected a second compilation or a policy", hint="give AFTER, or --policy FILE")
    case = read_case(question.before, where="before", request=question.request, candidates=question.candidates)
    if given:
        after = read_case(question.after, where="after").result
        names = ("before", "after")
    else:
        assert question.policy is not None
        after = _again(case, question.policy)
        names = (case.result.policy_version, question.policy.policy_version)
        if names[0] == names[1]:
            names = ("before", "after")
    return _compare(case.result, after, case.pricing, names)


def _again(case: Case, policy: Policy) -> Result:
    from contextc.checked import compile_checked

    whole = complete(case, where="before")
    request = replace(whole.request, policy_version=policy.policy_version)
    return compile_checked(request, whole.candidates, policy, whole.pricing).result


def _compare(before: Result, after: Result, pricing: Pricing | None, names: tuple[str, str]) -> Difference:
    from contextc.core.explain import changes, difference

    found = changes(before, after, pricing=pricing)
    return Difference(
        before=names[0],
        after=names[1],
        changes=tuple(
            ContentChange(
                content_identity=change.content_identity,
                kind=change.kind,
                before=change.before,
                after=change.after,
                code=change.code,
                words=change.words,
            )
            for change in found
        ),
        text=difference(before, after, pricing=pricing, names=names),
    )


def in_words(answer: Difference) -> str:
    """The comparison in words."""
    return answer.text


CAPABILITY = Capability(
    id="bundle.diff",
    summary="Compare two compilations, or one pool under two policies, with the decision behind each difference.",
    input=BundleDiffInput,
    output=(Difference,),
    effect="pure",
    errors=(DocumentError, InputError, InternalError, UsageError),
    in_words=in_words,
    tags=("bundle", "audit"),
    positional=("before", "after"),
    exposed=("cli", "http"),
    cases=diff_cases,
    run=run,
)
