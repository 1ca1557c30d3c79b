"""Which files a task is about, by its words: BM25F over text, names of definitions and paths, and what the task names.

Statistics are taken over the files of the snapshot. Scores are rounded and ties are broken by path, so that the order
is the same on every machine. Every hit can say why it is one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from contextc.frontend.index.base import IndexedFile, IndexView, Posting
from contextc.frontend.select.kinds import Kind, kind_of
from contextc.frontend.select.mentions import Mention, mentions
from contextc.frontend.select.query import Query
from contextc.frontend.select.tested import Vote, votes
from contextc.frontend.select.weights import (
    DEFINES,
    K1,
    KIND_FACTOR,
    MENTIONED,
    PATH_WEIGHT,
    PROSE_NAME,
    SYMBOL_WEIGHT,
    TESTED,
    B,
)
from contextc.frontend.select.words_of_task import VARIANT_WEIGHT, variants

#: Decimals of a score. Sums of logarithms may differ in the last bits between machines.
DECIMALS = 6


class Concept(NamedTuple):
    """A word of the task with its variants and what each weighs; `idf` is the weight of one full occurrence."""

    word: str
    forms: dict[str, float]
    idf: float


class Hit(NamedTuple):
    """A file that holds something of the task. `score` is about 1 for the best file by words alone; `idf` is the sum
    over the concepts it holds."""

    file: IndexedFile
    kind: Kind
    score: float
    idf: float
    mention: Mention | None
    vote: Vote | None
    defines: tuple[str, ...]
    in_path: tuple[str, ...]
    in_text: tuple[tuple[str, int], ...]

    @property
    def factor(self) -> float:
        """What a score is multiplied by for this kind of file."""
        return KIND_FACTOR[self.kind]


class Ranking(NamedTuple):
    """All hits, best first, and the concepts they were found by, rarest first."""

    hits: tuple[Hit, ...]
    concepts: tuple[Concept, ...]


class _Tally:
    """What one file holds of the concepts."""

    __slots__ = ("defines", "idf", "in_path", "in_text", "words")

    def __init__(self) -> None:
        self.words = 0.0
        self.idf = 0.0
        self.defines: list[str] = []
        self.in_path: list[tuple[float, str]] = []
        self.in_text: list[tuple[float, str, int]] = []


def rank(view: IndexView, query: Query) -> Ranking:
    """Rank the files of a snapshot for a task."""
    files = {file.path: file for file in view.files}
    grouped = _grouped(query)
    wanted = dict.fromkeys(form for forms in grouped.values() for form in forms)
    wanted.update(dict.fromkeys(name.text.lower() for name in query.names))
    postings = view.postings(tuple(wanted))
    in_paths = _path_words(view, wanted)
    tallies: dict[str, _Tally] = {}
    concepts = _score_words(files, view.statistics.average_length or 1.0, query, grouped, postings, in_paths, tallies)
    defined = _score_definitions(files, query, postings, tallies)
    mentioned = mentions(query, files)
    for path in mentioned:
        tallies.setdefault(path, _Tally())
    kinds = {path: kind_of(path, files[path].flag) for path in tallies}
    best = max((tally.words * KIND_FACTOR[kinds[path]] for path, tally in tallies.items()), default=0.0) or 1.0
    best_defined = max(defined.values(), default=0.0) or 1.0
    voted = _votes(files, tallies, kinds)
    for path in voted:
        tallies.setdefault(path, _Tally())
        kinds.setdefault(path, "source")
    hits = []
    for path, tally in tallies.items():
        kind = kinds[path]
        vote = voted.get(path)
        score = tally.words / best + DEFINES * defined.get(path, 0.0) / best_defined
        score += TESTED * vote.strength if vote is not None else 0.0
        score *= KIND_FACTOR[kind]
        mention = mentioned.get(path)
        if mention is not None:
            score += MENTIONED * mention.strength
        hits.append(_hit(files[path], kind, round(score, DECIMALS), mention, vote, tally))
    hits.sort(key=lambda hit: (-hit.score, hit.file.path))
    concepts.sort(key=lambda concept: (-concept.idf, concept.word))
    return Ranking(tuple(hits), tuple(concepts))


def _grouped(query: Query) -> dict[str, dict[str, float]]:
    """Concepts by their first word: each word of the task belongs to one, `redirect` and `redirects` to the same."""
    grouped: dict[str, dict[str, float]] = {}
    owner: dict[str, str] = {}
    for word in query.words:
        first = owner.get(word, word)
        forms = grouped.setdefault(first, {})
        forms[word] = 1.0
        for variant in variants(word):
            if owner.setdefault(variant, first) == first:
                forms.setdefault(variant, VARIANT_WEIGHT)
        owner[word] = first
    return grouped


def any_of(forms: Iterable[str]) -> Callable[[str], object]:
    """A quick look whether a text in lower case can hold any of these words; it may err towards yes."""
    # Words in other scripts can be composed differently from how they stand there, so nothing is ruled out.
    ascii_forms = sorted(form for form in forms if form.isascii())
    if len(ascii_forms) < len(list(forms)) or not ascii_forms:
        return lambda text: True
    search = re.compile("|".join(map(re.escape, ascii_forms))).search
    return lambda text: not text.isascii() or search(text)


def _path_words(view: IndexView, wanted: Mapping[str, None]) -> dict[str, list[str]]:
    """For each wanted word the paths that hold it."""
    found: dict[str, list[str]] = {}
    possible = any_of(wanted)
    for file in view.files:
        for word in view.path_words(file.path) if possible(file.path.lower()) else ():
            if word in wanted:
                found.setdefault(word, []).append(file.path)
    return found


def _score_words(
    files: Mapping[str, IndexedFile],
    average: float,
    query: Query,
    grouped: Mapping[str, dict[str, float]],
    postings: Mapping[str, Sequence[Posting]],
    in_paths: Mapping[str, Sequence[str]],
    tallies: dict[str, _Tally],
) -> list[Concept]:
    count = len(files)
    concepts = []
    for first, forms in grouped.items():
        fields: dict[str, list[float]] = {}  # path -> text, symbols, path, plain occurrences
        for form, weight in forms.items():
            for posting in postings.get(form, ()):
                path = posting.path
                if path in files:
                    field = fields.setdefault(path, [0.0, 0.0, 0.0, 0.0])
                    field[0] += weight * posting.text
                    field[1] += weight * posting.symbols
                    field[3] += posting.text
            for path in in_paths.get(form, ()):
                field = fields.setdefault(path, [0.0, 0.0, 0.0, 0.0])
                field[2] = max(field[2], weight)
        if not fields:
            continue
        idf = math.log(1.0 + (count - len(fields) + 0.5) / (len(fields) + 0.5)) * query.words[first]
        concepts.append(Concept(first, dict(forms), round(idf, DECIMALS)))
        for path, (text, symbols, in_path, plain) in fields.items():
            norm = 1.0 - B + B * files[path].facts.length / average
            frequency = (text + SYMBOL_WEIGHT * symbols) / norm + PATH_WEIGHT * in_path
            gain = idf * frequency * (K1 + 1.0) / (frequency + K1)
            tally = tallies.get(path)
            if tally is None:
                tally = tallies[path] = _Tally()
            tally.words += gain
            tally.idf += idf
            if in_path:
                tally.in_path.append((gain, first))
            if plain:
                tally.in_text.append((gain, first, int(plain)))
    return concepts


def _score_definitions(
    files: Mapping[str, IndexedFile],
    query: Query,
    postings: Mapping[str, Sequence[Posting]],
    tallies: dict[str, _Tally],
) -> dict[str, float]:
    """Score by the names that the task writes exactly as a file defines them; a name that many define proves little."""
    qualified = {".".join(parts[-2:]) for parts in query.dotted if len(parts) > 1}
    scores: dict[str, float] = {}
    for name in query.names:
        exact: dict[str, bool] = {}
        for posting in postings.get(name.text.lower(), ()):
            if posting.symbols:
                found = [symbol for symbol in files[posting.path].facts.symbols if symbol.name == name.text]
                found = [symbol for symbol in found if symbol.kind != "heading"]
                if found:
                    exact[posting.path] = any(_ends(symbol.qualified, qualified) for symbol in found)
        gain = math.log((len(files) + 1.0) / len(exact)) if exact else 0.0
        for path, qualifies in exact.items():
            certain = name.certain or qualifies
            factor = (1.0 if certain else PROSE_NAME) * (2.0 if qualifies else 1.0)
            scores[path] = scores.get(path, 0.0) + gain * factor
            if certain:
                tallies.setdefault(path, _Tally()).defines.append(name.text)
    return scores


def _votes(
    files: Mapping[str, IndexedFile], tallies: Mapping[str, _Tally], kinds: Mapping[str, Kind]
) -> dict[str, Vote]:
    """What the tests that hold the task's words are tests of."""
    tests = [(path, round(tally.words, DECIMALS)) for path, tally in tallies.items() if kinds[path] == "test"]
    tests.sort(key=lambda item: (-item[1], item[0]))
    return votes(tests, files, lambda path: kind_of(path, files[path].flag) == "source")


def _ends(qualified: str, wanted: set[str]) -> bool:
    return ".".join(qualified.split(".")[-2:]) in wanted


def _hit(file: IndexedFile, kind: Kind, score: float, mention: Mention | None, vote: Vote | None, tally: _Tally) -> Hit:
    in_path = sorted(tally.in_path, key=lambda item: (-round(item[0], DECIMALS), item[1]))
    in_text = sorted(tally.in_text, key=lambda item: (-round(item[0], DECIMALS), item[1]))
    return Hit(
        file,
        kind,
        score,
        round(tally.idf, DECIMALS),
        mention,
        vote,
        tuple(dict.fromkeys(tally.defines)),
        tuple(word for _, word in in_path),
        tuple((word, times) for _, word, times in in_text),
    )
