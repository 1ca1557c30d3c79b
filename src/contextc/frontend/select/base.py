"""What is asked of a selection, and what it gives: a task, and a pool of candidates with everything said of them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from contextc.core.records.answer import LeftOut, Note
from contextc.core.records.candidate import Candidate
from contextc.core.render.base import Block
from contextc.frontend.conventions.base import Diagnostic


class Task(Struct, frozen=True):
    """A task: in words, and by paths (relative to the root, files or directories; "" is the root itself).

    `budget` is in tokens; it decides how large forms are made, never what is legal.
    """

    intent: str
    paths: tuple[str, ...] = ()
    budget: int = 24_000


class Pool(Struct, frozen=True):
    """Candidates ascending by id, with a note and a block for each.

    `token_count` of every candidate is 0: prices are those of the blocks as a renderer writes them. `left_out` are
    files that never became candidates, `diagnostics` are faults of records. `touched` are the listed paths that the
    task names, by which rules were chosen.
    """

    candidates: tuple[Candidate, ...]
    notes: Mapping[str, Note]
    blocks: Mapping[str, Block]
    left_out: tuple[LeftOut, ...]
    diagnostics: tuple[Diagnostic, ...]
    touched: tuple[str, ...]
