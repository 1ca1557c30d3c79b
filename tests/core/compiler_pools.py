"""Small random pools that are rich in coincidences: few contents, few groups, tight budgets, cycles."""

from __future__ import annotations

import random

from contextc.core.records.candidate import BANDS, Candidate
from contextc.core.records.request import Request

ROLES = ("instruction", "task", "state", "evidence", "support", "tool", "elsewhere")


def random_pool(seed: int, *, version: str = "compiler-policy-v1", largest: int = 9) -> tuple[Request, list[Candidate]]:
    """A pool of 3 to `largest` candidates; features are switched on and off by the seed."""
    rng = random.Random(seed)
    size = rng.randint(3, largest)
    ids = [f"c{i:02d}" for i in range(size)]
    rng.shuffle(ids)
    deps = rng.choice((0.0, 0.1, 0.25))
    gated = rng.choice((0.0, 0.0, 0.15))
    keys = [f"k{i}" for i in range(rng.randint(0, 4))]
    bands = rng.choice((BANDS, BANDS[1:], BANDS[2:], ("REQUIRED", "DISCRETIONARY"), ("MANDATORY", "PREFERRED")))
    contents = rng.randint(max(1, size // 2), size)
    groups = {f"g{i}": rng.choice(bands) for i in range(rng.choice((0, 0, 1, 2)))}
    found = []
    for i, name in enumerate(ids):
        group = rng.choice([*groups, None]) if groups else None
        required = group is not None and rng.random() < 0.9
        later = ids if rng.random() < 0.3 else ids[i + 1 :]
        found.append(
            Candidate(
                candidate_id=name,
                content_identity=f"x{rng.randrange(contents)}" if rng.random() < 0.6 else f"own-{name}",
                representation_id=rng.choice(("full", "compact", "anchor", "reference")),
                form_rank=rng.randint(0, 3),
                min_rank=1 if rng.random() < gated else 0,
                token_count=rng.randint(1, 40),
                requirement=groups[group] if required and group is not None else rng.choice(bands),
                order_role=rng.choice(ROLES),
                relevance=rng.choice((0.0, 0.1, 0.29, 0.3, 0.5, 0.5, 0.8, 1.0)),
                depends_on=tuple(other for other in later if other != name and rng.random() < deps),
                group_id=group,
                group_required=required,
                coverage_keys=tuple(key for key in keys if rng.random() < 0.3),
                scope_eligible=rng.random() >= gated,
                freshness_eligible=rng.random() >= gated / 2,
                authority_eligible=rng.random() >= gated / 3,
                kind="evidence",
                content=f"text of {name}",
                source_ref=f"ref-{name}",
            )
        )
    whole = sum(c.token_count + 4 for c in found) + 4
    request = Request(
        request_id=f"r{seed}",
        task_id="t",
        usable_token_budget=rng.randint(5, whole + 5),
        required_ids=tuple(rng.sample(ids, rng.choice((0, 0, 0, 1, 2)))),
        policy_version=version,
    )
    return request, found
