"""The history of a commit as ranking wants it: the words of each message, and the paths the commit changed.

Kept in the store by the id of the newest commit that was asked for. Another commit of the same repository reads only
what is not in what is kept, so a new commit costs the reading of one. What is kept changes no answer: the history is
always that of the ids that git lists for the commit at hand.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

import msgspec

from contextc.frontend.index import words
from contextc.frontend.index.base import History, Past
from contextc.frontend.index.fingerprint import fingerprint
from contextc.frontend.index.store import Store
from contextc.frontend.sources import Commit, Source

#: Commits that are read. Older ones speak of code that is seldom there any more.
MOST_COMMITS = 6_000
#: A commit that changes more paths says nothing about any of them: a release, a formatter, an import of files.
MOST_PATHS = 30
#: Beyond this many commits that are kept and not wanted, they are dropped.
SPARE = 6_000
#: Lines of a message that are no words about the change, by how they begin.
_TRAILERS = ("signed-off-by:", "co-authored-by:", "reviewed-by:", "acked-by:", "tested-by:", "cc:", "change-id:")


NO_HISTORY = History((), "")

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Past])


def read_history(source: Source, commit: str | None, store: Store, most: int = MOST_COMMITS) -> History:
    """The history of a commit of a source; none where there is no commit, or its objects are not there."""
    ids = source.lineage(commit, most) if commit is not None else []
    if not ids:
        return NO_HISTORY
    known = {past.id: past for past in _kept(store)}
    missing = [identity for identity in ids if identity not in known]
    if missing:
        read = source.commits(missing)
        if read is None:
            return NO_HISTORY
        made = {item.id: _past(item) for item in read}
        store.put_history(fingerprint(), _pack([*made.values(), *known.values()], set(ids)))
        known.update(made)
    digest = hashlib.sha256("\n".join(ids).encode("ascii")).hexdigest()
    return History(tuple(known[identity] for identity in ids), digest)


def _kept(store: Store) -> list[Past]:
    data = store.history(fingerprint())
    if data is None:
        return []
    try:
        return _decoder.decode(zlib.decompress(data))
    except (ValueError, zlib.error, msgspec.MsgspecError):
        return []


def _pack(pasts: Sequence[Past], wanted: set[str]) -> bytes:
    spare = [past for past in pasts if past.id not in wanted][:SPARE]
    return zlib.compress(_encoder.encode([past for past in pasts if past.id in wanted] + spare), 1)


def _past(commit: Commit) -> Past:
    title, _, body = commit.message.strip().partition("\n")
    lines = [line for line in body.split("\n") if not line.strip().lower().startswith(_TRAILERS)]
    first = dict.fromkeys(words.split(title))
    rest = dict.fromkeys(words.split("\n".join(lines)))
    # A name that is no UTF-8 cannot be kept as text; such files are ranked without their history.
    paths = tuple(path for path in commit.paths if _storable(path)) if len(commit.paths) <= MOST_PATHS else ()
    return Past(commit.id, tuple(first | rest), len(first), paths)


def _storable(path: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in path)
