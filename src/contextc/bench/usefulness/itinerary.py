"""In which order tasks run, and which of them share an index.

Tasks of one repository run in the order of their parents, and neighbours share a store while their trees are alike: so
only what differs between two of them is read, and a second run reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from contextc.bench.usefulness.cases import Case
from contextc.bench.usefulness.history import commit_date
from contextc.bench.usefulness.repositories import Repositories
from contextc.frontend.sources import Snapshot, open_source

#: A store is left for a new one when it would hold more than this many times the files of its first tree: the index
#: forgets what is far from the tree at hand.
ALIKE = 2.5


class Stop(NamedTuple):
    """A task with the directory of its repository and of its index."""

    case: Case
    root: Path
    cache: Path


def itinerary(cases: Sequence[Case], repositories: Repositories, cache_dir: Path) -> Iterator[Stop]:
    """The tasks in the order in which they run. Raises `NotFound` for a repository that is not there."""
    by_repo: dict[str, list[Case]] = {}
    for case in cases:
        by_repo.setdefault(case.repo, []).append(case)
    for repo, own in sorted(by_repo.items()):
        root = repositories.find(repo)
        number, first, held = 0, 0, set[str]()
        for case in sorted(own, key=lambda case: (_date(root, case.parent), case.id)):
            oids = {entry.oid for entry in _snapshot(root, case.parent).entries}
            if held and len(held | oids) > ALIKE * first:
                number, held = number + 1, set()
            first = first if held else len(oids)
            held |= oids
            yield Stop(case, root, cache_dir / repo.replace("/", "__") / str(number))


@cache
def _snapshot(root: Path, commit: str) -> Snapshot:
    return open_source(root, rev=commit).snapshot()


@cache
def _date(root: Path, commit: str) -> int:
    return commit_date(root, commit)
