"""Reading a record refuses everything its type does not say, and names the path and what was expected."""

import json

import pytest
from record_values import RECORDS

from contextc.core.records.candidate import Candidate, CandidatePool
from contextc.core.records.codec import PROBLEM_LIMIT, convert, decode
from contextc.core.records.outcome import Result
from contextc.core.records.policy import Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.errors import DocumentError

CANDIDATE = {
    "candidate_id": "a",
    "content_identity": "a",
    "representation_id": "full",
    "form_rank": 3,
    "token_count": 5,
    "requirement": "REQUIRED",
    "order_role": "task",
    "relevance": 0.5,
}
REQUEST = {"request_id": "r", "task_id": "t", "usable_token_budget": 9, "policy_version": "compiler-policy-v1"}
PRICING = {"counter": "declared", "renderer": "published", "base": 3, "empty": 4, "items": {"a": 9}}
POLICY = {"policy_version": "compiler-policy-v1"}

NESTED = '{"a":' * 100_000


def problems(text, record=CandidatePool, where=""):
    with pytest.raises(DocumentError) as caught:
        decode(text, record, where=where)
    return {problem.path: problem.expected for problem in caught.value.problems}


def pool(**fields):
    return json.dumps({"candidates": [CANDIDATE, {**CANDIDATE, **fields}]})


#: A field of a candidate, a value it must not have, and what the message says of it.
WRONG_FIELDS = [
    ("token_count", -1, "minimum of 0"),
    ("token_count", 1.5, "integer"),
    ("token_count", 5.0, "int"),
    ("token_count", "5", "integer"),
    ("token_count", True, "integer"),
    ("token_count", None, "integer"),
    ("form_rank", -1, "minimum of 0"),
    ("min_rank", 0.5, "integer"),
    ("relevance", 1.0000001, "maximum of 1"),
    ("relevance", -0.1, "minimum of 0"),
    ("relevance", "0.5", "number"),
    ("relevance", True, "number"),
    ("relevance", float("nan"), "finite"),
    ("relevance", float("inf"), "finite"),
    ("relevance", float("-inf"), "finite"),
    ("candidate_id", "", "shorter"),
    ("candidate_id", 7, "string"),
    ("content_identity", None, "string"),
    ("requirement", "mandatory", "not one of"),
    ("requirement", 0, "not one of"),
    ("depends_on", "a", "array"),
    ("coverage_keys", {"a": 1}, "array"),
    ("group_id", 3, "not valid under any"),
    ("group_required", "yes", "boolean"),
    ("group_required", 1, "boolean"),
    ("is_default_form", None, "boolean"),
    ("scope_eligible", 0, "boolean"),
    ("content", None, "string"),
    ("schema_version", "project_context.context_candidate.v2", "project_context.context_candidate.v1"),
    ("schema_version", None, "project_context.context_candidate.v1"),
]


@pytest.mark.parametrize(("field", "value", "words"), WRONG_FIELDS)
def test_a_wrong_value_is_named_by_its_path(field, value, words):
    found = problems(pool(**{field: value}))
    assert list(found) == [f"$.candidates[1].{field}"]
    assert words in found[f"$.candidates[1].{field}"]


def test_a_wrong_member_of_a_list_is_named_by_its_place():
    assert list(problems(pool(depends_on=["a", 7]))) == ["$.candidates[1].depends_on[1]"]


def test_an_unknown_key_is_named():
    found = problems(pool(tokens=3))
    assert "'tokens'" in found["$.candidates[1]"]


def test_a_missing_key_is_named():
    document = {"candidates": [{key: value for key, value in CANDIDATE.items() if key != "relevance"}]}
    assert '"relevance" is a required property' in problems(json.dumps(document))["$.candidates[0]"]


def test_several_problems_are_reported_at_once_in_the_order_of_their_paths():
    found = problems(pool(token_count=-1, relevance=2, depends_on=[1], surprise=1))
    assert list(found) == [
        "$.candidates[1]",
        "$.candidates[1].depends_on[0]",
        "$.candidates[1].relevance",
        "$.candidates[1].token_count",
    ]


def test_a_flood_of_problems_is_cut_and_counted():
    found = problems(json.dumps({"candidates": [{**CANDIDATE, "token_count": -1}] * (PROBLEM_LIMIT + 5)}))
    assert len(found) == PROBLEM_LIMIT + 1
    assert found["$"] == "and 5 more problems"


