"""The bounded search for the cheapest forms, against trying everything; and the exact solver against the search."""

from __future__ import annotations

import itertools
import random

import pytest

from contextc.core.compiler import compile_candidates, load_exact
from contextc.core.compiler.cover import Cluster, Way, cost_of
from contextc.core.compiler.search import Search
from contextc.core.records.candidate import Candidate
from contextc.core.records.policy import POLICY_V2
from contextc.core.records.request import Request


def random_cluster(seed):
    rng = random.Random(seed)
    atoms = rng.randint(1, 6)
    duties, item = [], 0
    for _ in range(rng.randint(2, 5)):
        ways = []
        for _ in range(rng.randint(1, 3)):
            ways.append(Way(rng.randint(0, 6), rng.getrandbits(atoms), item))
            item += 1
        duties.append(ways)
    rivals = [0] * atoms
    for _ in range(rng.randint(0, 2)):
        a, b = rng.randrange(atoms), rng.randrange(atoms)
        if a != b:
            rivals[a] |= 1 << b
            rivals[b] |= 1 << a
    return Cluster(duties, [rng.randint(0, 8) for _ in range(atoms)], rivals)


def everything(cluster):
    """Least cost, then the smallest vector of items, by trying all choices."""
    found = []
    for choice in itertools.product(*cluster.duties):
        cost = cost_of(cluster, choice)
        if cost is not None:
            found.append((cost, [way.item for way in choice]))
    return min(found, default=None)


def test_the_search_finds_the_least_cost_and_then_the_smallest_vector():
    impossible = 0
    for seed in range(3000):
        cluster = random_cluster(seed)
        expected = everything(cluster)
        found = Search(cluster).run()
        assert found.proven
        if expected is None:
            impossible += 1
            assert found.choice is None
        else:
            assert found.choice is not None
            assert (found.cost, [way.item for way in found.choice]) == expected
    assert impossible > 20


def test_a_search_that_stops_claims_a_true_bound_and_no_more():
    stopped = 0
    for seed in range(400):
        cluster = random_cluster(seed)
        expected = everything(cluster)
        found = Search(cluster, cap=5).run()
        if found.proven:
            continue
        stopped += 1
        if expected is not None:
            assert found.bound <= expected[0]
        if found.choice is not None:
            assert expected is not None and cost_of(cluster, found.choice) == found.cost >= expected[0]
    assert stopped > 100


def test_the_exact_solver_gives_the_same_choice():
    exact = load_exact()
    if exact is None:
        pytest.skip("the extra `exact` is not installed")
    for seed in range(60):
        cluster = random_cluster(seed)
        ours, theirs = Search(cluster).run(), exact.solve(cluster)
        assert theirs.proven
        assert (theirs.choice, theirs.cost if theirs.choice else 0) == (ours.choice, ours.cost if ours.choice else 0)


def shared_pool(seed, duties, shared):
    """Obligations in two to four forms that share dependencies."""
    rng = random.Random(seed)

    def one(name, content, band, tokens, needs=()):
        return Candidate(
            candidate_id=name,
            content_identity=content,
            representation_id="full",
            form_rank=3,
            order_role="evidence",
            relevance=0.5,
            requirement=band,
            token_count=tokens,
            depends_on=tuple(needs),
        )

    pool = [one(f"s{s:03}", f"s{s:03}", "DISCRETIONARY", rng.randint(50, 600)) for s in range(shared)]
    for d in range(duties):
        for form in range(rng.randint(2, 4)):
            needs = sorted({f"s{rng.randrange(shared):03}" for _ in range(rng.randint(0, 2))})
            pool.append(one(f"d{d:03}-{form}", f"d{d:03}", "REQUIRED", rng.randint(20, 400), needs))
    return pool


@pytest.mark.parametrize(("duties", "shared"), [(100, 10), (100, 20), (100, 40), (100, 100)])
def test_a_hundred_duties_that_share_dependencies_are_settled_without_the_extra(duties, shared):
    request = Request(request_id="r", task_id="t", usable_token_budget=1, policy_version=POLICY_V2.policy_version)
    for seed in range(2):
        outcome = compile_candidates(request, shared_pool(seed, duties, shared), POLICY_V2)
        assert outcome.witness is not None and outcome.witness.kind == "budget"


def test_the_extra_changes_no_byte_where_the_search_settles():
    exact = load_exact()
    if exact is None:
        pytest.skip("the extra `exact` is not installed")
    request = Request(request_id="r", task_id="t", usable_token_budget=9000, policy_version=POLICY_V2.policy_version)
    pool = shared_pool(3, 40, 12)
    assert compile_candidates(request, pool, POLICY_V2, None, exact) == compile_candidates(request, pool, POLICY_V2)
