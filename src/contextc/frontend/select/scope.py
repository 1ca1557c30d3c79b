"""What a task names of a snapshot: files that must be there, directories it stays in, and all that it touches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from contextc.errors import NotFound
from contextc.frontend.conventions.tree import Tree
from contextc.frontend.select.base import Task
from contextc.frontend.select.mentions import Mention
from contextc.frontend.sources import Snapshot, display_path, known_paths


class Scope(NamedTuple):
    """`files` are named by path, `folders` restrict everything else; `touched` are both, and what the words name."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    touched: tuple[str, ...]

    def reason_outside(self, path: str) -> str:
        """Why a path is out of scope, "" when it is not."""
        if not self.folders or path in self.files:
            return ""
        if any(not folder or path.startswith(f"{folder}/") for folder in self.folders):
            return ""
        return f"outside {', '.join(display_path(folder) + '/' for folder in self.folders)}"

    def widened(self, files: Iterable[str], touched: Iterable[str], tree: Tree) -> Scope:
        """With files that must be there, and listed files and directories that are touched; neither restricts."""
        listed = [path for path in touched if path in tree.known or path in tree.folders]
        named = dict.fromkeys((*self.files, *files))
        return self._replace(files=tuple(named), touched=tuple(dict.fromkeys((*self.touched, *named, *listed))))


def scope_of(task: Task, snapshot: Snapshot, mentioned: dict[str, Mention]) -> Scope:
    """What a task names. Raises `NotFound` for a path that is not in the snapshot."""
    listed = {entry.path for entry in snapshot.entries} | {item.path for item in snapshot.omitted}
    known = known_paths(snapshot)
    files: dict[str, None] = {}
    folders: dict[str, None] = {}
    for path in task.paths:
        path = path.strip("/")
        if path in listed:
            files[path] = None
        elif path == "" or known(path):
            folders[path] = None
        else:
            raise NotFound(
                "expected a path that is in the snapshot",
                where=display_path(path),
                hint="only tracked files are listed, unless others are asked for; see `git ls-files`",
            )
    certain = sorted(path for path, mention in mentioned.items() if mention.strength >= _CERTAIN)
    touched = dict.fromkeys((*files, *(folder for folder in folders if folder), *certain))
    return Scope(tuple(files), tuple(folders), tuple(touched))


#: A mention that fits a single file; a weaker one may be another file.
_CERTAIN = 0.8
