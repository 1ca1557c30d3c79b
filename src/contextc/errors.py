"""Every error that contextc raises on purpose.

    ContextError                 what was expected, where, and what to do
    ├── InputError               the caller's mistake: a request, a document, a path (exit 13)
    │   ├── UsageError           a command line that cannot be understood (exit 2)
    │   ├── NotFound             a named thing that is not there (exit 12)
    │   ├── RepositoryError      a repository that cannot or may not be read (exit 13)
    │   └── DocumentError        one or more problems in a JSON document, each with its path (exit 13)
    ├── PluginError              a source, strategy or counter broke its own contract (exit 70)
    │   └── SourceError          bytes that a source listed cannot be had any more
    └── InternalError            our own bug: the checker objected (exit 70)

A refusal is not an error: it is an answer (`contextc.core.records.outcome`).
"""

from __future__ import annotations

from collections.abc import Sequence


class ContextError(Exception):
    """Base of all errors raised on purpose.

    `message` says what was expected and what was found; `where` is a path, a `file:line` or a JSON pointer;
    `hint` says what to do. `code` is a stable kebab-case name for programs.
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.where})" if self.where else self.message


class InputError(ContextError):
    """The caller gave something that cannot be used."""

    code = "invalid-input"
    exit_code = 13


class UsageError(InputError):
    """A command line that cannot be understood."""

    code = "usage"
    exit_code = 2


class NotFound(InputError):
    """A named path, revision, issue or identifier does not exist."""

    code = "not-found"
    exit_code = 12


class RepositoryError(InputError):
    """A repository that cannot or may not be read: foreign owner, damaged objects, no such revision."""

    code = "repository"


class Problem:
    """One problem of a document: the JSON path (`$.candidates[3].relevance`) and what was expected there."""

    __slots__ = ("expected", "path")

    def __init__(self, path: str, expected: str) -> None:
        self.path = path
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.path}: {self.expected}"


class DocumentError(InputError):
    """A JSON document that breaks its schema; `problems` lists every fault that was found."""

    code = "invalid-document"

    def __init__(self, problems: Sequence[Problem], *, where: str = "", hint: str = "") -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(p) for p in self.problems), where=where, hint=hint)


class PluginError(ContextError):
    """A source, strategy, renderer or counter broke the contract of its protocol."""

    code = "plugin"
    exit_code = 70


class SourceError(PluginError):
    """A source cannot give bytes that it listed."""

    code = "source"


class InternalError(ContextError):
    """Our own bug. Raised when the independent checker objects to what the compiler made."""

    code = "internal"
    exit_code = 70
