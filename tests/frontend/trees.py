"""Trees for tests of conventions and selection: plain directories under the real source and the real index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from contextc.frontend.conventions.tree import Tree
from contextc.frontend.index import IndexView, open_index
from contextc.frontend.sources import Snapshot, open_source


def view_of(
    root: Path, files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None
) -> tuple[IndexView, Snapshot]:
    """Write files below `root`, and index them."""
    top = root / "tree"
    top.mkdir()
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, target in (links or {}).items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    source = open_source(top)
    snapshot = source.snapshot()
    return open_index(source, snapshot, cache_dir=root / "cache", jobs=1), snapshot


def tree_of(root: Path, files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None) -> Tree:
    """The tree of files, as conventions ask about it."""
    return Tree(*view_of(root, files, links))
