"""Walks over who needs whom, without recursion: chains may be as long as the pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set


def reach(
    edges: Sequence[Sequence[int]],
    starts: Iterable[int],
    inside: Set[int] | None = None,
    outside: Set[int] = frozenset(),
) -> set[int]:
    """All nodes that can be reached from `starts`, these included; by way of members of `inside` only, if given, and
    of none of `outside`."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        for node in edges[stack.pop()]:
            if node not in seen and node not in outside and (inside is None or node in inside):
                seen.add(node)
                stack.append(node)
    return seen


def reverse(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """The same edges the other way round."""
    back: list[list[int]] = [[] for _ in edges]
    for node, targets in enumerate(edges):
        for target in targets:
            back[target].append(node)
    return back


def components(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after all that it can reach (Tarjan 1972, with a stack of its own)."""
    index: list[int] = [-1] * len(edges)
    low: list[int] = [0] * len(edges)
    open_: list[bool] = [False] * len(edges)
    path: list[int] = []
    found: list[list[int]] = []
    counter = 0
    for root in range(len(edges)):
        if index[root] >= 0:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, place = work.pop()
            if place == 0:
                index[node] = low[node] = counter
                counter += 1
                path.append(node)
                open_[node] = True
            descended = False
            targets = edges[node]
            while place < len(targets):
                target = targets[place]
                place += 1
                if index[target] < 0:
                    work.append((node, place))
                    work.append((target, 0))
                    descended = True
                    break
                if open_[target]:
                    low[node] = min(low[node], index[target])
            if descended:
                continue
            if low[node] == index[node]:
                component: list[int] = []
                while True:
                    member = path.pop()
                    open_[member] = False
                    component.append(member)
                    if member == node:
                        break
                found.append(component)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return found
