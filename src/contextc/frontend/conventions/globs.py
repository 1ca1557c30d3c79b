"""Path globs as rule files mean them.

`*` and `?` stay within one component, `**` spans components, `[abc]` and `[!abc]` are sets, `{a,b}` are choices (also
nested). Several globs stand in a list, or in one string with commas between them. A glob that ends in `/` means all
below. Letter case counts, as it does in git.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: Globs that mean every file, wherever it lies.
_ALL = frozenset(("*", "**", "**/*", "**/**", "/**", "./**", "/**/*", "**/*.*"))
#: Ways that the choices of one glob may be combined; more is a mistake or hostile.
MOST_CHOICES = 256


def split_globs(value: object) -> tuple[str, ...]:
    """The globs of a field: a list, or one string with commas outside braces and sets. Blanks around them and quotes
    are dropped, empty ones too; what is no string is no glob."""
    items = value if isinstance(value, list) else [value]
    found: dict[str, None] = {}
    for item in items:
        if isinstance(item, str):
            text = item.strip()
            if text.startswith("[") and text.endswith("]") and ("," in text or '"' in text or "'" in text):
                text = text[1:-1]
            for part in _at_commas(text):
                glob = part.strip().strip("\"'").strip()
                if glob:
                    found.setdefault(glob)
    return tuple(found)


def means_all(glob: str) -> bool:
    """Whether a glob matches every file."""
    return glob in _ALL


def matches(glob: str, path: str, *, anywhere: bool = False) -> bool:
    """Whether a path (relative to the root) is meant. With `anywhere`, a glob without a slash is matched against the
    last component, so `*.ts` means such files in all folders; without, only those at the root."""
    return any(pattern.fullmatch(path) for pattern in _compiled(glob, anywhere))


def _at_commas(text: str) -> list[str]:
    parts = [""]
    depth = 0
    for char in text:
        if char in "{[(":
            depth += 1
        elif char in "}])":
            depth = max(0, depth - 1)
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


@lru_cache(maxsize=4096)
def _compiled(glob: str, anywhere: bool) -> tuple[re.Pattern[str], ...]:
    glob = glob.removeprefix("./")
    rooted = glob.startswith("/")
    glob = glob.lstrip("/")
    if glob.endswith("/"):
        glob += "**"
    if anywhere and not rooted and "/" not in glob:
        glob = f"**/{glob}"
    return tuple(re.compile(_regex(choice), re.DOTALL) for choice in _choices(glob))


def _choices(glob: str) -> list[str]:
    """A glob without braces for each combination of its choices."""
    done: list[str] = []
    waiting = [glob]
    while waiting and len(done) < MOST_CHOICES:
        text = waiting.pop()
        found = _brace(text)
        if found is None:
            done.append(text)
        else:
            before, options, after = found
            waiting.extend(before + option + after for option in reversed(options[:MOST_CHOICES]))
    return done


def _brace(text: str) -> tuple[str, Sequence[str], str] | None:
    """What stands before, in, and after the first pair of braces that holds a comma."""
    start = text.find("{")
    while start >= 0:
        depth = 0
        for at in range(start, len(text)):
            depth += (text[at] == "{") - (text[at] == "}")
            if depth == 0:
                options = _at_commas(text[start + 1 : at])
                if len(options) > 1:
                    return text[:start], options, text[at + 1 :]
                break
        start = text.find("{", start + 1)
    return None


def _regex(glob: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(glob):
        if glob.startswith("**", at) and (at == 0 or glob[at - 1] == "/"):
            end = at + 2
            while glob.startswith("*", end):
                end += 1
            if glob.startswith("/", end):
                out.append("(?:[^/]+/)*")
                at = end + 1
                continue
            if end == len(glob):
                out.append(".+")
                at = end
                continue
        char = glob[at]
        at += 1
        if char == "*":
            while glob.startswith("*", at):
                at += 1
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            at = _set(glob, at, out)
        elif char == "\\" and at < len(glob):
            out.append(re.escape(glob[at]))
            at += 1
        else:
            out.append(re.escape(char))
    return "".join(out)


def _set(glob: str, at: int, out: list[str]) -> int:
    """A set that begins before `at`; a bracket that is never closed stands for itself."""
    end = glob.find("]", at + (2 if glob[at : at + 1] in ("!", "^") else 1))
    if end < 0:
        out.append(r"\[")
        return at
    inner = glob[at:end]
    negated = inner[:1] in ("!", "^")
    body = re.sub(r"([\\\[\]^&~|])", r"\\\1", inner[1:] if negated else inner)
    pattern = f"(?!/)[{'^' if negated else ''}{body}]"
    try:
        re.compile(pattern)
    except re.error:  # `[z-a]`
        pattern = re.escape(f"[{inner}]")
    out.append(pattern)
    return end + 1
