"""The manifest of a corpus: which fixtures it has, at which budgets, and the right outcome of each."""

from __future__ import annotations

from contextc.core.records.base import Count, Record
from contextc.core.records.outcome import FailureReason

#: How the two files of a fixture end.
CANDIDATES = ".candidates.json"
REQUEST = ".request.json"


class ManifestOutcome(Record, frozen=True, kw_only=True):
    """The right outcome of a case as the manifest states it."""

    success: bool
    reason: FailureReason | None = None


class Manifest(Record, frozen=True, kw_only=True):
    """`manifest.json`."""

    fixtures: tuple[str, ...]
    budgets: dict[str, dict[str, Count]]
    expected: dict[str, dict[str, ManifestOutcome]]
    fixture_set: str = ""
    fixture_version: str = "1"
    token_mode: str = ""
    evidence_class: str = "synthetic"
    evidence_note: str = ""
