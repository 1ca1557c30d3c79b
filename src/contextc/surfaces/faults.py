"""Errors as a program is told them: a code, a reason and a hint; no place of this machine, no contents."""

from __future__ import annotations

import os

from msgspec import Struct

from contextc.capabilities.base import Refusal
from contextc.errors import ContextError
from contextc.surfaces.outcomes import INTERNAL, REFUSED, ending_of


class Fault(Struct, frozen=True, kw_only=True):
    """Why there is no answer. `status` is HTTP's; `code` one of the published ones (SPEC 5.3)."""

    status: int
    code: str
    message: str
    hint: str = ""

    def in_words(self) -> str:
        """The reason and what to do."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


def fault_of(error: BaseException) -> Fault:
    """The fault for anything that was raised; of one that was not raised on purpose only its kind and place are told,
    since its words may hold what is private."""
    if not isinstance(error, ContextError):
        return Fault(
            status=INTERNAL.status,
            code=INTERNAL.code,
            message=f"a fault of contextc itself: {type(error).__name__} at {place_of(error)}",
        )
    ending = ending_of(error)
    if not ending.code:
        ending = INTERNAL
    where = _relative(error.where)
    message = f"{error.message} ({where})" if where and where not in error.message else error.message
    return Fault(status=ending.status, code=ending.code, message=message, hint=error.hint)


def refused(refusal: Refusal) -> Fault:
    """The fault for an answer that is a refusal."""
    return Fault(status=REFUSED.status, code=REFUSED.code, message=refusal.message, hint=refusal.hint)


def place_of(error: BaseException) -> str:
    """The innermost line of contextc that an exception passed through, as `module:line`."""
    frame = error.__traceback__
    place = ""
    while frame is not None:
        name = frame.tb_frame.f_globals.get("__name__", "")
        if name.startswith("contextc"):
            place = f"{name}:{frame.tb_lineno}"
        frame = frame.tb_next
    return place


def _relative(where: str) -> str:
    """A place without the path of the directory the process works in; another absolute path is not told at all."""
    if not where.startswith("/"):
        return where
    here = os.path.realpath(os.curdir)
    if where == here:
        return "."
    return where[len(here) + 1 :] if where.startswith(here + "/") else ""
