"""`scope.yaml`: which files may be read at all (SPEC 2.2). What is out is never read."""

from __future__ import annotations

from typing import NamedTuple

from contextc.core.records.layer import Value, strings
from contextc.errors import InputError
from contextc.frontend.layer.globs import matches
from contextc.frontend.layer.yaml_subset import YamlError, parse
from contextc.frontend.sources import secret_name

#: Categories in the order they are asked (SPEC 2.2), each with `paths` and `names`.
CATEGORIES = ("secret", "generated", "archive", "image", "video", "pdf", "database_dump")
#: Bytes of a file that are searched for a NUL to call it binary (SPEC 2.2).
BINARY_PREFIX = 8192
_SIZE = 1_048_576


class Category(NamedTuple):
    """Patterns of whole paths, and of the last segment alone."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def rule_for(self, path: str) -> str | None:
        """The pattern that holds a path; paths are asked before names."""
        name = path.rpartition("/")[2]
        found = next((pattern for pattern in self.paths if matches(pattern, path)), None)
        return found or next((pattern for pattern in self.names if matches(pattern, name)), None)


class Scope(NamedTuple):
    """A declaration of scope. With `named_secrets`, names that usually hold secrets are out too."""

    inside: tuple[str, ...]
    out: tuple[str, ...] = ()
    categories: tuple[tuple[str, Category], ...] = ()
    fixtures: tuple[str, ...] = ()
    fixture_bytes: int | None = None
    max_bytes: int | None = _SIZE
    binary: bool = True
    named_secrets: bool = False

    def why_out(self, path: str, size: int) -> tuple[str, str] | None:
        """The category and the rule that put a path out, None when it is in. Looks at no bytes."""
        for pattern in self.out:
            if matches(pattern, path):
                return "paths", pattern
        for name, category in self.categories:
            rule = category.rule_for(path)
            if rule is not None:
                return name, rule
        if self.named_secrets and secret_name(path):
            return "secret", "a name that usually holds secrets"
        if not any(matches(pattern, path) for pattern in self.inside):
            return "undeclared", "no pattern of `in` matches"
        for pattern in self.fixtures:
            if self.fixture_bytes is not None and size > self.fixture_bytes and matches(pattern, path):
                return "fixtures", f"{pattern}, over {self.fixture_bytes} bytes"
        if self.max_bytes is not None and size > self.max_bytes:
            return "max_bytes", f"{size} bytes, the limit is {self.max_bytes}"
        return None

    def is_binary(self, data: bytes) -> bool:
        """Whether the bytes put a file out."""
        return self.binary and b"\0" in data[:BINARY_PREFIX]


#: What holds where a repository declares no scope: all it tracks but its local half, secrets, binary and large files.
DEFAULT = Scope(inside=("**",), out=(".git/", ".ai/local/"), named_secrets=True)


def read_scope(data: bytes, where: str) -> Scope:
    """The declared scope. Raises `InputError` with file and line: without it nothing may be read."""
    try:
        found = parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"expected UTF-8: {error.reason} at byte {error.start}", where=where) from None
    except YamlError as error:
        raise InputError(error.message, where=f"{where}:{error.line}") from None
    if found.get("version") != 1:
        raise InputError(f"expected `version: 1`, found {found.get('version')!r}", where=where)
    out = _table(found.get("out", {}), "out", where)
    fixtures = _table(out.get("fixtures", {}), "out.fixtures", where)
    return Scope(
        inside=strings(found.get("in")),
        out=strings(out.get("paths")),
        categories=tuple((name, _category(out.get(name, {}), name, where)) for name in CATEGORIES),
        fixtures=strings(fixtures.get("paths")),
        fixture_bytes=_number(fixtures.get("max_bytes"), "out.fixtures.max_bytes", where),
        max_bytes=_number(out.get("max_bytes"), "out.max_bytes", where),
        binary=out.get("binary") is True,
    )


def _table(value: Value, name: str, where: str) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise InputError(f"expected a map under `{name}`", where=where)
    return value


def _category(value: Value, name: str, where: str) -> Category:
    table = _table(value, f"out.{name}", where)
    return Category(strings(table.get("paths")), strings(table.get("names")))


def _number(value: Value | None, name: str, where: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"expected a number of bytes as `{name}`", where=where)
    return value