def test_a_number_too_large_for_a_float_is_not_infinity():
    text = json.dumps({"candidates": [CANDIDATE]}).replace("0.5", "1e999")
    assert problems(text) == {"$.candidates[0].relevance": "expected a finite number"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "JSON"),
        ('{"candidates": []', "JSON"),
        ('{"candidates": []} {}', "JSON"),
        ('{"candidates": [],}', "JSON"),
        ("{'candidates': []}", "JSON"),
        (b"\xff\xfe{\x00}\x00", "JSON"),
        (b'{"candidates": [], "\xe9": 1}', "JSON"),
        ("\ufeff{}", "JSON"),
        ("[]", "object"),
        ("null", "object"),
        ('"text"', "object"),
        (NESTED, ""),
        ("[" * 100_000, ""),
        ('{"candidates": [], "candidates": []}', "given twice"),
    ],
)
def test_a_text_that_is_no_document_is_refused_without_a_crash(text, words):
    found = problems(text)
    assert list(found) == ["$"]
    assert words in found["$"]


def test_a_key_given_twice_deep_inside_is_refused():
    text = json.dumps({"candidates": [CANDIDATE]}).replace('"token_count": 5', '"token_count": 5, "token_count": 6')
    assert "'token_count' is given twice" in problems(text)["$"]


def test_the_file_is_part_of_the_error():
    with pytest.raises(DocumentError) as caught:
        decode("[]", CandidatePool, where="pool.json")
    assert caught.value.where == "pool.json"
    assert "pool.json" in str(caught.value)


@pytest.mark.parametrize(
    ("record", "document", "path"),
    [
        (Request, {**REQUEST, "usable_token_budget": -1}, "$.usable_token_budget"),
        (Request, {**REQUEST, "usable_token_budget": 10.5}, "$.usable_token_budget"),
        (Request, {**REQUEST, "required_ids": "a"}, "$.required_ids"),
        (Request, {**REQUEST, "schema_version": "request.v9"}, "$.schema_version"),
        (Policy, {**POLICY, "policy_version": "compiler-policy-v3"}, "$.policy_version"),
        (Policy, {**POLICY, "min_discretionary_relevance": 1.5}, "$.min_discretionary_relevance"),
        (Policy, {**POLICY, "repair": "drop-first"}, "$.repair"),
        (Pricing, {**PRICING, "base": -1}, "$.base"),
        (Pricing, {**PRICING, "unit": "characters"}, "$.unit"),
        (Pricing, {**PRICING, "items": {"a": 1.5}}, "$.items.a"),
        (Result, {}, "$"),
    ],
)
def test_other_records_are_as_strict(record, document, path):
    assert path in problems(json.dumps(document), record)
    with pytest.raises(DocumentError) as caught:
        convert(document, record)
    assert path in {problem.path for problem in caught.value.problems}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_value_that_is_not_finite_is_refused_where_it_stands(number):
    with pytest.raises(DocumentError) as caught:
        convert({"candidates": [CANDIDATE, {**CANDIDATE, "relevance": number}]}, CandidatePool)
    assert [problem.path for problem in caught.value.problems] == ["$.candidates[1].relevance"]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.0, 1.0)])
def test_the_ends_of_a_range_belong_to_it(low, high):
    read = decode(json.dumps({"candidates": [{**CANDIDATE, "relevance": r} for r in (low, high)]}), CandidatePool)
    assert [candidate.relevance for candidate in read.candidates] == [0.0, 1.0]
    assert decode(pool(token_count=0), CandidatePool).candidates[1].token_count == 0


@pytest.mark.parametrize("name", RECORDS)
def test_no_record_takes_an_unknown_key(name):
    with pytest.raises(DocumentError):
        decode('{"no such key": 1}', RECORDS[name])
    assert RECORDS[name].__struct_config__.forbid_unknown_fields


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_is_frozen_and_given_by_keyword(name):
    config = RECORDS[name].__struct_config__
    assert config.frozen
    fields = RECORDS[name].__struct_fields__
    with pytest.raises(TypeError):
        RECORDS[name](*range(len(fields)))


def test_a_record_cannot_be_changed():
    candidate = Candidate(**CANDIDATE)
    with pytest.raises(AttributeError):
        candidate.token_count = 0
