"""Token counters by name, exact and offline.

`o200k_base`  tokens of that encoding, by tiktoken and a vocabulary that comes with contextc
`bytes4`      a quarter of the UTF-8 bytes, rounded up, at least 1
`words13`     words times 1.3

Nothing is loaded before something is measured, so a run that knows all its counts pays for no vocabulary.
"""

from __future__ import annotations

from types import MappingProxyType

from contextc.counters.base import Counter
from contextc.counters.encoded import TikTokens
from contextc.counters.estimates import Bytes, Words
from contextc.errors import InputError

__all__ = ["COUNTERS", "Counter", "counter"]

#: Every counter by its name.
COUNTERS: MappingProxyType[str, Counter] = MappingProxyType(
    {made.name: made for made in (TikTokens("o200k_base"), Bytes(), Words())}
)


def counter(name: str) -> Counter:
    """The counter of a name. Raises `InputError`, which lists the names there are."""
    found = COUNTERS.get(name)
    if found is None:
        raise InputError(f"there is no counter {name!r}", hint=f"counters: {', '.join(sorted(COUNTERS))}")
    return found
