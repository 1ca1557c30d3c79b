"""The published rendering of a bundle, byte for byte (conformance data `expected.jsonl`, `rendered_text`).

It names no paths, a text can forge its separators, and its price is declared rather than measured: it is for those
who compare with the published compiler, and no renderer of the protocol.
"""

from __future__ import annotations

from contextc.core.records.bundle import Bundle


def render_published(bundle: Bundle) -> str:
    """The text of a bundle as the published compiler renders it."""
    items = "".join([f"---\n{item.content}\n" for item in bundle.items])
    return f"[CONTEXT BUNDLE]\nid: {bundle.id}\nitems: {len(bundle.items)}\n{items}[/CONTEXT BUNDLE]\n"
