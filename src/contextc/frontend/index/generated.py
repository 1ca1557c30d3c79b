"""Files that no person writes by hand: by what they say of themselves, by their lines, and by their paths."""

from __future__ import annotations

import re

#: Characters at the start of a text that are looked at for a marker: a licence header may come first.
HEADER = 2_000
#: Characters; the longest line of 30,000 hand-written files of code that were looked at has fewer.
LONGEST_LINE = 5_000
#: Characters; a generated file of code is parsed only up to here.
CHEAP = 200_000

_MARKER = re.compile(
    r"@generated\b"
    r"|\bcode generated (?:by|from)\b"
    r"|\b(?:file|code|module|header|source|class) (?:is|was|has been|were) "
    r"(?:auto(?:matically)?[- ]?|machine[- ]?)?generated\b"
    r"|\b(?:auto|automatically|machine)[- ]?generated (?:by|from|file|code|with|using|,|;|--|- do)"
    r"|\bgenerated\b[^\n]{0,100}\bdo not (?:edit|modify|change)\b"
    r"|\bdo not (?:edit|modify)\b[^\n]{0,60}(?:\n[^\n]{0,20})?\b(?:generated|this file|by hand|manually)\b",
)
#: Locks of package managers: exact lists of versions and hashes, written by a program.
_LOCKS = frozenset(
    (
        *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock"),
        *("poetry.lock", "pdm.lock", "uv.lock", "pipfile.lock", "conda-lock.yml", "pixi.lock"),
        *("cargo.lock", "go.sum", "go.work.sum", "gemfile.lock", "composer.lock", "mix.lock", "pubspec.lock"),
        *("podfile.lock", "cartfile.resolved", "package.resolved", "flake.lock", "gradle.lockfile"),
        *("packages.lock.json", "paket.lock", "module.bazel.lock"),
    )
)
#: Folders that hold the code of others by convention of their package managers.
_VENDORED = frozenset(
    ("node_modules", "vendor", "vendored", "third_party", "third-party", "thirdparty", "bower_components")
)
_MINIFIED = re.compile(r"\.min\.(?:js|mjs|cjs|css)$|\.(?:js|css)\.map$", re.IGNORECASE)


def looks_generated(text: str) -> bool:
    """Whether a text says so in its first lines, or has a line no hand would write."""
    head = text[:HEADER].lower()
    if ("generated" in head or "do not" in head) and _MARKER.search(head):
        return True
    return len(text) > LONGEST_LINE and max(map(len, text.split("\n"))) > LONGEST_LINE


def flag_of(path: str, generated: bool) -> str:
    """What a file is besides its content: `lock`, `vendored`, `generated`, or "" for an ordinary one."""
    *folders, name = path.lower().split("/")
    if name in _LOCKS:
        return "lock"
    if not _VENDORED.isdisjoint(folders):
        return "vendored"
    return "generated" if generated or _MINIFIED.search(name) else ""
