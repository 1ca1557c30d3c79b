"""Candidates from forms: ids, bands, relevance, gates, notes and blocks."""

from __future__ import annotations

from collections.abc import Sequence

from contextc.core.records.answer import LeftOut, Note
from contextc.core.records.candidate import FORM_RANKS, Band, Candidate
from contextc.core.render.base import Block
from contextc.frontend.select.forms import Shown
from contextc.frontend.sources import display_path


class Builder:
    """Collects candidates with their notes and blocks, each id once."""

    def __init__(self) -> None:
        self.candidates: dict[str, Candidate] = {}
        self.notes: dict[str, Note] = {}
        self.blocks: dict[str, Block] = {}
        self.left_out: list[LeftOut] = []
        self.paths: set[str] = set()

    def add(
        self,
        path: str,
        shown: Shown,
        *,
        band: Band,
        role: str,
        kind: str,
        relevance: float,
        why: Sequence[str],
        prefix: str = "",
        title: str = "",
        language: str = "",
        total_lines: int = 0,
        coverage: Sequence[str] = (),
        remark: str = "",
        scope: str = "",
        freshness: str = "",
        authority: str = "",
        default: bool = True,
    ) -> None:
        """Add one form. `scope`, `freshness` and `authority` are reasons why a gate is not passed, "" where it is."""
        name = display_path(path)
        said = "; ".join(part for part in (shown.remark, remark) if part)
        form_id = f"{prefix or _guard(name)}{name}#{shown.name}"
        self.paths.add(path)
        self.candidates[form_id] = Candidate(
            candidate_id=form_id,
            content_identity=name,
            representation_id=shown.name,
            form_rank=FORM_RANKS[shown.form],
            token_count=0,
            token_source="rendered",
            requirement=band,
            order_role=role,
            relevance=round(min(1.0, max(0.0, relevance)), 4),
            coverage_keys=tuple(coverage),
            is_default_form=default,
            scope_eligible=not scope,
            scope_reason=scope,
            freshness_eligible=not freshness,
            freshness_reason=freshness,
            authority_eligible=not authority,
            authority_reason=authority,
            source_kind="file",
            source_ref=name,
            kind=kind,
            content=shown.exact,
        )
        self.notes[form_id] = Note(
            path=name,
            form=shown.form,
            ranges=shown.ranges,
            total_lines=total_lines,
            language=language,
            title=title,
            why=tuple(why),
            remark=said,
        )
        self.blocks[form_id] = Block(
            id=form_id,
            path=name,
            form=shown.form,
            kind=kind,
            language=language,
            title="" if shown.pieces and shown.form != "outline" else title,
            pieces=shown.pieces,
            total_lines=total_lines,
            remark=said,
        )


def _guard(name: str) -> str:
    """Paths that look like the id of a rule are written with `./`, so that no two ids are the same."""
    return "./" if name.startswith(("rule:", "./")) else ""
