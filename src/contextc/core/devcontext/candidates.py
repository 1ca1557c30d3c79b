"""Everything one request has reached, each once, with all the ways it was reached (SPEC 4.3)."""

from __future__ import annotations

from collections.abc import Mapping

from contextc.core.devcontext.constants import (
    LIST_FACTS,
    SCALAR_FACTS,
    TIER_RANK,
    VERSION_FIELDS,
    tier_of,
    tokens,
)
from contextc.core.devcontext.graph import Graph, Node
from contextc.core.records.devcontext import Discovery, Excluded, ExclusionReason, Tier
from contextc.core.records.layer import LayerObject, LocalRecord, scalar_text


class Candidate:
    """One thing that was reached. `relevance` is the best of all offers, `depth` the least, `tier` the strongest."""

    __slots__ = (
        "_facts", "depth", "discoveries", "id", "kind", "object", "path", "relevance", "size", "status", "tier",
        "title",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        kind: str,
        title: str | None,
        path: str | None,
        status: str | None,
        facts: dict[str, str] | None,
        size: int,
        origin: LayerObject | None,
    ) -> None:
        self.id = name
        self.kind = kind
        self.title = title
        self.path = path
        self.status = status
        self._facts = facts
        self.size = size
        self.object = origin
        self.tier: Tier = tier_of(kind)
        self.relevance = 0.0
        self.depth = 0
        self.discoveries: list[Discovery] = []

    @property
    def facts(self) -> dict[str, str]:
        """What is worth knowing at a glance; of an object only made when somebody asks."""
        if self._facts is None:
            self._facts = facts_of(self.object) if self.object is not None else {}
        return self._facts

    @property
    def cost(self) -> int:
        """Estimated tokens."""
        return tokens(self.size)

    @property
    def confidence(self) -> float:
        """That of the surest discovery."""
        return max(found.confidence for found in self.discoveries)

    @property
    def blocking(self) -> bool:
        """Whether it is a rule that stops work."""
        return self.kind == "rule" and self.facts.get("class") == "blocking"

    @property
    def version(self) -> str | None:
        """The first of the fields that tell a version."""
        if self.object is None:
            return self.facts.get("created_at")
        texts = (scalar_text(self.object.metadata.get(field)) for field in VERSION_FIELDS)
        return next((text for text in texts if text is not None), None)

    def excluded(self, reason: ExclusionReason, detail: str) -> Excluded:
        """The row that says why it is not given."""
        return Excluded(
            uri=self.id,
            kind=self.kind,
            tier=self.tier,
            reason=reason,
            detail=detail,
            cost_tokens=self.cost,
            relevance=self.relevance,
        )


class Board:
    """The candidates of one request, and what was nearly one."""

    def __init__(self, graph: Graph, sizes: Mapping[str, int]) -> None:
        self._graph = graph
        self._sizes = sizes
        self.found: dict[str, Candidate] = {}
        self._missed: dict[str, tuple[ExclusionReason, float, str]] = {}

    def ordered(self) -> list[Candidate]:
        """All candidates ascending by identifier."""
        return [self.found[name] for name in sorted(self.found)]

    def offer(self, name: str, tier: Tier, relevance: float, depth: int, discovery: Discovery) -> None:
        """Reach something that the graph holds; anything else is ignored."""
        known = self.found.get(name)
        if known is None:
            node = self._graph.nodes.get(name)
            if node is None:
                return
            known = self.found[name] = self.of_node(node)
            known.tier, known.relevance, known.depth = tier, relevance, depth
        _add(known, tier, relevance, depth, discovery)

    def offer_local(self, record: LocalRecord, relevance: float, discovery: Discovery) -> None:
        """Add a record of the local half, which no graph holds."""
        name = f"local:{record.path}"
        made = Candidate(
            name, record.kind, record.path, record.path, record.divergence, dict(record.facts), record.bytes, None
        )
        made.tier, made.relevance = "knowledge", relevance
        made.discoveries.append(discovery)
        self.found[name] = made

    def miss(self, name: str, reason: ExclusionReason, relevance: float, detail: str) -> None:
        """Note something that fell below the floor (`relevance`) or lay beyond the depth (`depth`).

        `depth` goes before `relevance`, and then the greatest relevance: the reason that was the smallest obstacle.
        """
        known = self._missed.get(name)
        if known is None or (reason == "depth", relevance) > (known[0] == "depth", known[1]):
            self._missed[name] = (reason, relevance, detail)

    def missed(self) -> list[Excluded]:
        """What was nearly reached and never became a candidate."""
        rows = []
        for name, (reason, relevance, detail) in self._missed.items():
            node = self._graph.nodes.get(name)
            if node is not None and name not in self.found:
                nearly = self.of_node(node)
                nearly.relevance = relevance
                rows.append(nearly.excluded(reason, detail))
        return rows

    def of_node(self, node: Node) -> Candidate:
        """A node as a candidate nobody has reached yet."""
        one = node.object
        if one is None:
            size = self._sizes.get(node.path, 0) if node.path is not None else 0
            return Candidate(node.id, node.kind, node.label, node.path, node.status, {}, size, None)
        return Candidate(node.id, one.kind, one.title, one.path, one.status, None, one.cost_bytes, one)


def _add(known: Candidate, tier: Tier, relevance: float, depth: int, discovery: Discovery) -> None:
    known.relevance = max(known.relevance, relevance)
    known.depth = min(known.depth, depth)
    if TIER_RANK[tier] < TIER_RANK[known.tier]:
        known.tier = tier
    for index, old in enumerate(known.discoveries):
        if (old.selector, old.edge, old.reason) == (discovery.selector, discovery.edge, discovery.reason):
            if (-discovery.depth, discovery.weight) > (-old.depth, old.weight):
                known.discoveries[index] = discovery
            return
    known.discoveries.append(discovery)


def facts_of(one: LayerObject) -> dict[str, str]:
    """What is worth knowing of an object at a glance."""
    facts: dict[str, str] = {}
    for field in SCALAR_FACTS:
        text = scalar_text(one.metadata.get(field))
        if text is not None:
            facts[field] = text
    for field in LIST_FACTS:
        value = one.metadata.get(field)
        if isinstance(value, list) and value:
            facts[field] = ", ".join(text for text in (scalar_text(item) for item in value) if text is not None)
    return facts
