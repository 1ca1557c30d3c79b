"""The documents that docs/formats.md shows are what the renderers write."""

from __future__ import annotations

import re

import pytest
from rendered import PARSERS
from tests.conftest import PROJECT

from contextc.core.render import RENDERERS, Block, Head, Piece, render

HEAD = Head(title="the session cookie is not refreshed", source="commit 3b1f0c2")
BLOCKS = [
    Block(
        id="1", path="AGENTS.md", form="full", kind="rule", language="markdown", total_lines=2,
        pieces=(Piece(first=1, last=2, text="Run the tests with `make test`.\nNever edit generated files.\n"),),
    ),
    Block(
        id="2", path="shop/session.py", form="focused", kind="source", language="python", total_lines=80,
        pieces=(
            Piece(first=1, last=1, text="from shop.cookies import Cookie\n"),
            Piece(first=41, last=42, text="    def refresh(self) -> None:\n        self.cookie.touch()\n"),
        ),
        remark="decoded from Latin-1",
    ),
    Block(
        id="3", path="doc/limits.md", form="anchor", kind="claim", title="What the session does not do", total_lines=12,
        group=("doc/session.md",),
    ),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted(RENDERERS))
def test_the_documentation_shows_what_is_written(name):
    text = render(RENDERERS[name], HEAD, BLOCKS)
    shown = re.findall(r"^(`{4})\w+\n(.*?)^\1\n", (PROJECT / "docs" / "formats.md").read_text("utf-8"), re.S | re.M)
    assert text in [document for _, document in shown]


@pytest.mark.parametrize("name", sorted(RENDERERS))
def test_the_documented_example_parses_back(name):
    found = PARSERS[name](render(RENDERERS[name], HEAD, BLOCKS))
    assert found == [(block.path, "".join(piece.text for piece in block.pieces)) for block in BLOCKS]
