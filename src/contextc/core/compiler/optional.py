"""Rounds of one optional band: judge every unit, admit the best, again until none competes (construction SPEC 4, 5).

Literally that is a scan of all units after every admission. Here a unit is looked at again only when an admission
changes something about it, and three queues say what comes next:

    choice   the order of admission. An entry may be too good (its coverage has been covered meanwhile): it is
             corrected when it surfaces. It is never too bad: whatever makes a unit cheaper pushes a new entry.
    far      the same for units with long closures, whose cost is not kept up to date. What is spent since an entry
             was made is the most that its cost can have fallen, so `cost + spent` orders lower bounds.
    dear     units by falling cost: the first that costs more than what is left is the one that drops out.

A unit is a candidate, or the undecided members of a cluster (a required group by the published rules, a component by
the legal ones).
"""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.compiler.agenda import Agenda
from contextc.core.compiler.ledger import DETAIL_BLOCKED, DETAIL_BUDGET, DETAIL_REDUNDANT, DROPPED
from contextc.core.compiler.rounds import Rounds

Key = tuple[float, int, int, int, int]


class Optional:
    """One band. `cluster[i]` is the cluster of a candidate, or -1 for one that is a unit by itself.

    By the published rules all members of a unit come by themselves. With `one_root` the most relevant one does, with
    its required group, and the others come because it needs them; what drops out is only marked, as its reason is
    looked for at the end (`admission.judge_rest`).
    """

    def __init__(
        self, rounds: Rounds, band: int, detail: str, cluster: Sequence[int], *, one_root: bool = False
    ) -> None:
        self.one_root = one_root
        self.rounds = rounds
        self.detail = detail
        self.floor = rounds.pool.policy.min_discretionary_relevance
        self.members: list[list[int]] = []
        self.alive = bytearray()
        self.relevance: list[float] = []
        self.new: list[int] = []
        self.cost: list[int] = []
        self.far = bytearray()
        self.unit_of: dict[int, int] = {}
        self.users: dict[int, list[int]] = {}
        self.key_users: dict[str, list[int]] = {}
        self.spent = 0
        self.poor: list[int] = []
        self._collect(band, cluster)

    def run(self) -> None:
        """Admit until nothing competes."""
        units = range(len(self.members))
        relevance, new, cost, members = self.relevance, self.new, self.cost, self.members
        self.choice: Agenda[Key] = Agenda(
            [(-relevance[u], -new[u], cost[u], members[u][0], u) for u in units if self.alive[u] and not self.far[u]]
        )
        self.distant: Agenda[Key] = Agenda([self._key(u) for u in units if self.alive[u] and self.far[u]])
        self.dear: Agenda[tuple[int, int]] = Agenda([(-self.cost[u], u) for u in units if self.alive[u]])
        while True:
            self._drop_dear()
            self._drop_poor()
            unit = self._best()
            if unit is None:
                return
            self.spent += self.rounds.commit(self._roots(unit), self.detail)
            self._follow()

    def _roots(self, unit: int) -> list[int]:
        members, pool = self.members[unit], self.rounds.pool
        if len(members) == 1 or not self.one_root:
            return members
        first = min(members, key=lambda i: (-pool.relevance[i], i))
        group = pool.group[first]
        return [first] if group < 0 else [i for i in members if pool.group[i] == group]

    def _collect(self, band: int, cluster: Sequence[int]) -> None:
        rounds, pool = self.rounds, self.rounds.pool
        rows, taken, content, gathered, unit_of = rounds.rows, rounds.taken, pool.content, self.members, self.unit_of
        clusters: dict[int, int] = {}
        for i, own in enumerate(pool.band):
            if own != band or rows[i] is not None or taken[content[i]]:
                continue
            unit = len(gathered) if cluster[i] < 0 else clusters.setdefault(cluster[i], len(gathered))
            if unit == len(gathered):
                gathered.append([i])
            else:
                gathered[unit].append(i)
            unit_of[i] = unit
        count = len(self.members)
        self.alive = bytearray(b"\1" * count)
        self.far = bytearray(count)
        self.relevance = [0.0] * count
        self.new = [0] * count
        self.cost = [0] * count
        needs, barred = rounds.needs, rounds.barred
        for unit, members in enumerate(self.members):
            c = needs.comp[members[0]]
            if len(members) > 1 or needs.succ[c] or barred[c]:
                self._appraise(unit)
                continue
            self.relevance[unit] = pool.relevance[members[0]]
            self.cost[unit] = needs.weight[c]
            self._count_keys(unit, pool.candidates[members[0]].coverage_keys)

    def _appraise(self, unit: int) -> None:
        """Take down what a unit is worth and costs, and judge it as far as that needs no queue."""
        rounds, pool, needs = self.rounds, self.rounds.pool, self.rounds.needs
        members = self.members[unit]
        first = members[0]
        c = needs.comp[first]
        if len(members) == 1:
            self.relevance[unit] = pool.relevance[first]
            keys = pool.candidates[first].coverage_keys
            below = needs.short[c]
            self.cost[unit] = needs.marginal(c, rounds.admitted)
            self.far[unit] = below is None
            for d in below or ():
                if not rounds.admitted[d]:
                    self.users.setdefault(d, []).append(unit)
        else:
            self.relevance[unit] = max([pool.relevance[i] for i in members])
            keys = tuple([key for i in members for key in pool.candidates[i].coverage_keys])
            self._appraise_cluster(unit)
        self._count_keys(unit, keys)
        if any(rounds.barred[needs.comp[i]] for i in members):
            self._reject(unit, "REJECTED_DEPENDENCY", "dependency-blocked", DETAIL_BLOCKED)

    def _count_keys(self, unit: int, keys: tuple[str, ...]) -> None:
        """Note which keys would be new; a unit of low relevance without any earns nothing."""
        new = 0
        if keys:
            covered = self.rounds.covered
            for key in keys if len(keys) == 1 else dict.fromkeys(keys):
                if key not in covered:
                    new += 1
                    self.key_users.setdefault(key, []).append(unit)
        self.new[unit] = new
        if not new and self.relevance[unit] < self.floor:
            self.poor.append(unit)

    def _appraise_cluster(self, unit: int) -> None:
        """The closure of a cluster is kept whole when it is short for its size."""
        rounds, needs = self.rounds, self.rounds.needs
        comps = [needs.comp[i] for i in self.members[unit]]
        reach = needs.reach(comps, rounds.admitted)
        self.cost[unit] = sum([needs.weight[d] for d in reach])
        self.far[unit] = any(needs.short[c] is None for c in comps)
        if not self.far[unit]:
            for d in reach:
                self.users.setdefault(d, []).append(unit)

    def _key(self, unit: int) -> Key:
        """The order of admission; for a far unit with a lower bound of its cost, shifted by what is spent."""
        cost = self.cost[unit] + self.spent if self.far[unit] else self.cost[unit]
        return (-self.relevance[unit], -self.new[unit], cost, self.members[unit][0], unit)

    def _now(self, unit: int) -> int:
        """The cost of a unit as it is now."""
        if self.far[unit]:
            self.cost[unit] = self.rounds.marginal(self.members[unit])
        return self.cost[unit]

    def _reject(self, unit: int, decision: str, code: str, detail: str) -> None:
        self.alive[unit] = 0
        if self.one_root:
            for i in self.members[unit]:
                self.rounds.rows[i] = DROPPED
            return
        self.rounds.reject(self.members[unit], decision, code, detail, self._now(unit))  # type: ignore[arg-type]

    def _drop_dear(self) -> None:
        """Reject what costs more than is left. Kept costs are never below the true ones, so the dearest is first."""
        rest = self.rounds.rest
        while (entry := self.dear.peek()) is not None and -entry[0] > rest:
            self.dear.drop()
            unit = entry[1]
            if not self.alive[unit]:
                continue
            cost = self._now(unit)
            if cost > rest:
                self._reject(unit, "REJECTED_BUDGET", "budget", DETAIL_BUDGET)
            else:
                self.dear.push((-cost, unit))

    def _drop_poor(self) -> None:
        for unit in self.poor:
            if self.alive[unit] and not self.new[unit] and self.relevance[unit] < self.floor:
                self._reject(unit, "REJECTED_REDUNDANT", "no-earn", DETAIL_REDUNDANT)
        self.poor.clear()

    def _best(self) -> int | None:
        near, far = self._surface(self.choice), self._surface(self.distant)
        if near is None or far is None:
            best = near or far
        else:
            shift = (far[0], far[1], far[2] - self.spent, far[3], far[4])
            best = near if near < shift else far
        return None if best is None else best[4]

    def _surface(self, agenda: Agenda[Key]) -> Key | None:
        """The first entry that is true now; what is out of date on the way is corrected or forgotten."""
        while (entry := agenda.peek()) is not None:
            unit = entry[4]
            if not self.alive[unit]:
                agenda.drop()
                continue
            if self.far[unit]:
                self._now(unit)
            key = self._key(unit)
            if key == entry:
                return entry
            agenda.drop()
            if key > entry:
                agenda.push(key)
        return None

    def _follow(self) -> None:
        """Bring the index up to date with the last commit."""
        rounds, needs = self.rounds, self.rounds.needs
        touched: dict[int, None] = {}
        dirty: dict[int, None] = {}
        for c in rounds.new_components:
            for unit in self.users.pop(c, ()):
                if self.alive[unit]:
                    self.cost[unit] -= needs.weight[c]
                    touched[unit] = None
            self._leave(needs.members[c], dirty)
        barred: list[int] = []
        for c in rounds.new_bars:
            barred += self._leave(needs.members[c], dirty)
        for unit in barred:
            self._reject(unit, "REJECTED_DEPENDENCY", "dependency-blocked", DETAIL_BLOCKED)
        for key in rounds.new_keys:
            for unit in self.key_users.pop(key, ()):
                if self.alive[unit]:
                    self.new[unit] -= 1
                    if not self.new[unit] and self.relevance[unit] < self.floor:
                        self.poor.append(unit)
        for unit in dirty:
            self._rebuild(unit, touched)
        for unit in touched:
            if self.alive[unit]:
                (self.distant if self.far[unit] else self.choice).push(self._key(unit))

    def _leave(self, items: Sequence[int], dirty: dict[int, None]) -> list[int]:
        """Candidates that were admitted, displaced or barred leave their units; returns units that are barred."""
        rounds = self.rounds
        barred: list[int] = []
        for i in items:
            unit = self.unit_of.get(i)
            if unit is None or not self.alive[unit]:
                continue
            if len(self.members[unit]) > 1:
                dirty[unit] = None
            elif rounds.taken[rounds.pool.content[i]]:
                self.alive[unit] = 0
            else:
                barred.append(unit)
        return barred

    def _rebuild(self, unit: int, touched: dict[int, None]) -> None:
        """A cluster that lost members makes way for a new unit of those that are left, with an index of its own."""
        rounds, content = self.rounds, self.rounds.pool.content
        left = [i for i in self.members[unit] if rounds.rows[i] is None and not rounds.taken[content[i]]]
        self.alive[unit] = 0
        if not left:
            return
        new = len(self.members)
        self.members.append(left)
        self.alive.append(1)
        self.far.append(0)
        self.relevance.append(0.0)
        self.new.append(0)
        self.cost.append(0)
        for i in left:
            self.unit_of[i] = new
        self._appraise(new)
        if self.alive[new]:
            touched[new] = None
            self.dear.push((-self.cost[new], new))
