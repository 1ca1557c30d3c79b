"""The judge, metric by metric, on a pool small enough to count by hand."""

import pytest

from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import POLICY_V1
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.experiment.corpora import Case, Fixture
from contextc.experiment.judge import aids, judge
from contextc.experiment.ledger import Expected, Labels, Weights
from contextc.experiment.strategies.base import Choice, Problem


def candidate(name, **fields):
    values = {
        "candidate_id": name,
        "content_identity": name,
        "representation_id": "full",
        "form_rank": 3,
        "token_count": 10,
        "requirement": "DISCRETIONARY",
        "order_role": "evidence",
        "relevance": 0.5,
    }
    return Candidate(**{**values, **fields})


POOL = (
    candidate("owed", requirement="MANDATORY"),
    candidate("wanted"),
    candidate("thick", content_identity="forms"),
    candidate("thin", content_identity="forms", representation_id="anchor", form_rank=1, requirement="REQUIRED"),
    candidate("noise", token_count=40),
    candidate("poison"),
    candidate("nameless"),
    candidate("needy", depends_on=("wanted", "noise")),
    candidate("left", group_id="pair", group_required=True),
    candidate("right", group_id="pair", group_required=True),
    candidate("owed-1", group_id="owed-pair", group_required=True, requirement="REQUIRED"),
    candidate("owed-2", group_id="owed-pair", group_required=True, requirement="REQUIRED"),
    candidate("foreign", scope_eligible=False, freshness_eligible=False),
    candidate("stale", freshness_eligible=False, authority_eligible=False),
    candidate("unsigned", authority_eligible=False, form_rank=1, min_rank=2),
    candidate("low", form_rank=1, min_rank=2),
)
LABELS = Labels(
    label={"owed": "must", "forms": "must", "wanted": "should", "noise": "distractor", "poison": "harmful"},
    minimum_form={"owed": "full", "forms": "compact", "wanted": "full", "noise": "full", "poison": "full"},
)


def judged(items=(), *, budget=500, reason=None, expected=None, required_ids=()):
    request = Request(
        request_id="r",
        task_id="t",
        usable_token_budget=budget,
        required_ids=required_ids,
        policy_version="compiler-policy-v1",
    )
    outcome = Expected(outcome="refusal" if expected else "bundle", reason=expected)
    fixture = Fixture(
        name="f",
        request=request,
        candidates=POOL,
        budgets=(("only", budget),),
        labels=LABELS,
        expected={"only": outcome},
    )
    case = Case(fixture=fixture, budget="only", budget_tokens=budget, request=request, expected=outcome)
    pricing = Pricing(
        counter="declared",
        renderer="test",
        base=3,
        empty=4,
        items={c.candidate_id: c.token_count + 4 for c in POOL},
    )
    problem = Problem(
        request=request, candidates=POOL, policy=POLICY_V1, pricing=pricing, weights=Weights(), labels=LABELS
    )
    choice = Choice(items=tuple(items), reason=reason)
    metrics = judge(case, problem, choice)
    return metrics, aids(case, choice, metrics)


def test_recall_counts_labelled_contents_in_any_form():
    metrics, _ = judged(["owed", "thin"])
    assert (metrics.must_recall, metrics.should_recall) == (1.0, 0.0)
    assert (metrics.must_hits, metrics.must_total, metrics.should_total) == (2, 2, 1)
    assert metrics.under_admission == 1


def test_precision_is_lowered_by_everything_unlabelled_or_optional():
    metrics, _ = judged(["owed", "nameless", "noise", "wanted"])
    assert metrics.precision == 0.5
    assert metrics.over_admission == 2


def test_precision_counts_contents_and_not_forms():
    metrics, _ = judged(["thick", "thin"])
    assert metrics.precision == 1.0
    assert metrics.over_admission == 0


def test_precision_of_nothing_is_one():
    assert judged([])[0].precision == 1.0


def test_distractors_and_harmful_items_are_counted_apart():
    metrics, _ = judged(["noise", "poison", "nameless"])
    assert (metrics.distractor_admission, metrics.harmful_admission) == (1, 1)


@pytest.mark.parametrize(
    ("item", "gate"), [("foreign", "scope"), ("stale", "freshness"), ("unsigned", "authority"), ("low", "floor")]
)
def test_an_illegal_item_is_counted_once_at_the_first_gate_it_fails(item, gate):
    metrics, _ = judged([item])
    counted = {name: getattr(metrics, f"{name}_violations") for name in ("scope", "freshness", "authority", "floor")}
    assert counted == {**dict.fromkeys(counted, 0), gate: 1}
    assert metrics.illegal_admission == 1


