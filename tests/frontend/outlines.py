"""How tests write down what a file defines and imports: one line each, to be read and checked by a person."""

from __future__ import annotations

from pathlib import Path

from contextc.frontend.index.base import Facts
from contextc.frontend.index.facts import read_document
from contextc.frontend.index.lines import split_lines
from contextc.frontend.index.syntax import language_of

DATA = Path(__file__).parent / "data" / "syntax"


def facts_of(name: str, data: bytes) -> Facts:
    """The facts of a file of that name."""
    return read_document(data, language_of(name)).facts


def written(facts: Facts, text: str) -> str:
    """Facts as lines: how it was read, symbols with lines and signatures, imports."""
    lines = [f"{facts.language} {facts.parsed}"]
    rows = [row.rstrip("\r\n") for row in split_lines(text)]
    for symbol in facts.symbols:
        signature = rows[symbol.signature_first - 1 : symbol.signature_last]
        signature[-1] = signature[-1][: symbol.signature_end or None]
        shown = " / ".join(row.strip() for row in signature)
        place = f"{symbol.first_line}-{symbol.last_line}"
        lines.append(f"{place:8}{'  ' * symbol.depth}{symbol.kind} {symbol.qualified} | {shown}")
    for item in facts.imports:
        place = f"{item.first_line}-{item.last_line}"
        lines.append(f"{place:8}import {item.target}{' (' + ', '.join(item.names) + ')' if item.names else ''}")
    return "\n".join(lines) + "\n"
