"""Deterministic text from items.

`RENDERERS` holds every renderer by name; `render` makes the text of a bundle, `price` the table of what its parts cost.
`json` is no rendering: it delivers the whole answer as one object, which holds the text of one of these.
"""

from __future__ import annotations

from types import MappingProxyType

from contextc.core.render.base import Block, Head, Piece, Renderer
from contextc.core.render.markdown import Markdown
from contextc.core.render.plain import Plain
from contextc.core.render.price import price, render, text_key
from contextc.core.render.published import render_published
from contextc.core.render.xml import Xml
from contextc.errors import InputError

__all__ = [
    "RENDERERS",
    "Block",
    "Head",
    "Piece",
    "Renderer",
    "price",
    "render",
    "render_published",
    "renderer",
    "text_key",
]

#: Every renderer by its name.
RENDERERS: MappingProxyType[str, Renderer] = MappingProxyType(
    {made.name: made for made in (Markdown(), Xml(), Plain())}
)


def renderer(name: str) -> Renderer:
    """The renderer of a name. Raises `InputError`, which lists the names there are."""
    found = RENDERERS.get(name)
    if found is None:
        raise InputError(f"there is no renderer {name!r}", hint=f"renderers: {', '.join(sorted(RENDERERS))}")
    return found
