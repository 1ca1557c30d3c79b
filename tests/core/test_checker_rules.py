"""The rules L1-L7 of the checker against the oracle, which was written apart from it; and L8 in its details."""

from __future__ import annotations

import ast
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests import oracle
from tests.corruptions.cases import Case, compiled, own
from tests.corruptions.forge import forge
from tests.generator import REGIMES, instance, table
from tests.oracle import is_legal

from contextc.core.checker import check
from contextc.core.checker.arithmetic import estimate, in_tokens, most_units
from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import POLICY_V1, POLICY_V2
from contextc.core.records.pricing import Pricing, Unit, tokens_of, units_within
from contextc.core.records.request import Request

RULES = {"L1", "L2", "L3", "L4", "L5", "L6", "L7"}


def candidate(name: str, **fields: object) -> Candidate:
    given: dict[str, object] = {
        "candidate_id": name,
        "content_identity": f"c-{name}",
        "representation_id": "full",
        "form_rank": 3,
        "token_count": 10,
        "requirement": "DISCRETIONARY",
        "order_role": "evidence",
        "relevance": 0.5,
        "content": f"The text of {name}.",
        "source_ref": f"{name}.txt",
    }
    return Candidate(**{**given, **fields})  # type: ignore[arg-type]


def case_of(candidates: list[Candidate], policy: object = POLICY_V2, budget: int = 1000, **request: object) -> Case:
    asked = Request(
        request_id="r",
        task_id="t",
        usable_token_budget=budget,
        policy_version="compiler-policy-v2",
        **request,  # type: ignore[arg-type]
    )
    return compiled("made", asked, candidates, policy)  # type: ignore[arg-type]


def codes(case: Case, **how: object) -> set[str]:
    report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome, **how)  # type: ignore[arg-type]
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize("regime", REGIMES)
def test_of_every_set_of_candidates_checker_and_oracle_say_the_same(regime: str) -> None:
    judged = 0
    for seed in range(400, 412):
        policy = (POLICY_V1, POLICY_V2)[seed % 2]
        request, candidates = instance(regime, seed, policy_version=policy.policy_version)
        if len(candidates) > 7:
            continue
        measured = table(seed, candidates) if seed % 3 == 0 else None
        case = compiled(regime, request, candidates, policy, measured)
        ids = sorted(c.candidate_id for c in case.candidates)
        for size in range(len(ids) + 1):
            for chosen in combinations(ids, size):
                found = codes(replace(case, outcome=forge(case, chosen)))
                assert "L8" not in found
                legal = is_legal(chosen, request, case.candidates, measured)
                assert found.isdisjoint(RULES) == legal, (regime, seed, chosen, found)
                judged += 1
    assert judged > 100


