"""Natural order of strings, rounding, and what "under a path" means (SPEC 4.6, 4.9, 4.11)."""

from __future__ import annotations

import re
from functools import lru_cache

_RUNS = re.compile(r"[0-9]+|[^0-9]")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
#: Where a run of digits stands among other characters: where its first digit would.
_DIGIT = ord("0")

NaturalKey = tuple[tuple[tuple[int, int, str, int], ...], str]


@lru_cache(maxsize=65_536)
def natural(text: str) -> NaturalKey:
    """A sort key: digits by value (of equal values, more leading zeros first), ASCII letters without case, then code
    points."""
    parts = []
    for run in _RUNS.findall(text.translate(_LOWER)):
        if run[0] in "0123456789":
            digits = run.lstrip("0")
            parts.append((_DIGIT, len(digits), digits, len(digits) - len(run)))
        else:
            parts.append((ord(run), 0, "", 0))
    return tuple(parts), text


def rounded(value: float) -> float:
    """To three decimals, half away from zero. `value` is not negative."""
    scaled = value * 1000
    whole = int(scaled)
    return (whole + 1 if scaled - whole >= 0.5 else whole) / 1000


def under(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it. `lib` holds `lib` and `lib/x`, not `library`."""
    return path == folder or path.startswith(folder + "/")


def versioned(uri: str) -> tuple[str, int] | None:
    """What precedes the last `@`, and the number after it; None without one."""
    name, at, digits = uri.rpartition("@")
    return (name, int(digits)) if at and digits.isascii() and digits.isdigit() else None
