"""`devcontext.compile` over the small layer: the invariants of SPEC 7, and a case for each row of SPEC 4."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.conftest import SHARED
from tests.devcontext.answers import ask, entry, excluded, layer_of, selected
from tests.devcontext.builder import base, contract, issue, markdown, rule, small_layer

from contextc.core.devcontext import build_graph, policy
from contextc.core.devcontext.constants import EDGES, tokens
from contextc.core.devcontext.order import natural, rounded, under, versioned
from contextc.core.devcontext.selectors import terms_of
from contextc.core.records.canonical import canonical_json
from contextc.core.records.codec import convert
from contextc.core.records.devcontext import DevContextInput
from contextc.core.records.layer import GitFacts, Layer, LocalRecord, LocalState
from contextc.core.records.schema import schema_of
from contextc.errors import DocumentError, InputError, NotFound

POLICY = "policy/.ai/repo/policy.yaml"
SCOPE = "scope/.ai/repo/scope.yaml"
COMMIT = "2dd5915d62182c8c35f609391a23c355fad1134a"


@pytest.fixture(scope="module")
def small() -> Layer:
    return layer_of(small_layer())


def ways(one: Any) -> set[tuple[str, str | None]]:
    return {(found.selector, found.edge) for found in one.discovered_by}


# SPEC 7, by its numbers


def test_1_without_a_seed_policy_and_scope_are_given_and_required(small: Layer) -> None:
    answer = ask(small)
    assert answer.schema == 1
    assert answer.fingerprint == small.fingerprint
    assert answer.seeds == ()
    for uri in (POLICY, SCOPE):
        assert entry(answer, uri).required
        assert entry(answer, uri).relevance == 1.0
    assert answer.budget.limit_tokens == 24_000
    assert (answer.git.branch, answer.git.working_tree) == ("master", "clean")


def test_2_an_issue_brings_its_milestone_and_what_depends_on_it(small: Layer) -> None:
    answer = ask(small, issue="I0001")
    one = entry(answer, "issue/I0001")
    assert (one.tier, one.required, one.relevance, one.depth) == ("task", True, 1.0, 0)
    assert one.discovered_by[0].selector == "seed"
    assert one.facts["milestone"] == "m1"
    assert one.facts["scope"] == "lib"
    assert one.provenance.source_class == "issue"
    assert one.provenance.section == "project"
    milestone = entry(answer, "milestone/m1")
    assert (milestone.relevance, milestone.depth, milestone.confidence) == (0.95, 1, 1.0)
    assert milestone.discovered_by[0].edge == "belongs_to"
    assert milestone.discovered_by[0].via == "majordomus://issue/I0001"
    assert entry(answer, "issue/I0002").relevance == 0.6


def test_3_a_milestone_brings_its_issues_and_the_code_of_their_scope(small: Layer) -> None:
    answer = ask(small, milestone="m1")
    for uri in ("issue/I0001", "issue/I0002"):
        reasons = [found.reason for found in entry(answer, uri).discovered_by if found.edge == "belongs_to"]
        assert "same milestone" in reasons[0]
    assert entry(answer, "implementation/lib/thing.sh").tier == "source"


@pytest.mark.parametrize(
    "request_, error, word",
    [
        ({"issue": "I9999"}, NotFound, "I9999"),
        ({"milestone": "m9"}, NotFound, "m9"),
        ({"uris": ("majordomus://rule/none@1",)}, NotFound, "majordomus://rule/none@1"),
        ({"uris": (" majordomus://rule/alpha@1",)}, NotFound, " majordomus://rule/alpha@1"),
        ({"paths": ("../outside",)}, InputError, "../outside"),
        ({"paths": ("lib/../../x",)}, InputError, "lib/../../x"),
        ({"paths": ("/etc",)}, InputError, "/etc"),
        ({"paths": ("./",)}, InputError, "./"),
        ({"paths": ("  ",)}, InputError, "  "),
        ({"issue": "  "}, InputError, "issue"),
        ({"milestone": ""}, InputError, "milestone"),
        ({"budget_tokens": 0}, InputError, "zero"),
        ({"floor": 2.0}, InputError, "2.0"),
        ({"floor": -0.1}, InputError, "floor"),
        ({"floor": float("nan")}, InputError, "floor"),
        ({"budget_tokens": 0, "floor": 2.0}, InputError, "zero"),
        ({"floor": 2.0, "issue": "I9999"}, InputError, "floor"),
        ({"issue": "I9999", "milestone": "m9"}, NotFound, "I9999"),
        ({"milestone": "m9", "uris": ("x",)}, NotFound, "m9"),
        ({"uris": ("x",), "paths": ("/",)}, NotFound, "'x'"),
    ],
)
def test_4_a_request_that_cannot_be_answered_names_what_is_wrong(
    small: Layer, request_: dict[str, Any], error: type[InputError], word: str
) -> None:
    with pytest.raises(error) as caught:
        ask(small, **request_)
    assert (type(caught.value) is NotFound) == (error is NotFound)
    assert word in f"{caught.value.message} {caught.value.where}"


def test_5_the_same_request_is_the_same_bytes_whatever_the_order_of_files() -> None:
    files = small_layer()
    shuffled = dict(reversed(files.items()))
    one = ask(layer_of(files), issue="I0001", intent="the first decision")
    other = ask(layer_of(shuffled), issue="I0001", intent="the first decision")
    assert canonical_json(one) == canonical_json(other)


def test_6_a_budget_of_one_token_gives_what_is_required_and_is_over(small: Layer) -> None:
    answer = ask(small, issue="I0001", budget_tokens=1)
    assert answer.budget.over_budget
    assert "budget" in excluded(answer).values()
    assert all(one.required for one in answer.selected)
    large = ask(small, issue="I0001", budget_tokens=100_000)
    assert len(large.selected) > len(answer.selected)
    assert not large.budget.over_budget


def test_7_with_little_budget_a_later_tier_never_takes_room_from_an_earlier_one(small: Layer) -> None:
    for limit in range(1, 1200, 13):
        answer = ask(small, issue="I0001", budget_tokens=limit)
        dropped = [row for row in answer.excluded if row.reason == "budget"]
        tiers = [row.tier for row in answer.budget.tiers]
        for row in dropped:
            for one in answer.selected:
                if not one.required and tiers.index(one.tier) > tiers.index(row.tier):
                    assert one.cost_tokens <= row.cost_tokens
    assert "task" not in {row.tier for row in ask(small, issue="I0001", budget_tokens=400).excluded}


def test_8_several_ways_to_one_thing_are_one_entry(small: Layer) -> None:
    answer = ask(small, issue="I0001", milestone="m1")
    (row,) = [row for row in answer.deduplicated if row.kept == "majordomus://issue/I0001"]
    assert (row.key, row.dropped) == ("uri", ())
    assert row.paths == len(entry(answer, "issue/I0001").discovered_by)
    assert row.detail == f"{row.paths} discovery paths: relation(belongs_to), relation(depends_on), seed"


def test_9_a_replaced_decision_is_out(small: Layer) -> None:
    answer = ask(small, uris=("majordomus://adr/adr-0002",))
    (conflict,) = answer.conflicts
    assert (conflict.kind, conflict.current, conflict.against) == (
        "supersedes",
        "majordomus://adr/adr-0002",
        "majordomus://adr/adr-0001",
    )
    assert "stands in for" in conflict.detail
    assert excluded(answer)["adr/adr-0001"] == "superseded"


def test_9_a_replaced_decision_that_was_named_stays(small: Layer) -> None:
    answer = ask(small, uris=("majordomus://adr/adr-0001",))
    assert "adr/adr-0001" in selected(answer)
    assert not answer.conflicts


def test_10_a_deprecated_rule_is_out_unless_it_was_named(small: Layer) -> None:
    reached = ask(small, uris=("majordomus://rule/alpha@1",))
    assert excluded(reached)["rule/gamma@1"] == "stale"
    assert "deprecated" in next(row.detail for row in reached.excluded if row.uri.endswith("gamma@1"))
    named = ask(small, uris=("majordomus://rule/gamma@1",))
    assert entry(named, "rule/gamma@1").required
    (warning,) = [one for one in named.diagnostics if one.code == "stale_seed"]
    assert "majordomus://rule/gamma@1" in warning.message
    assert "deprecated" in warning.message
    assert warning.path == ".ai/repo/rules/gamma.md"


def test_11_what_only_words_found_says_so_and_is_less_relevant(small: Layer) -> None:
    answer = ask(small, intent="decision")
    found = [one for one in answer.selected if one.kind == "adr"]
    assert found
    for one in found:
        assert ways(one) <= {("intent_match", None)} | {("relation", "supersedes")}
        assert one.relevance == 0.6
        assert "intent" in one.discovered_by[0].reason
        assert "decision" in one.discovered_by[0].reason


def test_12_a_path_brings_code_and_contracts(small: Layer) -> None:
    answer = ask(small, paths=("lib",))
    code = entry(answer, "implementation/lib/thing.sh")
    assert (code.tier, code.relevance, ways(code)) == ("source", 0.8, {("scope_path", None)})
    assert (code.discovered_by[0].via, code.discovered_by[0].depth) == ("lib", 1)
    root = entry(answer, "context/ai.layer")
    assert (root.tier, root.relevance, ways(root)) == ("governance", 0.85, {("contract", None)})
    assert answer.seeds[0].kind == "path"
    inside = selected(ask(small, paths=(".ai/repo/rules",)))
    assert {"context/ai.layer", "context/ai.repo.rules"} <= set(inside)


def test_13_a_session_that_changed_the_work_is_knowledge(small: Layer) -> None:
    one = entry(ask(small, issue="I0001"), "session/s-1")
    assert (one.tier, one.relevance, ways(one)) == ("knowledge", 0.75, {("session_state", None)})
    assert "changed 1 file " in one.discovered_by[0].reason


def test_14_a_commit_that_evidence_names_is_listed(small: Layer) -> None:
    (row,) = ask(small, issue="I0001").git.commits
    assert (row.commit, row.named_by, row.covers) == (COMMIT, "majordomus://issue/I0001", "suite")


def test_16_depth_and_floor_bound_the_walk(small: Layer) -> None:
    near = ask(small, issue="I0002", max_depth=1)
    assert all(one.depth <= 1 for one in near.selected)
    everything = ask(small, issue="I0001")
    few = ask(small, issue="I0001", floor=0.9)
    assert len(few.selected) < len(everything.selected)
    assert any(one.relevance >= 0.9 for one in few.selected)


def test_17_all_blocking_rules_can_be_asked_for(small: Layer) -> None:
    plain, more = ask(small), ask(small, all_blocking_rules=True)
    assert more.budget.used_tokens > plain.budget.used_tokens
    one = entry(more, "rule/alpha@1")
    assert (one.tier, one.relevance, one.depth, ways(one)) == ("governance", 0.6, 0, {("governance", None)})
    assert one.facts["class"] == "blocking"
    assert "rule/beta@1" not in selected(more)


def test_18_the_policy_judges_every_edge_of_the_graph(small: Layer) -> None:
    rules = {rule.edge: rule for rule in policy().edges}
    assert {kind for _, _, kind in build_graph(small).edges} <= set(rules)
    assert set(EDGES) < set(rules)
    assert rules["is_a"].refused
    assert rules["is_a"].forward is rules["is_a"].reverse is None
    assert (rules["depends_on"].forward, rules["depends_on"].reverse) == (0.9, 0.6)
    assert [rule.selector for rule in policy().selectors if not rule.declared] == ["intent_match"]
    assert [rule.position for rule in policy().tiers] == [1, 2, 3, 4, 5, 6]


def test_21_small_sums() -> None:
    assert [tokens(size) for size in (0, 1, 4, 5, 4001)] == [1, 1, 1, 2, 1001]
    assert under("lib/x", "lib")
    assert under("lib", "lib")
    assert not under("library/x", "lib")
    assert versioned("majordomus://rule/a@b@12") == ("majordomus://rule/a@b", 12)
    assert versioned("majordomus://rule/a@b") is None
    assert [rounded(value) for value in (0.95 * 0.45, 0.81, 0.0005, 1.0, 2 / 3)] == [0.428, 0.81, 0.001, 1.0, 0.667]


def test_22_the_input_is_the_published_one() -> None:
    published = json.loads((SHARED / "devcontext" / "input.schema.json").read_bytes()) if SHARED.is_dir() else None
    if published is None:
        pytest.skip("the published schema is not at hand")
    ours = schema_of(DevContextInput)
    ours = ours["$defs"][ours["$ref"].rpartition("/")[2]] if "$ref" in ours else ours
    assert set(ours["properties"]) == set(published["properties"])
    assert ours["additionalProperties"] is False


@pytest.mark.parametrize(
    "document", [{"unknown": 1}, {"paths": None}, {"uris": None}, {"paths": "lib"}, {"budget_tokens": -1}, {"issue": 1}]
)
def test_a_request_outside_the_schema_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(DocumentError):
        convert(document, DevContextInput)


def test_null_is_the_same_as_absent() -> None:
    names = ("issue", "milestone", "intent", "budget_tokens", "max_depth", "floor", "all_blocking_rules")
    assert convert(dict.fromkeys(names), DevContextInput) == DevContextInput()


# SPEC 4.2, seeds


def test_seeds_are_listed_in_the_order_of_the_request_with_repeats(small: Layer) -> None:
    uri = "majordomus://rule/beta@1"
    answer = ask(
        small, intent=" words ", paths=("./lib/", "./././lib"), uris=(uri, uri), milestone="the-first", issue=" I0001 "
    )
    assert [(seed.from_, seed.uri, seed.kind, seed.resolved) for seed in answer.seeds] == [
        ("issue", "majordomus://issue/I0001", "issue", None),
        ("milestone", "majordomus://milestone/m1", "milestone", "m1"),
        ("uris", uri, "rule", None),
        ("uris", uri, "rule", None),
        ("paths", "lib", "path", None),
        ("paths", "lib", "path", None),
        ("intent", "words", "intent", None),
    ]


@pytest.mark.parametrize(
    "name, resolved", [("I0001", None), ("write-the-thing", "I0001"), ("majordomus://issue/I0001", "I0001")]
)
def test_an_issue_is_named_by_id_slug_or_identifier(small: Layer, name: str, resolved: str | None) -> None:
    (seed,) = ask(small, issue=name).seeds
    assert (seed.uri, seed.resolved) == ("majordomus://issue/I0001", resolved)


def test_a_blank_intent_is_ignored(small: Layer) -> None:
    assert ask(small, intent="   ").seeds == ()


def test_a_slug_of_two_issues_is_refused_with_both_places() -> None:
    layer = layer_of(
        base()
        | {
            ".ai/repo/project/issues/a.yaml": issue("a", slug="same"),
            ".ai/repo/project/issues/b.yaml": issue("b", slug="same"),
            ".ai/repo/project/issues/c.yaml": issue("same", slug="other"),
        }
    )
    assert ask(layer, issue="same").seeds[0].uri == "majordomus://issue/same"
    files = {one.path: one.content for one in layer.objects} | {
        ".ai/manifest.yaml": base()[".ai/manifest.yaml"],
        ".ai/repo/knowledge/sources.yaml": base()[".ai/repo/knowledge/sources.yaml"],
    }
    del files[".ai/repo/project/issues/c.yaml"]
    with pytest.raises(InputError) as caught:
        ask(layer_of(files), issue="same")
    assert not isinstance(caught.value, NotFound)
    assert ".ai/repo/project/issues/a.yaml and .ai/repo/project/issues/b.yaml" in caught.value.message


@pytest.mark.parametrize(
    "request_", [{"issue": "a"}, {"issue": "majordomus://issue/a"}, {"uris": ("majordomus://issue/a",)}]
)
def test_an_identity_of_two_records_is_refused_with_both_places(request_: dict[str, Any]) -> None:
    layer = layer_of(
        base() | {".ai/repo/project/issues/a.yaml": issue("a"), ".ai/repo/project/issues/b.yaml": issue("a")}
    )
    with pytest.raises(InputError) as caught:
        ask(layer, **request_)
    assert not isinstance(caught.value, NotFound)
    assert ".ai/repo/project/issues/a.yaml and .ai/repo/project/issues/b.yaml" in caught.value.message


def test_an_issue_that_cannot_be_read_is_not_found_with_file_and_line() -> None:
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": "id: a\n\tb: c\n"})
    with pytest.raises(NotFound) as caught:
        ask(layer, issue="a")
    assert ".ai/repo/project/issues/a.yaml:2" in caught.value.hint


def test_a_layer_object_of_kind_intent_is_listed_and_not_walked_from() -> None:
    files = base(("intent", "intent", ".ai/repo/project/intents/*.yaml", False))
    layer = layer_of(files | {".ai/repo/project/intents/n.yaml": "id: n\ntitle: T\nstatement: S\n"})
    answer = ask(layer, uris=("majordomus://intent/n",))
    assert answer.seeds[0].kind == "intent"
    assert "intent/n" not in selected(answer)


# SPEC 4.5 and 4.13, the walk


def worked_example() -> Layer:
    rows = {"I": "depends_on: [D]\n", "D": "depends_on: [E]\n", "E": "", "L": "depends_on: [I]\n"}
    milestones = {"I": "M", "D": "MD", "E": "ME", "L": "ML", "S": "M"}
    files = base() | {
        f".ai/repo/project/issues/{name}.yaml": issue(name, milestones[name], rows.get(name, "")) for name in milestones
    }
    for name in sorted(set(milestones.values())):
        files[f".ai/repo/project/milestones/{name}.yaml"] = f"id: {name}\ntitle: {name}\nscope: [lib]\n"
    return layer_of(files)


def test_the_worked_example() -> None:
    answer = ask(worked_example(), issue="I")
    found = {one.uri.rpartition("/")[2]: (one.relevance, one.depth) for one in answer.selected if one.tier == "task"}
    assert found["D"] == (0.9, 1)
    assert found["M"] == (0.95, 1)
    assert found["L"] == (0.6, 1)
    assert found["E"] == (0.81, 2)
    assert found["S"] == (0.428, 2)
    (row,) = [row for row in answer.deduplicated if row.kept == "majordomus://issue/I"]
    assert row.paths == 4
    assert found["I"] == (1.0, 0)


def chain(*edges: tuple[str, str]) -> Layer:
    """Rules that depend on each other, one class of edge with weights 0.9 and 0.6."""
    names = sorted({name for edge in edges for name in edge})
    files = base()
    for name in names:
        wanted = [target for source, target in edges if source == name]
        files[f".ai/repo/rules/{name}.md"] = rule(name, depends_on=f"[{', '.join(wanted)}]")
    return layer_of(files)


def test_the_best_product_is_passed_on_and_not_the_first() -> None:
    # a is needed by s in one hop against the arrow (0.6), and in two hops along it (0.81); c hangs on a.
    layer = chain(("a", "s"), ("s", "b"), ("b", "a"), ("a", "c"))
    answer = ask(layer, uris=("majordomus://rule/s@1",))
    assert entry(answer, "rule/a@1").relevance == 0.81
    assert entry(answer, "rule/a@1").depth == 1
    assert entry(answer, "rule/c@1").relevance == 0.729


def test_what_lies_beyond_the_depth_is_reported() -> None:
    layer = chain(("a", "b"), ("b", "c"), ("c", "d"))
    answer = ask(layer, uris=("majordomus://rule/a@1",), max_depth=1)
    assert "rule/b@1" in selected(answer)
    assert excluded(answer) == {"rule/c@1": "depth"}
    (row,) = answer.excluded
    assert row.relevance == 0.9 * 0.9
    assert "more than 1 relations away" in row.detail
    assert excluded(ask(layer, uris=("majordomus://rule/a@1",), max_depth=0)) == {"rule/b@1": "depth"}


def test_what_falls_below_the_floor_is_reported() -> None:
    layer = chain(("a", "b"), ("c", "b"))
    answer = ask(layer, uris=("majordomus://rule/a@1",), floor=0.6)
    assert excluded(answer) == {"rule/c@1": "relevance"}
    (row,) = answer.excluded
    assert row.relevance == 0.9 * 0.6
    assert "below the floor 0.6" in row.detail


def test_what_is_exactly_at_the_floor_is_reached() -> None:
    answer = ask(chain(("a", "b")), uris=("majordomus://rule/b@1",), floor=0.6)
    assert "rule/a@1" in selected(answer)


def test_a_circle_ends_whatever_the_depth() -> None:
    layer = chain(("a", "b"), ("b", "c"), ("c", "a"))
    answer = ask(layer, uris=("majordomus://rule/a@1",), max_depth=10_000, floor=0.0)
    assert len([one for one in answer.selected if one.kind == "rule"]) == 3


def test_there_is_no_limit_on_nodes() -> None:
    names = [f"r{number:04}" for number in range(2_300)]
    files = base() | {f".ai/repo/rules/{name}.md": rule(name, depends_on="[r0000]") for name in names[1:]}
    files[".ai/repo/rules/r0000.md"] = rule("r0000")
    answer = ask(layer_of(files), uris=("majordomus://rule/r0000@1",), budget_tokens=10_000_000)
    assert sum(one.kind == "rule" for one in answer.selected) == 2_300


# SPEC 3.2, references: the declaring object, what it says, and the edge with its other end


ADR = "schema: adr/v1\nid: a\n"
REFERENCE_ROWS = {
    "rule depends_on": ("rule", "id: a\nversion: 1\ndepends_on: [x@2]", "depends_on", "rule/x@2", True),
    "rule depends_on, bare": ("rule", "id: a\nversion: 1\ndepends_on: x", "depends_on", "rule/x@10", True),
    "adr supersedes": ("adr", ADR + "supersedes: [adr-9]", "supersedes", "adr/adr-9", True),
    "adr related object": ("adr", ADR + "related: [rule:x]", "put_in_force", "rule/x@10", True),
    "adr related file": ("adr", ADR + "related: ['file:lib/x.sh']", "put_in_force",
                         "implementation/lib/x.sh", True),
    "adr related absent file": ("adr", ADR + "related: ['file:no/x']", "put_in_force", "file:no/x", True),
    "adr related absent test": ("adr", ADR + "related: ['test:no/x']", "put_in_force", "test:no/x", True),
    "adr related unknown kind": ("adr", ADR + "related: ['thing:p/q']", "put_in_force", "thing:p/q", True),
    "skill related": ("skill", "schema: skill/v1\nid: a\nrelated: [s]", "related_to", "skill/s", True),
    "use-case commands": ("use-case", "id: a\ncommands: [k]", "runs", "command:k", True),
    "use-case doctrines": ("use-case", "id: a\ndoctrines: [x]", "exercises", "rule/x@10", True),
    "use-case unknown doctrine": ("use-case", "id: a\ndoctrines: [y]", "exercises", "doctrine:y", True),
    "use-case claims": ("use-case", "id: a\nclaims: [k]", "evidences", "claim/k", True),
    "use-case applications": ("use-case", "id: a\napplications: [p]", "serves", "application/p", True),
    "use-case mcp_tools": ("use-case", "id: a\nmcp_tools: [t]", "exercises", "capability:t", True),
    "any tracks": ("document", "tracks: [lib/x.sh]", "tracks", "implementation/lib/x.sh", True),
    "any tracks elsewhere": ("document", "tracks: [lib]", "tracks", "file:lib", True),
    "issue milestone": ("issue", "id: a\nmilestone: m", "belongs_to", "milestone/m", True),
    "issue depends_on": ("issue", "id: a\ndepends_on: [i]", "depends_on", "issue/i", True),
    "milestone depends_on": ("milestone", "id: a\ndepends_on: [m]", "depends_on", "milestone/m", True),
    "milestone claims": ("milestone", "id: a\nclaims: [k]", "evidences", "claim/k", True),
    "application use_cases": ("application", "id: a\nuse_cases: [u]", "serves", "use-case/u", False),
    "application doctrines": ("application", "id: a\ndoctrines: [x]", "governed_by", "rule/x@10", True),
    "claim source": ("claim", "source: lib/x.sh", "defined_in", "implementation/lib/x.sh", True),
    "claim implementation": ("claim", "implementation: lib/x.sh", "implemented_by", "implementation/lib/x.sh", True),
    "claim test": ("claim", "test: no/such", "tested_by", "file:no/such", True),
}  # fmt: skip


def reference_layer(kind: str, text: str) -> Layer:
    """Targets of every kind, and one declaring object."""
    kinds = ("skill", "use-case", "application", "claim", "document")
    files = base(*((name, name, f"k/{name}/*", False) for name in kinds))
    files[".ai/repo/scope.yaml"] = "version: 1\nin: ['**']\n"
    files |= {
        ".ai/repo/rules/x2.md": rule("x", 2),
        ".ai/repo/rules/x10.md": rule("x", 10),
        ".ai/repo/adrs/0009-x.md": markdown(schema="adr/v1", id="adr-9", title="T"),
        ".ai/repo/project/milestones/m.yaml": "id: m\ntitle: T\n",
        ".ai/repo/project/issues/i.yaml": "id: i\ntitle: T\n",
        "lib/x.sh": "x",
        "k/skill/s.md": markdown(schema="skill/v1", id="s", title="T"),
        "k/use-case/u.md": markdown(id="u", title="T"),
        "k/application/p.md": markdown(id="p", title="T"),
    }
    own = "  - id: a\n    " + text.replace("\n", "\n    ") + "\n" if kind == "claim" else ""
    files["k/claim/c.yaml"] = f"version: 1\nclaims:\n  - id: k\n    claim: T\n{own}"
    places = {"rule": ".ai/repo/rules/a.md", "adr": ".ai/repo/adrs/0001-a.md"}
    if kind in ("issue", "milestone"):
        files[f".ai/repo/project/{kind}s/a.yaml"] = text + "\n"
    elif kind != "claim":
        files[places.get(kind, f"k/{kind}/a.md")] = f"---\n{text}\n---\n"
    return layer_of(files)


@pytest.mark.parametrize("row", REFERENCE_ROWS.values(), ids=REFERENCE_ROWS)
def test_a_reference_becomes_an_edge(row: tuple[str, str, str, str, bool]) -> None:
    kind, text, edge, other, forward = row
    graph = build_graph(reference_layer(kind, text))
    identity = {"rule": "a@1", "document": "k/document/a.md"}.get(kind, "a")
    own = f"majordomus://{kind}/{identity}"
    target = other if ":" in other else f"majordomus://{other}"
    assert ((own, target, edge) if forward else (target, own, edge)) in graph.edges
    assert target in graph.nodes
    assert (own, f"kind:{kind}", "is_a") in graph.edges
    assert not graph.findings


MISSING_ROWS = {
    "rule": ("rule", "id: a\nversion: 1\ndepends_on: [x@7]", "depends_on", "x@7"),
    "adr": ("adr", ADR + "supersedes: [adr-1]", "supersedes", "adr-1"),
    "a kind that is held": ("adr", ADR + "related: ['rule:y']", "related", "rule:y"),
    "no prefix": ("adr", ADR + "related: [x]", "related", "x"),
    "issue": ("issue", "id: a\ndepends_on: [z]", "depends_on", "z"),
    "milestone": ("issue", "id: a\nmilestone: z", "milestone", "z"),
    "claim": ("use-case", "id: a\nclaims: [z]", "claims", "z"),
}


@pytest.mark.parametrize("row", MISSING_ROWS.values(), ids=MISSING_ROWS)
def test_a_reference_to_nothing_is_a_finding_with_a_correction(row: tuple[str, str, str, str]) -> None:
    kind, text, key, reference = row
    (finding,) = build_graph(reference_layer(kind, text)).findings
    assert (finding.key, finding.reference) == (key, reference)
    assert finding.correction


def test_what_is_absent_on_purpose_and_what_is_no_text_is_no_reference() -> None:
    graph = build_graph(reference_layer("issue", "id: a\nmilestone: 7\ndepends_on:\n  - '-'\n  - 8"))
    assert not graph.findings
    assert [edge for edge in graph.edges if edge[0] == "majordomus://issue/a"] == [
        ("majordomus://issue/a", "kind:issue", "is_a")
    ]


def test_a_dangling_reference_of_a_file_that_was_reached_is_reported() -> None:
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": issue("a", "gone", "depends_on: [lost]\n")})
    found = [one for one in ask(layer, issue="a").diagnostics if one.code == "unresolved_reference"]
    assert len(found) == 2
    assert all(one.path is None and ".ai/repo/project/issues/a.yaml" in one.message for one in found)
    assert not ask(layer).diagnostics


# SPEC 4.6 - 4.8


CONTRACT_ROWS = {
    "a subtree holds below": ({"scope": "subtree"}, "k/a/b", True),
    "a subtree holds at itself": ({"scope": "subtree"}, "k/a", True),
    "a subtree does not hold above": ({"scope": "subtree"}, "k", False),
    "a subtree does not hold beside": ({"scope": "subtree"}, "k/ab", False),
    "a directory holds at itself": ({"scope": "directory"}, "k/a", True),
    "a directory does not hold below": ({"scope": "directory"}, "k/a/b", False),
    "no scope is a directory": ({}, "k/a", True),
    "explicit holds under its paths": ({"scope": "explicit", "paths": "[z/y]"}, "z/y/x", True),
    "explicit does not hold above its paths": ({"scope": "explicit", "paths": "[z/y]"}, "z", False),
    "explicit does not hold at its directory": ({"scope": "explicit", "paths": "[z/y]"}, "k/a", False),
    "paths count only when explicit": ({"scope": "directory", "paths": "[z/y]"}, "z/y", False),
    "tracks hold below": ({"tracks": "[z]"}, "z/y", True),
    "tracks hold above": ({"tracks": "[z/y]"}, "z", True),
    "tracks are literal": ({"tracks": "['z/*']"}, "z/y", False),
    "deprecated never holds": ({"scope": "subtree", "status": "deprecated"}, "k/a", False),
}


@pytest.mark.parametrize("row", CONTRACT_ROWS.values(), ids=CONTRACT_ROWS)
def test_a_contract_holds_over_a_path(row: tuple[dict[str, str], str, bool]) -> None:
    fields, path, holds = row
    files = base(("note", "document", "k/**/*.md", False)) | {"k/a/README.md": contract("one", **fields)}
    files[".ai/repo/scope.yaml"] = "version: 1\nin: ['**']\n"
    answer = ask(layer_of(files), paths=(path,))
    assert ("context/one" in selected(answer)) == holds
    if holds:
        assert path in entry(answer, "context/one").discovered_by[0].reason


def test_code_under_a_path_is_that_path_and_what_lies_below_it() -> None:
    paths = ["p/a", "p/a/x", "p/a/y/z", "p/a-b", "p/a.sh", "p/a0", "p/ab", "p/A", "p"]
    files = base(("code", "implementation", "p/**", False)) | {f"{path}.c": "x" for path in paths}
    files[".ai/repo/scope.yaml"] = "version: 1\nin: ['**']\n"
    files |= {"p/a/x": "x"}
    answer = ask(layer_of(files), paths=("p/a", "p/ab.c"))
    found = [one.provenance.path for one in answer.selected if one.kind == "implementation"]
    assert found == ["p/a/x", "p/a/x.c", "p/a/y/z.c", "p/ab.c"]


def test_a_contract_over_two_paths_has_a_discovery_for_each(small: Layer) -> None:
    one = entry(ask(small, paths=("lib", "lib/thing.sh")), "context/ai.layer")
    assert sorted(found.via or "" for found in one.discovered_by) == ["lib", "lib/thing.sh"]


def test_only_issues_and_milestones_near_a_seed_lend_their_scope() -> None:
    files = base() | {
        ".ai/repo/project/issues/a.yaml": issue("a", "m", "depends_on: [b]\n"),
        ".ai/repo/project/issues/b.yaml": issue(
            "b", "n", "depends_on: [c]\nscope: [' lib/b.sh/ ', '/etc', '../x', '']\n"
        ),
        ".ai/repo/project/issues/c.yaml": issue("c", "o", "scope: [lib/c.sh]\n"),
        "lib/b.sh": "x",
        "lib/c.sh": "x",
    }
    found = selected(ask(layer_of(files), issue="a"))
    assert "implementation/lib/b.sh" in found
    assert "implementation/lib/c.sh" not in found


def test_a_session_of_the_branch_counts_less_and_none_does_on_a_detached_head(small: Layer) -> None:
    assert entry(ask(small), "session/s-1").relevance == 0.5
    assert "session/s-1" not in selected(ask(small, git=GitFacts(branch="other")))
    assert "session/s-1" not in selected(ask(small, git=GitFacts()))


def local(divergence: str, kind: str = "local-handover") -> LocalState:
    facts = {"created_at": "2026-01-10T10:00:00Z", "divergence": divergence, "bytes": "41"}
    made = LocalRecord(
        kind=kind,  # type: ignore[arg-type]
        path=".ai/local/state/x.md",
        matched="same_branch",
        divergence=divergence,  # type: ignore[arg-type]
        freshness="fresh",
        facts=facts,
        bytes=41,
    )
    return LocalState(records=(made,))


@pytest.mark.parametrize(
    "kind, divergence, relevance, confidence",
    [
        ("local-handover", "exact", 0.95, 1.0),
        ("local-handover", "advanced", 0.95, 1.0),
        ("local-handover", "diverged", 0.475, 0.5),
        ("local-handover", "different_context", 0.475, 0.5),
        ("local-handover", "unknown", 0.475, 0.5),
        ("local-checkpoint", "exact", 0.8, 1.0),
        ("local-checkpoint", "diverged", 0.4, 0.5),
    ],
)
def test_local_records(small: Layer, kind: str, divergence: str, relevance: float, confidence: float) -> None:
    answer = ask(small, local=local(divergence, kind))
    (one,) = [one for one in answer.selected if one.uri.startswith("local:")]
    assert (one.uri, one.kind, one.tier, one.depth) == ("local:.ai/local/state/x.md", kind, "knowledge", 0)
    assert (one.relevance, one.confidence, one.cost_bytes) == (relevance, confidence, 41)
    assert (one.status, one.version) == (divergence, "2026-01-10T10:00:00Z")
    assert (one.provenance.source_class, one.provenance.directory) == ("local-state", ".ai/local/state")
    assert one.discovered_by[0].weight == (0.95 if kind == "local-handover" else 0.8)
    warned = [warning.path for warning in answer.diagnostics if warning.code == "stale_record"]
    assert warned == ([] if confidence == 1.0 else [".ai/local/state/x.md"])


def test_local_state_that_cannot_be_read_is_a_warning(small: Layer) -> None:
    (warning,) = ask(small, local=LocalState(failures=("it is gone",))).diagnostics
    assert (warning.code, warning.message, warning.path) == ("continuity", "it is gone", None)


@pytest.mark.parametrize(
    "intent, terms",
    [
        ("The context a session is given and the budget it costs", ("context", "session", "given", "budget", "costs")),
        ("no-claim a_b go it", ("no-claim", "a_b")),
        ("Für ÄÖÜ, für", ("für", "äöü")),
        ("and the with", ()),
        ("budget/BUDGET", ("budget",)),
    ],
)
def test_the_terms_of_an_intent(intent: str, terms: tuple[str, ...]) -> None:
    assert terms_of(intent) == terms


def test_an_intent_needs_five_of_twelve_words_by_default(small: Layer) -> None:
    files = base() | {".ai/repo/rules/a.md": rule("a", title="aaa bbb ccc ddd eee", tags="[tagged]")}
    layer = layer_of(files)
    twelve = "aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk lll"
    one = entry(ask(layer, intent=twelve), "rule/a@1")
    assert (one.relevance, one.confidence) == (0.25, 0.417)
    answer = ask(layer, intent=twelve.replace("eee", "zzz"))
    assert excluded(answer) == {"rule/a@1": "relevance"}
    assert entry(ask(layer, intent="tagged"), "rule/a@1").relevance == 0.6
    assert not excluded(ask(layer, intent="nowhere"))


# SPEC 4.9


def test_a_blocking_rule_that_is_reached_is_required_whatever_the_budget(small: Layer) -> None:
    answer = ask(small, uris=("majordomus://rule/beta@1",), budget_tokens=1)
    assert entry(answer, "rule/alpha@1").required
    assert not entry(answer, "rule/beta@1").discovered_by[0].edge


def test_room_is_kept_for_what_is_required(small: Layer) -> None:
    required = ask(small, issue="I0001", budget_tokens=1).budget.required_tokens
    for limit in (required - 1, required, required + 1, required + 60):
        answer = ask(small, issue="I0001", budget_tokens=limit)
        assert answer.budget.over_budget == (limit < required)
        assert {POLICY, SCOPE} <= set(selected(answer))


def test_members_of_one_file_stand_side_by_side_at_their_own_price() -> None:
    claims = "".join(f"  - id: c{number}\n    claim: widget {number}\n    note: {'x' * 400}\n" for number in range(3))
    files = base(("claims", "claim", "docs/CLAIMS.yaml", False)) | {
        "docs/CLAIMS.yaml": f"version: 1\nclaims:\n{claims}"
    }
    layer = layer_of(files)
    answer = ask(layer, intent="widget")
    found = [one for one in answer.selected if one.kind == "claim"]
    assert len(found) == 3
    for one in found:
        assert one.cost_bytes < 600 < one.provenance.bytes
    assert not [row for row in answer.deduplicated if row.key == "path"]


def test_of_two_versions_the_higher_number_stays() -> None:
    files = base() | {f".ai/repo/rules/{number}.md": rule("a", number) for number in (2, 9, 10)}
    answer = ask(layer_of(files), intent="rule")
    assert [uri for uri in selected(answer) if uri.startswith("rule/")] == ["rule/a@10"]
    assert excluded(answer) == {"rule/a@2": "superseded", "rule/a@9": "superseded"}
    (row,) = [row for row in answer.deduplicated if row.key == "identity"]
    assert row.dropped == ("majordomus://rule/a@9", "majordomus://rule/a@2")
    assert [(one.kind, one.against) for one in answer.conflicts] == [
        ("version", "majordomus://rule/a@2"),
        ("version", "majordomus://rule/a@9"),
    ]


def test_one_file_under_two_names_is_given_once() -> None:
    files = base(("claims", "claim", "docs/CLAIMS.yaml", False)) | {
        "docs/CLAIMS.yaml": "version: 1\nclaims:\n  - id: c\n    claim: C\n    test: out/x.sh\n",
        ".ai/repo/adrs/0001-a.md": markdown(schema="adr/v1", id="a", title="T", related="['test:out/x.sh']"),
        "out/x.sh": "12345",
    }
    answer = ask(layer_of(files), uris=("majordomus://adr/a", "majordomus://claim/c"))
    one = entry(answer, "test:out/x.sh")
    assert (one.title, one.kind, one.cost_bytes) == ("x.sh", "test", 5)
    assert (one.provenance.path, one.provenance.directory, one.provenance.source_class) == ("out/x.sh", "out", "named")
    assert excluded(answer)["file:out/x.sh"] == "unresolved"
    (row,) = [row for row in answer.deduplicated if row.key == "path"]
    assert (row.kept, row.dropped, row.paths) == ("test:out/x.sh", ("file:out/x.sh",), 1)


@pytest.mark.parametrize(
    "status, out", [("deprecated", True), ("superseded", True), ("rejected", True), ("draft", False)]
)
def test_which_statuses_are_stale(status: str, out: bool) -> None:
    files = base() | {".ai/repo/rules/a.md": rule("a", status=status)}
    answer = ask(layer_of(files), intent="rule")
    assert (excluded(answer).get("rule/a@1") == "stale") == out


def test_commits_are_newest_first_where_dates_are_known() -> None:
    rows = "".join(f"  - covers: {name}\n    commit: {name * 10}\n" for name in ("aaaa", "bbbb", "cccc", "dddd"))
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": issue("a", "m", f"evidence:\n{rows}")})
    git = GitFacts(commit_times={"bbbb" * 10: 100, "dddd" * 10: 200})
    found = [row.covers for row in ask(layer, git=git, issue="a").git.commits]
    assert found == ["dddd", "bbbb", "aaaa", "cccc"]


def test_git_that_cannot_be_asked_says_why(small: Layer) -> None:
    git = ask(small, git=GitFacts(unavailable="no git")).git
    assert (git.working_tree, git.branch, git.head) == ("unavailable: no git", None, None)


@pytest.mark.parametrize(
    "field, version", [("updated_at", "u"), ("version", "1"), ("date", "d"), ("created_at", "c"), ("other", None)]
)
def test_the_version_of_an_object(field: str, version: str | None) -> None:
    text = f"id: a\ntitle: T\n{field}: {version or 'x'}\n"
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": text})
    assert entry(ask(layer, issue="a"), "issue/a").version == version


def test_natural_order() -> None:
    given = ["a10", "a9", "a", "A9", "a009", "b", "a9b", "a/9", "B1", "a00", "a0"]
    assert sorted(given, key=natural) == ["a", "a/9", "a00", "a0", "a009", "A9", "a9", "a9b", "a10", "b", "B1"]
