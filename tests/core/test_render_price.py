"""Prices: one for each candidate, measured once, and nothing measured that is known."""

from __future__ import annotations

import pytest

from contextc.core.render import RENDERERS, Block, Head, Piece, price, text_key
from contextc.counters import counter

HEAD = Head(title="t", source="s")
MARKDOWN = RENDERERS["markdown"]


def some_blocks(count: int) -> dict[str, Block]:
    return {
        f"id-{n}": Block(
            id=f"id-{n}", path=f"src/f{n}.py", form="full", kind="source",
            pieces=(Piece(first=1, last=1, text=f"value = {n * 37}\n"),), total_lines=1,
        )
        for n in range(count)
    }  # fmt: skip


class Watched:
    """A real counter that keeps what it was asked."""

    def __init__(self, name: str) -> None:
        self.made = counter(name)
        self.name = name
        self.unit = self.made.unit
        self.asked: list[str] = []

    def measure_many(self, texts: list[str]) -> list[int]:
        self.asked += texts
        return self.made.measure_many(texts)


def test_every_block_has_a_price_by_id_whatever_the_order():
    blocks = some_blocks(20)
    turned = dict(reversed(blocks.items()))
    one, other = (price(MARKDOWN, counter("o200k_base"), HEAD, made) for made in (blocks, turned))
    assert one == other
    assert list(one.items) == list(other.items) == sorted(blocks)


def test_what_was_learned_is_not_measured_again():
    blocks, learned = some_blocks(5), {}
    first = price(MARKDOWN, counter("words13"), HEAD, blocks, learned=learned)
    assert len(learned) == 5 + 2
    again = Watched("words13")
    assert price(MARKDOWN, again, HEAD, blocks, recall=lambda keys: learned) == first
    assert again.asked == []
    more, grown = some_blocks(6), {}
    watched = Watched("words13")
    price(MARKDOWN, watched, HEAD, more, recall=lambda keys: learned, learned=grown)
    assert watched.asked == [MARKDOWN.block(more["id-5"])]
    assert list(grown) == [text_key("words13", watched.asked[0])]


def test_keys_differ_by_counter_and_by_text():
    keys = {text_key(name, text) for name in ("bytes4", "words13") for text in ("", "a", "\udc80")}
    assert len(keys) == 6
    assert all(len(key) == 16 for key in keys)


def test_an_empty_bundle_costs_its_frame():
    made = price(MARKDOWN, counter("o200k_base"), HEAD, {})
    assert made.items == {}
    assert made.empty == made.base == counter("o200k_base").measure(MARKDOWN.head(HEAD) + MARKDOWN.tail(HEAD))


@pytest.mark.parametrize("name", sorted(RENDERERS))
def test_a_block_is_priced_by_its_text_alone(name):
    blocks = some_blocks(3)
    alone = [price(RENDERERS[name], counter("bytes4"), HEAD, {one: made}).items[one] for one, made in blocks.items()]
    assert list(price(RENDERERS[name], counter("bytes4"), HEAD, blocks).items.values()) == alone
