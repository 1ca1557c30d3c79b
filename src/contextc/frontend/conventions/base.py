"""What conventions find: rules, decisions, and what is wrong with a record that cannot be read as one."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from contextc.frontend.sources import display_path

#: How a rule is asked for: `rule` must be followed, `advice` is of lower standing, `idle` does not apply to the task.
Standing = Literal["rule", "advice", "idle"]

#: Where a decision stands. `unknown` states nothing that could be read.
Status = Literal["accepted", "proposed", "superseded", "deprecated", "rejected", "unknown"]


class Diagnostic(Struct, frozen=True, order=True):
    """A fault of one record, with its line (from 1). It never makes other records vanish."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{display_path(self.path)}:{self.line}: {self.message}"


class Rule(Struct, frozen=True):
    """One document of rules that some tool reads by convention.

    `depth` counts the directories above the place it speaks for: the nearest stands last. `why` says, strongest first,
    what makes it apply, or what makes it idle. `remark` says what is odd about it, for whoever reads it.
    """

    path: str
    depth: int
    standing: Standing
    why: tuple[str, ...]
    remark: str = ""


class RuleSet(Struct, frozen=True):
    """All rules of a snapshot for some touched paths, in the order they are to be read, each path once."""

    rules: tuple[Rule, ...]
    diagnostics: tuple[Diagnostic, ...]


class Decision(Struct, frozen=True):
    """One record of a decision. `number` is its id as written (`7`, `decision-3`), "" when it has none.

    `stated` is the status as written; `status` what it means, a successor in another record included.
    `successor` and `predecessors` are paths of records, where they could be found, else names as written.
    `date` is as written.
    """

    path: str
    number: str
    title: str
    status: Status
    stated: str
    date: str
    successor: str
    predecessors: tuple[str, ...]

    @property
    def in_force(self) -> bool:
        """Whether it may still be followed: neither replaced nor given up."""
        return self.status not in ("superseded", "deprecated", "rejected")


class DecisionSet(Struct, frozen=True):
    """All decisions of a snapshot, ascending by path."""

    decisions: tuple[Decision, ...]
    diagnostics: tuple[Diagnostic, ...]
