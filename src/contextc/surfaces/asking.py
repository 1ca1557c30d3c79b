"""From what a program sends to a question: the part of an input record that servers and tools offer, and its schema.

A capability's input is described once. A server is bound to some of its fields when it starts (the repository); the
others are what it offers, as a record with the same fields, so the same types decode, check and document them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from contextc.capabilities.base import Capability
from contextc.core.records.base import Record


@cache
def asked(capability: Capability) -> type[Record]:
    """The record of what a program may send: the input without the fields a server is bound to.

    Where the input extends a record that has just these fields, it is that record; its name is part of the contract.
    """
    names = {field.name for field in msgspec.structs.fields(capability.input)} - set(capability.bound)
    for base in capability.input.__mro__:
        if (
            issubclass(base, Record)
            and base is not Record
            and {field.name for field in msgspec.structs.fields(base)} == names
        ):
            return base
    made: Any = msgspec.defstruct(
        capability.input.__name__,
        [_field(field) for field in msgspec.structs.fields(capability.input) if field.name in names],
        bases=(Record,),
        namespace={"__doc__": capability.input.__doc__},
        frozen=True,
        kw_only=True,
        module=capability.input.__module__,
    )
    record: type[Record] = made
    return record


def _names(record: type[Record]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(record)}


def _field(field: msgspec.structs.FieldInfo) -> tuple[str, Any, Any]:
    settings: dict[str, Any] = {"name": field.encode_name}
    if field.default is not msgspec.NODEFAULT:
        settings["default"] = field.default
    elif field.default_factory is not msgspec.NODEFAULT:
        settings["default_factory"] = field.default_factory
    return field.name, field.type, msgspec.field(**settings)


def question_of(capability: Capability, sent: Record, bound: Mapping[str, Any]) -> Record:
    """The input of a capability from what was sent and what the server is bound to."""
    has = {field.name for field in msgspec.structs.fields(capability.input)}
    values = {field.name: getattr(sent, field.name) for field in msgspec.structs.fields(type(sent))}
    return capability.input(**values, **{name: value for name, value in bound.items() if name in has})


@cache
def components(template: str) -> tuple[dict[str, Any], dict[type[Record], dict[str, Any]]]:
    """All schemas of all capabilities by name, and the schema of each record they offer or answer with.

    `template` is the form of a reference, such as `#/components/schemas/{name}`.
    """
    from contextc.capabilities.registry import REGISTRY

    records = [record for capability in REGISTRY for record in (asked(capability), *capability.output)]
    unique = list(dict.fromkeys(records))
    references, schemas = msgspec.json.schema_components(unique, ref_template=template)
    by_record: list[dict[str, Any]] = list(references)
    return dict(sorted(schemas.items())), dict(zip(unique, by_record, strict=True))


@cache
def object_schema(record: type[Record] | tuple[type[Record], ...]) -> dict[str, Any]:
    """A self-contained schema that is an object at its root and not a reference; of several records, any of them."""
    several = record if isinstance(record, tuple) else (record,)
    references, schemas = msgspec.json.schema_components(several, ref_template="#/$defs/{name}")
    names = [reference["$ref"].rpartition("/")[2] for reference in references]
    schemas = dict(schemas)
    if len(several) == 1:
        root = dict(schemas.pop(names[0]))
    else:
        root = {"type": "object", "title": " or ".join(names), "anyOf": list(references)}
    if schemas:
        root["$defs"] = dict(sorted(schemas.items()))
    return root
