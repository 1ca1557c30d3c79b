"""The ledger: what a corpus keeps hidden from the strategies, and the settings of the experiment.

Labels attach to content identities (construction experiment, companion data). The lists that only expand them
(`labels_by_identity`, `labels_by_candidate`, `candidates`, `sufficient_and_legal`) may be left out; where they are
given they must agree, see `corpus`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from contextc.core.records.base import Count, Ratio, Record, Text
from contextc.core.records.candidate import Band
from contextc.core.records.outcome import FailureReason

Label = Literal["must", "should", "optional", "distractor", "harmful"]

#: In the order in which tables print them.
LABELS: tuple[Label, ...] = ("must", "should", "optional", "distractor", "harmful")


class BandValues(Record, frozen=True, kw_only=True, rename="upper"):
    """What each band is worth to the strategy `weighted`."""

    mandatory: float = 4.0
    required: float = 3.0
    preferred: float = 2.0
    discretionary: float = 1.0

    def of(self, band: Band) -> float:
        """The value of a band."""
        return float(getattr(self, band.lower()))


class Weights(Record, frozen=True, kw_only=True):
    """The fixed weights of the strategy `weighted` (construction experiment, section 3)."""

    weights_id: str = "compiler-v1-weighted-baseline-v1"
    relevance: float = 1.0
    priority: float = 0.5
    cost: float = 1.0
    band_value: BandValues = BandValues()


class PolicyNumbers(Record, frozen=True, kw_only=True):
    """The numbers of the policy as the ledger repeats them; they must equal the policy file's."""

    policy_version: Text
    min_discretionary_relevance: Ratio
    mandatory_form: str
    order_roles: tuple[str, ...]
    repair: str


class TokenModel(Record, frozen=True, kw_only=True):
    """What a rendering costs beside the declared counts (construction experiment, section 2)."""

    header: Count = 4
    item_decoration: Count = 3
    separator: Count = 1
    formula: str = ""


class Expected(Record, frozen=True, kw_only=True):
    """The right outcome of one fixture at one budget: a bundle, or a refusal with exactly this reason."""

    outcome: Literal["bundle", "refusal"]
    reason: FailureReason | None = None


class Identity(Record, frozen=True, kw_only=True):
    """One content identity: its label and the thinnest form that is enough."""

    label: Label
    minimum_form: Text = "full"
    candidates: tuple[str, ...] | None = None
    sufficient_and_legal: tuple[str, ...] | None = None


class FixtureLedger(Record, frozen=True, kw_only=True):
    """The evaluation side of one fixture."""

    budgets: Annotated[dict[str, Count], Meta(min_length=1)]
    expected: dict[str, Expected]
    identities: dict[str, Identity]
    named_required_ids: tuple[str, ...] | None = None
    labels_by_identity: dict[str, tuple[str, ...]] | None = None
    labels_by_candidate: dict[str, tuple[str, ...]] | None = None
    note: str = ""


class Ledger(Record, frozen=True, kw_only=True):
    """`ledger.json`."""

    experiment: Text
    fixtures: Annotated[dict[str, FixtureLedger], Meta(min_length=1)]
    fixture_version: str = "1"
    note: str = ""
    weights: Weights = Weights()
    policy: PolicyNumbers | None = None
    token_model: TokenModel = TokenModel()


class Labels(Struct, frozen=True, kw_only=True):
    """The labels of one fixture, by content identity. An identity without one counts as optional."""

    label: dict[str, Label]
    minimum_form: dict[str, str]

    def of(self, identity: str) -> Label:
        """The label of one identity."""
        return self.label.get(identity, "optional")

    def identities(self, label: Label) -> tuple[str, ...]:
        """The identities with this label, ascending."""
        return tuple(sorted(name for name, own in self.label.items() if own == label))


def labels_of(fixture: FixtureLedger) -> Labels:
    """The labels of one fixture of a ledger."""
    return Labels(
        label={name: entry.label for name, entry in fixture.identities.items()},
        minimum_form={name: entry.minimum_form for name, entry in fixture.identities.items()},
    )
