"""A corpus: a folder of fixtures, each compiled at several budgets, with a ledger beside them.

    manifest.json                 names of the fixtures, their budgets, the right outcome of each
    <fixture>.candidates.json     the pool
    <fixture>.request.json        the request; its id and budget are set for each case
    <policy version>.json         the policy that the requests name
    ledger.json                   labels and settings, here or given apart (see `ledger`)

Reading is strict, and every fault names its file and the path in it: a corpus that is wrong in one figure would
measure something else than its author believes. See `agreement` for what has to agree.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from contextc.core.records.base import Record
from contextc.core.records.candidate import Candidate, CandidatePool
from contextc.core.records.codec import decode
from contextc.core.records.policy import Policy
from contextc.core.records.request import Request
from contextc.errors import DocumentError, NotFound, Problem
from contextc.experiment.agreement import check_agreement
from contextc.experiment.ledger import Expected, Labels, Ledger, Weights, labels_of
from contextc.experiment.manifest import CANDIDATES, REQUEST, Manifest

T = TypeVar("T", bound=Record)


class Fixture(Struct, frozen=True, kw_only=True):
    """One pool with its request, its budgets from the smallest, its labels and the right outcome at each budget."""

    name: str
    request: Request
    candidates: tuple[Candidate, ...]
    budgets: tuple[tuple[str, int], ...]
    labels: Labels
    expected: dict[str, Expected]


class Case(Struct, frozen=True, kw_only=True):
    """One fixture at one budget."""

    fixture: Fixture
    budget: str
    budget_tokens: int
    request: Request
    expected: Expected

    @property
    def name(self) -> str:
        """`<fixture>/<budget>`."""
        return f"{self.fixture.name}/{self.budget}"


class Corpus(Struct, frozen=True, kw_only=True):
    """All fixtures, ascending by name, with the settings they are run under."""

    experiment: str
    fixture_version: str
    evidence_class: str
    policy: Policy
    weights: Weights
    fixtures: tuple[Fixture, ...]

    def cases(self) -> tuple[Case, ...]:
        """Every fixture at every budget, in the order of the run (section 8)."""
        return tuple(_case(fixture, name, tokens) for fixture in self.fixtures for name, tokens in fixture.budgets)

    def budgets(self) -> tuple[str, ...]:
        """The names of the budgets, in the order in which the run meets them."""
        return tuple(dict.fromkeys(name for fixture in self.fixtures for name, _ in fixture.budgets))


def load_corpus(directory: Path, ledger: Path | None = None) -> Corpus:
    """Read a corpus. `ledger` is a file, by default `ledger.json` in the folder.

    Raises `NotFound` for a file that is not there and `DocumentError` for every fault in one.
    """
    if not directory.is_dir():
        raise NotFound("expected the folder of a corpus", where=str(directory))
    ledger_path = ledger or directory / "ledger.json"
    manifest = _read(directory / "manifest.json", Manifest)
    book = _read(ledger_path, Ledger)
    pools = {name: _read(directory / f"{name}{CANDIDATES}", CandidatePool) for name in manifest.fixtures}
    requests = {name: _read(directory / f"{name}{REQUEST}", Request) for name in manifest.fixtures}
    policy = _read(directory / f"{_one_policy(directory, requests)}.json", Policy)
    check_agreement(directory, ledger_path, manifest=manifest, ledger=book, pools=pools, requests=requests)
    _check_policy(ledger_path, book, policy)
    fixtures = [_fixture(name, requests[name], pools[name], book) for name in sorted(manifest.fixtures)]
    return Corpus(
        experiment=book.experiment,
        fixture_version=book.fixture_version,
        evidence_class=manifest.evidence_class,
        policy=policy,
        weights=book.weights,
        fixtures=tuple(fixtures),
    )


def _fixture(name: str, request: Request, pool: CandidatePool, ledger: Ledger) -> Fixture:
    book = ledger.fixtures[name]
    return Fixture(
        name=name,
        request=request,
        candidates=pool.candidates,
        # By size, not as written: the order of a JSON object carries no meaning.
        budgets=tuple(sorted(book.budgets.items(), key=lambda pair: (pair[1], pair[0]))),
        labels=labels_of(book),
        expected=book.expected,
    )


def _case(fixture: Fixture, budget: str, tokens: int) -> Case:
    request = msgspec.structs.replace(
        fixture.request, request_id=f"{fixture.request.request_id}-{budget}", usable_token_budget=tokens
    )
    return Case(
        fixture=fixture, budget=budget, budget_tokens=tokens, request=request, expected=fixture.expected[budget]
    )


def _read(path: Path, record: type[T]) -> T:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"expected a file of the corpus: {path.name}", where=str(path)) from None
    return decode(data, record, where=str(path))


def _one_policy(directory: Path, requests: dict[str, Request]) -> str:
    """The policy version that all requests name."""
    named: dict[str, str] = {}
    for fixture in sorted(requests):
        named.setdefault(requests[fixture].policy_version, fixture)
    versions = list(named)
    if len(versions) == 1:
        return versions[0]
    problem = Problem("$.policy_version", f"expected {versions[0]!r} as in the other requests, got {versions[1]!r}")
    raise DocumentError([problem], where=str(directory / f"{named[versions[1]]}{REQUEST}"))


def _check_policy(path: Path, ledger: Ledger, policy: Policy) -> None:
    if ledger.policy is None:
        return
    problems = [
        Problem(f"$.policy.{name}", f"expected {getattr(policy, name)!r} as in {policy.policy_version}.json")
        for name in ledger.policy.__struct_fields__
        if getattr(ledger.policy, name) != getattr(policy, name)
    ]
    if problems:
        raise DocumentError(problems, where=str(path))
