"""Kinds that a repository with a layer declares for itself, and keys that its records may have."""

from __future__ import annotations

import json

import pytest
from tests.devcontext.answers import ask, layer_of, selected
from tests.devcontext.builder import base, issue, markdown

from contextc.errors import InputError

KINDS = ".ai/repo/knowledge/kinds.yaml"
RUNBOOK = """\
version: 1
kinds:
  - name: runbook
    format: required
    identity: [id]
    title: title
    description: summary
    schema: runbook/v1
    json_schema: schemas/runbook.json
"""
SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "steps": {"type": "integer"}, "title": {}, "summary": {}, "schema": {}},
    "additionalProperties": False,
}


def files(kinds: str, schema: object = SCHEMA, **fields: str) -> dict[str, str]:
    """A layer with one record of a kind of its own."""
    given = {"schema": "runbook/v1", "id": "restart", "title": "Restart", "summary": "How."} | fields
    return base(("runbook", "runbook", "docs/runbooks/*.md", False)) | {
        KINDS: kinds,
        ".ai/repo/knowledge/schemas/runbook.json": schema if isinstance(schema, str) else json.dumps(schema),
        "docs/runbooks/restart.md": markdown(**given),
    }


def test_a_record_of_a_kind_of_its_own_is_an_object() -> None:
    layer = layer_of(files(RUNBOOK))
    (found,) = [one for one in layer.objects if one.kind == "runbook"]
    assert (found.identity, found.title, found.description) == ("restart", "Restart", "How.")
    assert not layer.diagnostics
    assert "runbook/restart" in selected(ask(layer, uris=[found.uri]))


def test_members_of_a_list_file_of_a_kind_of_its_own() -> None:
    kinds = "version: 1\nkinds:\n  - name: runbook\n    format: yaml\n    identity: id\n    members: items\n"
    more = {"docs/r.yaml": "items:\n  - id: a\n  - id: b\n"}
    layer = layer_of(base(("r", "runbook", "docs/r.yaml", False)) | {KINDS: kinds} | more)
    assert [one.identity for one in layer.objects if one.kind == "runbook"] == ["a", "b"]


def test_what_breaks_its_schema_is_no_object_and_its_values_are_not_repeated() -> None:
    layer = layer_of(files(RUNBOOK, steps="many-words", colour="red"))
    assert not [one for one in layer.objects if one.kind == "runbook"]
    assert [(one.severity, one.code, one.message) for one in layer.diagnostics] == [
        ("error", "schema_violation", "/ breaks /additionalProperties"),
        ("error", "schema_violation", "/steps breaks /properties/steps/type"),
    ]


@pytest.mark.parametrize(
    ("kinds", "schema", "says", "where"),
    [
        ("version: 2\n", SCHEMA, "version: 1", KINDS),
        ("version: 1\nkind: x\n", SCHEMA, "unknown key 'kind'", KINDS),
        ("version: 1\nkinds: x\n", SCHEMA, "list", KINDS),
        ("version: 1\nkinds:\n\t- x\n", SCHEMA, "tab", f"{KINDS}:3"),
        (RUNBOOK.replace("runbook\n", "issue\n", 1), SCHEMA, "the tool has a kind 'issue'", KINDS),
        (RUNBOOK + RUNBOOK.partition("kinds:\n")[2], SCHEMA, "there is already a kind", KINDS),
        (RUNBOOK.replace("required", "markdown"), SCHEMA, "expected one of", KINDS),
        (RUNBOOK.replace("    format: required\n", ""), SCHEMA, "`format`", KINDS),
        (RUNBOOK + "    colour: red\n", SCHEMA, "unknown key 'colour'", KINDS),
        (RUNBOOK.replace("schemas/", "../../../"), SCHEMA, "below", KINDS),
        (RUNBOOK.replace("schemas/", "other/"), SCHEMA, "not there", ".ai/repo/knowledge/other/runbook.json"),
        (RUNBOOK, "{\n[", "JSON Schema", ".ai/repo/knowledge/schemas/runbook.json:2"),
        (RUNBOOK, "[]", "JSON Schema", ".ai/repo/knowledge/schemas/runbook.json"),
        (RUNBOOK, {"type": 3}, "stands alone", ".ai/repo/knowledge/schemas/runbook.json"),
        (RUNBOOK, {"$ref": "https://example.org/x"}, "stands alone", ".ai/repo/knowledge/schemas/runbook.json"),
    ],
)
def test_a_fault_in_the_kinds_is_an_error_with_its_place(kinds: str, schema: object, says: str, where: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        layer_of(files(kinds, schema))
    assert raised.value.where == where


def test_a_key_that_a_kind_does_not_have_is_reported_with_its_line_and_the_record_stands() -> None:
    layer = layer_of(base() | {".ai/repo/project/issues/I1.yaml": issue("I1", more="dependson:\n  - I2\n")})
    assert [(one.severity, one.code, one.place) for one in layer.diagnostics] == [
        ("warning", "unknown_key", ".ai/repo/project/issues/I1.yaml:5")
    ]
    assert "issue/I1" in [one.uri.removeprefix("majordomus://") for one in layer.objects]
