"""The tools: one for each capability that MCP offers, and one that gives the rest of a long answer."""

from __future__ import annotations

from functools import cache
from typing import Any

import mcp_types as types
from msgspec import Struct

from contextc.capabilities.base import Capability
from contextc.capabilities.registry import REGISTRY
from contextc.core.records.base import Record
from contextc.surfaces.asking import asked, object_schema
from contextc.surfaces.mcp.pages import Page

#: The tool that gives what a result had no room for.
MORE = "more"

#: No tool changes anything, asks anybody else, or answers differently when it is asked again.
READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class MoreInput(Record, frozen=True, kw_only=True):
    """What `more` is asked with."""

    cursor: str


class Offered(Struct, frozen=True, kw_only=True):
    """A capability as a tool."""

    name: str
    capability: Capability
    sent: type[Record]


@cache
def offered() -> dict[str, Offered]:
    """All capabilities that are tools, by the name of the tool, in the order of the registry."""
    found = [one for one in REGISTRY if "mcp" in one.exposed and not one.resource]
    names = [one.tool or one.id.replace(".", "_") for one in found]
    return {name: Offered(name=name, capability=one, sent=asked(one)) for name, one in zip(names, found, strict=True)}


@cache
def tools() -> tuple[types.Tool, ...]:
    """The list of tools: the same bytes every time."""
    listed = [
        types.Tool(
            name=one.name,
            title=one.capability.id,
            description=one.capability.summary,
            input_schema=_closed(object_schema(one.sent)),
            output_schema=object_schema(one.capability.output),
            annotations=READ_ONLY,
        )
        for one in offered().values()
    ]
    rest = types.Tool(
        name=MORE,
        title="More of an answer",
        description="Give what an earlier answer had no room for, by the cursor that stands in it.",
        input_schema=_closed(object_schema(MoreInput)),
        output_schema=object_schema(Page),
        annotations=READ_ONLY,
    )
    return (*listed, rest)


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with `properties` written down even where there are none, as some clients want it."""
    return {"properties": {}, **schema, "additionalProperties": False}


@cache
def validator_of(name: str) -> Any:  # noqa: ANN401 - of jsonschema-rs
    """A validator for the results of a tool."""
    import jsonschema_rs

    schema = next(tool.output_schema for tool in tools() if tool.name == name)
    return jsonschema_rs.Draft202012Validator(schema or {})
