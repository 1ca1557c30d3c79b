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
#: Characters of one glob; a longer one was not written by a person.
LONGEST = 1_000


def split_globs(value: object) -> tuple[str, ...]:
    """The globs of a field: a list, or one string with commas outside braces and sets. Blanks around them and quotes
    are dropped, empty and overlong ones too; what is no string is no glob."""
    items = value if isinstance(value, list) else [value]
    found: dict[str, None] = {}
    for item in items:
        if isinstance(item, str):
            text = item.strip()
            if text.startswith("[") and text.endswith("]") and ("," in text or '"' in text or "'" in text):
                text = text[1:-1]
            for part in _at_commas(text):
                glob = part.strip().strip("\"'").strip()
                if glob and len(glob) <= LONGEST:
                    found.setdefault(glob)
    return tuple(found)


def means_all(glob: str) -> bool:
    """Whether a glob matches every file."""
    return glob in _ALL


def matches(glob: str, path: str, *, anywhere: bool = False) -> bool:
    """Whether a path (relative to the root) is meant. With `anywhere`, a glob without a slash is matched against the
    last component, so `*.ts` means such files in all folders; without, only those at the root."""
    parts = tuple(path.split("/"))
    return any(_fits(components, parts) for components in _compiled(glob, anywhere))


def _at_commas(text: str) -> list[str]:
    parts = [""]
    depth = 0
    escaped = False
    for char in text:
        if not escaped:
            depth = max(0, depth + (char in "{[(") - (char in "}])"))
        if char == "," and depth == 0 and not escaped:
            parts.append("")
        else:
            parts[-1] += char
        escaped = char == "\\" and not escaped
    return parts


@lru_cache(maxsize=4096)
def _compiled(glob: str, anywhere: bool) -> tuple[tuple[re.Pattern[str] | None, ...], ...]:
    """For each choice of the braces the components; None is `**`."""
    glob = glob.removeprefix("./")
    rooted = glob.startswith("/")
    glob = glob.lstrip("/")
    if glob.endswith("/"):
        glob += "**"
    if anywhere and not rooted and "/" not in glob:
        glob = f"**/{glob}"
    return tuple(_components(choice) for choice in _choices(glob))


def _components(choice: str) -> tuple[re.Pattern[str] | None, ...]:
    made: list[re.Pattern[str] | None] = []
    for component in choice.split("/"):
        if component.strip("*") or len(component) < 2:
            made.append(re.compile(_regex(component), re.DOTALL))
        elif not made or made[-1] is not None:
            made.append(None)
    return tuple(made)


def _fits(components: tuple[re.Pattern[str] | None, ...], parts: tuple[str, ...]) -> bool:
    """Whether components match all parts of a path. `**` at the end means at least one more, elsewhere any number.

    One row for each component: which numbers of leading parts it and those before it can match.
    """
    reached = [True] + [False] * len(parts)
    for number, component in enumerate(components):
        following = [False] * (len(parts) + 1)
        for at, here in enumerate(reached):
            if not here:
                continue
            if component is None:
                least = at + (number == len(components) - 1)
                following[least:] = [True] * (len(parts) + 1 - least)
                break
            if at < len(parts) and component.fullmatch(parts[at]):
                following[at + 1] = True
        reached = following
    return reached[-1]


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
    signs = [(at, char) for at, char in enumerate(text) if char in "{}" and not _escaped(text, at)]
    for number, (start, char) in enumerate(signs):
        depth = 0
        for at, sign in signs[number:] if char == "{" else ():
            depth += 1 if sign == "{" else -1
            if depth == 0:
                options = _at_commas(text[start + 1 : at])
                if len(options) > 1:
                    return text[:start], options, text[at + 1 :]
                break
    return None


def _escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before a sign."""
    before = text[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _regex(component: str) -> str:
    """The pattern of one component. Each `*` with what follows it is an atomic group: the first fit is as good as any
    later one, and no name can make the search slow."""
    fixed: list[list[str]] = [[]]
    at = 0
    while at < len(component):
        char = component[at]
        at += 1
        if char == "*":
            fixed.append([])
        elif char == "?":
            fixed[-1].append(".")
        elif char == "[":
            at = _set(component, at, fixed[-1])
        elif char == "\\" and at < len(component):
            fixed[-1].append(re.escape(component[at]))
            at += 1
        else:
            fixed[-1].append(re.escape(char))
    first, *rest = ["".join(parts) for parts in fixed]
    if not rest:
        return first
    return first + "".join(f"(?>.*?{part})" for part in rest[:-1] if part) + f".*{rest[-1]}"


def _set(glob: str, at: int, out: list[str]) -> int:
    """A set that begins before `at`; a bracket that is never closed stands for itself."""
    end = glob.find("]", at + (2 if glob[at : at + 1] in ("!", "^") else 1))
    if end < 0:
        out.append(r"\[")
        return at
    inner = glob[at:end]
    negated = inner[:1] in ("!", "^")
    body = re.sub(r"([\\\[\]^&~|])", r"\\\1", inner[1:] if negated else inner)
    pattern = f"[{'^' if negated else ''}{body}]"
    try:
        re.compile(pattern)
    except re.error:  # `[z-a]`
        pattern = re.escape(f"[{inner}]")
    out.append(pattern)
    return end + 1
