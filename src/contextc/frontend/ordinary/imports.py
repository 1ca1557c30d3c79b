"""Which files an import statement means: by the customs of each language, within the files of the snapshot.

What lies outside (a library) means nothing here. Where a name could mean several files the nearest is taken.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from contextc.frontend.index import Import, IndexedFile

#: Files of a package (a directory, in Go) up to which each is meant by an import of it.
MOST_OF_PACKAGE = 12
_ECMA_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte")
_ECMA_WRITTEN = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}


class Imports:
    """The import statements of a snapshot, resolved. `go_modules` are (module path, directory)."""

    def __init__(self, files: Sequence[IndexedFile], go_modules: Sequence[tuple[str, str]] = ()) -> None:
        self._paths = frozenset(file.path for file in files)
        self._go_modules = sorted(go_modules, key=lambda pair: -len(pair[0]))
        self._dotted: dict[str, list[str]] = {}
        self._tails: dict[str, list[str]] = {}
        self._packages: dict[str, list[str]] = {}
        self._memory: dict[tuple[str, str, str], tuple[str, ...]] = {}
        for file in files:
            language = file.facts.language
            if language == "python":
                for name in self._python_names(file.path):
                    self._dotted.setdefault(name, []).append(file.path)
            elif language == "go" and not file.path.endswith("_test.go"):
                self._packages.setdefault(posixpath.dirname(file.path), []).append(file.path)
            elif language in ("java", "c", "cpp", "ruby"):
                self._tails.setdefault(posixpath.basename(file.path), []).append(file.path)

    def of(self, file: IndexedFile) -> tuple[str, ...]:
        """The files that a file imports, ascending, each once, itself left out."""
        resolve = _READERS.get(file.facts.language)
        if resolve is None or not file.facts.imports:
            return ()
        folder = posixpath.dirname(file.path)
        found: set[str] = set()
        for item in file.facts.imports:
            for name in _names(file.facts.language, item):
                # In a Rust file `self` is its own module; elsewhere files of one directory mean the same by a name.
                own = (file.facts.language, file.path if file.facts.language == "rust" else folder, name)
                if own not in self._memory:
                    self._memory[own] = tuple(resolve(self, file.path, name))
                found.update(self._memory[own])
        found.discard(file.path)
        return tuple(sorted(found))

    def _python_names(self, path: str) -> Iterator[str]:
        """The dotted names of a module: from the root, and from the directory that holds its topmost package."""
        stem = path.rpartition(".")[0].removesuffix("/__init__")
        yield stem.replace("/", ".")
        folder = posixpath.dirname(stem)
        while folder and f"{folder}/__init__.py" in self._paths:
            folder = posixpath.dirname(folder)
        if folder:
            yield stem.removeprefix(f"{folder}/").replace("/", ".")

    def python(self, path: str, name: str) -> Iterable[str]:
        """`a.b.c`, where the last part may be a name in `a.b`; `.x` is meant from the package of the file."""
        if name.startswith("."):
            dots = len(name) - len(name.lstrip("."))
            folder = posixpath.dirname(path)
            for _ in range(dots - 1):
                folder = posixpath.dirname(folder)
            stem = posixpath.join(folder, name.lstrip(".").replace(".", "/")).rstrip("/")
            parts = [stem, posixpath.dirname(stem)] if name.strip(".") else [stem]
            for part in parts:
                for candidate in (f"{part}.py", f"{part}/__init__.py", f"{part}.pyi"):
                    if candidate in self._paths:
                        return (candidate,)
            return ()
        for dotted in (name, name.rpartition(".")[0]):
            found = self._dotted.get(dotted)
            if found:
                return (nearest(path, found),)
        return ()

    def ecma(self, path: str, name: str) -> Iterable[str]:
        """`./x` with any of the endings, or the index file of a directory."""
        if not name.startswith("."):
            return ()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name.partition("?")[0]))
        stem, dot, ending = target.rpartition(".")
        written = [stem + other for other in _ECMA_WRITTEN.get(dot + ending, ())]
        endings = [target + other for other in _ECMA_ENDINGS]
        index = [f"{target}/index{other}" for other in _ECMA_ENDINGS[1:]]
        return [one for one in (*endings, *written, *index) if one in self._paths][:1]

    def go(self, path: str, name: str) -> Iterable[str]:
        """A package of one of the modules here: all its files, unless they are many."""
        for module, folder in self._go_modules:
            if name == module or name.startswith(f"{module}/"):
                inner = posixpath.normpath(posixpath.join(folder, name.removeprefix(module).strip("/")))
                files = self._packages.get("" if inner == "." else inner, [])
                return files if len(files) <= MOST_OF_PACKAGE else ()
        return ()

    def rust(self, path: str, name: str) -> Iterable[str]:
        """`crate::a::b`, `self::a`, `super::a`: the file of the longest part that is one."""
        head, *rest = name.split("::")
        base = self._rust_base(path, head)
        if base is None:
            return ()
        for length in range(len(rest), 0, -1):
            stem = posixpath.join(base, *rest[:length])
            for candidate in (f"{stem}.rs", f"{stem}/mod.rs"):
                if candidate in self._paths:
                    return (candidate,)
        return ()

    def _rust_base(self, path: str, head: str) -> str | None:
        folder, _, name = path.rpartition("/")
        own = folder if name in ("mod.rs", "lib.rs", "main.rs") else posixpath.join(folder, name.removesuffix(".rs"))
        if head == "self":
            return own
        if head == "super":
            return posixpath.dirname(own)
        if head != "crate":
            return None
        while folder and not any(f"{folder}/{root}" in self._paths for root in ("lib.rs", "main.rs")):
            folder = posixpath.dirname(folder)
        return folder or None

    def tail(self, path: str, name: str) -> Iterable[str]:
        """A path of which only the end is written."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if beside in self._paths:
            return (beside,)
        fits = [one for one in self._tails.get(posixpath.basename(name), ()) if f"/{one}".endswith(f"/{name}")]
        return (nearest(path, fits),) if fits else ()


def _names(language: str, item: Import) -> Iterator[str]:
    """What one import may name, in the form its resolver takes."""
    if language == "python":
        glue = "" if item.target.endswith(".") else "."
        yield from (f"{item.target}{glue}{name}" for name in item.names if name != "*")
        if not item.names or "*" in item.names:
            yield item.target
    elif language == "rust":
        yield from (f"{item.target}::{name}" for name in item.names if name != "*")
        if not item.names or "*" in item.names:
            yield item.target
    elif language == "java":
        yield item.target.replace(".", "/") + ".java"
    elif language in ("c", "cpp"):
        yield item.target.strip("<>")
    elif language == "ruby":
        yield item.target + ("" if item.target.endswith(".rb") else ".rb")
    else:
        yield item.target


def nearest(path: str, candidates: Sequence[str]) -> str:
    """Of several files the one that shares the most leading directories with a path; of equals the first."""
    if len(candidates) == 1:
        return candidates[0]
    own = path.split("/")

    def shared(other: str) -> int:
        return next((at for at, (a, b) in enumerate(zip(own, other.split("/"), strict=False)) if a != b), 0)

    return min(sorted(candidates), key=lambda other: (-shared(other), len(other)))


_READERS: Mapping[str, Callable[[Imports, str, str], Iterable[str]]] = {
    "python": Imports.python,
    "javascript": Imports.ecma,
    "typescript": Imports.ecma,
    "tsx": Imports.ecma,
    "go": Imports.go,
    "rust": Imports.rust,
    "java": Imports.tail,
    "c": Imports.tail,
    "cpp": Imports.tail,
    "ruby": Imports.tail,
}