def test_the_oracle_knows_neither_checker_nor_compiler() -> None:
    tree = ast.parse(Path(oracle.__file__).read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [m for m in modules if m.startswith("contextc") and not m.startswith("contextc.core.records")] == []


# --- arithmetic


@pytest.mark.parametrize(
    ("words", "tokens"), [(0, 0), (1, 1), (2, 3), (3, 4), (5, 6), (10, 13), (15, 20), (25, 32), (35, 46)]
)
def test_an_estimate_is_words_times_one_point_three_halves_to_even(words: int, tokens: int) -> None:
    assert estimate(" ".join(["word"] * words)) == tokens


@pytest.mark.parametrize("unit", ["tokens", "bytes4", "words13"])
def test_units_and_tokens_are_what_the_records_say(unit: Unit) -> None:
    pricing = Pricing(counter="x", renderer="x", unit=unit, base=0, empty=0, items={})
    for number in range(600):
        assert in_tokens(number, pricing) == tokens_of(number, unit)
        assert most_units(number, pricing) == units_within(number, unit)


# --- order


def test_under_v1_a_group_stands_where_its_roles_put_it() -> None:
    case = case_of(
        [
            candidate("a", order_role="instruction", group_id="g", group_required=True),
            candidate("b", order_role="task"),
            candidate("z", order_role="evidence", group_id="g", group_required=True),
        ],
        POLICY_V1,
    )
    assert case.outcome.bundle is not None
    assert case.outcome.bundle.layout_trace == ("a", "b", "z")
    assert codes(case) == set()


def test_under_v2_a_group_stands_together_at_the_place_of_its_first() -> None:
    case = case_of(
        [
            candidate("a", order_role="instruction", group_id="g", group_required=True),
            candidate("b", order_role="evidence"),
            candidate("z", order_role="task", group_id="g", group_required=True),
        ]
    )
    assert case.outcome.bundle is not None
    assert case.outcome.bundle.layout_trace == ("a", "z", "b")
    assert codes(case) == set()


def test_a_group_torn_apart_under_v2_is_rejected() -> None:
    case = case_of(
        [
            candidate("a", order_role="instruction", group_id="g", group_required=True),
            candidate("b", order_role="evidence"),
            candidate("z", order_role="task", group_id="g", group_required=True),
        ]
    )
    bundle = case.outcome.bundle
    assert bundle is not None
    items = [bundle.items[0], bundle.items[2], bundle.items[1]]
    items = [replace(item, position=place) for place, item in enumerate(items)]
    torn = replace(bundle, items=tuple(items), layout_trace=("a", "b", "z"))
    assert "L8" in codes(replace(case, outcome=replace(case.outcome, bundle=torn)))


def test_an_unknown_role_stands_last() -> None:
    case = case_of([candidate("a", order_role="novel"), candidate("b", order_role="task")], POLICY_V1)
    assert case.outcome.bundle is not None
    assert case.outcome.bundle.layout_trace == ("b", "a")
    assert codes(case) == set()


# --- the delivered text


def test_the_text_must_hold_every_content_in_order() -> None:
    case = case_of([candidate("a"), candidate("b")])
    assert codes(case, text="head\nThe text of a.\n---\nThe text of b.\n") == set()
    assert codes(case, text="head\nThe text of b.\n---\nThe text of a.\n") == {"text"}
    assert codes(case, text="head\nThe text of a.\n") == {"text"}


def test_two_items_of_one_content_text_must_stand_in_the_text_twice() -> None:
    case = case_of([candidate("a", content="same"), candidate("b", content="same")])
    assert codes(case, text="same\nsame\n") == set()
    assert codes(case, text="same\n") == {"text"}


def test_a_content_may_be_shown_in_pieces_but_no_line_of_it_may_be_missing() -> None:
    case = case_of([candidate("a", content="first\n\nsecond\nthird\n"), candidate("b")])
    assert codes(case, text="first\n... 3 lines left out\nsecond\nthird\nThe text of b.") == set()
    assert codes(case, text="first\n... 3 lines left out\nthird\nThe text of b.") == {"text"}
    assert codes(case, text="The text of b.\nfirst\nsecond\nthird\n") == {"text"}


def test_lines_that_xml_cannot_hold_are_not_looked_for() -> None:
    case = case_of([candidate("a", content="a bell \x07\n]]>\nplain\n")])
    assert codes(case, text="<![CDATA[a bell ?\n]]]]><![CDATA[>\nplain\n]]>") == set()
    assert codes(case, text="<![CDATA[a bell ?\n]]]]><![CDATA[>\n]]>") == {"text"}


def test_the_text_counted_again_must_cost_what_was_stated() -> None:
    case = case_of([candidate("a")])
    stated = case.outcome.result.bundle_tokens
    assert stated is not None
    assert codes(case, text="The text of a.", recount=lambda _: stated) == set()
    assert codes(case, text="The text of a.", recount=lambda _: stated - 1) == {"text"}


def test_a_text_over_the_budget_breaks_the_budget() -> None:
    case = case_of([candidate("a")])
    assert codes(case, text="The text of a.", recount=lambda _: 1001) == {"text", "L2"}


# --- inputs that do not belong together


def test_two_candidates_of_one_id_cannot_be_judged() -> None:
    case = case_of([candidate("a")])
    twice = replace(case, candidates=(case.candidates[0], case.candidates[0]))
    assert codes(twice) == {"inputs"}


def test_a_dependency_that_nobody_is_breaks_the_rule_of_dependencies() -> None:
    case = case_of([candidate("a")])
    changed = replace(case, candidates=(candidate("a", depends_on=("ghost",)),))
    assert "L5" in codes(changed)


def test_an_outcome_of_other_candidates_is_rejected() -> None:
    for case in list(own())[:6]:
        changed = tuple(replace(c, content=c.content + "!") for c in case.candidates)
        if case.outcome.result.success and case.outcome.bundle and case.outcome.bundle.items:
            assert "L8" in codes(replace(case, candidates=changed))
