"""What is refused as an input error before anything is compiled; all faults are listed at once."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.errors import DocumentError, Problem

#: The most problems that one error lists; the rest is counted.
PROBLEM_LIMIT = 20


def check_inputs(request: Request, candidates: Sequence[Candidate], policy: Policy, pricing: Pricing | None) -> None:
    """Raise `DocumentError` unless the four inputs belong together (construction SPEC 4, input errors)."""
    problems = _version(request, policy)
    places = _places(candidates, problems)
    problems += _counts(candidates)
    problems += _dependencies(candidates, places)
    problems += _groups(candidates)
    if pricing is not None:
        problems += _prices(candidates, pricing)
    if not problems:
        return
    if len(problems) > PROBLEM_LIMIT:
        more = len(problems) - PROBLEM_LIMIT
        problems = [*problems[:PROBLEM_LIMIT], Problem("$", f"and {more} more problems")]
    raise DocumentError(problems, hint="correct the request, the candidates, the policy or the pricing")


def _version(request: Request, policy: Policy) -> list[Problem]:
    if request.policy_version == policy.policy_version:
        return []
    expected = f"expected {policy.policy_version!r}, the version of the policy, not {request.policy_version!r}"
    return [Problem("$.request.policy_version", expected)]


def _places(candidates: Sequence[Candidate], problems: list[Problem]) -> dict[str, int]:
    """Where each id stands first; an id that stands twice is a problem."""
    places = {c.candidate_id: i for i, c in enumerate(candidates)}
    if len(places) < len(candidates):
        first: dict[str, int] = {}
        for i, candidate in enumerate(candidates):
            name = candidate.candidate_id
            if first.setdefault(name, i) != i:
                path = f"$.candidates[{i}].candidate_id"
                problems.append(Problem(path, f"expected a unique id; {name!r} is also at [{first[name]}]"))
    return places


def _counts(candidates: Sequence[Candidate]) -> list[Problem]:
    if min([c.token_count for c in candidates], default=0) >= 0:
        return []
    return [
        Problem(f"$.candidates[{i}].token_count", f"expected 0 or more, not {c.token_count}")
        for i, c in enumerate(candidates)
        if c.token_count < 0
    ]


def _dependencies(candidates: Sequence[Candidate], places: dict[str, int]) -> list[Problem]:
    return [
        Problem(f"$.candidates[{i}].depends_on[{j}]", f"expected the id of a candidate; there is no {name!r}")
        for i, c in enumerate(candidates)
        if c.depends_on
        for j, name in enumerate(c.depends_on)
        if name not in places
    ]


def _groups(candidates: Sequence[Candidate]) -> list[Problem]:
    """A required group whose members are in more than one declared band."""
    bands: dict[str, set[str]] = {}
    for candidate in candidates:
        if candidate.group_required and candidate.group_id is not None:
            bands.setdefault(candidate.group_id, set()).add(candidate.requirement)
    return [
        Problem("$.candidates", f"expected one band in required group {name!r}, not {', '.join(sorted(bands[name]))}")
        for name in sorted(bands)
        if len(bands[name]) > 1
    ]


def _prices(candidates: Sequence[Candidate], pricing: Pricing) -> list[Problem]:
    items = pricing.items
    found = [
        Problem("$.pricing.items", f"expected a price of candidate {c.candidate_id!r}")
        for c in candidates
        if c.candidate_id not in items
    ]
    if min(items.values(), default=0) < 0:
        found += [
            Problem(f"$.pricing.items.{name}", f"expected 0 or more, not {items[name]}")
            for name in sorted(items)
            if items[name] < 0
        ]
    return found
