"""What the records of a repository say about a task, as the selection needs it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from contextc.core.records.devcontext import CompiledContext
from contextc.core.records.layer import LayerObject


class Records(Struct, frozen=True, kw_only=True):
    """An answer of `devcontext`, given without a budget, and what its identifiers stand for.

    `prefix` is the path of the layer's root in the snapshot (empty, or ending in `/`); paths of entries and objects are
    relative to it and as they are displayed, `touched` is relative to the snapshot. `needs` names for a rule those that
    it rests on, `successors` what replaced something. `title` and `words` say what the work is about; `diagnostics` are
    sentences.
    """

    answer: CompiledContext
    objects: Mapping[str, LayerObject]
    needs: Mapping[str, tuple[str, ...]]
    successors: Mapping[str, str]
    prefix: str
    title: str
    words: str
    touched: tuple[str, ...]
    diagnostics: tuple[str, ...]
