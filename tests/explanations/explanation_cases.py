"""Every explanation that has a golden text, by the name of its file, made from real compilations of small pools.

`python tests/explanations/explanation_cases.py` writes the files again; read the difference line by line before it is
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from contextc.core.compiler import compile_candidates, declared_pricing
from contextc.core.explain import account, difference, explain_candidate, explain_refusal, table
from contextc.core.records.answer import Answer, LeftOut, Note
from contextc.core.records.candidate import FORM_RANKS, Candidate
from contextc.core.records.outcome import Failure, Outcome, Witness
from contextc.core.records.policy import POLICY_V1, POLICY_V2, Policy
from contextc.core.records.pricing import Pricing
from contextc.core.records.request import Request
from contextc.core.records.trace import Trace, TraceEntry

FOLDER = Path(__file__).parent


def candidate(name: str, tokens: int, band: str = "DISCRETIONARY", relevance: float = 0.5, **more: Any) -> Candidate:
    """A candidate whose id is `path#form`, or a bare id for a full form."""
    path, form = name.rsplit("#", 1) if "#" in name else (name, "full")
    given: dict[str, Any] = {
        "candidate_id": name, "content_identity": path, "representation_id": form, "form_rank": FORM_RANKS[form],
        "token_count": tokens, "requirement": band, "order_role": "evidence", "relevance": relevance, "content": path,
    }  # fmt: skip
    return Candidate(**{**given, **more})


def request(budget: int, *required: str, policy: Policy = POLICY_V2) -> Request:
    return Request(
        request_id="fix-session", task_id="task", usable_token_budget=budget, required_ids=required,
        policy_version=policy.policy_version,
    )  # fmt: skip


def priced(candidates: Sequence[Candidate]) -> Pricing:
    """Each candidate at its count and five tokens of frame, twenty tokens around them all."""
    items = {c.candidate_id: c.token_count + 5 for c in candidates}
    return Pricing(counter="o200k_base", renderer="markdown", base=20, empty=20, items=items)


def noted(candidates: Sequence[Candidate]) -> dict[str, Note]:
    return {
        c.candidate_id: Note(path=c.content_identity, form=c.representation_id, why=WHY.get(c.candidate_id, ()))
        for c in candidates
    }  # fmt: skip


WHY = {
    "shop/session.py#full": ("the task names the path", "defines refresh_cookie"),
    "web/all.js#full": ("its text has 3 words of the task: cookie, refreshed, session",),
}

SHOP = [
    candidate("AGENTS.md#full", 60, "MANDATORY", 1.0, order_role="instruction"),
    candidate("shop/session.py#full", 300, "PREFERRED", 0.9),
    candidate("shop/session.py#outline", 80, "PREFERRED", 0.6),
    candidate("shop/cookies.py#full", 200, "PREFERRED", 0.8),
    candidate("doc/prices.md#full", 90, "PREFERRED", 0.7, depends_on=("shop/prices.py#outline",)),
    candidate("shop/prices.py#outline", 40, "DISCRETIONARY", 0.2),
    candidate("doc/adr/0003.md#full", 70, "PREFERRED", 0.9, freshness_eligible=False,
              freshness_reason="superseded by doc/adr/0007.md"),
    candidate("other/README.md#full", 50, "DISCRETIONARY", 0.9, scope_eligible=False,
              scope_reason="another project: other"),
    candidate("notes/hearsay.md#full", 50, "DISCRETIONARY", 0.8, authority_eligible=False,
              authority_reason="nobody answers for it"),
    candidate("doc/contract.md#anchor", 10, "DISCRETIONARY", 0.8, min_rank=3),
    candidate("doc/contract.md#full", 2000, "DISCRETIONARY", 0.8, min_rank=3),
    candidate("doc/history.md#full", 60, "PREFERRED", 0.6, depends_on=("doc/adr/0003.md#full",)),
    candidate("doc/map.md#full", 60, "PREFERRED", 0.6, depends_on=("shop/session.py#outline",)),
    candidate("web/all.js#full", 1500, "DISCRETIONARY", 0.55),
    candidate("web/price.js#full", 120, "DISCRETIONARY", 0.5),
    candidate("tools/lint.py#full", 30, "DISCRETIONARY", 0.1),
    candidate("img/logo.md#reference", 8, "DISCRETIONARY", 0.9),
    candidate("claims/speed.md#full", 45, "REQUIRED", 0.7, group_id="speed", group_required=True),
    candidate("claims/limit.md#full", 35, "REQUIRED", 0.4, group_id="speed", group_required=True),
]  # fmt: skip

LEFT_OUT = (
    LeftOut(path="img/logo.png", reason="binary"),
    LeftOut(path="img/a.png", reason="binary"),
    LeftOut(path=".env", reason="secret", detail="by its name"),
)


def compiled(candidates: Sequence[Candidate], asked: Request, policy: Policy = POLICY_V2) -> Outcome:
    pricing = declared_pricing(asked, candidates) if policy is POLICY_V1 else priced(candidates)
    return compile_candidates(asked, candidates, policy, pricing)


def shop(budget: int = 1200) -> Outcome:
    return compiled(SHOP, request(budget, "shop/session.py#full"))


def about(candidate_id: str, outcome: Outcome | None = None) -> str:
    """A candidate of the shop."""
    outcome = outcome or shop()
    trace, witness = outcome.result.trace, outcome.witness
    return explain_candidate(candidate_id, trace, SHOP, noted(SHOP), witness, priced(SHOP))


def by_the_trace_alone(candidate_id: str) -> str:
    return explain_candidate(candidate_id, shop().result.trace)


def in_bytes() -> str:
    """Units are what the counter counts: the budget of 300 tokens is a limit of 1,200 bytes."""
    pricing = Pricing(
        counter="bytes4", renderer="plain", unit="bytes4", base=20, empty=20,
        items={c.candidate_id: 4 * c.token_count for c in SHOP},
    )  # fmt: skip
    outcome = compile_candidates(request(300), SHOP, POLICY_V2, pricing)
    return explain_candidate("doc/contract.md#full", outcome.result.trace, SHOP, pricing=pricing)


def missing_by_name() -> str:
    outcome = compiled(SHOP, request(500, "ghost.md#full"))
    return explain_candidate("ghost.md#full", outcome.result.trace, SHOP, noted(SHOP), outcome.witness)


def needed_by_a_refusal() -> str:
    """A candidate on a closed way, and one of the cheapest legal bundle."""
    blocked, large = compiled(BLOCKED, request(500)), compiled(LARGE, request(500))
    return explain_candidate(
        "doc/guide.md#full", blocked.result.trace, BLOCKED, witness=blocked.witness
    ) + explain_candidate("shop/part7.py#full", large.result.trace, LARGE, witness=large.witness)


def repaired() -> str:
    """The published policy takes an item out again when the frame does not fit."""
    pool = [candidate("rule", 60, "MANDATORY"), candidate("task", 40, "MANDATORY"), candidate("note", 150)]
    outcome = compiled(pool, request(250, policy=POLICY_V1), POLICY_V1)
    return explain_candidate("note", outcome.result.trace, candidates=pool)


def of_a_strategy(code: str, detail: str, representation: str, band: str) -> str:
    entry = TraceEntry(
        candidate_id="far-note", content_identity="far-note", representation_id=representation,
        decision="REJECTED_BUDGET", reason_code=code, reason_detail=detail, priority_band=band, relevance=0.0,
        marginal_cost=0, dependency_closure=(), pulled_in_by=(), budget_before=0, budget_after=0, position=None,
    )  # fmt: skip
    return explain_candidate("far-note", Trace(request_id="r", policy_version="compiler-policy-v1", entries=(entry,)))


def refused(candidates: Sequence[Candidate], budget: int, *required: str) -> str:
    outcome = compiled(candidates, request(budget, *required))
    assert outcome.result.failure is not None
    told = explain_refusal(
        outcome.result.failure, outcome.witness, candidates,
        trace=outcome.result.trace, notes=noted(candidates), pricing=priced(candidates),
    )  # fmt: skip
    return told.in_words()


OLD = {"freshness_eligible": False, "freshness_reason": "superseded by b"}
LARGE = [
    candidate("AGENTS.md#full", 900, "MANDATORY"),
    *[candidate(f"shop/part{n}.py#full", 100 * n, "REQUIRED") for n in range(1, 8)],
    candidate("shop/rest.py#full", 50),
]
BROKEN_GROUP = [
    candidate("claims/a.md#full", 40, "REQUIRED", group_id="speed", group_required=True),
    candidate("claims/b.md#full", 40, "REQUIRED", group_id="speed", group_required=True, **OLD),
]
BELOW_FLOOR = [candidate(f"doc/contract.md#{form}", 40, "MANDATORY", min_rank=3) for form in ("anchor", "focused")]
INELIGIBLE = [candidate("doc/contract.md#full", 40, "MANDATORY", **OLD)]
BLOCKED = [
    candidate("doc/guide.md#full", 40, "REQUIRED", depends_on=("doc/map.md#full",)),
    candidate("doc/map.md#full", 40, depends_on=("doc/contract.md#full",)),
    candidate("doc/contract.md#full", 40, **OLD),
]
EXCLUSIVE = [
    candidate("a.md#full", 10, "REQUIRED", depends_on=("shared.md#full",)),
    candidate("b.md#full", 10, "REQUIRED", depends_on=("shared.md#outline",)),
    candidate("shared.md#full", 10),
    candidate("shared.md#outline", 10),
]


def unproved() -> str:
    failure = Failure(
        request_id="r", policy_version="compiler-policy-v2", reason="INSUFFICIENT_BUDGET", blocking_ids=(),
        diagnostic="the search stopped", budget_total=1000, budget_used=0,
    )  # fmt: skip
    witness = Witness(kind="unproved", ids=(), lower_bound=950, cap="search work 300000")
    return explain_refusal(failure, witness).in_words()


def published_refusal() -> str:
    failure = Failure(
        request_id="r", policy_version="compiler-policy-v1", reason="INSUFFICIENT_BUDGET", blocking_ids=("b",),
        diagnostic="mandatory b closure exceeds remaining budget", budget_total=4000, budget_used=2000,
    )  # fmt: skip
    return explain_refusal(failure, None).in_words()


def answer(candidates: Sequence[Candidate], outcome: Outcome, asked: Request) -> Answer:
    return Answer(
        request=asked, policy=POLICY_V2, pricing=priced(candidates), result=outcome.result, bundle=outcome.bundle,
        witness=outcome.witness, selection=(), notes=noted(candidates), left_out=LEFT_OUT, fingerprint="0",
        source="commit 0123456789abcdef0123456789abcdef01234567", text="",
    )  # fmt: skip


def accounted() -> str:
    asked = request(1200, "shop/session.py#full")
    return account(answer(SHOP, shop(), asked), remarks=("trace in trace.json",))


def accounted_refusal() -> str:
    asked = request(100)
    return account(answer(LARGE, compiled(LARGE, asked), asked), remarks=("answer in answer.json",))


def accounted_empty() -> str:
    pool = [candidate("web/all.js#full", 5000)]
    asked = request(100)
    return account(answer(pool, compiled(pool, asked), asked))


def two_budgets() -> str:
    return difference(
        compiled(SHOP, request(1200)).result, compiled(SHOP, request(420)).result,
        notes=noted(SHOP), pricing=priced(SHOP), names=("large", "small"),
    )  # fmt: skip


def two_policies() -> str:
    """The published policy and the one for real work, over one pool."""
    old = compile_candidates(request(700, policy=POLICY_V1), SHOP, POLICY_V1, priced(SHOP))
    return difference(old.result, compiled(SHOP, request(700)).result, names=("v1", "v2"))


def with_a_refusal() -> str:
    return difference(compiled(LARGE, request(5000)).result, compiled(LARGE, request(500)).result)


CASES: dict[str, Callable[[], str]] = {
    "decision-admitted": lambda: about("shop/cookies.py#full"),
    "decision-admitted-mandatory": lambda: about("AGENTS.md#full"),
    "decision-admitted-by-name": lambda: about("shop/session.py#full"),
    "decision-admitted-pulled-in": lambda: about("shop/prices.py#outline"),
    "decision-admitted-with-others": lambda: about("doc/prices.md#full"),
    "decision-admitted-group": lambda: about("claims/limit.md#full"),
    "decision-scope_ineligible": lambda: about("other/README.md#full"),
    "decision-freshness_ineligible": lambda: about("doc/adr/0003.md#full"),
    "decision-authority_ineligible": lambda: about("notes/hearsay.md#full"),
    "decision-illegal_representation": lambda: about("doc/contract.md#anchor"),
    "decision-alternative_selected": lambda: about("shop/session.py#outline"),
    "decision-dependency-blocked": lambda: about("doc/history.md#full"),
    "decision-dependency-blocked-by-form": lambda: about("doc/map.md#full"),
    "decision-budget": lambda: about("web/all.js#full"),
    "decision-no-earn": lambda: about("tools/lint.py#full"),
    "decision-no-earn-pointer": lambda: about("img/logo.md#reference"),
    "decision-repair-drop": repaired,
    "decision-budget-in-bytes": in_bytes,
    "decision-dependency-blocked-by-the-trace-alone": lambda: by_the_trace_alone("doc/history.md#full"),
    "decision-no-earn-by-the-trace-alone": lambda: by_the_trace_alone("img/logo.md#reference"),
    "decision-undecided-missing": missing_by_name,
    "decision-undecided-in-a-witness": needed_by_a_refusal,
    "decision-undecided": lambda: about("web/all.js#full", shop(100)),
    "decision-not-selected": lambda: of_a_strategy("not-selected", "topk-greedy", "full", "DISCRETIONARY"),
    "decision-missing": lambda: of_a_strategy("missing", "baseline rejection", "?", ""),
    "reason-INSUFFICIENT_BUDGET": published_refusal,
    "reason-UNSATISFIED_DEPENDENCY": lambda: refused(BLOCKED, 500),
    "reason-NO_LEGAL_REPRESENTATION": lambda: refused(BELOW_FLOOR, 500),
    "reason-UNRESOLVED_REQUIRED_GROUP": lambda: refused(BROKEN_GROUP, 500),
    "reason-REQUIRED_SOURCE_UNAVAILABLE": lambda: refused(LARGE, 500, "ghost.md#full", "lost.md#full"),
    "reason-REQUIRED_INELIGIBLE": lambda: refused(INELIGIBLE, 500),
    "witness-missing": lambda: refused(LARGE, 500, "ghost.md#full"),
    "witness-gated": lambda: refused([*BELOW_FLOOR, *INELIGIBLE], 500),
    "witness-blocked": lambda: refused(BLOCKED, 500),
    "witness-contradiction": lambda: refused(EXCLUSIVE, 500),
    "witness-budget": lambda: refused(LARGE, 3000),
    "witness-unproved": unproved,
    "account": accounted,
    "account-refused": accounted_refusal,
    "account-empty": accounted_empty,
    "difference-budgets": two_budgets,
    "difference-policies": two_policies,
    "difference-refused": with_a_refusal,
    "table": lambda: table(shop().result.trace),
}

if __name__ == "__main__":
    for name, make in CASES.items():
        (FOLDER / f"{name}.txt").write_text(make(), encoding="utf-8")
