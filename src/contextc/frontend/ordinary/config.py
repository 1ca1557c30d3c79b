"""`contextc.toml`: what a repository says of itself where conventions do not tell it.

    version = 1

    [[class]]                       # files of a kind; the first class that matches a file owns it
    id = "runbooks"
    kind = "knowledge"
    paths = ["ops/**/*.md"]

    [[edge]]                        # a relation between all files of two groups
    kind = "governed_by"
    from = ["src/api/**"]
    to = ["docs/api.md"]

    [conventions]                   # false switches one off, a list names more directories
    commits = false
    decisions = ["architecture/log"]

It is read strictly: an unknown key, kind or convention is an error with file and line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from contextc.errors import InputError
from contextc.frontend.conventions.globs import LONGEST

FILE = "contextc.toml"
VERSION = 1
#: Kinds a class may give its files; `none` makes no objects of them.
CLASS_KINDS = (
    "rule", "adr", "issue", "milestone", "knowledge", "document", "implementation", "test", "prompt", "skill", "none",
)  # fmt: skip
#: Relations that may be declared: those that are followed.
EDGE_KINDS = (
    "belongs_to", "defined_in", "depends_on", "evidences", "exercises", "governed_by", "implemented_by", "imports",
    "mentions", "put_in_force", "related_to", "runs", "serves", "supersedes", "tested_by", "tests", "touches", "tracks",
)  # fmt: skip
#: Conventions; true for those that take directories.
CONVENTIONS: Mapping[str, bool] = {
    "rules": False,
    "decisions": True,
    "backlog": True,
    "beads": False,
    "spec-kit": False,
    "issues": True,
    "milestones": True,
    "github-issues": False,
    "codeowners": False,
    "commits": False,
}
_CLASS_KEYS = ("id", "kind", "paths", "applies_to", "class")
_EDGE_KEYS = ("kind", "from", "to")
_AT = re.compile(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$")


class FileClass(NamedTuple):
    """Files of a kind. `applies_to` are globs of a rule, () for one of the whole repository; `strength` its class."""

    id: str
    kind: str
    paths: tuple[str, ...]
    applies_to: tuple[str, ...] = ()
    strength: str = "blocking"


class DeclaredEdge(NamedTuple):
    """A relation from every object of the files `sources` to every one of `targets`; `line` is where it is declared."""

    kind: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    line: int


class Config(NamedTuple):
    """What `contextc.toml` says; without one everything is as by convention."""

    classes: tuple[FileClass, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()
    off: frozenset[str] = frozenset()
    folders: Mapping[str, tuple[str, ...]] = {}

    def on(self, convention: str) -> bool:
        """Whether a convention is read."""
        return convention not in self.off

    def more(self, convention: str) -> tuple[str, ...]:
        """Directories beside those of the convention."""
        return self.folders.get(convention, ())


def read_config(text: str) -> Config:
    """The configuration. Raises `InputError` with file and line."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _AT.match(str(error))
        message, line = (match.group(1), match.group(2)) if match else (str(error), None)
        raise InputError(f"not valid TOML: {message}", where=f"{FILE}:{line or text.count(chr(10)) + 1}") from None
    except RecursionError:
        raise InputError("not valid TOML: nested too deep", where=FILE) from None
    return _Reader(text).config(found)


