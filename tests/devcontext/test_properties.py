"""Random layers and requests: the walk against all ways tried by hand, and what holds of every answer."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.devcontext.answers import ask, layer_of
from tests.devcontext.builder import base, issue, markdown, rule

from contextc.core.devcontext import build_graph
from contextc.core.devcontext.constants import EDGES
from contextc.core.devcontext.order import natural
from contextc.core.records.canonical import canonical_json
from contextc.core.records.layer import Layer

NAMES = ("a", "b", "c", "d", "e")
names = st.sampled_from(NAMES)
several = st.lists(names, max_size=3, unique=True)


@st.composite
def layers(draw: st.DrawFn) -> dict[str, str]:
    """Rules, issues, milestones, decisions and claims that name each other, and some that name nothing."""
    files = base(("claims", "claim", "docs/CLAIMS.yaml", False))
    claims = ["version: 1", "claims:"]
    for name in NAMES:
        status = draw(st.sampled_from(("active", "active", "deprecated")))
        klass = draw(st.sampled_from(("advisory", "blocking")))
        files[f".ai/repo/rules/{name}.md"] = rule(
            name, draw(st.integers(1, 2)), depends_on=listed(draw(several)), status=status, klass=klass
        )
        more = f"depends_on: {listed(draw(several))}\nscope: {listed(draw(several), 'lib/')}\n"
        files[f".ai/repo/project/issues/{name}.yaml"] = issue(name, draw(names), more)
        files[f".ai/repo/project/milestones/{name}.yaml"] = (
            f"id: {name}\ntitle: T\ndepends_on: {listed(draw(several))}\n"
        )
        files[f".ai/repo/adrs/000{NAMES.index(name)}-x.md"] = markdown(
            schema="adr/v1",
            id=name,
            title=f"Decision {name}",
            supersedes=listed(draw(several)),
            related=listed(draw(several), "rule:"),
        )
        files[f"lib/{name}.sh"] = "x" * draw(st.integers(0, 400))
        claims += [f"  - id: {name}", f"    claim: Claim {name}", f"    implementation: lib/{draw(names)}.sh"]
    files["docs/CLAIMS.yaml"] = "\n".join(claims) + "\n"
    return files


def listed(values: list[str], prefix: str = "") -> str:
    return "[" + ", ".join(f"'{prefix}{value}'" for value in values) + "]"


requests = st.fixed_dictionaries(
    {},
    optional={
        "issue": names,
        "milestone": names,
        "intent": st.sampled_from(("claim decision", "rule objective", "a b c", "nothing here matches")),
        "paths": st.lists(st.sampled_from(("lib", "lib/a.sh", ".ai/repo", "none")), max_size=2).map(tuple),
        "uris": st.lists(names.map(lambda name: f"majordomus://adr/{name}"), max_size=2).map(tuple),
        "budget_tokens": st.integers(1, 3_000),
        "max_depth": st.integers(0, 5),
        "floor": st.floats(0, 1),
        "all_blocking_rules": st.booleans(),
    },
)


@settings(max_examples=60)
@given(layers(), requests)
def test_every_answer_holds_its_invariants_and_is_the_same_again(
    files: dict[str, str], request: dict[str, object]
) -> None:
    first = ask(layer_of(files), **request)
    second = ask(layer_of(dict(sorted(files.items(), reverse=True))), **request)
    assert canonical_json(first) == canonical_json(second)


@settings(max_examples=40)
@given(layers(), names, st.integers(0, 4), st.sampled_from((0.1, 0.25, 0.5)))
def test_the_walk_finds_the_best_product_of_all_ways(
    files: dict[str, str], seed: str, depth: int, floor: float
) -> None:
    layer = layer_of(files)
    start = f"majordomus://issue/{seed}"
    best = best_of_all_ways(layer, start, depth, floor)
    answer = ask(layer, issue=seed, max_depth=depth, floor=floor, budget_tokens=10**9)
    reached = {
        one.uri: one for one in answer.selected if any(f.selector in ("seed", "relation") for f in one.discovered_by)
    }
    for uri, one in reached.items():
        other = max([f.weight for f in one.discovered_by if f.selector not in ("seed", "relation")], default=0.0)
        assert abs(one.relevance - max(best[uri], other)) <= 0.0005000001
    gone = {row.uri: row for row in answer.excluded}
    for uri in best:
        assert uri in reached or gone[uri].reason in ("stale", "superseded", "unresolved")
    for uri, row in gone.items():
        if row.reason in ("relevance", "depth"):
            assert uri not in best


def best_of_all_ways(layer: Layer, start: str, depth: int, floor: float) -> dict[str, float]:
    """Every way of at most `depth` hops, tried one by one."""
    edges = [edge for edge in build_graph(layer).edges if edge[2] in EDGES]
    best = {start: 1.0}

    def go(place: str, relevance: float, left: int) -> None:
        if left == 0:
            return
        for source, target, kind in edges:
            for other, weight in ((target, EDGES[kind].forward),) if source == place else ():
                step(other, relevance * weight, left)
            for other, weight in ((source, EDGES[kind].reverse),) if target == place else ():
                step(other, relevance * weight, left)

    def step(other: str, relevance: float, left: int) -> None:
        # A way that comes to a place no better and no earlier than another cannot lead to anything better.
        if relevance < floor or (seen.get((other, left), -1.0) >= relevance):
            return
        seen[other, left] = relevance
        best[other] = max(best.get(other, 0.0), relevance)
        go(other, relevance, left - 1)

    seen: dict[tuple[str, int], float] = {}
    go(start, 1.0, depth)
    return best


@given(st.lists(st.text(alphabet="aB0129-/", max_size=6), max_size=8))
def test_the_natural_order_is_total(texts: list[str]) -> None:
    ordered = sorted(texts, key=natural)
    backwards = texts[::-1]
    assert sorted(backwards, key=natural) == ordered
    for one, other in pairwise(ordered):
        assert one == other or natural(one) < natural(other)
