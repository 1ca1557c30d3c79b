"""The text of a bundle, and what each of its parts costs.

Measuring is lent: a counter is an argument, so that this part stays pure and knows no tokenizer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from contextc.core.records.pricing import Pricing, Unit
from contextc.core.render.base import Block, Head, Renderer

#: Bytes of a key: enough that two texts never share one by accident.
KEY_BYTES = 16

#: Units that are known, of those asked for by `text_key`.
Recall = Callable[[list[bytes]], Mapping[bytes, int]]


class Meter(Protocol):
    """What is needed of a counter."""

    @property
    def name(self) -> str:
        """Its name in the pricing."""
        ...

    @property
    def unit(self) -> Unit:
        """How its units become tokens."""
        ...

    def measure_many(self, texts: list[str]) -> list[int]:
        """Units of each text, in order."""
        ...


def render(renderer: Renderer, head: Head, blocks: Iterable[Block]) -> str:
    """The text of a bundle: the head, the blocks in the order given, the tail."""
    return "".join([renderer.head(head), *map(renderer.block, blocks), renderer.tail(head)])


def price(
    renderer: Renderer,
    counter: Meter,
    head: Head,
    blocks: Mapping[str, Block],
    *,
    recall: Recall | None = None,
    learned: dict[bytes, int] | None = None,
) -> Pricing:
    """What every block costs in this rendering, by candidate id, in units of the counter.

    `recall` is asked once, with the `text_key` of every text, for units that are known: those are not measured again,
    and a counter that has nothing to measure loads nothing. What was measured is added to `learned`.
    """
    ids = sorted(blocks)
    texts = [renderer.head(head), renderer.tail(head), *[renderer.block(blocks[name]) for name in ids]]
    units = _units(texts, counter, recall, learned)
    frame = units[0] + units[1]
    return Pricing(
        counter=counter.name,
        renderer=renderer.name,
        unit=counter.unit,
        base=frame,
        empty=frame,
        items=dict(zip(ids, units[2:], strict=True)),
    )


def text_key(counter: str, text: str) -> bytes:
    """A short digest of a counter's name and a text: under it the units of that text may be kept for ever."""
    digest = hashlib.sha256(f"{counter}\0{text}".encode("utf-8", "surrogatepass"))
    return digest.digest()[:KEY_BYTES]


def _units(texts: list[str], counter: Meter, recall: Recall | None, learned: dict[bytes, int] | None) -> list[int]:
    if recall is None and learned is None:
        return counter.measure_many(texts)
    keys = [text_key(counter.name, text) for text in texts]
    known = recall(keys) if recall is not None else {}
    units = [known.get(key) for key in keys]
    open_places = [at for at, found in enumerate(units) if found is None]
    if open_places:
        measured = counter.measure_many([texts[at] for at in open_places])
        for at, found in zip(open_places, measured, strict=True):
            units[at] = found
            if learned is not None:
                learned[keys[at]] = found
    return [found for found in units if found is not None]
