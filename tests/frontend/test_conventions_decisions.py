"""Decisions in the forms that people keep them in, and where each of them stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import tree_of

from contextc.frontend.conventions.decision_record import links_in, meaning, read_record
from contextc.frontend.conventions.decisions import find_decisions

CASES = json.loads((Path(__file__).parent / "rules_data" / "decisions.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_decisions_by_convention(tmp_path, case):
    found = find_decisions(tree_of(tmp_path, case["files"]))
    rows = [[d.path, d.number, d.title, d.status, d.date, d.successor] for d in found.decisions]
    assert rows == case["decisions"]
    expected = case.get("diagnostics", [])
    assert [(d.path, d.line) for d in found.diagnostics] == [(path, line) for path, line, _ in expected]
    for diagnostic, (_, _, words) in zip(found.diagnostics, expected, strict=True):
        assert words in diagnostic.message


@pytest.mark.parametrize(
    ("stated", "status"),
    [
        ("Accepted", "accepted"),
        ("accepted (2024-01-01)", "accepted"),
        ("[accepted]", "accepted"),
        ("✅ Approved", "accepted"),
        ("Draft", "proposed"),
        ("Under review", "proposed"),
        ("Rejected", "rejected"),
        ("Accepted, superseded by ADR-7", "superseded"),
        ("Replaced by 4", "superseded"),
        ("Obsolete", "deprecated"),
        ("who knows", "unknown"),
        ("unaccepted", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_words_of_a_status(stated, status):
    assert meaning(stated) == status


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[5. Use Y](0005-use-y.md)", [("5. Use Y", "0005-use-y.md", "5")]),
        ("[ADR-0005](./0005-use-y.md#status)", [("ADR-0005", "./0005-use-y.md", "0005")]),
        ("[Use Y](../adr/0005-use-y.md 'title')", [("Use Y", "../adr/0005-use-y.md", "0005")]),
        ("[[0005-use-y|Y]]", [("Y", "0005-use-y", "0005")]),
        ("ADR-0005", [("0005", "", "0005")]),
        ("ADR 5 and #6", [("5", "", "5"), ("6", "", "6")]),
        ("5", [("5", "", "5")]),
        ("ADR-5 on 2024-01-02", [("5", "", "5")]),
        ("the handbook.", [("the handbook", "", "")]),
        ("none", []),
        ("", []),
    ],
)
def test_the_records_that_a_text_names(text, links):
    assert [tuple(link) for link in links_in(text)] == links


@settings(max_examples=150)
@given(st.text(st.sampled_from("#- :*|[]()\n~`0123ADRStatus superseded by accepted é\r---")))
def test_any_text_gives_a_record_and_lines_that_exist(text):
    record, faults = read_record("docs/adr/0001-a.md", text)
    assert record.title
    assert all(1 <= line <= text.count("\n") + 2 for line, _ in faults)
