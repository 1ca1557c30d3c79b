"""What a source remembers of files between runs, kept in the store of its repository."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from contextc.frontend.index.cachedir import store_path
from contextc.frontend.index.store import Store
from contextc.frontend.sources.base import Stamp, StatCache
from contextc.frontend.sources.paths import to_bytes, to_text

_decoder = msgspec.msgpack.Decoder(dict[bytes, Stamp])


def stat_cache(root: Path, cache_dir: Path | None = None) -> StatCache:
    """The cache of stamps for the tree at `root`; read when first asked. One that cannot be kept is empty."""
    return _StoredStamps(Store(store_path(root, cache_dir)), os.fsencode(root.resolve()))


class _StoredStamps:
    """All stamps of one root as one value: they are read and changed together."""

    def __init__(self, store: Store, root: bytes) -> None:
        self._store = store
        self._root = root
        self._stamps: dict[str, Stamp] | None = None

    def get(self, paths: Sequence[str]) -> Mapping[str, Stamp]:
        """All stamps known for the root."""
        return self._known()

    def put(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Remember stamps, and forget those that are None."""
        known = self._known()
        changed = {path: stamp for path, stamp in stamps.items() if known.get(path) != stamp}
        if not changed:
            return
        for path, stamp in changed.items():
            if stamp is None:
                known.pop(path, None)
            else:
                known[path] = stamp
        packed = msgspec.msgpack.encode({to_bytes(path): stamp for path, stamp in sorted(known.items())})
        self._store.put_stamps(self._root, zlib.compress(packed, 1))

    def _known(self) -> dict[str, Stamp]:
        if self._stamps is None:
            self._stamps = self._read()
        return self._stamps

    def _read(self) -> dict[str, Stamp]:
        data = self._store.stamps(self._root)
        if data is None:
            return {}
        try:
            return {to_text(path): stamp for path, stamp in _decoder.decode(zlib.decompress(data)).items()}
        except (ValueError, zlib.error, msgspec.MsgspecError):
            return {}
