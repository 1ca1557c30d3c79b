"""The published algorithm, literally (construction SPEC 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextc.core.compiler.ledger import (
    DETAIL_ALTERNATIVE,
    DETAIL_BLOCKED,
    DETAIL_BUDGET,
    DETAIL_NO_PATH,
    DETAIL_REDUNDANT,
    DETAIL_REPAIR,
    Row,
    Rows,
)
from contextc.core.compiler.pool import DISCRETIONARY, MANDATORY, PREFERRED, REQUIRED, Pool
from contextc.core.records.outcome import FailureReason


class Stop(Exception):
    def __init__(self, reason: FailureReason, blocking: tuple[str, ...], diagnostic: str) -> None:
        self.reason, self.blocking, self.diagnostic = reason, blocking, diagnostic


class Literal:
    def __init__(self, pool: Pool) -> None:
        self.p = pool
        self.rows: Rows = [None] * pool.size
        self.admitted: set[int] = set()
        self.contents: dict[int, set[int]] = {}
        self.covered: set[str] = set()
        self.rest = pool.budget

    def closure(self, members: Iterable[int]) -> list[int]:
        seen: list[int] = []
        known: set[int] = set()
        stack = list(reversed(list(members)))
        while stack:
            i = stack.pop()
            if i not in known:
                known.add(i)
                seen.append(i)
                stack.extend(reversed(self.p.depends[i]))
        return seen

    def fresh(self, members: Iterable[int]) -> list[int]:
        return [i for i in self.closure(members) if i not in self.admitted]

    def cost(self, members: Iterable[int]) -> int:
        return sum(self.p.tokens[i] for i in self.fresh(members))

    def blocked(self, members: Sequence[int]) -> bool:
        return any(self.p.gate[i] is not None or (self.taken(i) and i not in members) for i in self.fresh(members))

    def taken(self, i: int) -> bool:
        return bool(self.contents.get(self.p.content[i], set()) - {i})

    def has(self, content: int) -> bool:
        return content in self.contents

    def commit(self, members: Sequence[int], detail: str) -> None:
        fresh = self.fresh(members)
        after = self.rest - sum(self.p.tokens[i] for i in fresh)
        reach = {m: set(self.closure([m])) for m in members}
        for i in fresh:
            pulled = () if i in members else tuple(m for m in members if i in reach[m])
            self.rows[i] = Row("ADMITTED", "admitted", detail, self.p.tokens[i], pulled, self.rest, after)
            self.admitted.add(i)
            self.contents.setdefault(self.p.content[i], set()).add(i)
            self.covered.update(self.p.candidates[i].coverage_keys)
        self.rest = after

    def reject(self, i: int, decision, code: str, detail: str, cost: int = 0) -> None:
        self.rows[i] = Row(decision, code, detail, cost, (), self.rest, self.rest)

    def collect(self, band: int) -> list[list[int]]:
        units: list[list[int]] = []
        by_group: dict[int, list[int]] = {}
        for i in range(self.p.size):
            if self.rows[i] is not None or self.p.band[i] != band or self.has(self.p.content[i]):
                continue
            group = self.p.group[i]
            if group < 0:
                units.append([i])
            elif group in by_group:
                by_group[group].append(i)
            else:
                by_group[group] = [i]
                units.append(by_group[group])
        return units

    def run(self) -> tuple[Stop | None, list[int]]:
        try:
            if self.p.missing:
                missing = tuple(self.p.missing)
                raise Stop(
                    "REQUIRED_SOURCE_UNAVAILABLE",
                    missing,
                    f"explicitly required candidates absent: {', '.join(missing)}",
                )
            self.gates()
            self.mandatory()
            self.required()
            self.optional(PREFERRED, "preferred-greedy")
            self.optional(DISCRETIONARY, "discretionary-greedy")
            self.leftovers()
            return None, self.repair()
        except Stop as stop:
            return stop, []

    def gates(self) -> None:
        for i, gate in enumerate(self.p.gate):
            if gate is not None:
                self.reject(i, "REJECTED_HARD", gate.code, gate.detail(self.p.candidates[i]))

    def mandatory(self) -> None:
        for content, name in enumerate(self.p.contents):
            forms = [i for i in self.p.forms[content] if self.p.band[i] == MANDATORY]
            if not forms or self.has(content):
                continue
            ids = tuple(self.p.ids[i] for i in forms)
            legal = [i for i in forms if self.p.gate[i] is None]
            if not legal:
                if all(gate is not None and gate.name == "floor" for gate in (self.p.gate[i] for i in forms)):
                    raise Stop("NO_LEGAL_REPRESENTATION", ids, f"mandatory {name}: all forms violate floor")
                raise Stop("REQUIRED_INELIGIBLE", ids, f"mandatory {name}: no form is eligible")
            for form in sorted(legal, key=lambda i: (self.cost([i]), i)):
                group = self.p.group[form]
                unit = self.p.groups[group] if group >= 0 else [form]
                if self.cost(unit) > self.rest:
                    continue
                if self.blocked(unit):
                    raise Stop(
                        "UNSATISFIED_DEPENDENCY",
                        (self.p.ids[form],),
                        f"mandatory {name}: a dependency is ineligible or collides",
                    )
                self.commit(unit, "mandatory")
                break
            else:
                raise Stop("INSUFFICIENT_BUDGET", ids, f"mandatory {name} closure exceeds remaining budget")

    def required(self) -> None:
        units = self.collect(REQUIRED)
        for unit in units:
            group = self.p.group[unit[0]]
            if group < 0:
                continue
            if self.blocked(unit) or self.cost(unit) > self.rest:
                ids = tuple(self.p.ids[i] for i in unit)
                raise Stop(
                    "UNRESOLVED_REQUIRED_GROUP",
                    ids,
                    f"required group {self.p.group_name(group)} cannot be admitted whole",
                )
            self.commit(unit, "required")
        singles: dict[int, list[int]] = {}
        for unit in units:
            if self.p.group[unit[0]] < 0:
                singles.setdefault(self.p.content[unit[0]], []).append(unit[0])
        for content in sorted(singles):
            if self.has(content):
                continue
            name = self.p.contents[content]
            for form in sorted(singles[content], key=lambda i: (self.cost([i]), i)):
                if self.cost([form]) > self.rest:
                    continue
                if self.blocked([form]):
                    raise Stop(
                        "UNSATISFIED_DEPENDENCY",
                        (self.p.ids[form],),
                        f"required {name}: a dependency is ineligible or collides",
                    )
                self.commit([form], "required")
                for other in singles[content]:
                    if self.rows[other] is None:
                        self.reject(other, "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
                break
            else:
                ids = tuple(self.p.ids[i] for i in singles[content])
                raise Stop("INSUFFICIENT_BUDGET", ids, f"required {name} closure exceeds remaining budget")

    def optional(self, band: int, detail: str) -> None:
        floor = self.p.policy.min_discretionary_relevance
        while True:
            best: tuple[tuple[float, int, int, int], list[int]] | None = None
            for unit in self.collect(band):
                cost = self.cost(unit)
                relevance = max(self.p.relevance[i] for i in unit)
                keys = {key for i in unit for key in self.p.candidates[i].coverage_keys}
                new = len(keys - self.covered)
                if self.blocked(unit):
                    self.reject_unit(unit, "REJECTED_DEPENDENCY", "dependency-blocked", DETAIL_BLOCKED, cost)
                elif cost > self.rest:
                    self.reject_unit(unit, "REJECTED_BUDGET", "budget", DETAIL_BUDGET, cost)
                elif relevance < floor and not new:
                    self.reject_unit(unit, "REJECTED_REDUNDANT", "no-earn", DETAIL_REDUNDANT, cost)
                else:
                    key = (-relevance, -new, cost, unit[0])
                    if best is None or key < best[0]:
                        best = (key, unit)
            if best is None:
                return
            self.commit(best[1], detail)

    def reject_unit(self, unit: list[int], decision, code: str, detail: str, cost: int) -> None:
        for i in unit:
            self.reject(i, decision, code, detail, cost)

    def leftovers(self) -> None:
        for i in range(self.p.size):
            if self.rows[i] is None:
                if self.has(self.p.content[i]):
                    self.reject(i, "REJECTED_ALTERNATIVE", "alternative_selected", DETAIL_ALTERNATIVE)
                else:
                    self.reject(i, "REJECTED_BUDGET", "budget", DETAIL_NO_PATH, self.cost([i]))

    def repair(self) -> list[int]:
        items = sorted(self.admitted, key=lambda i: (self.p.rank[i], i))
        reach = {i: set(self.closure([i])) - {i} for i in items}
        while self.p.cost(items) > self.p.limit:
            free = [
                i for i in items if self.p.band[i] == DISCRETIONARY and not any(i in reach[j] for j in items if j != i)
            ]
            if not free or self.p.policy.repair == "none":
                raise Stop(
                    "INSUFFICIENT_BUDGET",
                    tuple(self.p.ids[i] for i in sorted(items)),
                    "rendered cost exceeds the budget",
                )
            last = free[-1]
            group = self.p.group[last]
            gone = {last} if group < 0 else {i for i in items if self.p.group[i] == group}
            for i in gone:
                row = self.rows[i]
                assert row is not None
                self.rows[i] = row._replace(decision="REJECTED_BUDGET", code="repair-drop", detail=DETAIL_REPAIR)
            items = [i for i in items if i not in gone]
        return items
