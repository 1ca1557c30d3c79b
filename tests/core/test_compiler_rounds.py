"""The published algorithm without rescanning equals the literal one, decision by decision and figure by figure."""

from __future__ import annotations

import pytest
from tests.core.compiler_pools import random_pool
from tests.core.literal_v1 import Literal

from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.prices import declared_pricing
from contextc.core.compiler.published import published
from contextc.core.records.policy import POLICY_V1


def both(seed, largest):
    request, candidates = random_pool(seed, largest=largest)
    pool = Pool(request, candidates, POLICY_V1, declared_pricing(request, candidates))
    literal = Literal(pool)
    stop, items = literal.run()
    made = published(pool, Needs(pool, groups=False, weight=pool.tokens))
    return (
        (stop and stop.reason, items, literal.rows, pool.budget - literal.rest),
        (made.stop and made.stop.reason, made.items, made.rows, made.used),
    )


@pytest.mark.parametrize(("largest", "seeds"), [(9, range(2500)), (40, range(300))])
def test_every_decision_and_figure_is_that_of_the_literal_algorithm(largest, seeds):
    for seed in seeds:
        literal, quick = both(seed, largest)
        assert quick == literal, f"pool {seed} of at most {largest}"


def test_the_pools_reach_every_ending_and_every_decision():
    reasons, decisions = set(), set()
    for seed in range(1500):
        literal, _ = both(seed, 9)
        reasons.add(literal[0])
        decisions.update((row.decision, row.code) for row in literal[2] if row is not None)
    assert reasons == {
        None,
        "INSUFFICIENT_BUDGET",
        "UNRESOLVED_REQUIRED_GROUP",
        "REQUIRED_INELIGIBLE",
        "UNSATISFIED_DEPENDENCY",
        "NO_LEGAL_REPRESENTATION",
    }
    assert {code for _, code in decisions} >= {
        "admitted",
        "alternative_selected",
        "dependency-blocked",
        "budget",
        "no-earn",
        "repair-drop",
        "illegal_representation",
    }
