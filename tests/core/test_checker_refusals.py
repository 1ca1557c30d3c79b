"""Refusals: what a witness must show, and the breadth-first programme that judges claims about budgets."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from test_checker_rules import candidate, case_of, codes
from tests.corruptions.cases import Case, compiled
from tests.corruptions.forge import refused
from tests.generator import REGIMES, instance, shared_instance, table
from tests.oracle import least_budget

from contextc.core.checker import check, frontier, programme
from contextc.core.checker.bounds import FROM, PARTS, Bounds, Way
from contextc.core.checker.facts import Facts
from contextc.core.checker.frontier import duties_of, least_units
from contextc.core.checker.programme import Capped, least_sum, weigh
from contextc.core.compiler import declared_pricing
from contextc.core.records.outcome import FailureReason, Obstacle, Witness
from contextc.core.records.policy import POLICY_V1, POLICY_V2


def claimed(case: Case, witness: Witness, reason: FailureReason) -> set[str]:
    """Codes of the objections to a refusal of this case with this witness."""
    return codes(replace(case, outcome=refused(case, witness, reason)))


# --- obstacles


def blocked_case() -> Case:
    """The only form of a needs b, and b needs c, which is out of scope."""
    return case_of(
        [
            candidate("a", requirement="REQUIRED", depends_on=("b",)),
            candidate("b", depends_on=("c",)),
            candidate("c", scope_eligible=False, scope_reason="another project"),
            candidate("d", scope_eligible=False, scope_reason="another project"),
        ]
    )


def obstacle(**changes: object) -> Obstacle:
    given_: dict[str, object] = {
        "candidate_id": "a",
        "path": ("a", "b", "c"),
        "at": "c",
        "gate": "scope",
        "reason": "another project",
    }
    return Obstacle(**{**given_, **changes})  # type: ignore[arg-type]


def test_an_obstacle_at_the_end_of_a_path_of_needs_proves_a_refusal() -> None:
    witness = Witness(kind="blocked", ids=("c-a",), obstacles=(obstacle(),))
    assert claimed(blocked_case(), witness, "UNSATISFIED_DEPENDENCY") == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"path": ("a", "c")},
        {"path": ("a", "b", "d"), "at": "d"},
        {"path": ("b", "c")},
        {"path": ("a", "b"), "at": "b"},
        {"path": ()},
        {"path": ("a", "ghost"), "at": "ghost", "gate": "missing"},
        {"gate": "freshness"},
        {"reason": "because"},
        {"gate": "form-clash", "other": "b"},
        {"gate": "form-clash", "other": None},
        {"candidate_id": "b"},
    ],
    ids=str,
)
def test_an_obstacle_that_is_not_a_fact_proves_nothing(changes: dict[str, object]) -> None:
    witness = Witness(kind="blocked", ids=("c-a",), obstacles=(obstacle(**changes),))
    assert "witness.obstacles" in claimed(blocked_case(), witness, "UNSATISFIED_DEPENDENCY")


def test_every_form_of_an_obligation_needs_an_obstacle() -> None:
    forms = [
        candidate("a1", content_identity="a", requirement="MANDATORY", form_rank=1, min_rank=2),
        candidate(
            "a2", content_identity="a", requirement="MANDATORY", freshness_eligible=False, freshness_reason="old"
        ),
        candidate("a3", content_identity="a", requirement="PREFERRED"),
    ]
    case = case_of(forms)
    low = Obstacle(candidate_id="a1", path=("a1",), at="a1", gate="floor", reason="form_rank 1 below floor 2")
    old = Obstacle(candidate_id="a2", path=("a2",), at="a2", gate="freshness", reason="old")
    both = Witness(kind="gated", ids=("a",), obstacles=(low, old))
    assert claimed(case, both, "REQUIRED_INELIGIBLE") == set()
    assert claimed(case, both, "NO_LEGAL_REPRESENTATION") == {"witness"}
    assert claimed(case, replace(both, obstacles=(low,)), "NO_LEGAL_REPRESENTATION") == {"witness.obstacles"}
    assert claimed(case, replace(both, kind="blocked"), "UNSATISFIED_DEPENDENCY") == {"witness.obstacles"}


def test_one_member_that_fails_is_enough_against_a_group() -> None:
    pool = [
        candidate("a", requirement="REQUIRED", group_id="g", group_required=True),
        candidate(
            "b",
            requirement="REQUIRED",
            group_id="g",
            group_required=True,
            authority_eligible=False,
            authority_reason="no",
        ),
    ]
    fails = Obstacle(candidate_id="b", path=("b",), at="b", gate="authority", reason="no")
    witness = Witness(kind="gated", ids=("g",), obstacles=(fails,))
    assert claimed(case_of(pool), witness, "UNRESOLVED_REQUIRED_GROUP") == set()
    optional = [replace(c, requirement="PREFERRED") for c in pool]
    assert "witness.obstacles" in claimed(case_of(optional), witness, "UNRESOLVED_REQUIRED_GROUP")


def test_a_path_may_lead_through_the_members_of_a_required_group() -> None:
    pool = [
        candidate("a", requirement="REQUIRED", depends_on=("g1",)),
        candidate("g1", group_id="g", group_required=True),
        candidate("g2", group_id="g", group_required=True, scope_eligible=False, scope_reason="out"),
    ]
    out = Obstacle(candidate_id="a", path=("a", "g1", "g2"), at="g2", gate="scope", reason="out")
    witness = Witness(kind="blocked", ids=("c-a",), obstacles=(out,))
    assert claimed(case_of(pool), witness, "UNSATISFIED_DEPENDENCY") == set()
    loose = [replace(c, group_required=False) for c in pool]
    assert "witness.obstacles" in claimed(case_of(loose), witness, "UNSATISFIED_DEPENDENCY")


def test_two_obligations_that_need_two_forms_of_one_content_contradict_each_other() -> None:
    pool = [
        candidate("a", requirement="REQUIRED", depends_on=("x1",)),
        candidate("b", requirement="REQUIRED", depends_on=("x2",)),
        candidate("c", requirement="REQUIRED"),
        candidate("x1", content_identity="x"),
        candidate("x2", content_identity="x"),
    ]
    case = case_of(pool)
    for ids, found in (
        (("c-a", "c-b"), set()),
        (("c-a", "c-b", "c-c"), set()),
        (("c-a", "c-c"), {"witness.contradiction"}),
        (("c-a", "c-x"), {"witness.contradiction"}),
        ((), {"witness.contradiction"}),
    ):
        objections = claimed(case, Witness(kind="contradiction", ids=ids), "UNSATISFIED_DEPENDENCY")
        assert objections - {"witness"} == found, "without ids nobody is in the way either"


# --- budgets


def test_an_empty_bundle_that_is_too_dear_is_refused_with_proof() -> None:
    case = case_of([candidate("a")], budget=3)
    assert case.outcome.witness is not None
    assert case.outcome.witness.least_budget == 4
    assert codes(case) == set()


def test_where_a_full_bundle_is_cheaper_than_an_empty_one_the_full_one_counts() -> None:
    case = case_of([candidate("a"), candidate("b", scope_eligible=False)])
    dear = declared_pricing(case.request, case.candidates)
    dear = replace(dear, counter="o200k_base", base=1, empty=90, items={"a": 8, "b": 1})
    poor = replace(case, pricing=dear, request=replace(case.request, usable_token_budget=5))
    right = Witness(kind="budget", ids=(), least_budget=9, bundle_ids=("a",))
    assert claimed(poor, right, "INSUFFICIENT_BUDGET") == set()
    wrong = Witness(kind="budget", ids=(), least_budget=90, bundle_ids=())
    assert claimed(poor, wrong, "INSUFFICIENT_BUDGET") == {"witness.budget"}


def test_a_bound_is_checked_even_where_the_compiler_gave_up() -> None:
    case = case_of([candidate("a", requirement="REQUIRED", token_count=50)], budget=20)
    least = least_budget(case.request, case.candidates)
    assert least is not None
    for bound, found in ((least, set()), (least - 5, set()), (least + 1, {"witness.unproved"})):
        witness = Witness(kind="unproved", ids=(), cap="steps", lower_bound=bound)
        assert claimed(case, witness, "INSUFFICIENT_BUDGET") == found
    assert claimed(case, Witness(kind="unproved", ids=()), "INSUFFICIENT_BUDGET") == {"witness.unproved"}


def test_beyond_the_cap_a_claim_is_left_open_and_not_nodded_at(monkeypatch: pytest.MonkeyPatch) -> None:
    request, candidates = shared_instance(1, 40)
    case = compiled("shared", request, candidates, POLICY_V1)
    assert case.outcome.witness is not None
    assert case.outcome.witness.kind == "budget"
    monkeypatch.setattr(programme, "STATE_CAP", 3)
    monkeypatch.setattr(programme, "NARROW", 1)
    report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome)
    assert report.valid
    assert not report.settled
    assert [finding.code for finding in report.unverified] == ["witness.budget"]
    monkeypatch.setattr(frontier, "HELD_CAP", 3)
    report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome)
    assert "needs" in report.unverified[0].message


@pytest.mark.parametrize("size", [20, 50, 100])
def test_pools_of_a_hundred_obligations_with_shared_needs_are_settled(size: int) -> None:
    for seed in range(4):
        request, candidates = shared_instance(seed, size)
        case = compiled("shared", request, candidates, POLICY_V2)
        report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome)
        assert report.valid
        assert report.settled


def test_thousands_of_single_obligations_in_a_chain_are_settled() -> None:
    names = [f"n{place:05}" for place in range(3000)]
    pool = [
        candidate(name, requirement="REQUIRED", depends_on=tuple(names[place + 1 : place + 2]))
        for place, name in enumerate(names)
    ]
    case = case_of(pool, budget=100)
    report = check(case.request, case.candidates, case.policy, case.pricing, case.outcome)
    assert case.outcome.witness is not None
    assert case.outcome.witness.kind == "budget"
    assert report.valid
    assert report.settled


# --- the programme by itself


@pytest.mark.parametrize("regime", REGIMES)
def test_the_least_cost_is_the_one_the_oracle_finds(regime: str) -> None:
    for seed in range(700, 760):
        request, candidates = instance(regime, seed)
        pricing = table(seed, candidates)
        facts = Facts(request, candidates, POLICY_V1, pricing)
        if not duties_of(facts) or any(name not in facts.number for name in request.required_ids):
            continue
        found = least_units(facts, duties_of(facts))
        tokens = None if found.units is None else pricing.tokens(pricing.base + found.units)
        assert tokens == least_budget(request, candidates, pricing=pricing), (regime, seed)


def brute(duties: list[list[Way]], prices: list[int]) -> int | None:
    sums = []
    for chosen in product(*duties):
        needs = shuts = 0
        for way in chosen:
            needs |= way.needs
            shuts |= way.shuts
        if not needs & shuts:
            sums.append(weigh(needs, prices))
    return min(sums, default=None)


@st.composite
def duties_and_prices(draw: st.DrawFn) -> tuple[list[list[Way]], list[int]]:
    """Duties over a few items of which some are forms of one content; no way holds two forms of one."""
    count = draw(st.integers(2, 10))
    contents = [draw(st.integers(0, 6)) for _ in range(count)]
    prices = [draw(st.integers(0, 9)) for _ in range(count)]

    def way() -> Way:
        held = {contents[item]: item for item in draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=4))}
        needs = sum(1 << item for item in held.values())
        others = [item for item in range(count) if contents[item] in held and not needs >> item & 1]
        return Way(needs=needs, shuts=sum(1 << item for item in others))

    duties = [[way() for _ in range(draw(st.integers(1, 3)))] for _ in range(draw(st.integers(0, 6)))]
    return duties, prices


@given(duties_and_prices())
def test_the_programme_finds_the_least_sum(given_: tuple[list[list[Way]], list[int]]) -> None:
    duties, prices = given_
    least = brute(duties, prices)
    assert least_sum(duties, prices) == (None if least is None else (least, ""))


@given(duties_and_prices())
def test_settling_and_taking_apart_change_nothing(given_: tuple[list[list[Way]], list[int]]) -> None:
    duties, prices = given_
    least = brute(duties, prices)
    assert frontier._least(duties, prices) == (None if least is None else (least, ""))


@given(duties_and_prices(), st.integers(0, FROM))
def test_a_bound_is_never_above_what_is_left_to_pay(given_: tuple[list[list[Way]], list[int]], copies: int) -> None:
    duties, prices = given_
    duties = (duties * (1 + copies))[: FROM + 2]  # enough of them for the ascent
    bounds = Bounds(duties, prices)
    least = brute(duties[: FROM + 2], prices)
    if least is not None:
        assert bounds.rest(0, 0) <= least * PARTS


def test_the_programme_names_the_cap_it_stops_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programme, "STATE_CAP", 2)
    ways = [[Way(needs=1 << 2 * place, shuts=0), Way(needs=2 << 2 * place, shuts=0)] for place in range(4)]
    last = [Way(needs=0b1111_0000, shuts=0), Way(needs=0b0000_1111, shuts=0)]
    monkeypatch.setattr(programme, "_narrow_pass", lambda *_: None)
    with pytest.raises(Capped, match="2 states"):
        least_sum([*ways, last], [3, 2] * 4)


def test_beyond_the_cap_a_cheaper_bundle_that_was_met_still_speaks_against_a_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request, candidates = shared_instance(1, 40)
    case = compiled("shared", request, candidates, POLICY_V1)
    witness = case.outcome.witness
    assert witness is not None
    assert witness.least_budget is not None
    monkeypatch.setattr(programme, "STATE_CAP", 3)
    ample = replace(case, request=replace(request, usable_token_budget=3 * witness.least_budget))
    unproved = Witness(kind="unproved", ids=(), cap="steps", lower_bound=4 * witness.least_budget)
    found = check(
        ample.request, ample.candidates, ample.policy, ample.pricing, refused(ample, unproved, "INSUFFICIENT_BUDGET")
    )
    assert [finding.code for finding in found.findings] == ["witness.unproved"] * 2
