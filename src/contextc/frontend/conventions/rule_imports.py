"""`@path` imports in rule files: what they name, relative to the file that names it.

An import stands outside code spans and fences, at the head of a word. It leads to a file of the snapshot or to a
diagnostic, never to silence. Imports of imports are followed to a depth; a circle ends where it closes.
"""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from contextc.frontend.conventions.base import Diagnostic
from contextc.frontend.conventions.tree import Tree

#: Imports of imports: the depth that the documentation of the convention names.
DEPTH_LIMIT = 5
#: Characters of a line that are looked through; longer lines are not prose.
LONGEST_LINE = 2_000

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_IMPORT = re.compile(r"(?<![\w@`./\\-])@(\\ |[^\s\\@`<>\"']+)+")
# What makes a word after `@` a file and not a person or a decorator.
_LIKE_PATH = re.compile(
    r"/|\.(?:md|mdc|markdown|txt|rst|json|ya?ml|toml|cfg|ini)$|^~|^(?:README|AGENTS|CLAUDE)$", re.IGNORECASE
)
_PUNCTUATION = ".,;:!?)]}*_"


class Import(NamedTuple):
    """One import of a text: what is written after the `@`, and its line (from 1)."""

    written: str
    line: int


class Imported(NamedTuple):
    """A file that is imported, by which file, on which line."""

    path: str
    importer: str
    line: int


def imports_in(text: str) -> list[Import]:
    """The imports of a text, in order. Code spans, fenced and indented code hold none."""
    found: list[Import] = []
    fence = ""
    blank = True
    for number, line in enumerate(text.split("\n"), 1):
        match = _FENCE.match(line.rstrip("\r"))
        if fence:
            if match and match.group(1).startswith(fence) and not match.group(2).strip():
                fence = ""
            continue
        if match and not (match.group(1)[0] == "`" and "`" in match.group(2)):
            fence = match.group(1)
            continue
        if blank and line.startswith(("    ", "\t")):
            continue
        blank = not line.strip()
        plain = _SPAN.sub(" ", _without_comments(line[:LONGEST_LINE]))
        found.extend(Import(item.group()[1:].replace("\\ ", " "), number) for item in _IMPORT.finditer(plain))
    return found


def only_imports(text: str) -> bool:
    """Whether a text says nothing of its own beside imports, headings and comments."""
    rest = _without_comments(text)
    if not imports_in(rest):
        return False
    lines = [line.strip() for line in rest.splitlines()]
    return all(not line or line.startswith("#") or re.fullmatch(r"(?:[-*] +)?@\S+", line) for line in lines)


def _without_comments(text: str) -> str:
    """A text without HTML comments; one that never ends goes on to the end, as in HTML. Linear in the length."""
    first, *others = text.split("<!--")
    kept = [first]
    for part in others:
        _, closed, rest = part.partition("-->")
        kept.append(rest if closed else "")
    return "".join(kept)


def follow(tree: Tree, start: str) -> tuple[list[Imported], list[Diagnostic]]:
    """Everything that a file imports, directly or not, each file once, an imported one before its own imports."""
    found: list[Imported] = []
    faults: list[Diagnostic] = []
    seen = {start}
    waiting = [(start, 1)]
    while waiting:
        importer, depth = waiting.pop(0)
        text = tree.readable(importer)
        for item in imports_in(text) if text is not None else ():
            path, fault = _resolve(tree, importer, item)
            if fault is not None:
                faults.append(fault)
            elif path is not None and path not in seen:
                if depth > DEPTH_LIMIT:
                    message = f"the import of {item.written} is more than {DEPTH_LIMIT} imports deep and is not read"
                    faults.append(Diagnostic(importer, item.line, message))
                    continue
                seen.add(path)
                found.append(Imported(path, importer, item.line))
                waiting.append((path, depth + 1))
    return found, faults


def _resolve(tree: Tree, importer: str, item: Import) -> tuple[str | None, Diagnostic | None]:
    written = item.written
    names = [written, written.rstrip(_PUNCTUATION), re.split(r"[,;:()]", written)[0].rstrip(_PUNCTUATION)]
    for name in dict.fromkeys(names):
        path = _inside(importer, name)
        if path is None:
            continue
        if path in tree.known:
            return path, None
        if path in tree.links:
            return tree.links[path], None
    name = names[1]
    if not name or not _LIKE_PATH.search(name):
        return None, None
    path = _inside(importer, name)
    if path is None:
        return None, Diagnostic(
            importer, item.line, f"the import of {name} leads out of the repository and is not read"
        )
    if path in tree.unread:
        return None, Diagnostic(importer, item.line, f"the import of {name} is not read: {path} {tree.unread[path]}")
    return None, Diagnostic(importer, item.line, f"the import of {name} names nothing: there is no {path}")


def _inside(importer: str, name: str) -> str | None:
    """The path that a name means, None when it lies outside the root."""
    if not name or name.startswith(("/", "~")):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
    return None if path == ".." or path.startswith("../") else path
