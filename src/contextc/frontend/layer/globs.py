"""The globs of a layer (SPEC 1.5): `*`, `?` and `[class]` stay inside one segment, `**` spans any depth.

In a scope a pattern that ends in `/` names a directory and all below it. Letter case counts.
"""

from __future__ import annotations

import re
from functools import lru_cache


def matches(pattern: str, path: str) -> bool:
    """Whether a whole path matches."""
    return compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a glob."""
    return re.compile(_regex(pattern + "**" if pattern.endswith("/") else pattern), re.DOTALL)


def _regex(pattern: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(pattern):
        starts = at == 0 or pattern[at - 1] == "/"
        if starts and pattern.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif starts and pattern[at:] == "**":
            out.append(".+")
            at += 2
        elif pattern[at] == "*":
            while at < len(pattern) and pattern[at] == "*":
                at += 1
            out.append("[^/]*")
        elif pattern[at] == "?":
            out.append("[^/]")
            at += 1
        elif pattern[at] == "[":
            at = _class(pattern, at, out)
        else:
            out.append(re.escape(pattern[at]))
            at += 1
    return "".join(out)


def _class(pattern: str, at: int, out: list[str]) -> int:
    """A class that begins at `at`; a bracket that is not closed stands for itself."""
    negated = pattern[at + 1 : at + 2] in ("!", "^")
    start = at + 2 if negated else at + 1
    end = pattern.find("]", start + 1)
    if end < 0:
        out.append(r"\[")
        return at + 1
    body = re.sub(r"([\\\[\]^&~|])", r"\\\1", pattern[start:end])
    expression = f"(?!/)[{'^' if negated else ''}{body}]"
    try:
        re.compile(expression)
    except re.error:  # a range that runs backwards: `[z-a]` matches nothing
        expression = "(?!)"
    out.append(expression)
    return end + 1
