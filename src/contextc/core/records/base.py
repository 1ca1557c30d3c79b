"""What every record has in common: frozen, keyword-only, closed to unknown keys, decoded strictly."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

Count = Annotated[int, Meta(ge=0, description="A count that is never negative.")]
Ratio = Annotated[float, Meta(ge=0.0, le=1.0, description="A ratio in 0..1.")]
Text = Annotated[str, Meta(min_length=1)]


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all records with a wire form.

    Subclasses repeat `frozen=True, kw_only=True`: msgspec inherits neither for the type checker.
    Equal content is equal; nothing is ever changed in place.
    """


def plain_float(record: Record, name: str) -> None:
    """Give a number field its one form: a float, and 0.0 for -0.0. Equal records must encode to equal bytes.

    Called from `__post_init__`, before anybody can have seen the record.
    """
    value = getattr(record, name)
    if type(value) is not float or value == 0.0:
        force_setattr(record, name, float(value) + 0.0)
