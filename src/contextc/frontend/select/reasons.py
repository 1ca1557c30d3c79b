"""Why a file is a candidate, in lines that a person can check. Figures are rounded or whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextc.frontend.sources import display_path

if TYPE_CHECKING:
    from contextc.frontend.select.evidence import Found

#: Names, words and places that one line lists.
LISTED = 3


def reasons(found: Found) -> tuple[str, ...]:
    """The reasons of a hit, the strongest first."""
    hit = found.hit
    said: list[str] = []
    if hit.mention is not None:
        at = f", line {', '.join(map(str, hit.mention.lines[:LISTED]))}" if hit.mention.lines else ""
        said.append(f"written out in the task: {display_path(hit.mention.written)}{at}")
    if hit.defines:
        said.append(f"defines {_listed(hit.defines)}, named in the task")
    if hit.in_path:
        said.append(f"path holds {_listed([repr(word) for word in hit.in_path])}")
    if hit.in_text:
        times = [f"{word!r} {_times(count)}" for word, count in hit.in_text[:LISTED]]
        said.append(f"text holds {', '.join(times)}")
    if hit.vote is not None:
        said.append(f"by name the subject of {display_path(hit.vote.test)}, which holds words of the task")
    best = max(found.blocks, key=lambda item: (item.share, -item.block.first), default=None)
    if best is not None and best.share > 0 and best.block.symbol is not None and len(found.blocks) > 1:
        said.append(f"likeliest place: {best.block.symbol.qualified}, lines {best.block.first}-{best.block.last}")
    return tuple(said)


def _listed(items: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(items) - LISTED} more" if len(items) > LISTED else ""
    return ", ".join(items[:LISTED]) + more


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
