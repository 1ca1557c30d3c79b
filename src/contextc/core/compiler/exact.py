"""The exact solver of the extra `exact`: OR-tools CP-SAT, for clusters that the bounded search could not finish.

One worker, a fixed seed and a deterministic limit give the same answer on every machine; linearization level 2 is
what makes one worker strong on covering problems. Imported when it is asked for, and only then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from contextc.core.compiler.cover import Cluster, Found, Way, cost_of
from contextc.core.compiler.settle import ExactSolver

#: CP-SAT's own deterministic measure, about seconds of one core, for one solution.
DETERMINISTIC_LIMIT = 20.0
#: Objective values of the tie-break stay below this, well within 64 bits.
TIE_BREAK_LIMIT = 1 << 50


def load_exact() -> ExactSolver | None:
    """The exact solver, or None where OR-tools is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        return None
    return CpSat(cp_model)


class CpSat:
    """Least cost first; then, at that cost, the smallest vector of items, as many duties at a time as fit."""

    def __init__(self, cp_model: Any) -> None:  # noqa: ANN401 - a module without types
        self.cp: Any = cp_model

    def solve(self, cluster: Cluster) -> Found:
        """See `ExactSolver.solve`."""
        ordered = [sorted(ways, key=lambda way: way.item) for ways in cluster.duties]
        status, picks, bound = self._run(cluster, ordered, None, {}, None)
        if status == self.cp.INFEASIBLE:
            return Found(None, 0, True, 0)
        if picks is None:
            return Found(None, 0, False, max(0, bound))
        choice = _choice(ordered, picks)
        cost = cost_of(cluster, choice) or 0
        if status != self.cp.OPTIMAL:
            return Found(choice, cost, False, max(0, bound))
        fixed: dict[int, int] = {}
        while len(fixed) < len(ordered):
            block = _block(ordered, len(fixed))
            status, found, _ = self._run(cluster, ordered, cost, fixed, block)
            if status != self.cp.OPTIMAL or found is None:
                return Found(choice, cost, False, cost)
            choice = _choice(ordered, found)
            fixed.update({duty: found[duty] for duty in block})
        return Found(choice, cost, True, cost)

    def _run(
        self,
        cluster: Cluster,
        duties: Sequence[Sequence[Way]],
        cost: int | None,
        fixed: dict[int, int],
        block: Sequence[int] | None,
    ) -> tuple[Any, list[int] | None, int]:
        """Minimise the cost, or with a cost: the vector of the duties in `block` at no more than that cost."""
        model: Any = self.cp.CpModel()
        atoms = [model.new_bool_var(f"a{at}") for at in range(len(cluster.prices))]
        ways = [[model.new_bool_var(f"w{d}_{k}") for k in range(len(of))] for d, of in enumerate(duties)]
        for d, of in enumerate(duties):
            model.add_exactly_one(ways[d])
            for k, way in enumerate(of):
                for at, atom in enumerate(atoms):
                    if way.atoms >> at & 1:
                        model.add_implication(ways[d][k], atom)
        for at, rivals in enumerate(cluster.rivals):
            for other in range(at):
                if rivals >> other & 1:
                    model.add_at_most_one([atoms[at], atoms[other]])
        total = sum(price * atom for price, atom in zip(cluster.prices, atoms, strict=True)) + sum(
            way.price * ways[d][k] for d, of in enumerate(duties) for k, way in enumerate(of)
        )
        for d, k in fixed.items():
            model.add(ways[d][k] == 1)
        if cost is None or block is None:
            model.minimize(total)
        else:
            model.add(total <= cost)
            weight, terms = 1, []
            for d in reversed(block):
                terms += [weight * k * var for k, var in enumerate(ways[d])]
                weight *= len(duties[d])
            model.minimize(sum(terms))
        solver: Any = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.random_seed = 1
        solver.parameters.max_deterministic_time = DETERMINISTIC_LIMIT
        status = solver.solve(model)
        bound = 0 if status == self.cp.UNKNOWN else int(solver.best_objective_bound)
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return status, None, bound
        picks = [next(k for k, var in enumerate(of) if solver.value(var)) for of in ways]
        return status, picks, bound


def _block(duties: Sequence[Sequence[Way]], start: int) -> list[int]:
    """The next duties whose vectors, read as one number, stay within `TIE_BREAK_LIMIT`."""
    block = [start]
    size = len(duties[start])
    while block[-1] + 1 < len(duties) and size * len(duties[block[-1] + 1]) <= TIE_BREAK_LIMIT:
        block.append(block[-1] + 1)
        size *= len(duties[block[-1]])
    return block


def _choice(duties: Sequence[Sequence[Way]], picks: Sequence[int]) -> list[Way]:
    return [of[k] for of, k in zip(duties, picks, strict=True)]
