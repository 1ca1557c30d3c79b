"""What is known of every file's content, kept by blob id.

`open_index` gives an `IndexView` of a snapshot; `stat_cache` what a source remembers of files between runs; `words`
splits text and queries alike; `split_lines` cuts a text as the line numbers of symbols count.
"""

from contextc.frontend.index import words
from contextc.frontend.index.base import (
    Facts,
    History,
    Import,
    IndexedFile,
    IndexView,
    Past,
    Posting,
    Statistics,
    Symbol,
)
from contextc.frontend.index.build import open_index
from contextc.frontend.index.lines import split_lines
from contextc.frontend.index.statcache import stat_cache
from contextc.frontend.index.syntax import LANGUAGES, language_of

__all__ = [
    "LANGUAGES",
    "Facts",
    "History",
    "Import",
    "IndexView",
    "IndexedFile",
    "Past",
    "Posting",
    "Statistics",
    "Symbol",
    "language_of",
    "open_index",
    "split_lines",
    "stat_cache",
    "words",
]
