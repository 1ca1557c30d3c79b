"""Which capability stands at which address, and with which verb."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct, inspect

from contextc.capabilities.base import Capability
from contextc.capabilities.registry import REGISTRY
from contextc.core.records.base import Record
from contextc.surfaces.asking import asked

#: Where all capabilities are.
PREFIX = "/api/v1/"


class Route(Struct, frozen=True, kw_only=True):
    """One capability over HTTP: `sent` is what a request may carry, in the query of a GET or as the JSON of a POST."""

    capability: Capability
    path: str
    method: str
    sent: type[Record]


@cache
def routes() -> tuple[Route, ...]:
    """All routes, in the order of the registry."""
    return tuple(_route(capability) for capability in REGISTRY if "http" in capability.exposed)


def _route(capability: Capability) -> Route:
    sent = asked(capability)
    return Route(
        capability=capability,
        path=PREFIX + (capability.path or capability.id.replace(".", "/")),
        method="POST" if takes_document(sent) else "GET",
        sent=sent,
    )


def takes_document(record: type[Record]) -> bool:
    """Whether a field of a record is a document, which no query can carry."""
    info = inspect.type_info(record)
    assert isinstance(info, inspect.StructType)
    return any(isinstance(plain(field.type), (inspect.StructType, inspect.RawType)) for field in info.fields)


def plain(kind: inspect.Type) -> inspect.Type:
    """A type without its remarks and without null."""
    while True:
        if isinstance(kind, inspect.Metadata):
            kind = kind.type
        elif isinstance(kind, inspect.UnionType) and any(isinstance(one, inspect.NoneType) for one in kind.types):
            rest = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            if len(rest) != 1:
                return kind
            kind = rest[0]
        else:
            return kind


def default_of(field: msgspec.structs.FieldInfo) -> object:
    """The default of a field, `NODEFAULT` for one that must be given."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
