"""Which kind of repository a place belongs to."""

from __future__ import annotations

import os
from pathlib import Path

from contextc.errors import RepositoryError
from contextc.frontend.layer.manifest import MANIFEST
from contextc.frontend.sources import open_source


def layer_root(start: str | Path) -> Path | None:
    """The nearest directory with `.ai/manifest.yaml`, from `start` up to the top of its repository; None where there
    is none, so that the repository is an ordinary one.

    Raises what `open_source` raises, and `RepositoryError` for a layout older than the manifest.
    """
    top = Path(os.path.realpath(open_source(start).root))
    place = Path(os.path.realpath(start))
    for folder in (place, *place.parents):
        if os.path.lexists(folder / MANIFEST):
            return folder
        if (folder / ".majordomus").is_dir():
            raise RepositoryError(
                "this repository has a legacy layout, a `.majordomus` directory without `.ai/manifest.yaml`",
                where=str(folder),
                hint="move the layer to `.ai` and write a manifest of schema ai-repository/v1",
            )
        if folder == top:
            break
    return None
