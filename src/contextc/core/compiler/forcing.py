"""What follows from the duties without a choice: unit propagation to a fixed point.

A duty with one living way forces it and all it needs. What is forced kills the other forms of its contents, and
everything that needs them. A duty that loses all but one way forces that one; a duty that loses all is a refusal,
whose reasons are kept: which duty killed which component.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from contextc.core.compiler.duties import Duty
from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import Pool


class Forcing:
    """The fixed point. `conflict` names the duties (by number) that exclude one another, if any do."""

    def __init__(self, pool: Pool, needs: Needs, doomed: bytearray, duties: Sequence[Duty]) -> None:
        self.pool = pool
        self.needs = needs
        self.duties = duties
        self.dead = bytearray(doomed)
        self.forced = bytearray(len(needs.members))
        self.conflict: list[int] | None = None
        self._killer: dict[int, int] = {}
        comp = needs.comp
        self._ways: list[list[int]] = [
            list(dict.fromkeys([comp[i] for i in duty.ways if not doomed[comp[i]]])) for duty in duties
        ]
        self._living = [len(ways) for ways in self._ways]
        self._users: dict[int, list[int]] = {}
        for number, ways in enumerate(self._ways):
            for c in ways:
                self._users.setdefault(c, []).append(number)
        self._queue = deque([number for number, living in enumerate(self._living) if living == 1])
        while self._queue and self.conflict is None:
            self._force(self._queue.popleft())

    def open_ways(self, number: int) -> list[int]:
        """Living ways (candidates) of a duty; empty when it is met by what is forced."""
        comp = self.needs.comp
        ways = self.duties[number].ways
        if any(self.forced[comp[i]] for i in ways):
            return []
        return [i for i in ways if not self.dead[comp[i]]]

    def _force(self, number: int) -> None:
        living = [c for c in self._ways[number] if not self.dead[c]]
        if not living:
            self._blame(number)
            return
        new = self.needs.reach(living, self.forced)
        for c in new:
            self.forced[c] = 1
        rivals = self._rivals(new)
        for c in self.needs.above(rivals, self.dead):
            self._killer[c] = number
            for duty in self._users.get(c, ()):
                self._living[duty] -= 1
                if self._living[duty] == 1:
                    self._queue.append(duty)
                elif self._living[duty] == 0:
                    self._blame(duty)
                    return

    def _rivals(self, comps: Sequence[int]) -> list[int]:
        """Components that hold another form of a content of these components."""
        pool, comp = self.pool, self.needs.comp
        return [
            comp[other]
            for c in comps
            for i in self.needs.members[c]
            if len(pool.forms[pool.content[i]]) > 1
            for other in pool.forms[pool.content[i]]
            if other != i
        ]

    def _blame(self, number: int) -> None:
        if self.conflict is None:
            self.conflict = self.causes([number])

    def causes(self, numbers: Sequence[int]) -> list[int]:
        """These duties, those that killed ways of theirs, and theirs in turn."""
        blamed = set(numbers)
        stack = list(numbers)
        while stack:
            for c in self._ways[stack.pop()]:
                killer = self._killer.get(c)
                if killer is not None and killer not in blamed:
                    blamed.add(killer)
                    stack.append(killer)
        return sorted(blamed)
