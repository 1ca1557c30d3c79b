"""Questions derived from the repository at hand: what the surfaces are measured with and compared on.

Those of `devcontext.compile` are the published ones (SPEC 6.2). A repository without issues has no issue case.
"""

from __future__ import annotations

from typing import Any

from contextc.capabilities.base import Case, Session

#: Words of the published intent case.
INTENT = "the context a session is given and the budget it costs"

#: Tokens of the bundle that the cases of the `bundle` capabilities are about: a small one.
BUDGET = 2_000


def devcontext_cases(root: str) -> tuple[Case, ...]:
    """No seed, the issue and the milestone of the smallest identity, an intent."""
    cases = [Case(name="no-seed", given={})]
    for kind in ("issue", "milestone"):
        identity = _smallest(root, kind)
        if identity is not None:
            cases.append(Case(name=kind, given={kind: identity}))
    return (*cases, Case(name="intent", given={"intent": INTENT}))


def explain_cases(root: str) -> tuple[Case, ...]:
    """The standing of the first object in the answer to no seed."""
    from contextc.capabilities.devcontext_desk import desk

    return (Case(name="first", given={"uri": desk(root).layer()[0].objects[0].uri}),)


def empty_case(root: str) -> tuple[Case, ...]:
    """Nothing is given."""
    return (Case(name="empty", given={}),)


def compile_cases(root: str) -> tuple[Case, ...]:
    """A task in words; the same with a budget that nothing fits into when a path is required."""
    first = _bundle(root).selection[0].path
    return (
        Case(name="intent", given={"intent": INTENT, "budget": BUDGET}),
        Case(name="refused", given={"intent": INTENT, "paths": [first], "budget": 1}),
    )


def search_cases(root: str) -> tuple[Case, ...]:
    """A task in words."""
    return (Case(name="words", given={"words": INTENT.split(), "limit": 5}),)


def bundle_cases(root: str) -> tuple[Case, ...]:
    """The compilation of a task in words, stored."""
    return (Case(name="stored", given={"document": _stored(root)}),)


def diff_cases(root: str) -> tuple[Case, ...]:
    """Two budgets."""
    return (Case(name="budgets", given={"before": _stored(root), "after": _stored(root, BUDGET // 2)}),)


def bundle_compile_cases(root: str) -> tuple[Case, ...]:
    """The pool of a task in words, and the same with no budget and every id required."""
    stored = _stored(root)
    request = stored["compilation"]["request"]
    pool = {"candidates": stored["candidates"]}
    names = [candidate["candidate_id"] for candidate in stored["candidates"][:1]]
    return (
        Case(name="pool", given={"request": request, "candidates": pool}),
        Case(
            name="refused",
            given={"request": request | {"usable_token_budget": 0, "required_ids": names}, "candidates": pool},
        ),
    )


def _smallest(root: str, kind: str) -> str | None:
    from contextc.capabilities.devcontext_desk import desk

    return min((one.identity for one in desk(root).layer()[0].objects if one.kind == kind), default=None)


def _bundle(root: str, budget: int = BUDGET) -> Any:  # noqa: ANN401 - an answer of `compile`
    from contextc.capabilities.compile import CompileInput, make_answer

    return make_answer(CompileInput(intent=INTENT, budget=budget, root=root), Session()).answer


def _stored(root: str, budget: int = BUDGET) -> Any:  # noqa: ANN401 - JSON
    from contextc.capabilities.compile import CompileInput, make_answer
    from contextc.core.records.codec import to_builtins

    return to_builtins(make_answer(CompileInput(intent=INTENT, budget=budget, root=root), Session()).stored())
