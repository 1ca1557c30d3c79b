"""What a browser gets: the page, and a description of the API that needs no script and nothing from elsewhere."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib import import_module
from importlib.resources import files
from typing import Any

from contextc.core.records.canonical import pretty_json
from contextc.surfaces.http.answers import Kept
from contextc.surfaces.http.openapi import document

#: Files of this package that are served, with their types.
FILES = {"docs.css": "text/css; charset=utf-8"}


@cache
def static(name: str) -> Kept | None:
    """A file of the page or of this package, None when there is none of this name."""
    if name in FILES:
        return Kept(files("contextc.surfaces.http").joinpath(name).read_bytes(), FILES[name])
    try:
        page = import_module("contextc.surfaces.page")
    except ModuleNotFoundError:
        return Kept(docs_page().encode("utf-8"), "text/html; charset=utf-8") if name == "index.html" else None
    try:
        body, media_type = page.asset(name)
    except (KeyError, FileNotFoundError):
        return None
    return Kept(body, media_type)


@cache
def docs_page() -> str:
    """The API as an HTML page, made of its OpenAPI document."""
    whole = document()
    rows = [
        _operation(path, verb, operation) for path, verbs in whole["paths"].items() for verb, operation in verbs.items()
    ]
    menu = "".join(
        f'<li><a href="#{escape(operation["operationId"])}">{escape(operation["operationId"])}</a></li>'
        for verbs in whole["paths"].values()
        for operation in verbs.values()
    )
    schemas = "".join(
        f'<details id="schema-{escape(name)}"><summary>{escape(name)}</summary><pre>{_json(schema)}</pre></details>'
        for name, schema in whole["components"]["schemas"].items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>contextc: API</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/docs.css"></head><body>'
        f"<header><h1>contextc</h1><p>{escape(whole['info']['description'])}</p>"
        '<p><a href="/openapi.json">OpenAPI document</a></p></header>'
        f"<nav aria-label='Operations'><ul>{menu}</ul></nav><main>{''.join(rows)}<h2>Schemas</h2>{schemas}</main>"
        "</body></html>\n"
    )


def _operation(path: str, verb: str, operation: dict[str, Any]) -> str:
    name = escape(operation["operationId"])
    parts = [
        f'<section id="{name}"><h2>{name}</h2><p><code>{verb.upper()} {escape(path)}</code></p>'
        f"<p>{escape(operation['summary'])}</p>"
    ]
    if operation.get("parameters"):
        rows = "".join(_parameter(one) for one in operation["parameters"])
        parts.append(f"<table><thead><tr><th>Parameter</th><th>Type</th><th>Meaning</th></tr></thead>{rows}</table>")
    if "requestBody" in operation:
        body = next(iter(operation["requestBody"]["content"].values()))["schema"]
        parts.append(f"<p>Body: {_named(body)}</p>")
    answers = "".join(
        f"<li><code>{status}</code> {escape(told['description'])} {_content(told)}</li>"
        for status, told in operation["responses"].items()
    )
    return "".join([*parts, f"<ul class='answers'>{answers}</ul></section>"])


def _parameter(one: dict[str, Any]) -> str:
    schema = one.get("schema") or next(iter(one["content"].values()))["schema"]
    kind = schema.get("type") or " or ".join(str(value) for value in schema.get("enum", ("any",)))
    shown = "JSON array in text" if kind == "array" else str(kind)
    need = ", required" if one["required"] else ""
    about = escape(one.get("description", ""))
    return f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(shown)}{need}</td><td>{about}</td></tr>"


def _content(told: dict[str, Any]) -> str:
    content = told.get("content")
    return _named(next(iter(content.values()))["schema"]) if content else ""


def _named(schema: dict[str, Any]) -> str:
    names = [one["$ref"].rpartition("/")[2] for one in schema.get("oneOf", [schema]) if "$ref" in one]
    return " or ".join(f'<a href="#schema-{escape(name)}">{escape(name)}</a>' for name in names)


def _json(value: object) -> str:
    return escape(pretty_json(value))
