"""How an answer or an error ends, on every surface: one table."""

from __future__ import annotations

from msgspec import Struct

from contextc.capabilities.base import Verdict
from contextc.errors import (
    ContextError,
    InputError,
    InternalError,
    NotFound,
    PluginError,
    UsageError,
)


class Ending(Struct, frozen=True):
    """One way to end: its name, the exit code of a process, what it means to a person, and for programs that ask over
    HTTP or MCP its status and its code. A status of 200 has no code: an answer was given."""

    name: str
    exit_code: int
    meaning: str
    status: int = 200
    code: str = ""


DONE = Ending("done", 0, "done")
PROBLEMS = Ending("problems", 1, "a check found problems")
USAGE = Ending("usage", 2, "the command line cannot be understood", 400, "invalid_input")
OVER_BUDGET = Ending("over-budget", 10, "devcontext: what is required alone costs more than the budget")
REFUSED = Ending("refused", 11, "no legal bundle: nothing was written", 422, "refused")
NOT_FOUND = Ending("not-found", 12, "a named thing does not exist", 404, "not_found")
INVALID_INPUT = Ending("invalid-input", 13, "the input cannot be used", 400, "invalid_input")
INTERNAL = Ending("internal", 70, "a fault of contextc or of one of its parts", 500, "internal")

#: All endings, as the help and the reference list them.
ENDINGS: tuple[Ending, ...] = (DONE, PROBLEMS, USAGE, OVER_BUDGET, REFUSED, NOT_FOUND, INVALID_INPUT, INTERNAL)

#: How an answer's verdict ends.
BY_VERDICT: dict[Verdict, Ending] = {
    "done": DONE,
    "problems": PROBLEMS,
    "refused": REFUSED,
    "over-budget": OVER_BUDGET,
}

#: How an error ends: the first family it belongs to, the narrow ones before the wide ones.
BY_ERROR: tuple[tuple[type[ContextError], Ending], ...] = (
    (UsageError, USAGE),
    (NotFound, NOT_FOUND),
    (InputError, INVALID_INPUT),
    (PluginError, INTERNAL),
    (InternalError, INTERNAL),
    (ContextError, PROBLEMS),
)


def ending_of(error: ContextError) -> Ending:
    """How a run that raised this error ends."""
    return next(ending for family, ending in BY_ERROR if isinstance(error, family))