class _Reader:
    """Checks each part, and finds the line of what is wrong."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def config(self, found: Mapping[str, Any]) -> Config:
        self._closed(found, ("version", "class", "edge", "conventions"), "", 0)
        if found.get("version") != VERSION or isinstance(found.get("version"), bool):
            said = found.get("version", "nothing")
            self._fail(f"expected `version = {VERSION}`, found {said!r}", "", 0, "version")
        classes = tuple(self._class(item, at) for at, item in enumerate(self._tables(found, "class")))
        seen: set[str] = set()
        for at, one in enumerate(classes):
            if one.id in seen:
                self._fail(f"two classes have the id {one.id!r}", "class", at, "id")
            seen.add(one.id)
        edges = tuple(self._edge(item, at) for at, item in enumerate(self._tables(found, "edge")))
        return Config(classes, edges, *self._conventions(found.get("conventions", {})))

    def _tables(self, found: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
        value = found.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._fail(f"expected tables `[[{name}]]`", name, 0, name)
        return value

    def _class(self, item: Mapping[str, Any], at: int) -> FileClass:
        self._closed(item, _CLASS_KEYS, "class", at)
        kind = self._one_of(item, "kind", CLASS_KINDS, "class", at)
        strength = self._one_of({"class": "blocking", **item}, "class", ("blocking", "advisory"), "class", at)
        if kind != "rule":
            for key in ("applies_to", "class"):
                if key in item:
                    self._fail(f"`{key}` is for classes of kind rule, this one is {kind}", "class", at, key)
        name = item.get("id")
        if not isinstance(name, str) or not name.strip():
            self._fail(f"expected text as `id`, found {name!r}", "class", at, "id")
        applies = self._globs(item, "applies_to", "class", at) if "applies_to" in item else ()
        return FileClass(name, kind, self._globs(item, "paths", "class", at), applies, strength)

    def _edge(self, item: Mapping[str, Any], at: int) -> DeclaredEdge:
        self._closed(item, _EDGE_KEYS, "edge", at)
        kind = self._one_of(item, "kind", EDGE_KINDS, "edge", at)
        sources, targets = self._globs(item, "from", "edge", at), self._globs(item, "to", "edge", at)
        return DeclaredEdge(kind, sources, targets, self._line("edge", at, "kind"))

    def _conventions(self, found: object) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
        if not isinstance(found, dict):
            self._fail("expected a table `[conventions]`", "", 0, "conventions")
        self._closed(found, tuple(CONVENTIONS), "conventions", 0)
        off: set[str] = set()
        folders: dict[str, tuple[str, ...]] = {}
        for name, value in found.items():
            if value is False:
                off.add(name)
            elif value is not True and not CONVENTIONS[name]:
                self._fail(f"expected true or false as `{name}`, found {value!r}", "conventions", 0, name)
            elif value is not True:
                texts = self._globs(found, name, "conventions", 0)
                folders[name] = tuple(text.strip("/") for text in texts)
        return frozenset(off), folders

    def _globs(self, item: Mapping[str, Any], key: str, table: str, at: int) -> tuple[str, ...]:
        value = item.get(key)
        texts: list[Any] = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        good = texts and all(isinstance(text, str) and text.strip("/") and len(text) <= LONGEST for text in texts)
        if not good:
            self._fail(f"expected a list of paths or globs as `{key}`, found {value!r}", table, at, key)
        for text in texts:
            if text.startswith("/") or ".." in text.split("/"):
                self._fail(f"expected paths from the root of the repository as `{key}`, found {text!r}", table, at, key)
        return tuple(text.removeprefix("./") for text in texts)

    def _one_of(self, item: Mapping[str, Any], key: str, allowed: Sequence[str], table: str, at: int) -> str:
        value = item.get(key)
        if not isinstance(value, str) or value not in allowed:
            self._fail(f"expected one of {', '.join(allowed)} as `{key}`, found {value!r}", table, at, key)
        return value

    def _closed(self, found: Mapping[str, Any], known: Sequence[str], table: str, at: int) -> None:
        for key in found:
            if key not in known:
                self._fail(f"unknown key {key!r}; known are {', '.join(known)}", table, at, key)

    def _fail(self, message: str, table: str, at: int, key: str) -> NoReturn:
        hint = "`contextc init` proposes a file that can be read"
        raise InputError(message, where=f"{FILE}:{self._line(table, at, key)}", hint=hint)

    def _line(self, table: str, at: int, key: str) -> int:
        """The line of a key in the `at`-th table of a name; that of its heading where the key is not there."""
        headings = (f"[[{table}]]", f"[{table}]")
        start = 0
        if table:
            starts = [number for number, line in enumerate(self._lines) if line.split("#")[0].strip() in headings]
            start = starts[at] if at < len(starts) else 0
        for number in range(start + bool(table), len(self._lines)):
            line = self._lines[number].strip()
            if table and line.startswith("["):
                break
            if re.match(
                rf"[\"']?{re.escape(key)}[\"']?[ \t]*[=.]|\[+[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[\].]", line
            ):
                return number + 1
        return start + 1
