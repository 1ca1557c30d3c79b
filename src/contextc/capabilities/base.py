"""What a capability is: one question contextc answers, with the records of its input and its output.

A surface (command line, HTTP, MCP) loops over the registry and needs nothing else: names and help of parameters are
the fields of the input record, and the schema of the answer is the schema of the output record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from contextc.core.records.base import Record
from contextc.errors import ContextError

#: What a capability may touch. It becomes an HTTP verb, an MCP annotation, a word in the reference.
#: pure               the answer is a function of the input alone
#: reads-repository   files of a repository are read
#: writes-index       and the index in the user's cache directory is brought up to date; the repository never is
#: writes-repository  and a file of the repository is written, when that is asked for
Effect = Literal["pure", "reads-repository", "writes-index", "writes-repository"]

Surface = Literal["cli", "http", "mcp"]

#: How an answer ended when no error was raised.
#: done       what was asked for
#: problems   a check ran and found something
#: refused    no legal bundle exists, or none was found within a named cap
#: over-budget  what is required alone costs more than the budget; it is given all the same
Verdict = Literal["done", "problems", "refused", "over-budget"]


class Progress(Protocol):
    """Told how far a long piece of work is; only a person watching wants to know."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """`done` of `total` steps of `stage` are through; `total` is 0 while it is not known."""
        ...


class Session(Struct, frozen=True, kw_only=True):
    """What a surface lends to a capability beside the input. No answer depends on it."""

    progress: Progress | None = None
    cache_dir: str | None = None


def _done(_: Any) -> Verdict:  # noqa: ANN401 - any output record
    return "done"


class Refusal(Struct, frozen=True, kw_only=True):
    """Why an answer is a refusal, in a sentence, and what would be enough."""

    message: str
    hint: str = ""


class Case(Struct, frozen=True, kw_only=True):
    """A question that a repository is asked to measure or compare surfaces: its name and the fields of the input that
    are given. Fields of `Capability.bound` are not among them."""

    name: str
    given: dict[str, Any]


class Capability(Struct, frozen=True, kw_only=True):
    """One thing that can be asked.

    `id` is dotted and stable; `input` is the record whose fields are the parameters; `output` names the records an
    answer may be (told apart by their schema strings); `run` makes one from the other and raises only `errors`;
    `verdict` says how an answer ended; `in_words` puts an answer in words where that says more than its JSON.
    `positional` names the fields that a person may give without their names, in order.

    `exposed` names the surfaces that offer it; `bound` the fields that only a command line has, because a server is
    bound to their values when it starts. `path` is the place below `/api/v1/` and `tool` the name of the MCP tool,
    where they are not the id with `/` and with `_`; `resource` is the address under which MCP offers the answer to
    the empty input instead of a tool. `cases` derives questions from the repository at a path. `refusal` says why a
    refused answer is one. `leading` names the fields of the answer that matter most, for a surface that can not give
    all of it at once.
    """

    id: str
    summary: str
    input: type[Record]
    output: tuple[type[Record], ...]
    effect: Effect
    run: Callable[[Any, Session], Any]
    errors: tuple[type[ContextError], ...]
    verdict: Callable[[Any], Verdict] = _done
    in_words: Callable[[Any], str] | None = None
    tags: tuple[str, ...] = ()
    exposed: tuple[Surface, ...] = ("cli", "http", "mcp")
    positional: tuple[str, ...] = ()
    bound: tuple[str, ...] = ("root",)
    path: str = ""
    tool: str = ""
    resource: str = ""
    cases: Callable[[str], tuple[Case, ...]] | None = None
    refusal: Callable[[Any], Refusal] | None = None
    leading: tuple[str, ...] = ()
