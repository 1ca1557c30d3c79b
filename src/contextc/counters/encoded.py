"""Exact token counts of a byte-pair encoding, by tiktoken, for texts of any length.

tiktoken splits a text into pieces by a regular expression and merges bytes within each piece. Two facts about the
expression of `o200k_base` (tiktoken, `openai_public.py`) let a text be counted in parts without changing the count.

1. **Cuts.** No piece reaches across a line feed that is followed by a sign that is neither blank nor a slash: only
   white space, line ends and slashes can follow a line end within a piece. And no piece before the cut depends on what
   follows it: the only look-ahead, `\\s+(?!\\S)`, is tried after `\\s*[\\r\\n]+`, which takes all white space up to
   the last line end of a run. So a long text is counted in chunks that end at cuts.
2. **Runs.** The look-ahead makes tiktoken step back through white space sign by sign, and past about a million signs
   it panics (a `BaseException`). Take a run of blanks without line ends that no line end follows. It starts a piece,
   because no piece holds white space before another blank but a run; and that piece is the run without its last sign,
   or the whole run at the end of the text. So a long run is counted as the one piece that it is, without the
   expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from contextc.core.records.pricing import Unit
from contextc.counters.delivered import delivered
from contextc.counters.vocabulary import load

if TYPE_CHECKING:
    from tiktoken import Encoding

#: The expression that splits a text into pieces, from `openai_public.py` of tiktoken. Special tokens are left out:
#: what looks like one in a file is text.
PATTERNS = {
    "o200k_base": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    )
}

#: Everything is one piece.
WHOLE = r"[\s\S]+"

#: White space of the expression (Unicode `White_Space`) but the two line ends.
BLANKS = r"\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

#: Where a text may be cut. Python's `\s` holds all that the expression's does, and four controls more.
CUT = re.compile(r"\n(?![\s/]|\Z)")

#: Signs after which the next cut is taken. Bounds the memory of a call; long enough that cuts cost nothing.
CHUNK = 100_000

#: Blanks in a row that are counted without the expression; tiktoken panics at ten times as many.
RUN = 100_000

#: Signs below which starting threads costs more than it gives.
WORTH_THREADS = 100_000
THREADS = 2
#: Batches a thread gets on average: some are done sooner than others.
BATCHES_PER_THREAD = 4


class TikTokens:
    """Tokens of an encoding that comes with contextc. One unit is one token."""

    unit: Unit = "tokens"

    def __init__(self, name: str, *, chunk: int = CHUNK, run: int = RUN) -> None:
        self._name = name
        self._chunk = chunk
        self._run = run
        self._long_run = re.compile(rf"(?<![{BLANKS}])[{BLANKS}]{{{run},}}+(?![\r\n])")

    @property
    def name(self) -> str:
        """The name of the encoding."""
        return self._name

    def measure(self, text: str) -> int:
        """Tokens of a text as it is delivered; a special token in it is text."""
        text = delivered(text)
        if len(text) <= min(self._chunk, self._run):
            return len(encoding(self._name).encode_ordinary(text))
        return sum(self._count(chunk) for chunk in self._chunks(text))

    def measure_many(self, texts: list[str]) -> list[int]:
        """`measure` of each text, in order. Equal texts are counted once, many signs by two threads."""
        distinct = list(dict.fromkeys(texts))
        if len(distinct) < 2 or sum(map(len, distinct)) < WORTH_THREADS:
            counted = {text: self.measure(text) for text in distinct}
        else:
            counted = self._by_threads(distinct)
        return [counted[text] for text in texts]

    def _by_threads(self, texts: list[str]) -> dict[str, int]:
        from concurrent.futures import ThreadPoolExecutor

        encoding(self._name)  # loaded here, so that no thread loads it again
        parts = THREADS * BATCHES_PER_THREAD
        batches = [texts[at::parts] for at in range(parts)]
        with ThreadPoolExecutor(THREADS) as pool:
            counts = pool.map(lambda batch: [self.measure(text) for text in batch], batches)
            return {
                text: count
                for batch, found in zip(batches, counts, strict=True)
                for text, count in zip(batch, found, strict=True)
            }

    def _chunks(self, text: str) -> Iterator[str]:
        start = 0
        while len(text) - start > self._chunk:
            cut = CUT.search(text, start + self._chunk)
            if cut is None:
                break
            yield text[start : cut.end()]
            start = cut.end()
        yield text[start:]

    def _count(self, chunk: str) -> int:
        ordinary = encoding(self._name).encode_ordinary
        if len(chunk) < self._run:
            return len(ordinary(chunk))
        tokens = start = 0
        for run in self._long_run.finditer(chunk):
            end = run.end() if run.end() == len(chunk) else run.end() - 1
            tokens += len(ordinary(chunk[start : run.start()]))
            tokens += len(encoding(self._name, WHOLE).encode_ordinary(chunk[run.start() : end]))
            start = end
        return tokens + len(ordinary(chunk[start:]))


@cache
def encoding(name: str, pattern: str | None = None) -> Encoding:
    """The encoding of a name, from the file that comes with contextc; nothing is ever downloaded."""
    import tiktoken

    tokens = load(name)
    ranks = dict(zip(tokens, range(len(tokens)), strict=True))
    return tiktoken.Encoding(name, pat_str=pattern or PATTERNS[name], mergeable_ranks=ranks, special_tokens={})
