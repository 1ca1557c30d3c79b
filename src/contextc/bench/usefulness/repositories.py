"""Where the repositories of tasks lie: folders of bare git directories or clones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from contextc.errors import NotFound, UsageError


class Repositories:
    """Finds `owner/name` as `owner__name`, `owner+name` or `owner/name` in some folders, the git directory itself or
    a folder `repo` in it. `aliases` are other names under which the same commits lie (forks)."""

    def __init__(self, folders: Sequence[str | Path], aliases: Mapping[str, str] | None = None) -> None:
        self._folders = [Path(folder) for folder in folders]
        self._aliases = dict(aliases or {})

    def find(self, name: str) -> Path:
        """The directory of a repository. Raises `NotFound`."""
        for alias in dict.fromkeys((name, self._aliases.get(name, name))):
            for folder in self._folders:
                for form in (alias.replace("/", "__"), alias.replace("/", "+"), alias):
                    for place in (folder / form / "repo", folder / form):
                        if (place / "HEAD").is_file() or (place / ".git").exists():
                            return place
        raise NotFound(
            f"the repository {name} is not there",
            where=", ".join(map(str, self._folders)),
            hint="clone it as owner__name into one of these folders, with its history",
        )


def read_aliases(pairs: Sequence[str]) -> dict[str, str]:
    """`owner/name=other/name` as a mapping. Raises `UsageError`."""
    found = {}
    for pair in pairs:
        name, equals, other = pair.partition("=")
        if not (name and equals and other):
            raise UsageError(f"expected owner/name=other/name, found {pair!r}")
        found[name] = other
    return found
