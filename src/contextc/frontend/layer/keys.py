"""The keys that records may have, for the kinds whose keys SPEC 1.7 lists whole.

A key that is none of them is a slip of the pen, or newer than this table: it is reported and the record stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextc.core.records.layer import Value


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: By kind; a kind that is not here has open keys.
KEYS: Mapping[str, frozenset[str]] = {
    "context": _words(
        "schema id kind title description status scope paths providers audience composition order tracks supersedes "
        "children"
    ),
    "rule": _words("id version kind title description statement status class depends_on tags x-majordomus"),
    "adr": _words("schema id kind title status date tags supersedes superseded_by related provenance"),
    "milestone": _words(
        "id title slug order priority problem outcome scope depends_on claims acceptance_criteria validation "
        "evidence_required evidence created_at updated_at version cancelled superseded_by non_scope risks "
        "current_state desired_state"
    ),
    "issue": _words(
        "id milestone title slug priority profile objective scope acceptance_criteria validation evidence_required "
        "depends_on parallel_safe risk owner why current_state desired_state non_scope serves cancelled started_at "
        "verified_at completed_at unsealed_stamps evidence created_at updated_at"
    ),
    "knowledge": _words(
        "schema id kind class title description status epistemics date tags superseded_by provenance relations"
    ),
    "claim": _words("id claim source implementation test status responsibility note"),
    "domain": _words("schema id kind title headline problem status weight tags"),
}  # fmt: skip


def unknown_keys(keys: frozenset[str] | None, metadata: Mapping[str, Value]) -> Sequence[str]:
    """The keys of a record that its kind does not have, in the order of the file."""
    return [key for key in metadata if key not in keys] if keys is not None else []
