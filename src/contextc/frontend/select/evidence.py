"""Candidates of files: each hit in several forms, each with its worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from contextc.core.records.candidate import Band
from contextc.frontend.index import IndexView
from contextc.frontend.select.candidates import Builder
from contextc.frontend.select.forms import Shown, anchor, focused, full, outline, reference, title_of
from contextc.frontend.select.places import Scored
from contextc.frontend.select.rank import Hit
from contextc.frontend.select.reasons import reasons
from contextc.frontend.select.weights import (
    ANCHOR_SHARE,
    BAND_RATIO,
    BYTES_PER_TOKEN,
    FILLED,
    FOCUSED_SIZES,
    LEAST_WORTH,
    MOST_BYTES,
    NEARLY_ALL,
    OUTLINE_SHARE,
    PREFERRED_FROM,
    RANK_DECAY,
    SCORE_POWER,
    TAIL,
)

#: Kinds of which only a pointer is offered unless the task names the file.
POINTER_ONLY = {"lock": "a lock file", "generated": "generated"}


class Found(NamedTuple):
    """A file with its blocks scored; `worth` in 0..1."""

    hit: Hit
    lines: list[str]
    blocks: list[Scored]
    worth: float


def worths(hits: Sequence[Hit]) -> list[float]:
    """What each hit is worth, by its score and its rank (hits are in order)."""
    best = hits[0].score if hits else 0.0
    found = []
    for rank, hit in enumerate(hits):
        share = min(1.0, hit.score / best) if best > 0 else 0.0
        found.append(round(share**SCORE_POWER * RANK_DECAY**rank, 4))
    return found


class Evidence:
    """Adds files to a builder while the texts of all forms stay within bounds."""

    def __init__(self, builder: Builder, view: IndexView, budget: int, keys: Sequence[str]) -> None:
        self._builder = builder
        self._view = view
        self._room = int(budget * BYTES_PER_TOKEN)
        self._keys = frozenset(keys)
        self._offered = 0
        self._left = max(MOST_BYTES, 4 * self._room)

    def add_required(self, found: Found) -> None:
        """A file that the task names by path: required, in every form that shows something of it."""
        shown = self._forms(found, everything=True)
        for form, relevance in shown:
            self._add(found, form, "REQUIRED", relevance, ("named by the task as a path", *reasons(found)))

    def add(self, found: Found, outside: str = "") -> None:
        """A file found by its words. `outside` says why it is out of scope; then only its name is recorded."""
        pointer = POINTER_ONLY.get(found.hit.kind, "")
        why = reasons(found)
        if outside or pointer:
            self._add(found, reference(outside or pointer), "DISCRETIONARY", 0.0, why, scope=outside)
            return
        if found.worth < LEAST_WORTH:
            if self._offered > FILLED * self._room or not found.hit.score:
                return
            found = found._replace(worth=TAIL)
        self._offered += min(found.hit.file.facts.size, int(FOCUSED_SIZES[-1][1] * self._room))
        why = why or ("lies in a directory that the task names",)
        preferred = found.worth >= PREFERRED_FROM
        band: Band = "PREFERRED" if preferred else "DISCRETIONARY"
        factor = 1.0 if preferred else BAND_RATIO
        for form, share in self._forms(found, everything=False):
            self._add(found, form, band, found.worth * factor * share, why)

    def _forms(self, found: Found, *, everything: bool) -> list[tuple[Shown, float]]:
        """Forms with the share of the file's worth that each has."""
        facts, lines = found.hit.file.facts, found.lines
        size = facts.size
        forms: list[tuple[Shown, float]] = []
        if everything or (size <= self._room and size <= self._left):
            forms.append((full(lines, found.blocks), 1.0))
        for name, part in FOCUSED_SIZES:
            allowed = int(self._room * part)
            if size <= allowed:
                break
            form = focused(name, facts, lines, found.blocks, allowed, neighbours=part >= 0.1)
            if form is None or len(form.text) > NEARLY_ALL * size:
                continue
            if forms and any(form.ranges == other.ranges for other, _ in forms):
                continue
            forms.append((form, form.share))
        signs = outline(facts, lines)
        if signs is not None and len(signs.text) < NEARLY_ALL * size:
            forms.append((signs, OUTLINE_SHARE))
        if not everything:
            # A file that the task names is shown; an anchor would only say that it exists.
            forms.append((anchor(facts, lines), ANCHOR_SHARE))
            forms = [(form, share) for form, share in forms if len(form.text) <= self._room]
            self._left -= sum(len(form.text) for form, _ in forms)
        return forms

    def _add(
        self, found: Found, shown: Shown, band: Band, relevance: float, why: Sequence[str], *, scope: str = ""
    ) -> None:
        facts = found.hit.file.facts
        self._builder.add(
            found.hit.file.path,
            shown,
            band=band,
            role="evidence",
            kind=found.hit.kind,
            relevance=relevance,
            why=why,
            title=title_of(facts, found.lines),
            language=facts.language,
            total_lines=len(found.lines),
            coverage=sorted(shown.held & self._keys) if not scope else (),
            remark=facts.remark,
            scope=scope,
            default=shown.form == "full",
        )
