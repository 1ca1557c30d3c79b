"""By what code facts were made: facts of another fingerprint are not trusted, they are made anew.

Covers everything facts depend on besides the bytes of a file: the sources of this package with its query files and of
the decoding, the versions of the parsers, Python's own (its Unicode tables decide what a letter is), and the byte
order of packed numbers. So nobody has to remember to raise a version after a change, not even of a query file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from contextc import __version__
from contextc.frontend.index.syntax.languages import LANGUAGES

#: What is parsed with; the grammars come from the table of languages.
_PARSERS = ("markdown_it", "mdurl", "tree_sitter")


@cache
def fingerprint() -> bytes:
    """32 bytes, equal exactly when facts made by both are equal."""
    state = hashlib.sha256()
    for part in (*_own_sources(), *(text.encode() for text in _surroundings())):
        state.update(len(part).to_bytes(8, "little") + part)
    return state.digest()


def _surroundings() -> Iterator[str]:
    yield __version__
    yield repr(sys.version_info[:3])
    yield unicodedata.unidata_version
    yield sys.byteorder
    yield from _versions()


def _own_sources() -> Iterator[bytes]:
    here = Path(__file__).parent
    for path in sorted((*here.glob("*.py"), *here.glob("syntax/*.py"), *here.glob("queries/*.scm"))):
        yield path.read_bytes()
    for name in ("decode", "secrets", "secret_rules"):
        path = here.parent / "sources" / f"{name}.py"
        yield path.read_bytes() if path.is_file() else b"without a source"


def _versions() -> Iterator[str]:
    """The names of the installed distributions with their versions. A look into the directory they lie in is 50 times
    faster than `importlib.metadata`, which is the way where that directory does not say."""
    modules = sorted({*_PARSERS, *(entry.module for entry in LANGUAGES.values() if entry.module)})
    listed: dict[Path, list[str]] = {}
    for module in modules:
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            yield f"{module} absent"
            continue
        folder = Path(spec.origin).parent.parent
        names = listed.setdefault(folder, sorted(path.name for path in folder.glob("*.dist-info")))
        known = [name for name in names if name.partition("-")[0].lower() == _distribution(module)]
        yield known[0] if len(known) == 1 else f"{module} {_slow_version(module)}"


def _distribution(module: str) -> str:
    return {"markdown_it": "markdown_it_py"}.get(module, module)


def _slow_version(module: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(_distribution(module).replace("_", "-"))
    except metadata.PackageNotFoundError:
        return "of no known version"
