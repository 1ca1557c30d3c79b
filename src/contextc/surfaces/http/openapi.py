"""The OpenAPI 3.1 document, made of the registry: the schemas are those that decode and validate."""

from __future__ import annotations

from typing import Any

import msgspec

from contextc import __version__
from contextc.core.records.base import Record
from contextc.errors import NotFound
from contextc.surfaces.asking import asked, components
from contextc.surfaces.http.answers import JSON
from contextc.surfaces.http.routes import Route, routes

REFERENCE = "#/components/schemas/{name}"

ABOUT = (
    "What a coding agent should be given for a task in the repository this server is bound to: a checked bundle within "
    "a token budget, or a refusal with a proof. Answers are the same bytes for the same tree and request."
)

#: What each status means that is no answer.
MEANINGS: dict[int, str] = {
    400: "The input cannot be used.",
    401: "A token is needed.",
    403: "Not from here: the Host or the Origin is foreign.",
    404: "A named thing does not exist.",
    413: "The request is too large.",
    414: "The query is too long.",
    415: "The body is no JSON.",
    422: "Refused: there is no legal bundle. The answer stands beside the error, with its proof.",
    500: "A fault of contextc itself.",
    503: "The repository cannot be read any more.",
}

ERROR: dict[str, Any] = {
    "title": "Error",
    "description": "Why there is no answer.",
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"description": "A stable name for programs.", "type": "string"},
                "message": {"description": "The reason, and what to do.", "type": "string"},
            },
            "required": ["code", "message"],
            "additionalProperties": False,
        }
    },
    "required": ["error"],
    "additionalProperties": False,
}


def document(*, token: bool = False) -> dict[str, Any]:
    """The whole document. With `token`, requests to capabilities carry one."""
    schemas, references = components(REFERENCE)
    paths: dict[str, Any] = {}
    for route in routes():
        paths[route.path] = {route.method.lower(): _operation(route, references, token=token)}
    paths["/healthz"] = {"get": _plain("server.health", "Say that the process answers.", ())}
    paths["/readyz"] = {"get": _plain("server.ready", "Say whether the repository can be read.", (503,))}
    made: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "contextc", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {"schemas": {**schemas, "Error": ERROR}},
    }
    if token:
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return made


def _operation(route: Route, references: dict[type[Record], dict[str, Any]], *, token: bool) -> dict[str, Any]:
    capability = route.capability
    made: dict[str, Any] = {
        "operationId": capability.id,
        "summary": capability.summary,
        "tags": list(capability.tags),
    }
    faults = [400, 403, 500]
    if any(issubclass(family, NotFound) for family in capability.errors):
        faults.append(404)
    if route.method == "GET":
        made["parameters"] = parameters(route.sent)
        faults.append(414)
    else:
        made["requestBody"] = {"required": True, "content": {JSON: {"schema": references[asked(capability)]}}}
        faults += [413, 415]
    outputs = [references[record] for record in capability.output]
    schema = outputs[0] if len(outputs) == 1 else {"oneOf": outputs}
    made["responses"] = {"200": _response("The answer.", schema)}
    if route.method == "GET":
        made["responses"]["200"]["headers"] = {"ETag": {"schema": {"type": "string"}}}
        made["responses"]["304"] = {"description": "The client has the answer: it is as `If-None-Match` says."}
    if capability.refusal is not None:
        made["responses"]["422"] = _response(MEANINGS[422], _refused(schema))
    if token:
        made["security"] = [{"token": []}]
        faults.append(401)
    made["responses"] |= {str(status): _fault(status) for status in sorted(faults)}
    return made


def _plain(name: str, summary: str, faults: tuple[int, ...]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"status": {"type": "string"}},
        "required": ["status"],
        "additionalProperties": False,
    }
    responses = {"200": _response("The answer.", schema), "304": {"description": "The client has the answer."}}
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["server"],
        "responses": responses | {str(status): _fault(status) for status in (403, *faults)},
    }


def _response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {JSON: {"schema": schema}}}


def _fault(status: int) -> dict[str, Any]:
    return _response(MEANINGS[status], {"$ref": REFERENCE.format(name="Error")})


def _refused(answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"error": ERROR["properties"]["error"], "answer": answer},
        "required": ["error", "answer"],
        "additionalProperties": False,
    }


def parameters(record: type[Record]) -> list[dict[str, Any]]:
    """The parameters of a query. One that is a list is JSON in text, which OpenAPI writes as content of a parameter."""
    (reference,), schemas = msgspec.json.schema_components([record], ref_template=REFERENCE)
    schema = schemas[reference["$ref"].rpartition("/")[2]]
    required = schema.get("required", [])
    made = []
    for name, told in schema["properties"].items():
        kind = _without_null(told)
        entry: dict[str, Any] = {"name": name, "in": "query", "required": name in required}
        if "description" in kind:
            entry["description"] = kind.pop("description")
        if kind.get("type") == "array":
            entry["content"] = {JSON: {"schema": kind}}
        else:
            entry["schema"] = kind
        made.append(entry)
    return made


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query has no null: a parameter is left out."""
    made = dict(schema)
    if made.get("default", ...) is None:
        del made["default"]
    choices = [one for one in made.get("anyOf", ()) if one != {"type": "null"}]
    if len(choices) == 1:
        del made["anyOf"]
        made = {**choices[0], **made}
    return made
