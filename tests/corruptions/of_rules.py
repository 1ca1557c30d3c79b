"""Bundles that break one rule, with everything else made to agree."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from tests.corruptions.cases import Case
from tests.corruptions.forge import forge
from tests.corruptions.tools import (
    due,
    forged,
    item_ids,
    kind,
    passes,
    with_outcome,
)

from contextc.core.records.candidate import Candidate


def _with_extra(case: Case, wanted: Callable[[Candidate, set[str]], bool]) -> Case | None:
    ids = item_ids(case)
    if ids is None:
        return None
    contents = {c.content_identity for c in case.candidates if c.candidate_id in ids}
    for c in sorted(case.candidates, key=lambda c: c.candidate_id):
        if c.candidate_id not in ids and wanted(c, contents):
            return forged(case, [*ids, c.candidate_id])
    return None


@kind("L1")
def gate(case: Case) -> Case | None:
    return _with_extra(case, lambda c, _: not passes(c) and c.form_rank >= c.min_rank)


@kind("L1")
def floor(case: Case) -> Case | None:
    return _with_extra(case, lambda c, _: c.form_rank < c.min_rank)


@kind("L7")
def two_forms(case: Case) -> Case | None:
    return _with_extra(case, lambda c, contents: c.content_identity in contents)


@kind("L6")
def part_of_a_group_let_in(case: Case) -> Case | None:
    sizes: dict[str | None, int] = {}
    for c in case.candidates:
        sizes[c.group_id] = sizes.get(c.group_id, 0) + c.group_required
    return _with_extra(case, lambda c, _: c.group_required and sizes[c.group_id] > 1)


@kind("L6")
def half_a_group_left_out(case: Case) -> Case | None:
    ids = item_ids(case)
    groups: dict[str, list[str]] = {}
    for c in case.candidates:
        if ids is not None and c.group_required and c.group_id is not None and c.candidate_id in ids:
            groups.setdefault(c.group_id, []).append(c.candidate_id)
    for members in groups.values():
        if len(members) > 1 and ids is not None:
            return forged(case, [name for name in ids if name != members[0]])
    return None


@kind("L5")
def missing_dependency(case: Case) -> Case | None:
    ids = item_ids(case)
    for c in case.candidates:
        for needed in c.depends_on:
            if ids is not None and c.candidate_id in ids and needed != c.candidate_id:
                return forged(case, [name for name in ids if name != needed])
    return None


@kind("L4")
def missing_obligation(case: Case) -> Case | None:
    ids = item_ids(case)
    contents = due(case)
    for c in case.candidates:
        if ids is not None and c.candidate_id in ids and c.content_identity in contents:
            return forged(case, [name for name in ids if name != c.candidate_id])
    return None


@kind("L3")
def named_id_missing(case: Case) -> Case | None:
    ids = item_ids(case)
    named = [name for name in case.request.required_ids if ids is not None and name in ids]
    return forged(case, [name for name in ids or [] if name != named[0]]) if named else None


@kind("L3")
def named_id_in_another_form(case: Case) -> Case | None:
    ids = item_ids(case)
    by_id = {c.candidate_id: c for c in case.candidates}
    for name in case.request.required_ids:
        for c in case.candidates:
            same = name in by_id and c.content_identity == by_id[name].content_identity
            if ids is not None and name in ids and same and c.candidate_id != name:
                return forged(case, [c.candidate_id if other == name else other for other in ids])
    return None


@kind("L2")
def over_the_budget(case: Case) -> Case | None:
    """A bundle that cost a token more than there is, with a trace that adds up all the same."""
    ids, tokens = item_ids(case), case.outcome.result.bundle_tokens
    if ids is None or not tokens:
        return None
    poorer = replace(case, request=replace(case.request, usable_token_budget=tokens - 1))
    return with_outcome(poorer, forge(poorer, ids))


@kind("L2")
def outcome_of_a_larger_budget(case: Case) -> Case | None:
    tokens = case.outcome.result.bundle_tokens
    return replace(case, request=replace(case.request, usable_token_budget=tokens - 1)) if tokens else None


@kind("L2", "L3", "L4", "L5", "L6", "L7")
def refusal_turned_into_a_success(case: Case) -> Case | None:
    """All that is obliged and legal, taken together."""
    if case.outcome.result.success:
        return None
    names = [forms[0].candidate_id for forms in due(case).values() if passes(forms[0])]
    return with_outcome(case, forge(case, names))
