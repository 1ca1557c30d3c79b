"""Where the corpora are: the one that comes with contextc, and the published one where it is at hand."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

#: The corpus that comes with contextc.
OWN_CORPUS = Path(__file__).resolve().parent / "corpus"

#: Names a folder that holds `conformance/`; without it, `shared` beside the checkout is tried.
VARIABLE = "CONTEXTC_SHARED"

_CHECKOUT = Path(__file__).resolve().parents[3]


class Place(Struct, frozen=True, kw_only=True):
    """A corpus and its ledger; `results` are the published results to compare with, where there are any."""

    corpus: Path
    ledger: Path
    results: Path | None = None


def place_of(corpus: Path | None, ledger: Path | None) -> Place:
    """The place a caller means: what is named, else the published corpus, else the one that comes with contextc."""
    if corpus is None and ledger is None:
        return published_place() or Place(corpus=OWN_CORPUS, ledger=OWN_CORPUS / "ledger.json")
    folder = corpus or OWN_CORPUS
    book = ledger or folder / "ledger.json"
    results = book.parent / "results.json"
    return Place(corpus=folder, ledger=book, results=results if results.is_file() else None)


def published_place() -> Place | None:
    """The published corpus and its results, or None where they are not at hand."""
    shared = Path(os.environ.get(VARIABLE) or _CHECKOUT.parent / "shared")
    book = shared / "conformance" / "construction-v1" / "ledger.json"
    corpus = shared / "conformance" / "compiler-v1"
    if not book.is_file() or not corpus.is_dir():
        return None
    return place_of(corpus, book)
