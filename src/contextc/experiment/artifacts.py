"""The three artifacts of the published run, in its layout, byte for byte (construction experiment, section 9).

All are ASCII JSON with keys ascending, floats in shortest round-trip form and CRLF at every line end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import msgspec

from contextc.experiment.corpora import Corpus
from contextc.experiment.rows import COLUMNS, Row

#: Named by the published layout; they say nothing about who computes the files.
EVALUATOR = "project_context.evaluation.compiler_v1"
OBSERVATION_SCHEMA = "project_context.evaluation_observation.v1"
TRACE_SCHEMA = "project_context.decision_trace.v1"
METRIC = "compiler-v1:compile-status"
EXPERIMENT_VERSION = "1"

#: Columns of the published rows that the artifact `results.json` does not hold.
_NOT_EVALUATED = ("selected", "bundle_hash")


def results_json(corpus: Corpus, rows: Sequence[Row]) -> bytes:
    """`results.json`: the settings and the metrics of every compilation, one value per line."""
    weights = corpus.weights
    document = {
        "experiment": corpus.experiment,
        "experiment_version": EXPERIMENT_VERSION,
        "fixture_version": corpus.fixture_version,
        "policy_version": corpus.policy.policy_version,
        "evidence_class": corpus.evidence_class,
        "strategies": list(dict.fromkeys(row.strategy for row in rows)),
        "budgets": list(corpus.budgets()),
        "weights": {"relevance": weights.relevance, "priority": weights.priority, "cost": weights.cost},
        "evaluations": [_evaluation(row) for row in rows],
    }
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    return text.replace("\n", "\r\n").encode("ascii")


def compilation_jsonl(corpus: Corpus, rows: Sequence[Row]) -> bytes:
    """`compilation.jsonl`: what was delivered or refused, with the trace in its first version."""
    return _lines([_compilation(corpus, row) for row in rows])


def observations_jsonl(corpus: Corpus, rows: Sequence[Row]) -> bytes:
    """`observations.jsonl`: one verdict for each compilation."""
    return _lines([_observation(row, number) for number, row in enumerate(rows, start=1)])


#: The artifacts by file name.
ARTIFACTS: dict[str, Callable[[Corpus, Sequence[Row]], bytes]] = {
    "results.json": results_json,
    "compilation.jsonl": compilation_jsonl,
    "observations.jsonl": observations_jsonl,
}


def _evaluation(row: Row) -> dict[str, object]:
    values = dict(zip(COLUMNS, row.published(), strict=True))
    return {name: value for name, value in values.items() if name not in _NOT_EVALUATED}


def _compilation(corpus: Corpus, row: Row) -> dict[str, object]:
    request_id = row.case.request.request_id
    return {
        "fixture": row.case.fixture.name,
        "strategy": row.strategy,
        "budget": row.case.budget,
        "budget_tokens": row.case.budget_tokens,
        "request_id": request_id,
        "success": row.success,
        "reason": row.reason,
        "bundle_id": f"{request_id}-bundle" if row.success else None,
        "bundle_tokens": row.metrics.rendered_tokens if row.success else None,
        "bundle_hash": row.bundle_hash,
        "trace": {
            "schema_version": TRACE_SCHEMA,
            "request_id": request_id,
            "policy_version": corpus.policy.policy_version,
            "entries": [msgspec.to_builtins(entry) for entry in row.entries],
        },
    }


def _observation(row: Row, number: int) -> dict[str, object]:
    metrics = row.metrics
    evidence = (
        f"expected success={row.case.expected.outcome == 'bundle'}; must_recall={metrics.must_recall}; "
        f"illegal={metrics.illegal_admission}; tokens={metrics.rendered_tokens}"
    )
    return {
        "id": f"obs-{number:04d}",
        "metric": METRIC,
        "target_type": "compiler-run",
        "target_id": f"{row.case.fixture.name}/{row.strategy}/{row.case.budget}",
        "value": "success" if row.success else f"failure:{row.reason}",
        "verdict": "PASS" if metrics.status_correct else "FAIL",
        "evidence": evidence,
        "evaluator": EVALUATOR,
        "created_at": row.case.request.created_at,
        "schema_version": OBSERVATION_SCHEMA,
    }


def _lines(documents: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(document, sort_keys=True) + "\r\n" for document in documents).encode("ascii")
