"""One value, one text: the canonical JSON, the order of strings, and the digests made of them."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_values import RECORDS, TEXT, documents_of, values_of

from contextc.core.records.bundle import Item
from contextc.core.records.candidate import Candidate
from contextc.core.records.canonical import bundle_hash, canonical_json, digest, finite, pretty_json
from contextc.core.records.codec import convert, decode, to_builtins
from contextc.core.records.policy import Policy
from contextc.core.records.request import Request

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
@settings(max_examples=12)
def test_a_record_written_and_read_is_the_same(name, data):
    value = data.draw(values_of(RECORDS[name]))
    text = canonical_json(value)
    again = decode(text, RECORDS[name])
    assert again == value
    assert canonical_json(again) == text
    assert convert(to_builtins(value), RECORDS[name]) == value


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
@settings(max_examples=10)
def test_the_order_of_keys_in_a_document_changes_nothing(name, data):
    document = data.draw(documents_of(RECORDS[name]))
    backwards = json.loads(json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert digest(convert(document, RECORDS[name])) == digest(convert(backwards, RECORDS[name]))


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
@settings(max_examples=10)
def test_the_canonical_json_is_what_a_plain_encoder_makes_of_sorted_keys(name, data):
    value = data.draw(values_of(RECORDS[name]))
    text = canonical_json(value)
    plain = json.loads(text)
    keys_sorted = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(text, object_pairs_hook=list) == json.loads(keys_sorted, object_pairs_hook=list)
    assert canonical_json(plain) == text


@given(JSON)
def test_keys_are_ascending_by_code_point_at_every_depth(value):
    def check(pairs):
        keys = [key for key, _ in pairs]
        assert keys == sorted(keys)
        return dict(pairs)

    assert json.loads(canonical_json(value), object_pairs_hook=check) == value


def test_keys_beyond_the_basic_plane_follow_those_within_it():
    # In UTF-16 the order would be the other way round.
    text = canonical_json({"\U00010000": 1, "\uffff": 2, "é": 3, "z": 4, "Z": 5})
    assert text.decode() == '{"Z":5,"z":4,"é":3,"\uffff":2,"\U00010000":1}'


@given(TEXT, TEXT)
def test_the_order_of_strings_is_total_and_that_of_their_bytes(one, other):
    assert (one < other) == (one.encode() < other.encode())
    assert (one == other) == (not one < other and not other < one)


@given(JSON)
def test_the_pretty_form_is_the_same_value_and_ends_in_a_line_feed(value):
    text = pretty_json(value)
    assert text.endswith("\n")
    assert canonical_json(json.loads(text)) == canonical_json(value)


def candidate(relevance):
    return Candidate(
        candidate_id="a",
        content_identity="a",
        representation_id="full",
        form_rank=3,
        token_count=1,
        requirement="REQUIRED",
        order_role="task",
        relevance=relevance,
    )


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (0, 0.0), (-0.0, 0.0), (True, 1.0)])
def test_equal_numbers_have_equal_bytes_however_they_were_given(one, other):
    assert candidate(one) == candidate(other)
    assert canonical_json(candidate(one)) == canonical_json(candidate(other))
    policies = [Policy(policy_version="compiler-policy-v1", min_discretionary_relevance=n) for n in (one, other)]
    assert len({canonical_json(policy) for policy in policies}) == 1


def test_equal_numbers_have_equal_bytes_however_they_were_written():
    texts = ["0.30", "0.3", "3e-1", "0.300000000000000000"]
    read = {
        canonical_json(decode(canonical_json(candidate(0.5)).replace(b"0.5", t.encode()), Candidate)) for t in texts
    }
    assert read == {canonical_json(candidate(0.3))}


def test_what_is_left_out_and_what_is_given_as_the_default_are_the_same():
    short = {"request_id": "r", "task_id": "t", "usable_token_budget": 1, "policy_version": "compiler-policy-v1"}
    long = {**short, "required_ids": [], "created_at": None, "active_scope": ""}
    assert digest(convert(short, Request)) == digest(convert(long, Request))


def test_a_digest_is_the_sha256_of_the_canonical_json():
    assert digest({"b": [1, 2.5], "a": None}) == hashlib.sha256(b'{"a":null,"b":[1,2.5]}').hexdigest()


def item(name, content):
    return Item(id=name, content=content, kind="k", source="s", position=0, token_count=1, token_provenance="p")


def test_the_bundle_hash_is_over_id_and_content_in_order():
    items = [item("a", "one"), item("é", "zwei\n")]
    expected = hashlib.sha256(b"a\0one\0" + "é\0zwei\n\0".encode()).hexdigest()
    assert bundle_hash(items) == expected
    assert bundle_hash(reversed(items)) != expected
    assert bundle_hash([]) == hashlib.sha256(b"").hexdigest()


def test_the_bundle_hash_sees_where_an_id_ends():
    assert bundle_hash([item("ab", "c")]) != bundle_hash([item("a", "bc")])


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (float("nan"), "$"),
        ({"a": [1, {"b": float("inf")}]}, "$.a[1].b"),
        ((0.0, float("-inf")), "$[1]"),
        ({"a": [1.5, None, "nan"]}, None),
        (10**400, None),
    ],
)
def test_the_first_number_that_is_not_finite_is_found(value, path):
    assert finite(value) == path


def test_the_digest_does_not_depend_on_the_hash_seed():
    import os
    import subprocess
    import sys

    program = (
        "from contextc.core.records.canonical import digest\n"
        "print(digest({name: {'x': 1, 'y': [name]} for name in {'a', 'b', 'c', 'ä', 'zz'}}))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