def test_each_missing_dependency_of_each_item_is_a_violation():
    assert judged(["needy"])[0].dependency_violations == 2
    assert judged(["needy", "noise"])[0].dependency_violations == 1
    assert judged(["needy", "noise", "wanted"])[0].dependency_violations == 0


def test_a_group_is_broken_when_some_but_not_all_members_are_there():
    assert judged(["left"])[0].group_violations == 1
    assert judged(["left", "right"])[0].group_violations == 0
    assert judged([])[0].group_violations == 0


def test_the_rendered_cost_has_a_head_and_a_frame_for_each_item():
    assert judged([])[0].rendered_tokens == 4
    assert judged(["owed"])[0].rendered_tokens == 4 + 10 + 3
    metrics, _ = judged(["owed", "noise"], budget=100)
    assert metrics.rendered_tokens == 4 + 10 + 3 + 40 + 3 + 1
    assert metrics.budget_slack == 100 - 61


@pytest.mark.parametrize(("budget", "compliant"), [(17, True), (16, False)])
def test_a_cost_equal_to_the_budget_complies(budget, compliant):
    metrics, read = judged(["owed"], budget=budget)
    assert metrics.budget_compliant is compliant
    assert not read.sound


def test_a_refusal_has_no_items_no_tokens_and_no_slack():
    metrics, _ = judged(reason="INSUFFICIENT_BUDGET")
    assert (metrics.rendered_tokens, metrics.budget_slack, metrics.budget_compliant) == (0, None, True)
    assert (metrics.must_recall, metrics.precision, metrics.under_admission) == (0.0, 1.0, 3)


@pytest.mark.parametrize(
    ("reason", "expected", "right"),
    [
        (None, None, True),
        (None, "INSUFFICIENT_BUDGET", False),
        ("INSUFFICIENT_BUDGET", None, False),
        ("INSUFFICIENT_BUDGET", "INSUFFICIENT_BUDGET", True),
        ("UNSATISFIED_DEPENDENCY", "INSUFFICIENT_BUDGET", False),
    ],
)
def test_an_outcome_is_right_only_with_exactly_the_expected_reason(reason, expected, right):
    assert judged(reason=reason, expected=expected)[0].status_correct is right


def test_an_empty_bundle_is_right_as_published_and_wrong_beside_it():
    metrics, read = judged([])
    assert metrics.status_correct
    assert read.clean
    assert read.empty_wrong
    assert not read.sound


def test_an_empty_bundle_where_a_refusal_is_due_is_wrong_anyway():
    metrics, read = judged([], expected="INSUFFICIENT_BUDGET")
    assert not metrics.status_correct
    assert not read.empty_wrong


def test_a_form_below_what_the_ledger_asks_for_is_thin_and_a_thicker_one_is_not():
    assert judged(["thin"])[1].thin_forms == 1
    assert judged(["thick"])[1].thin_forms == 0
    assert judged(["low"])[1].thin_forms == 0  # not labelled must or should


SOUND = ("owed", "owed-1", "owed-2", "thin")


def test_a_bundle_that_meets_every_obligation_is_sound():
    read = judged(SOUND)[1]
    assert read.clean
    assert read.sound


@pytest.mark.parametrize(
    ("items", "field"),
    [
        (("owed", "owed-1", "owed-2"), "owed_missing"),
        (("owed", "owed-1", "owed-2", "thick"), "owed_missing"),  # a form of a weaker band does not meet it
        (("owed", "thin"), "groups_missing"),
        ((*SOUND, "thick"), "form_clashes"),
    ],
)
def test_what_is_missing_or_twice_is_counted_and_not_sound(items, field):
    _, read = judged(items)
    assert getattr(read, field) >= 1
    assert not read.sound


def test_an_id_required_by_name_must_be_that_very_candidate():
    assert judged(SOUND, required_ids=("thick",))[1].named_missing == 1
    assert judged(("owed", "owed-1", "owed-2", "thick"), required_ids=("thick",))[1].named_missing == 0


def test_a_refusal_misses_nothing():
    read = judged(reason="INSUFFICIENT_BUDGET", expected="INSUFFICIENT_BUDGET", required_ids=("thick",))[1]
    assert (read.named_missing, read.owed_missing, read.groups_missing) == (0, 0, 0)
    assert read.sound
