"""From indices back to records: items, bundle, trace, result."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.ledger import Rows
from contextc.core.compiler.pool import Pool
from contextc.core.compiler.prices import decoration_tokens
from contextc.core.records.bundle import Bundle, Item
from contextc.core.records.candidate import BANDS
from contextc.core.records.canonical import bundle_hash
from contextc.core.records.outcome import Failure, FailureReason, Outcome, Result, Witness
from contextc.core.records.trace import CLOSURE_LIMIT, Trace, TraceEntry


def success(pool: Pool, order: Sequence[int], rows: Rows) -> Outcome:
    """The outcome that holds the candidates `order`, which is the layout."""
    request = pool.request
    items = _items_v1(pool, order) if pool.policy.policy_version == "compiler-policy-v1" else _items_v2(pool, order)
    published = pool.policy.policy_version == "compiler-policy-v1"
    bundle = Bundle(
        id=f"{request.request_id}-bundle",
        items=items,
        layout_trace=tuple([item.id for item in items]),
        created_at=request.created_at,
        evidence_class="synthetic" if published else "compiled",
    )
    result = Result(
        request_id=request.request_id,
        policy_version=pool.policy.policy_version,
        success=True,
        trace=_trace(pool, rows, order),
        bundle_id=bundle.id,
        bundle_hash=bundle_hash(items),
        bundle_tokens=pool.pricing.tokens(pool.cost(order)),
    )
    return Outcome(result=result, bundle=bundle)


def refusal(
    pool: Pool,
    rows: Rows,
    witness: Witness,
    *,
    reason: FailureReason,
    blocking: tuple[str, ...],
    diagnostic: str,
    used: int,
) -> Outcome:
    """The outcome of a refusal; the trace holds the rows that were decided."""
    failure = Failure(
        request_id=pool.request.request_id,
        policy_version=pool.policy.policy_version,
        reason=reason,
        blocking_ids=blocking,
        diagnostic=diagnostic,
        budget_total=pool.budget,
        budget_used=used,
    )
    result = Result(
        request_id=pool.request.request_id,
        policy_version=pool.policy.policy_version,
        success=False,
        trace=_trace(pool, rows, ()),
        failure=failure,
    )
    return Outcome(result=result, witness=witness)


def _items_v1(pool: Pool, order: Sequence[int]) -> tuple[Item, ...]:
    """Items as published: declared count and decoration, no reference."""
    chosen = [pool.candidates[i] for i in order]
    return tuple(
        [
            Item(
                id=c.candidate_id,
                content=c.content,
                kind=c.kind,
                source=c.source_kind,
                position=position,
                token_count=c.token_count + decoration_tokens(c),
                token_provenance="approximation",
            )
            for position, c in enumerate(chosen)
        ]
    )


def _items_v2(pool: Pool, order: Sequence[int]) -> tuple[Item, ...]:
    """Items at the price of the pricing, with the place their content came from."""
    tokens, counter = pool.pricing.tokens, pool.pricing.counter
    return tuple(
        [
            Item(
                id=c.candidate_id,
                content=c.content,
                kind=c.kind,
                source=c.source_kind,
                position=position,
                token_count=tokens(units),
                token_provenance=counter,
                ref=c.source_ref,
            )
            for position, (c, units) in enumerate([(pool.candidates[i], pool.units[i]) for i in order])
        ]
    )


def _trace(pool: Pool, rows: Rows, order: Sequence[int]) -> Trace:
    position: dict[int, int] = {i: at for at, i in enumerate(order)}
    closures = listed_closures(pool)
    ids, bands = pool.ids, pool.band
    entries = [
        TraceEntry(
            candidate_id=c.candidate_id,
            content_identity=c.content_identity,
            representation_id=c.representation_id,
            decision=row.decision,
            reason_code=row.code,
            reason_detail=row.detail,
            priority_band=BANDS[bands[i]],
            relevance=c.relevance,
            marginal_cost=row.cost,
            dependency_closure=closures[i],
            pulled_in_by=tuple([ids[m] for m in row.pulled]) if row.pulled else (),
            budget_before=row.before,
            budget_after=row.after,
            position=position.get(i),
        )
        for i, (c, row) in enumerate(zip(pool.candidates, rows, strict=True))
        if row is not None
    ]
    return Trace(request_id=pool.request.request_id, policy_version=pool.policy.policy_version, entries=tuple(entries))


def listed_closures(pool: Pool) -> list[tuple[str, ...]]:
    """What each candidate depends on, transitively, depth-first in listed order, without itself.

    A closure of more than `CLOSURE_LIMIT` ids is given by the direct dependencies.
    """
    depends, ids = pool.depends, pool.ids
    whole: list[tuple[int, ...] | None] = [()] * pool.size
    known = bytearray([not needs for needs in depends])
    closures: list[tuple[str, ...]] = [()] * pool.size
    for i, needs in enumerate(depends):
        if not needs:
            continue
        if not known[i]:
            _follow(depends, i, whole, known)
        listed = whole[i]
        if listed is None:
            listed = tuple([j for j in dict.fromkeys(needs) if j != i])
        closures[i] = tuple([ids[j] for j in listed])
    return closures


def _follow(
    depends: Sequence[tuple[int, ...]], start: int, whole: list[tuple[int, ...] | None], known: bytearray
) -> None:
    """Fill in the closures along single dependencies from `start`, the far end first.

    One more than a known closure is one step, so the candidates of a chain do not each walk `CLOSURE_LIMIT` steps.
    """
    line = [start]
    seen = {start}
    while len(depends[line[-1]]) == 1 and (below := depends[line[-1]][0]) not in seen and not known[below]:
        line.append(below)
        seen.add(below)
    for i in reversed(line):
        below = depends[i][0]
        rest = whole[below]
        known[i] = 1
        if len(depends[i]) > 1 or not known[below] or (rest is not None and i in rest) or below == i:
            whole[i] = _walk(depends, i)
        elif rest is None or len(rest) == CLOSURE_LIMIT:
            whole[i] = None
        else:
            whole[i] = (below, *rest)


def _walk(depends: Sequence[tuple[int, ...]], start: int) -> tuple[int, ...] | None:
    """Everything `start` depends on in depth-first listed order; None when it is more than `CLOSURE_LIMIT`."""
    seen = {start}
    found: list[int] = []
    stack = list(reversed(depends[start]))
    while stack:
        j = stack.pop()
        if j not in seen:
            if len(found) == CLOSURE_LIMIT:
                return None
            seen.add(j)
            found.append(j)
            stack.extend(reversed(depends[j]))
    return tuple(found)
