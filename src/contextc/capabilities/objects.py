"""`objects.list` and `objects.get`: what a repository's layer holds, and one object whole."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Case, Session
from contextc.capabilities.devcontext_desk import ROOT, desk
from contextc.core.records.base import Count, Record
from contextc.errors import InputError, NotFound, PluginError, RepositoryError

if TYPE_CHECKING:
    from contextc.core.records.layer import LayerObject

#: Objects an answer lists when nobody says how many.
DEFAULT_LIMIT = 100

#: What stands in place of a text that holds a secret.
WITHHELD = "the text holds what looks like a secret"


class ObjectsListInput(Record, frozen=True, kw_only=True):
    """What `objects.list` is asked with."""

    kind: Annotated[str | None, Meta(description="Only objects of this kind, such as rule or issue.")] = None
    after: Annotated[
        str | None, Meta(description="Only what comes after this identifier: the `next` of an earlier answer.")
    ] = None
    limit: Annotated[Count, Meta(description="The most objects to list.")] = DEFAULT_LIMIT
    root: ROOT = "."


class Listed(Record, frozen=True, kw_only=True):
    """One object in a list."""

    uri: str
    kind: str
    title: str | None
    status: str | None
    path: Annotated[str, Meta(description="Relative to the root of the layer, with `/`.")]
    tokens: Annotated[Count, Meta(description="What it costs, at four bytes a token.")]


class ObjectList(Record, frozen=True, kw_only=True):
    """`contextc.objects.v1`: objects ascending by identifier."""

    objects: tuple[Listed, ...]
    total: Annotated[Count, Meta(description="All objects of the kind, listed or not.")]
    next: Annotated[str | None, Meta(description="Give this as `after` for what follows; null at the end.")]
    fingerprint: Annotated[str, Meta(description="Digest of all objects of the layer.")]
    schema_version: Literal["contextc.objects.v1"] = "contextc.objects.v1"


class ObjectsGetInput(Record, frozen=True, kw_only=True):
    """What `objects.get` is asked with."""

    uri: Annotated[str, Meta(description="The object's whole identifier, such as `majordomus://issue/I0001`.")]
    root: ROOT = "."


class ObjectAnswer(Record, frozen=True, kw_only=True):
    """`contextc.object.v1`: one object whole. `member` is its place in a file that lists several, like `claims.3`."""

    uri: str
    kind: str
    identity: str
    title: str | None
    description: str | None
    status: str | None
    metadata: Annotated[dict[str, Any], Meta(description="The fields it declares.")]
    content: Annotated[str | None, Meta(description="The text of the file, or of the member as JSON.")]
    withheld: Annotated[str | None, Meta(description="Why metadata and content are not given, when they are not.")]
    path: str
    member: str | None
    source_class: str
    section: str | None
    bytes: Annotated[Count, Meta(description="Size of the file.")]
    tokens: Annotated[Count, Meta(description="What the object costs, at four bytes a token.")]
    fingerprint: Annotated[str, Meta(description="Digest of all objects of the layer.")]
    schema_version: Literal["contextc.object.v1"] = "contextc.object.v1"


def list_objects(question: ObjectsListInput, session: Session) -> ObjectList:
    """List. Raises `NotFound` for a kind that no object has, and what reading a layer raises."""
    layer, _ = desk(question.root).layer()
    found = [one for one in layer.objects if question.kind in (None, one.kind)]
    if not found and question.kind is not None:
        kinds = sorted({one.kind for one in layer.objects})
        raise NotFound("no object is of this kind", where=question.kind, hint=f"there are: {', '.join(kinds)}")
    rest = [one for one in found if question.after is None or one.uri > question.after]
    shown = rest[: question.limit]
    return ObjectList(
        objects=tuple(_listed(one) for one in shown),
        total=len(found),
        next=shown[-1].uri if shown and len(rest) > len(shown) else None,
        fingerprint=layer.fingerprint,
    )


def get_object(question: ObjectsGetInput, session: Session) -> ObjectAnswer:
    """One object. Raises `NotFound` for an identifier the layer does not hold, and what reading a layer raises."""
    layer, _ = desk(question.root).layer()
    one = next((one for one in layer.objects if one.uri == question.uri), None)
    if one is None:
        near = get_close_matches(question.uri, [other.uri for other in layer.objects], n=3)
        raise NotFound(
            "the layer holds no object of this identifier",
            where=question.uri,
            hint=f"did you mean {' or '.join(near)}?" if near else "`objects list` shows all",
        )
    return _whole(one, layer.fingerprint)


def _listed(one: LayerObject) -> Listed:
    from contextc.core.devcontext.constants import tokens

    return Listed(
        uri=one.uri,
        kind=one.kind,
        title=one.title,
        status=one.status,
        path=one.path,
        tokens=tokens(one.cost_bytes),
    )


def _whole(one: LayerObject, fingerprint: str) -> ObjectAnswer:
    from contextc.core.devcontext.constants import tokens
    from contextc.frontend.sources import secret_content

    secret = secret_content(one.content) is not None
    return ObjectAnswer(
        uri=one.uri,
        kind=one.kind,
        identity=one.identity,
        title=one.title,
        description=None if secret else one.description,
        status=one.status,
        metadata={} if secret else dict(one.metadata),
        content=None if secret else one.content,
        withheld=WITHHELD if secret else None,
        path=one.path,
        member=one.member,
        source_class=one.source_class,
        section=one.section,
        bytes=one.bytes,
        tokens=tokens(one.cost_bytes),
        fingerprint=fingerprint,
    )


def list_in_words(answer: ObjectList) -> str:
    """A line an object."""
    from contextc.core.devcontext.words import fit_for_a_line

    lines = [f"{one.tokens:>7}  {one.uri}{f'  {one.title}' if one.title else ''}" for one in answer.objects]
    lines.append(f"{len(answer.objects)} of {answer.total} objects")
    if answer.next is not None:
        lines.append(f"more: --after {answer.next}")
    return "\n".join(map(fit_for_a_line, lines))


def get_in_words(answer: ObjectAnswer) -> str:
    """The text of the object."""
    return answer.content if answer.content is not None else f"{answer.uri}: withheld: {answer.withheld}"


def list_cases(root: str) -> tuple[Case, ...]:
    """All objects, and those of one kind."""
    kinds = sorted({one.kind for one in desk(root).layer()[0].objects})
    return (Case(name="all", given={}), Case(name="kind", given={"kind": kinds[0], "limit": 2}))


def get_cases(root: str) -> tuple[Case, ...]:
    """The first object."""
    return (Case(name="first", given={"uri": desk(root).layer()[0].objects[0].uri}),)


LIST = Capability(
    id="objects.list",
    summary="List the objects a repository's layer holds: identifier, kind, title, status, path and cost.",
    input=ObjectsListInput,
    output=(ObjectList,),
    effect="reads-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    in_words=list_in_words,
    tags=("context", "introspection"),
    exposed=("cli", "http"),
    path="objects",
    cases=list_cases,
    leading=("objects",),
    run=list_objects,
)

GET = Capability(
    id="objects.get",
    summary="Show one object of a repository's layer whole: its fields and its text.",
    input=ObjectsGetInput,
    output=(ObjectAnswer,),
    effect="reads-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    in_words=get_in_words,
    tags=("context", "introspection"),
    positional=("uri",),
    tool="object",
    cases=get_cases,
    leading=("content",),
    run=get_object,
)
