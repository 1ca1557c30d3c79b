"""The published price of a bundle as an additive table (construction SPEC 2)."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.candidate import Candidate
from contextc.core.records.pricing import Pricing, tokens_of
from contextc.core.records.request import Request

#: The separator between items is a line of three hyphens: one word.
SEPARATOR = 1


def estimate(text: str) -> int:
    """Words times 1.3, rounded half to even, at least 1; no words cost nothing."""
    return tokens_of(len(text.split()), "words13")


def declared_pricing(request: Request, candidates: Sequence[Candidate]) -> Pricing:
    """Price the published rendering by declared token counts.

    n items cost header + sum(token_count + decoration) + (n - 1) separators. As an additive table each item carries
    one separator and the base is one separator short; the empty bundle costs the header alone.
    """
    header = estimate(f"{request.request_id} {request.task_id} {request.policy_version}")
    decoration: dict[tuple[str, str], int] = {}
    items: dict[str, int] = {}
    for candidate in candidates:
        key = (candidate.source_kind, candidate.kind)
        frame = decoration.get(key)
        if frame is None:
            frame = decoration[key] = estimate(f"{key[0]} {key[1]}") + SEPARATOR
        items[candidate.candidate_id] = candidate.token_count + frame
    return Pricing(counter="declared", renderer="published", base=header - SEPARATOR, empty=header, items=items)


def decoration_tokens(candidate: Candidate) -> int:
    """Tokens of the line that stands above an item in the published rendering."""
    return estimate(f"{candidate.source_kind} {candidate.kind}")
