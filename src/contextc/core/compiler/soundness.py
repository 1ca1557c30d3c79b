"""Which components can never be in a bundle: what they need holds something illegal, or two forms of one content."""

from __future__ import annotations

from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool


def doomed(pool: Pool, needs: Needs) -> bytearray:
    """Mark, by component, what no legal bundle can hold. Near-linear for chains and trees."""
    dead = bytearray(len(needs.members))
    gated = [needs.comp[i] for i, gate in enumerate(pool.gate) if gate is not None]
    needs.above(gated, dead)
    if any(len(forms) > 1 for forms in pool.forms):
        needs.above(_clashing(pool, needs, dead), dead)
    return dead


def _clashing(pool: Pool, needs: Needs, dead: bytearray) -> list[int]:
    """Components whose closure holds two forms of one content, as far as they are not dead already.

    Short closures are read off. Long ones on a line are met walking up the line with one running table of contents,
    undone on the way back, so a chain of n costs n steps. Long closures that branch are each walked.
    """
    found: list[int] = []
    lines: list[int] = []
    for c, below in enumerate(needs.succ):
        if dead[c] or (not below and len(needs.members[c]) == 1):
            continue
        short = needs.short[c]
        if short is not None:
            if _holds_twice(pool, needs, (*short, c)):
                found.append(c)
        elif not needs.linear[c]:
            if _holds_twice(pool, needs, needs.reach((c,))):
                found.append(c)
        elif needs.short[below[0]] is not None:
            lines.append(c)
    for c in lines:
        found += _along(pool, needs, dead, c)
    return found


def _variants(pool: Pool, needs: Needs, c: int) -> list[tuple[int, int]]:
    """(content, candidate) of the members whose content has other forms."""
    content, forms = pool.content, pool.forms
    return [(content[i], i) for i in needs.members[c] if len(forms[content[i]]) > 1]


def _holds_twice(pool: Pool, needs: Needs, closure: list[int] | tuple[int, ...]) -> bool:
    held: dict[int, int] = {}
    for c in closure:
        for content, i in _variants(pool, needs, c):
            if held.setdefault(content, i) != i:
                return True
    return False


def _along(pool: Pool, needs: Needs, dead: bytearray, start: int) -> list[int]:
    """Clashes on the lines that lead to `start`, the first component with a long closure."""
    held: dict[int, int] = {}
    for c in needs.reach(needs.succ[start]):
        for content, i in _variants(pool, needs, c):
            if held.setdefault(content, i) != i:
                return [start]
    found: list[int] = []
    stack: list[tuple[int, list[int] | None]] = [(start, None)]
    while stack:
        c, entered = stack.pop()
        if entered is not None:
            for content in entered:
                del held[content]
            continue
        added: list[int] = []
        clash = False
        for content, i in _variants(pool, needs, c):
            if content not in held:
                held[content] = i
                added.append(content)
            elif held[content] != i:
                clash = True
        stack.append((c, added))
        if clash:
            found.append(c)
            continue
        stack += [(user, None) for user in needs.pred[c] or () if needs.linear[user] and not dead[user]]
    return found
