"""Counters that estimate: cheap, exact in their own units, and only about right in tokens."""

from __future__ import annotations

from contextc.core.records.pricing import Unit


class Bytes:
    """`bytes4`: the units are UTF-8 bytes, four of them a token (devcontext SPEC 7.21)."""

    name = "bytes4"
    unit: Unit = "bytes4"

    def measure(self, text: str) -> int:
        """UTF-8 bytes of a text as it is delivered."""
        return len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))

    def measure_many(self, texts: list[str]) -> list[int]:
        """`measure` of each text, in order."""
        return [self.measure(text) for text in texts]


class Words:
    """`words13`: the units are words between white space, 1.3 tokens each (construction SPEC 2)."""

    name = "words13"
    unit: Unit = "words13"

    def measure(self, text: str) -> int:
        """Words of a text: the runs of signs that are no white space."""
        return len(text.split())

    def measure_many(self, texts: list[str]) -> list[int]:
        """`measure` of each text, in order."""
        return [self.measure(text) for text in texts]
