"""The published rendering, against the published texts."""

from __future__ import annotations

import json
from pathlib import Path

from contextc.core.records.bundle import Bundle, Item
from contextc.core.records.codec import convert
from contextc.core.render import render_published


def test_the_published_texts_are_reproduced_byte_for_byte(shared: Path):
    lines = [json.loads(line) for line in (shared / "conformance/compiler-v1/expected.jsonl").read_text().splitlines()]
    made = [line for line in lines if line["bundle"]]
    assert len(lines) == 42 and len(made) == 34
    for line in made:
        assert render_published(convert(line["bundle"], Bundle)) == line["rendered_text"], line["name"]


def test_an_empty_bundle_has_a_frame_and_no_items():
    bundle = Bundle(id="b", items=(), layout_trace=())
    assert render_published(bundle) == "[CONTEXT BUNDLE]\nid: b\nitems: 0\n[/CONTEXT BUNDLE]\n"


def test_contents_stand_as_they_are():
    item = Item(id="a", content="---\nx", kind="k", source="s", position=0, token_count=1, token_provenance="p")
    text = render_published(Bundle(id="b", items=(item,), layout_trace=("a",)))
    assert text == "[CONTEXT BUNDLE]\nid: b\nitems: 1\n---\n---\nx\n[/CONTEXT BUNDLE]\n"
