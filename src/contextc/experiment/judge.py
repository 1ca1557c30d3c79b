"""The judge: what a bundle is worth by the labels, exactly as published, and what the published figures do not see.

`judge` computes the metrics of the construction experiment, section 6. `aids` stands beside them and changes none.
"""

from __future__ import annotations

from msgspec import Struct

from contextc.core.records.candidate import BAND_RANK, FORM_RANKS, Candidate
from contextc.experiment.corpora import Case
from contextc.experiment.cost import rendered_tokens
from contextc.experiment.strategies.base import Choice, Problem


class Metrics(Struct, frozen=True, kw_only=True):
    """The published metrics of one compilation. A refusal counts as no items and 0 tokens."""

    budget_compliant: bool
    status_correct: bool
    must_recall: float | None
    should_recall: float | None
    must_total: int
    should_total: int
    precision: float
    distractor_admission: int
    harmful_admission: int
    illegal_admission: int
    scope_violations: int
    freshness_violations: int
    authority_violations: int
    floor_violations: int
    dependency_violations: int
    group_violations: int
    rendered_tokens: int
    budget_slack: int | None
    under_admission: int
    over_admission: int
    # Counts behind the two recalls, for the totals; not columns of a row.
    must_hits: int
    should_hits: int


class Aids(Struct, frozen=True, kw_only=True):
    """Readings beside the published metrics.

    thin_forms       items labelled must or should in a form thinner than the ledger asks for
    empty_wrong      nothing was delivered although the ledger names something that is due
    form_clashes     items beyond the first form of their content
    named_missing    ids required by name that are not items
    owed_missing     contents of a strong band that are not there in a form of that band
    groups_missing   required groups of a strong band of which nothing is there
    clean            right outcome, no illegal item, no broken dependency, no broken group
    sound            clean, not empty where something is due, within the budget, and nothing of the above missing
    """

    thin_forms: int
    empty_wrong: bool
    form_clashes: int
    named_missing: int
    owed_missing: int
    groups_missing: int
    clean: bool
    sound: bool


def judge(case: Case, problem: Problem, choice: Choice) -> Metrics:
    """The metrics of section 6 for one choice."""
    by_id = {candidate.candidate_id: candidate for candidate in case.fixture.candidates}
    items = [by_id[name] for name in choice.items]
    admitted = {item.content_identity for item in items}
    labels = case.fixture.labels
    must, should = labels.identities("must"), labels.identities("should")
    must_hits = sum(name in admitted for name in must)
    should_hits = sum(name in admitted for name in should)
    gates = [_failed_gate(item) for item in items]
    refused = choice.reason is not None
    tokens = 0 if refused else rendered_tokens(problem.pricing, choice.items)
    return Metrics(
        budget_compliant=tokens <= case.budget_tokens,
        status_correct=_status_correct(case, choice),
        must_recall=_ratio(must_hits, len(must)),
        should_recall=_ratio(should_hits, len(should)),
        must_total=len(must),
        should_total=len(should),
        precision=(must_hits + should_hits) / len(admitted) if admitted else 1.0,
        distractor_admission=sum(labels.of(item.content_identity) == "distractor" for item in items),
        harmful_admission=sum(labels.of(item.content_identity) == "harmful" for item in items),
        illegal_admission=sum(gate is not None for gate in gates),
        scope_violations=gates.count("scope"),
        freshness_violations=gates.count("freshness"),
        authority_violations=gates.count("authority"),
        floor_violations=gates.count("floor"),
        dependency_violations=sum(needed not in choice.items for item in items for needed in set(item.depends_on)),
        group_violations=_group_violations(case, choice),
        rendered_tokens=tokens,
        budget_slack=None if refused else case.budget_tokens - tokens,
        under_admission=len(must) + len(should) - must_hits - should_hits,
        over_admission=len(admitted) - must_hits - should_hits,
        must_hits=must_hits,
        should_hits=should_hits,
    )


def aids(case: Case, choice: Choice, metrics: Metrics) -> Aids:
    """The readings beside the metrics for the same choice."""
    by_id = {candidate.candidate_id: candidate for candidate in case.fixture.candidates}
    items = [by_id[name] for name in choice.items]
    delivered = choice.reason is None
    due = metrics.must_total > 0
    empty_wrong = delivered and not items and due and case.expected.outcome == "bundle"
    clashes = len(items) - len({item.content_identity for item in items})
    named = sum(name not in choice.items for name in case.request.required_ids) if delivered else 0
    owed = _owed_missing(case, items) if delivered else 0
    groups = _groups_missing(case, choice) if delivered else 0
    broken = metrics.illegal_admission + metrics.dependency_violations + metrics.group_violations
    clean = metrics.status_correct and broken == 0
    return Aids(
        thin_forms=sum(_is_thin(item, case) for item in items),
        empty_wrong=empty_wrong,
        form_clashes=clashes,
        named_missing=named,
        owed_missing=owed,
        groups_missing=groups,
        clean=clean,
        sound=clean and metrics.budget_compliant and not (empty_wrong or clashes or named or owed or groups),
    )


def _status_correct(case: Case, choice: Choice) -> bool:
    """A bundle where one is expected, whatever it holds; or a refusal with exactly the expected reason."""
    return choice.reason == case.expected.reason


def _ratio(hits: int, total: int) -> float | None:
    return hits / total if total else None


def _failed_gate(item: Candidate) -> str | None:
    """The first gate an item fails, in the published order, so that each item is counted once."""
    if not item.scope_eligible:
        return "scope"
    if not item.freshness_eligible:
        return "freshness"
    if not item.authority_eligible:
        return "authority"
    return "floor" if item.form_rank < item.min_rank else None


def _groups(case: Case) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = {}
    for candidate in case.fixture.candidates:
        if candidate.group_required and candidate.group_id is not None:
            groups.setdefault(candidate.group_id, []).append(candidate)
    return groups


def _group_violations(case: Case, choice: Choice) -> int:
    """Required groups with some but not all members."""
    present = [sum(c.candidate_id in choice.items for c in members) for members in _groups(case).values()]
    sizes = [len(members) for members in _groups(case).values()]
    return sum(0 < have < size for have, size in zip(present, sizes, strict=True))


def _groups_missing(case: Case, choice: Choice) -> int:
    return sum(
        any(_rank(c, case) <= BAND_RANK["REQUIRED"] for c in members)
        and not any(c.candidate_id in choice.items for c in members)
        for members in _groups(case).values()
    )


def _owed_missing(case: Case, items: list[Candidate]) -> int:
    """Contents of a strong band without an item in a form of their strongest band (legality rule L4)."""
    strongest: dict[str, int] = {}
    for candidate in case.fixture.candidates:
        rank = _rank(candidate, case)
        strongest[candidate.content_identity] = min(rank, strongest.get(candidate.content_identity, rank))
    met = {item.content_identity for item in items if _rank(item, case) == strongest[item.content_identity]}
    return sum(rank <= BAND_RANK["REQUIRED"] and name not in met for name, rank in strongest.items())


def _rank(candidate: Candidate, case: Case) -> int:
    """The rank of the effective band: a candidate required by name is at least REQUIRED."""
    rank = BAND_RANK[candidate.requirement]
    named = candidate.candidate_id in case.request.required_ids
    return min(rank, BAND_RANK["REQUIRED"]) if named else rank


def _is_thin(item: Candidate, case: Case) -> bool:
    labels = case.fixture.labels
    if labels.of(item.content_identity) not in ("must", "should"):
        return False
    return item.form_rank < FORM_RANKS[labels.minimum_form[item.content_identity]]
