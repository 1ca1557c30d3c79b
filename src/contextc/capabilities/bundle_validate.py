"""`bundle.validate`: judge a stored compilation against its inputs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from contextc.capabilities.base import Capability, Session, Verdict
from contextc.capabilities.documents import (
    BundleField,
    CandidatesField,
    Complete,
    DocumentField,
    PolicyField,
    RequestField,
    complete,
    read_case,
)
from contextc.core.records.base import Record
from contextc.errors import DocumentError, InputError


class BundleValidateInput(Record, frozen=True, kw_only=True):
    """What `bundle.validate` is asked with."""

    document: DocumentField
    request: RequestField = None
    candidates: CandidatesField = None
    policy: PolicyField = None
    bundle: BundleField = None


class Fault(Record, frozen=True, kw_only=True):
    """One rule that a compilation breaks."""

    rule: Annotated[str, Meta(description="The rule: L1 ... L8, or the part of the trace or of the witness.")]
    where: Annotated[str, Meta(description="The candidate or the place in the document.")]
    message: str


class Validation(Record, frozen=True, kw_only=True):
    """`contextc.validation.v1`: valid exactly when there are no faults."""

    valid: bool
    faults: tuple[Fault, ...]
    remarks: Annotated[tuple[str, ...], Meta(description="What could not be judged, and why.")] = ()
    schema_version: Literal["contextc.validation.v1"] = "contextc.validation.v1"
