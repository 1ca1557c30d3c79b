"""What the files of a corpus have to agree in. Every disagreement is named by file and path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contextc.core.records.candidate import FORM_RANKS, CandidatePool
from contextc.core.records.request import Request
from contextc.errors import DocumentError, Problem
from contextc.experiment.ledger import LABELS, FixtureLedger, Identity, Ledger, TokenModel
from contextc.experiment.manifest import CANDIDATES, REQUEST, Manifest
from contextc.experiment.strategies.common import is_legal


def check_agreement(
    directory: Path,
    ledger_path: Path,
    *,
    manifest: Manifest,
    ledger: Ledger,
    pools: dict[str, CandidatePool],
    requests: dict[str, Request],
) -> None:
    """Raise a `DocumentError` for the first file that contradicts the others, with all its problems."""
    _raise(directory / "manifest.json", _manifest(directory, manifest))
    for name in sorted(pools):
        _raise(directory / f"{name}{CANDIDATES}", _pool(pools[name]))
    _raise(ledger_path, _settings(ledger, manifest))
    for name in sorted(pools):
        book = ledger.fixtures[name]
        found = [*_outcomes(name, book, manifest), *_identities(book, pools[name]), *_expansions(book, pools[name])]
        if book.named_required_ids is not None and book.named_required_ids != requests[name].required_ids:
            expected = f"expected {list(requests[name].required_ids)} as in {name}{REQUEST}"
            found.append(Problem("$.named_required_ids", expected))
        _raise(ledger_path, [Problem(f"$.fixtures.{name}{p.path[1:]}", p.expected) for p in found])


def _manifest(directory: Path, manifest: Manifest) -> Iterator[Problem]:
    names = set(manifest.fixtures)
    if len(names) != len(manifest.fixtures):
        yield Problem("$.fixtures", "expected each fixture once")
    yield from _same_keys("$.budgets", manifest.budgets, names)
    yield from _same_keys("$.expected", manifest.expected, names)
    for suffix in (CANDIDATES, REQUEST):
        for path in sorted(directory.glob(f"*{suffix}")):
            if path.name.removesuffix(suffix) not in names:
                yield Problem("$.fixtures", f"expected the fixture of {path.name} to be listed")


def _pool(pool: CandidatePool) -> Iterator[Problem]:
    seen: set[str] = set()
    ids = {candidate.candidate_id for candidate in pool.candidates}
    for index, candidate in enumerate(pool.candidates):
        if candidate.candidate_id in seen:
            yield Problem(f"$.candidates[{index}].candidate_id", f"{candidate.candidate_id!r} is given twice")
        seen.add(candidate.candidate_id)
        for place, needed in enumerate(candidate.depends_on):
            if needed not in ids:
                yield Problem(f"$.candidates[{index}].depends_on[{place}]", f"no candidate is called {needed!r}")


def _settings(ledger: Ledger, manifest: Manifest) -> Iterator[Problem]:
    yield from _same_keys("$.fixtures", ledger.fixtures, set(manifest.fixtures))
    known = TokenModel()
    for name in ("header", "item_decoration", "separator"):
        if getattr(ledger.token_model, name) != getattr(known, name):
            yield Problem(f"$.token_model.{name}", f"expected {getattr(known, name)}, which the rendering costs")


def _outcomes(name: str, book: FixtureLedger, manifest: Manifest) -> Iterator[Problem]:
    if book.budgets != manifest.budgets[name]:
        yield Problem("$.budgets", f"expected {manifest.budgets[name]} as in manifest.json")
    yield from _same_keys("$.expected", book.expected, set(book.budgets))
    for budget in sorted(book.expected):
        entry = book.expected[budget]
        if (entry.outcome == "bundle") != (entry.reason is None):
            yield Problem(f"$.expected.{budget}", "expected a reason with a refusal and none with a bundle")
        other = manifest.expected[name].get(budget)
        if other is None or (other.success, other.reason) != (entry.outcome == "bundle", entry.reason):
            yield Problem(f"$.expected.{budget}", "expected the same outcome as in manifest.json")


def _identities(book: FixtureLedger, pool: CandidatePool) -> Iterator[Problem]:
    known = {candidate.content_identity for candidate in pool.candidates}
    for name in sorted(book.identities):
        entry = book.identities[name]
        if name not in known:
            yield Problem(f"$.identities.{name}", "expected an identity that some candidate has")
        if entry.minimum_form not in FORM_RANKS:
            yield Problem(f"$.identities.{name}.minimum_form", f"expected one of {', '.join(sorted(FORM_RANKS))}")


def _expansions(book: FixtureLedger, pool: CandidatePool) -> Iterator[Problem]:
    """The lists that repeat the labels for convenience, where they are given."""
    for name in sorted(book.identities):
        entry = book.identities[name]
        forms = [c for c in pool.candidates if c.content_identity == name]
        enough = [c for c in forms if is_legal(c) and c.representation_id == entry.minimum_form]
        for key, expected in (("candidates", forms), ("sufficient_and_legal", enough)):
            given = getattr(entry, key)
            ids = [c.candidate_id for c in expected]
            if given is not None and sorted(given) != sorted(ids):
                yield Problem(f"$.identities.{name}.{key}", f"expected {ids}")
    if book.labels_by_identity is not None:
        yield from _label_lists("$.labels_by_identity", book.labels_by_identity, _by_identity(book.identities))
    if book.labels_by_candidate is not None:
        label_of = {name: entry.label for name, entry in book.identities.items()}
        by_candidate = [(c.candidate_id, label_of.get(c.content_identity)) for c in pool.candidates]
        yield from _label_lists("$.labels_by_candidate", book.labels_by_candidate, by_candidate)


def _by_identity(identities: dict[str, Identity]) -> list[tuple[str, str | None]]:
    return [(name, entry.label) for name, entry in identities.items()]


def _label_lists(
    path: str, given: dict[str, tuple[str, ...]], labelled: Sequence[tuple[str, str | None]]
) -> Iterator[Problem]:
    for label in sorted({*LABELS, *given}):
        expected = sorted(name for name, own in labelled if own == label)
        if sorted(given.get(label, ())) != expected:
            yield Problem(f"{path}.{label}", f"expected {expected}")


def _same_keys(path: str, given: Iterable[str], expected: set[str]) -> Iterator[Problem]:
    for name in sorted(set(given) - expected):
        yield Problem(f"{path}.{name}", "expected only names that stand in the other files as well")
    for name in sorted(expected - set(given)):
        yield Problem(path, f"expected an entry {name!r}")


def _raise(path: Path, problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise DocumentError(found, where=str(path))
