"""Where files come from: a git commit, a working tree, a plain directory.

`open_source` picks one; `Source.snapshot` lists it and `Source.read` gives bytes; `decode` makes text of them;
`secret_name` and `secret_content` tell what must not be shown; `relative_path` and `display_path` speak of names.
"""

from contextc.frontend.sources.base import (
    SIZE_LIMIT,
    Commit,
    Entry,
    EntryKind,
    Omission,
    Snapshot,
    Source,
    Stamp,
    StatCache,
)
from contextc.frontend.sources.decode import Decoded, decode, encode
from contextc.frontend.sources.open import open_source
from contextc.frontend.sources.paths import (
    display_path,
    known_paths,
    parse_display_path,
    relative_path,
    to_bytes,
    to_text,
)
from contextc.frontend.sources.secrets import secret_content, secret_name
from contextc.frontend.sources.stamps import MemoryStatCache

__all__ = [
    "SIZE_LIMIT",
    "Commit",
    "Decoded",
    "Entry",
    "EntryKind",
    "MemoryStatCache",
    "Omission",
    "Snapshot",
    "Source",
    "Stamp",
    "StatCache",
    "decode",
    "display_path",
    "encode",
    "known_paths",
    "open_source",
    "parse_display_path",
    "relative_path",
    "secret_content",
    "secret_name",
    "to_bytes",
    "to_text",
]
