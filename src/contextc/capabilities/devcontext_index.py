"""`devcontext.index`: what a repository's layer holds, what could not be read, and what leads nowhere."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.capabilities.cases import empty_case
from contextc.capabilities.devcontext_desk import ROOT, desk
from contextc.core.records.base import Count, Record
from contextc.core.records.devcontext import Severity
from contextc.errors import InputError, NotFound, PluginError, RepositoryError


class DevContextIndexInput(Record, frozen=True, kw_only=True):
    """What `devcontext.index` is asked with."""

    root: ROOT = "."


class Remark(Record, frozen=True, kw_only=True):
    """Something about one file. `line` counts from 1; 0 means the whole file."""

    severity: Severity
    code: Annotated[str, Meta(description="A stable name of what is wrong.")]
    path: str
    line: Count
    message: str


class Dangling(Record, frozen=True, kw_only=True):
    """A reference to nothing."""

    path: Annotated[str, Meta(description="The file that declares it.")]
    field: str
    reference: str
    correction: Annotated[str, Meta(description="What to do.")]


class LayerStatus(Record, frozen=True, kw_only=True):
    """`contextc.layer-status.v1`: degraded exactly when a file of the layer gives less than it should."""

    fingerprint: str
    objects: Annotated[dict[str, int], Meta(description="Objects by kind.")]
    edges: Annotated[dict[str, int], Meta(description="Relations by kind.")]
    degraded: bool
    diagnostics: tuple[Remark, ...]
    dangling: tuple[Dangling, ...]
    schema_version: Literal["contextc.layer-status.v1"] = "contextc.layer-status.v1"


def run(question: DevContextIndexInput, session: Session) -> LayerStatus:
    """Index and say what is there. Raises what reading a layer raises."""
    layer, graph = desk(question.root).layer()
    return LayerStatus(
        fingerprint=layer.fingerprint,
        objects=dict(sorted(Counter(one.kind for one in layer.objects).items())),
        edges=dict(sorted(Counter(kind for _, _, kind in graph.edges).items())),
        degraded=any(one.severity == "error" for one in layer.diagnostics),
        diagnostics=tuple(
            Remark(severity=one.severity, code=one.code, path=one.path, line=one.line, message=one.message)
            for one in layer.diagnostics
        ),
        dangling=tuple(
            Dangling(path=one.declared_in, field=one.key, reference=one.reference, correction=one.correction)
            for one in graph.findings
        ),
    )


def verdict(status: LayerStatus) -> Verdict:
    """Problems when a record could not be read or a reference leads nowhere."""
    return "problems" if status.degraded or status.dangling else "done"


def in_words(status: LayerStatus) -> str:
    """Figures, then a line for everything that is not as it should be."""
    from contextc.core.devcontext.words import fit_for_a_line

    lines = [f"index {status.fingerprint[:12]}: {sum(status.objects.values())} objects"]
    lines += [f"  {count:>5} {kind}" for kind, count in status.objects.items()]
    lines += ["relations"]
    lines += [f"  {count:>5} {kind}" for kind, count in status.edges.items()]
    for one in status.diagnostics:
        place = f"{one.path}:{one.line}" if one.line else one.path
        lines.append(f"{one.severity:<8} {place}: {one.message} [{one.code}]")
    for dangling in status.dangling:
        where = f"{dangling.path}: `{dangling.field}` names {dangling.reference!r}, which is not there"
        lines.append(f"{'dangling':<8} {where}; {dangling.correction}")
    return "\n".join(map(fit_for_a_line, lines))


CAPABILITY = Capability(
    id="devcontext.index",
    summary="Say what a repository's layer holds, which records cannot be read, and which references lead nowhere.",
    input=DevContextIndexInput,
    output=(LayerStatus,),
    effect="reads-repository",
    errors=(InputError, NotFound, PluginError, RepositoryError),
    verdict=verdict,
    in_words=in_words,
    tags=("context", "introspection"),
    exposed=("cli", "http"),
    cases=empty_case,
    run=run,
)
