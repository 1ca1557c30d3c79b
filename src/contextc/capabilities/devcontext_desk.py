"""What the capabilities of `devcontext` share: their parameters, and a desk that keeps what is still true.

A desk reads a layer once and looks at files, branch, head, working tree and local records every time it is asked. An
answer is given again only when none of them has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec import Meta

from contextc.core.records.canonical import canonical_json
from contextc.core.records.devcontext import DevContextInput

if TYPE_CHECKING:
    from contextc.core.devcontext import Graph
    from contextc.core.records.layer import GitFacts, Layer, LocalState

T = TypeVar("T")

ROOT = Annotated[str, Meta(description="A directory in a repository with an `.ai` layer.")]

#: Answers a desk keeps; the oldest leaves first (SPEC 5.1 keeps 16 of compile).
KEPT_ANSWERS = 16
#: Repositories a process keeps open.
KEPT_DESKS = 8


class Desk:
    """One repository, opened."""

    def __init__(self, root: Path) -> None:
        from contextc.frontend.layer.workspace import Workspace

        self._workspace = Workspace(root)
        self._layer: Layer | None = None
        self._graph: Graph | None = None
        self._answers: dict[bytes, object] = {}
        self._lock = Lock()

    def answer(
        self,
        kind: str,
        question: DevContextInput,
        make: Callable[[DevContextInput, Layer, Graph, GitFacts, LocalState], T],
    ) -> T:
        """The answer `make` gives of the state of things now; `kind` tells the makers apart."""
        with self._lock:
            view = self._workspace.view()
            graph = self._graph_of(view.layer)
            key = canonical_json([kind, question, view.git, view.local])
            if key not in self._answers:
                made = make(question, view.layer, graph, view.git, view.local)
                self._answers[key] = made
                if len(self._answers) > KEPT_ANSWERS:
                    del self._answers[next(iter(self._answers))]
                return made
            return self._answers[key]  # type: ignore[return-value] # the key holds the kind, which decides the type

    def layer(self) -> tuple[Layer, Graph]:
        """The layer as it is now, and its graph."""
        with self._lock:
            found = self._workspace.view().layer
            return found, self._graph_of(found)

    def _graph_of(self, layer: Layer) -> Graph:
        from contextc.core.devcontext import build_graph

        if self._graph is None or layer is not self._layer:
            self._layer, self._graph = layer, build_graph(layer)
            self._answers.clear()
        return self._graph


_desks: dict[Path, Desk] = {}
_desks_lock = Lock()


def desk(root: str) -> Desk:
    """The desk of the repository that `root` is in. Raises `NotFound` and `RepositoryError` when there is no layer."""
    from contextc.frontend.layer.manifest import find_root

    place = find_root(root)
    with _desks_lock:
        if place not in _desks:
            _desks[place] = Desk(place)
            if len(_desks) > KEPT_DESKS:
                del _desks[next(iter(_desks))]
        return _desks[place]
