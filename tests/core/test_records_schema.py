"""The JSON Schema of a record says what the decoder does."""

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_values import RECORDS, damaged, documents_of

from contextc.core.records.canonical import canonical_json
from contextc.core.records.codec import convert, decode
from contextc.core.records.schema import DIALECT, schema_of
from contextc.errors import DocumentError


def accepts(record, document):
    try:
        convert(document, record)
    except DocumentError as error:
        assert error.problems
        assert all(problem.path.startswith("$") and problem.expected for problem in error.problems)
        return False
    return True


def validator(record):
    return jsonschema_rs.Draft202012Validator(schema_of(record))


@pytest.mark.parametrize("name", RECORDS)
def test_a_schema_is_a_valid_schema_of_its_dialect(name):
    schema = schema_of(RECORDS[name])
    assert schema["$schema"] == DIALECT
    jsonschema_rs.meta.validate(schema)


@pytest.mark.parametrize("name", RECORDS)
def test_a_schema_is_closed_and_refers_to_nothing_outside(name):
    def walk(node):
        if isinstance(node, dict):
            if node.get("type") == "object" and "properties" in node:
                assert node["additionalProperties"] is False
            if "$ref" in node:
                assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    schema = schema_of(RECORDS[name])
    walk(schema)


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
@settings(max_examples=10)
def test_decoder_and_schema_accept_the_documents_of_a_record(name, data):
    document = data.draw(documents_of(RECORDS[name]))
    assert accepts(RECORDS[name], document)
    assert validator(RECORDS[name]).is_valid(document)


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
@settings(max_examples=16)
def test_decoder_and_schema_agree_on_documents_that_are_a_little_wrong(name, data):
    record = RECORDS[name]
    document = data.draw(damaged(record))
    accepted = accepts(record, document)
    assert accepted == validator(record).is_valid(document)
    try:
        decode(canonical_json(document), record)
        decoded = True
    except DocumentError:
        decoded = False
    assert decoded == accepted


@pytest.mark.parametrize(
    "name", [name for name, record in RECORDS.items() if "schema_version" in record.__struct_fields__]
)
def test_a_record_with_a_schema_string_writes_it_and_takes_no_other(name):
    schema = schema_of(RECORDS[name])
    definition = schema["$defs"][name]
    (version,) = definition["properties"]["schema_version"]["enum"]
    assert definition["properties"]["schema_version"]["default"] == version
    assert version.startswith(("project_context.", "contextc."))


def test_the_schema_strings_are_all_different():
    versions = [
        record.__struct_defaults__[-1] for record in RECORDS.values() if "schema_version" in record.__struct_fields__
    ]
    assert len(versions) == len(set(versions)) >= 12


def test_the_one_known_difference_is_a_whole_number_written_as_a_fraction():
    record = RECORDS["Request"]
    document = {"request_id": "r", "task_id": "t", "usable_token_budget": 5.0, "policy_version": "v"}
    assert validator(record).is_valid(document)
    assert not accepts(record, document)
