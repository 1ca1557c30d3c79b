"""Token counters by name."""

from __future__ import annotations

from typing import Protocol

from contextc.core.records.pricing import Unit


class Counter(Protocol):
    """Measures texts in additive units (see `contextc.core.records.pricing`)."""

    @property
    def name(self) -> str:
        """`o200k_base`, `bytes4` or `words13`."""
        ...

    @property
    def unit(self) -> Unit:
        """How units become tokens."""
        ...

    def measure(self, text: str) -> int:
        """Units of a text. For two texts that a renderer may join (the first ends in a line feed, the second
        begins with a sign that is neither blank nor a slash), `measure(a + b) == measure(a) + measure(b)`."""
        ...

    def measure_many(self, texts: list[str]) -> list[int]:
        """`measure` of each text, in order; may use threads, the answer does not depend on them."""
        ...
