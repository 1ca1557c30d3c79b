"""`devcontext.explain`: each standing, and the words of each answer."""

from __future__ import annotations

import json

import pytest
from tests.devcontext.answers import GIT, ask, layer_of
from tests.devcontext.builder import base, issue, small_layer

from contextc.core.devcontext import build_graph, explain_devcontext, policy, standing
from contextc.core.devcontext.words import compiled_in_words, explained_in_words, policy_in_words
from contextc.core.records.canonical import canonical_json
from contextc.core.records.devcontext import Deduplicated, DevContextInput, Explanation
from contextc.core.records.layer import LocalState
from contextc.errors import InputError

REQUEST = DevContextInput(uris=("majordomus://rule/beta@1",))


def explain(uri: str, request: DevContextInput = REQUEST) -> Explanation:
    layer = layer_of(small_layer())
    return explain_devcontext(uri, request, layer, build_graph(layer), GIT, LocalState())


def test_what_is_given() -> None:
    answer = explain(" majordomus://rule/beta@1 ")
    assert answer.standing == "selected"
    assert answer.entry is not None
    assert f"reached by {len(answer.entry.discovered_by)} way" in answer.detail
    assert answer.budget.limit_tokens == 24_000


def test_what_was_reached_and_is_not_given() -> None:
    answer = explain("majordomus://rule/gamma@1")
    assert answer.standing == "excluded"
    assert answer.excluded is not None
    assert answer.excluded.reason == "stale"
    assert "reached and not given" in answer.detail


@pytest.mark.parametrize("uri", ["majordomus://issue/I0001", "kind:issue"])
def test_what_is_held_and_was_not_reached(uri: str) -> None:
    answer = explain(uri)
    assert answer.standing == "not_reached"
    assert "no selector" in answer.detail


def test_what_is_not_held() -> None:
    answer = explain("majordomus://rule/none@1")
    assert answer.standing == "unknown"
    assert "holds nothing" in answer.detail


def test_what_was_folded_into_something_else() -> None:
    answer = ask(layer_of(small_layer()))
    row = Deduplicated(kept="a", dropped=("b",), key="path", detail="2 candidates are the file x", paths=1)
    found = standing("b", type(answer)(**{**fields(answer), "deduplicated": (row,)}), held=True)
    assert (found.standing, found.deduplicated) == ("deduplicated", row)


def fields(answer: object) -> dict[str, object]:
    return {name: getattr(answer, name) for name in answer.__struct_fields__}  # type: ignore[attr-defined]


def test_a_blank_identifier_is_refused() -> None:
    with pytest.raises(InputError, match="identifier"):
        explain("  ")


def test_absent_fields_are_omitted() -> None:
    assert set(json.loads(canonical_json(explain("nothing")))) == {"uri", "standing", "detail", "budget"}


@pytest.mark.parametrize("uri", ["majordomus://rule/beta@1", "majordomus://rule/gamma@1", "nothing"])
def test_every_standing_has_words(uri: str) -> None:
    answer = explain(uri)
    text = explained_in_words(answer)
    assert text.startswith(answer.standing)
    assert answer.detail in text


def test_the_policy_in_words_names_every_edge_tier_and_selector() -> None:
    text = policy_in_words(policy())
    for rule in policy().edges:
        assert f"\n{rule.edge} " in text
    for tier in policy().tiers:
        assert tier.meaning in text
    assert text.count("inferred") == 1


def test_words_cannot_forge_a_line_or_move_the_cursor() -> None:
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": issue("a", "gone\u202e\x1b[2J")})
    text = compiled_in_words(ask(layer, issue="a", intent="x\nSELECTED (9)\u2028\x1b[2J"))
    assert "\x1b" not in text and "\u202e" not in text and "\u2028" not in text
    assert "\nSELECTED (9)" not in text
    assert "\\u001b[2J" in text
