"""Compiling in tests, and the invariants that every answer must hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
from tests.conftest import SHARED

from contextc.core.devcontext import build_graph, compile_devcontext
from contextc.core.devcontext.constants import SELECTOR_RANK, TIER_RANK, TIERS, tokens
from contextc.core.devcontext.order import natural
from contextc.core.records.canonical import canonical_json
from contextc.core.records.devcontext import CompiledContext, ContextEntry, DevContextInput
from contextc.core.records.layer import GitFacts, Layer, LocalState
from contextc.core.records.schema import schema_of
from contextc.frontend.layer.index import Files, build_layer
from contextc.frontend.sources import Entry

GIT = GitFacts(branch="master", head="0" * 40, working_tree="clean")


def layer_of(files: Mapping[str, str | bytes]) -> Layer:
    """The index over files that are on no disk."""
    data = {path: text if isinstance(text, bytes) else text.encode("utf-8") for path, text in files.items()}
    entries = {path: Entry(path, "file", "", len(found)) for path, found in data.items()}
    return build_layer(Files(entries, {}, lambda wanted: [(entry, data[entry.path]) for entry in wanted]))


def ask(layer: Layer, *, git: GitFacts = GIT, local: LocalState | None = None, **request: Any) -> CompiledContext:
    """The answer to a request, after it was checked."""
    question = DevContextInput(**request)
    answer = compile_devcontext(question, layer, build_graph(layer), git, local or LocalState())
    check(answer, question)
    return answer


def entry(answer: CompiledContext, uri: str) -> ContextEntry:
    """A selected entry by its identifier without the scheme."""
    return next(one for one in answer.selected if one.uri.removeprefix("majordomus://") == uri)


def selected(answer: CompiledContext) -> list[str]:
    """The identifiers of what is given, without the scheme, in order."""
    return [one.uri.removeprefix("majordomus://") for one in answer.selected]


def excluded(answer: CompiledContext) -> dict[str, str]:
    """The reason for each identifier that is not given."""
    return {one.uri.removeprefix("majordomus://"): one.reason for one in answer.excluded}


@cache
def validators() -> list[jsonschema_rs.Draft202012Validator]:
    """Our own schema, and the published one where it is at hand."""
    found = [schema_of(CompiledContext)]
    published = SHARED / "devcontext" / "output.schema.json"
    if published.is_file():
        found.append(json.loads(published.read_bytes()))
    return [jsonschema_rs.Draft202012Validator(schema) for schema in found]


def check(answer: CompiledContext, request: DevContextInput) -> None:
    """Everything that holds of every answer."""
    document = json.loads(canonical_json(answer))
    for validator in validators():
        assert not [error.message for error in validator.iter_errors(document)]
    assert no_null(document)
    check_account(answer)
    check_order(answer)
    check_entries(answer, request)


def no_null(value: Any) -> bool:
    """Absent optional fields are omitted."""
    if isinstance(value, dict):
        return all(no_null(item) for item in value.values())
    if isinstance(value, list):
        return all(no_null(item) for item in value)
    return value is not None


def check_account(answer: CompiledContext) -> None:
    """The sums of SPEC 4.10 and 7.6."""
    budget = answer.budget
    assert [row.tier for row in budget.tiers] == list(TIERS)
    assert budget.used_tokens == sum(one.cost_tokens for one in answer.selected)
    assert budget.used_tokens == sum(row.tokens for row in budget.tiers)
    assert len(answer.selected) == sum(row.selected for row in budget.tiers)
    assert budget.required_tokens == sum(one.cost_tokens for one in answer.selected if one.required)
    assert sum(row.required for row in budget.tiers) == sum(one.required for one in answer.selected)
    assert sum(row.excluded for row in budget.tiers) == sum(row.reason == "budget" for row in answer.excluded)
    assert budget.over_budget == (budget.required_tokens > budget.limit_tokens)
    assert budget.over_budget == (budget.used_tokens > budget.limit_tokens)
    assert budget.remaining_tokens == max(0, budget.limit_tokens - budget.used_tokens)
    if budget.over_budget:
        assert all(one.required for one in answer.selected)


def check_order(answer: CompiledContext) -> None:
    """SPEC 4.11. Ties at equal rounded relevance may only be broken by the unrounded one."""
    keys = [(TIER_RANK[one.tier], -one.relevance) for one in answer.selected]
    assert keys == sorted(keys)
    uris = [one.uri for one in answer.selected]
    assert len(set(uris)) == len(uris)
    for one in answer.selected:
        found = [(-d.confidence, d.depth, SELECTOR_RANK[d.selector], d.reason) for d in one.discovered_by]
        assert found == sorted(found)
    rows = [(TIER_RANK[row.tier], row.reason, natural(row.uri)) for row in answer.excluded]
    assert rows == sorted(rows)
    folded = [(row.key, natural(row.kept)) for row in answer.deduplicated]
    assert folded == sorted(folded)
    conflicts = [(row.kind, natural(row.current), natural(row.against)) for row in answer.conflicts]
    assert conflicts == sorted(conflicts)
    warnings = [(row.code, row.message) for row in answer.diagnostics]
    assert warnings == sorted(warnings)
    assert len(set(answer.diagnostics)) == len(answer.diagnostics)


def check_entries(answer: CompiledContext, request: DevContextInput) -> None:
    """What one entry says fits together, and fits the rest."""
    gone = {row.uri for row in answer.excluded}
    assert len(gone) == len(answer.excluded)
    several = {row.kept: row.paths for row in answer.deduplicated if row.key == "uri"}
    for one in answer.selected:
        assert one.uri not in gone
        assert one.provenance.path
        assert one.cost_tokens == tokens(one.cost_bytes) >= 1
        assert one.discovered_by
        assert one.confidence == round(max(found.confidence for found in one.discovered_by), 3)
        assert 0 < one.relevance <= 1
        assert one.depth == min(found.depth for found in one.discovered_by)
        assert (len(one.discovered_by) > 1) == (one.uri in several)
        assert several.get(one.uri, 1) == len(one.discovered_by)
        assert all((found.selector == "relation") == (found.edge is not None) for found in one.discovered_by)
        if all(found.selector == "intent_match" for found in one.discovered_by):
            assert one.relevance < 1
    for row in answer.excluded:
        assert row.detail
        assert row.cost_tokens >= 1
    for conflict in answer.conflicts:
        assert conflict.against in gone
        assert conflict.against not in {one.uri for one in answer.selected}
