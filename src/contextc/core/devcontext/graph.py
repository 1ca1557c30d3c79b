"""The composed graph: objects, and what they name (SPEC 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from contextc.core.devcontext.constants import REFUSED
from contextc.core.records.layer import Layer, LayerObject, strings

#: How a reference is resolved (SPEC 3.2).
#: object      an object of `kind`; else, with `otherwise`, an external node of that name
#: name        always an external node `kind:<name>`
#: path        the object with this path, else `file:<path>`
#: prefixed    `<kind>:<name>`, any of the above by its kind
Resolution = Literal["object", "name", "path", "prefixed"]


class Reference(NamedTuple):
    """A field that holds references. `reverse`: the edge is drawn from what is named to what names it."""

    declared_by: str
    field: str
    edge: str
    resolution: Resolution
    kind: str = ""
    otherwise: str = ""
    reverse: bool = False


ANY = "*"
REFERENCES: tuple[Reference, ...] = (
    Reference("rule", "depends_on", "depends_on", "object", "rule"),
    Reference("adr", "supersedes", "supersedes", "object", "adr"),
    Reference("adr", "related", "put_in_force", "prefixed"),
    Reference("skill", "related", "related_to", "object", "skill"),
    Reference("use-case", "commands", "runs", "name", "command"),
    Reference("use-case", "doctrines", "exercises", "object", "rule", "doctrine"),
    Reference("use-case", "claims", "evidences", "object", "claim"),
    Reference(ANY, "tracks", "tracks", "path"),
    Reference("claim", "source", "defined_in", "path"),
    Reference("claim", "implementation", "implemented_by", "path"),
    Reference("claim", "test", "tested_by", "path"),
    Reference("issue", "milestone", "belongs_to", "object", "milestone"),
    Reference("issue", "depends_on", "depends_on", "object", "issue"),
    Reference("milestone", "depends_on", "depends_on", "object", "milestone"),
    Reference("milestone", "claims", "evidences", "object", "claim"),
    Reference("use-case", "applications", "serves", "object", "application"),
    Reference("application", "use_cases", "serves", "object", "use-case", reverse=True),
    Reference("application", "doctrines", "governed_by", "object", "rule", "doctrine"),
    # Which tools another program exposes is not known here, so the name stands for itself.
    Reference("use-case", "mcp_tools", "exercises", "name", "capability"),
)
#: A value that says on purpose that there is none.
ABSENT = "-"
#: The scheme of layers that are made by convention.
ORDINARY = "contextc"


class Node(NamedTuple):
    """Something in the graph. `path` is set for files, tests and objects."""

    id: str
    kind: str
    label: str
    path: str | None
    status: str | None
    object: LayerObject | None


class Step(NamedTuple):
    """An edge as seen from one of its ends."""

    other: str
    edge: str
    forward: bool


class Finding(NamedTuple):
    """A reference to nothing: the file, the field, what it says, and what to do."""

    declared_in: str
    key: str
    reference: str
    correction: str


class Graph(NamedTuple):
    """`edges` ascending by (source, target, kind), each once; `steps` are those that may be followed, by end: first the
    outgoing, then the incoming, each in the order of edges."""

    nodes: Mapping[str, Node]
    edges: tuple[tuple[str, str, str], ...]
    steps: Mapping[str, tuple[Step, ...]]
    findings: tuple[Finding, ...]


def build_graph(layer: Layer) -> Graph:
    """The graph of a layer. There is no limit on nodes."""
    nodes: dict[str, Node] = {}
    for kind in sorted({one.kind for one in layer.objects}):
        nodes[f"kind:{kind}"] = Node(f"kind:{kind}", "kind", kind, None, None, None)
    for one in layer.objects:
        nodes[one.uri] = Node(one.uri, one.kind, one.title or one.identity, one.path, one.status, one)
    resolver = _Resolver(layer)
    # An ordinary repository is read by many conventions, which give all their relations themselves.
    declared = () if layer.scheme == ORDINARY else REFERENCES
    edges: set[tuple[str, str, str]] = set()
    findings: set[Finding] = set()
    for one in layer.objects:
        edges.add((one.uri, f"kind:{one.kind}", "is_a"))
        for reference in declared:
            if reference.declared_by not in (ANY, one.kind):
                continue
            for text in strings(one.metadata.get(reference.field)):
                if text == ABSENT:
                    continue
                target = resolver.resolve(reference, text)
                if isinstance(target, str):
                    findings.add(Finding(one.path, reference.field, text, target))
                    continue
                nodes.setdefault(target.id, target)
                ends = (target.id, one.uri) if reference.reverse else (one.uri, target.id)
                edges.add((*ends, reference.edge))
        for relation in one.relations:
            found = relation.correction or resolver.prefixed(relation.target)
            if isinstance(found, str):
                findings.add(Finding(one.path, relation.field, relation.target, found))
                continue
            nodes.setdefault(found.id, found)
            edges.add((found.id, one.uri, relation.edge) if relation.backward else (one.uri, found.id, relation.edge))
    ordered = tuple(sorted(edges))
    return Graph(dict(sorted(nodes.items())), ordered, _steps(ordered), tuple(sorted(findings)))


class _Resolver:
    """What references mean in one layer."""

    def __init__(self, layer: Layer) -> None:
        self.scheme = layer.scheme
        self.exact: dict[tuple[str, str], Node] = {}
        self.bare: dict[tuple[str, str], Node] = {}
        self.paths: dict[str, Node] = {}
        self.kinds = {one.kind for one in layer.objects}
        for one in layer.objects:
            node = Node(one.uri, one.kind, one.title or one.identity, one.path, one.status, one)
            self.exact[one.kind, one.identity] = node
            # Objects come by identifier, so of several versions the first in text order answers to the bare name,
            # and of several members of a file the last to its path.
            self.bare.setdefault((one.kind, one.identity.partition("@")[0]), node)
            self.paths[one.path] = node

    def resolve(self, reference: Reference, text: str) -> Node | str:
        """The node that is meant, or what to do when nothing is."""
        if reference.resolution == "path":
            return self.path(text, "file")
        if reference.resolution == "prefixed":
            return self.prefixed(text)
        found = self.object(reference.kind, text) if reference.resolution == "object" else None
        if found is not None:
            return found
        external = reference.otherwise if reference.resolution == "object" else reference.kind
        return _external(external, text) if external else _correction(reference.kind, text)

    def object(self, kind: str, text: str) -> Node | None:
        return self.exact.get((kind, text)) or self.bare.get((kind, text))

    def path(self, text: str, kind: str) -> Node:
        return self.paths.get(text) or Node(f"{kind}:{text}", kind, text.rpartition("/")[2], text, None, None)

    def prefixed(self, text: str) -> Node | str:
        kind, colon, name = text.partition(":")
        if not colon:
            return f"write it as <kind>:<name>, for example rule:{text}"
        if kind in ("file", "test"):
            return self.path(name, kind)
        found = self.object(kind, name)
        if found is not None:
            return found
        return _correction(kind, name) if kind in self.kinds else _external(kind, name)


def _external(kind: str, name: str) -> Node:
    return Node(f"{kind}:{name}", kind, name.rpartition("/")[2], None, None, None)


def _correction(kind: str, name: str) -> str:
    article = "an" if kind[:1] in "aeio" else "a"
    return f"add {article} {kind} with the identity {name!r}, or write the identity of one that is there"


def _steps(edges: Iterable[tuple[str, str, str]]) -> dict[str, tuple[Step, ...]]:
    outgoing: dict[str, list[Step]] = {}
    incoming: dict[str, list[Step]] = {}
    for source, target, kind in edges:
        if kind in REFUSED:
            continue
        outgoing.setdefault(source, []).append(Step(target, kind, True))
        incoming.setdefault(target, []).append(Step(source, kind, False))
    ends = sorted(outgoing.keys() | incoming.keys())
    return {end: tuple(outgoing.get(end, [])) + tuple(incoming.get(end, [])) for end in ends}
