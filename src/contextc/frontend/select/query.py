"""What a task in words names: its words, identifiers, paths, dotted names and places in files.

Nothing here knows the repository. Words are split by the rule of the index, so both sides agree.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from contextc.frontend.index import words
from contextc.frontend.select.words_of_task import STOP_WORDS

#: Words of one task that are looked up. Issues are read from the top, where they say what they are about.
MOST_WORDS = 160
#: Identifiers, paths and places of one task that are followed.
MOST_NAMES = 200
#: A word of the first line (the title of an issue, the subject of a commit) counts more than one of the body.
TITLE_WEIGHT = 1.5
#: Characters of a task that are read; more is a log, whose words say nothing.
LONGEST_TASK = 60_000

_IDENTIFIER = re.compile(r"[^\W\d][\w$]{2,}")
# Each pattern starts only where its first characters do: no text makes them slow.
_CODE_SPAN = re.compile(r"(?<!`)`++([^`\n]{1,200})`")
_QUOTED = re.compile(r"[\"'\u201c\u2018]([\w$.:#-]{3,80})[\"'\u201d\u2019]")
_URL = re.compile(r"\b[a-z][a-z+.-]{1,10}://[^\s<>\"')\]]+", re.IGNORECASE)
_DOTTED = re.compile(r"(?<![\w$/.-])[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)+")
_PATH = re.compile(
    r"(?<![\w/.@+~-])(?:[A-Za-z]:)?[\w.@+~-]*(?:[/\\][\w.@+~\[\]()-]+)+|(?<![\w/.@+~-])[\w@+-][\w.@+-]*\.\w{1,10}\b"
)
_PYTHON_FRAME = re.compile(r'File "([^"\n]+)", line (\d+)')
_OTHER_FRAME = re.compile(r"(?<![\w@./\\+-])([\w@./\\+-]+\.\w{1,10}):(\d{1,6})\b")
_COMPOUND = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\w_\w|\d")


class Place(NamedTuple):
    """A line of a file that the task names, as a traceback does. `path` is as written, `line` counts from 1."""

    path: str
    line: int


class Name(NamedTuple):
    """An identifier as written; `certain` when it can hardly be a word of prose (compound, or marked as code)."""

    text: str
    certain: bool


class Query(NamedTuple):
    """What a task names. `words` are lower-case words of `words.split` without stop words, with their weight, in the
    order they first occur; `dotted` are names split at their dots; `paths` are as written, with `/`."""

    words: dict[str, float]
    names: tuple[Name, ...]
    dotted: tuple[tuple[str, ...], ...]
    paths: tuple[str, ...]
    places: tuple[Place, ...]

    @property
    def empty(self) -> bool:
        """Whether the task says nothing that could be looked up."""
        return not self.words


def read_task(text: str) -> Query:
    """Read a task in words."""
    text = text[:LONGEST_TASK]
    plain = _URL.sub(" ", text)
    marked = {
        name for span in (*_CODE_SPAN.findall(plain), *_QUOTED.findall(plain)) for name in _IDENTIFIER.findall(span)
    }
    dotted = _dotted(plain)
    marked.update(part for parts in dotted for part in parts)
    return Query(_words(plain), _names(plain, marked), dotted, _paths(plain), _places(plain))


def _words(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    title, _, body = text.strip().partition("\n")
    for part, weight in ((title, TITLE_WEIGHT), (body, 1.0)):
        for word in words.split(part):
            if word in found or word in STOP_WORDS or len(word) < 2:
                continue
            if len(found) == MOST_WORDS:
                return found
            found[word] = weight
    return found


def _names(text: str, marked: set[str]) -> tuple[Name, ...]:
    found = dict.fromkeys(_IDENTIFIER.findall(text))
    names = [
        Name(name, name in marked or _COMPOUND.search(name) is not None)
        for name in found
        if name.lower() not in STOP_WORDS or name in marked
    ]
    return tuple(names[:MOST_NAMES])


def _dotted(text: str) -> tuple[tuple[str, ...], ...]:
    found = dict.fromkeys(tuple(re.split(r"\.|::|#|->", name)) for name in _DOTTED.findall(text))
    return tuple(found)[:MOST_NAMES]


def _paths(text: str) -> tuple[str, ...]:
    found = dict.fromkeys(path.replace("\\", "/").rstrip(".") for path in _PATH.findall(text))
    return tuple(found)[:MOST_NAMES]


def _places(text: str) -> tuple[Place, ...]:
    frames = [*_PYTHON_FRAME.findall(text), *_OTHER_FRAME.findall(text)]
    found = dict.fromkeys(Place(path.replace("\\", "/"), int(line)) for path, line in frames)
    return tuple(found)[:MOST_NAMES]
