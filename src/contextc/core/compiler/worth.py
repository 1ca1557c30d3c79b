"""What a selection is worth under policy v2, in integers.

    worth(S) = sum over items of       W[band] * F[form_rank] * relevance
             + sum over covered keys of W[strongest band of any candidate with the key] * COVERAGE

The unit is a twenty-millionth: relevance is taken in millionths and F in twentieths. Two rules take worth away:
an optional item below the least discretionary relevance is worth its coverage alone, and a pointer (form_rank 0) that
depends on nothing points at nothing in the bundle and is worth nothing at all.
"""

from __future__ import annotations

from contextc.core.compiler.needs import Needs
from contextc.core.compiler.pool import PREFERRED, Pool

#: A band counts four times the next one, so that four items of equal size and relevance weigh one stronger item.
BAND_WEIGHT = (64, 16, 4, 1)
#: By form_rank, in twentieths: a pointer .25, an anchor or outline .5, a compact or focused form .8, the full text 1.
FORM_WEIGHT = (5, 10, 16, 20)
#: Relevance is rounded to millionths, so that worth is exact.
RELEVANCE_SCALE = 1_000_000
#: A newly covered key is worth a quarter of a full item of its band at relevance 1.
COVERAGE = 5 * RELEVANCE_SCALE


class Worth:
    """Worth by component: of its own items, and of the keys (numbered) that they cover."""

    __slots__ = ("key", "keys", "own")

    def __init__(self, pool: Pool, needs: Needs) -> None:
        values = item_values(pool)
        self.own: list[int] = [values[m[0]] if len(m) == 1 else sum([values[i] for i in m]) for m in needs.members]
        number: dict[str, int] = {}
        strongest: list[int] = []
        self.keys: list[tuple[int, ...]] = [()] * len(needs.members)
        for i, candidate in enumerate(pool.candidates):
            if not candidate.coverage_keys:
                continue
            band = pool.band[i]
            for key in candidate.coverage_keys:
                at = number.setdefault(key, len(strongest))
                if at == len(strongest):
                    strongest.append(band)
                elif band < strongest[at]:
                    strongest[at] = band
            if not points_at_nothing(pool, i):
                c = needs.comp[i]
                mine = [number[key] for key in candidate.coverage_keys]
                self.keys[c] = tuple(dict.fromkeys([*self.keys[c], *mine]))
        self.key: list[int] = [BAND_WEIGHT[band] * COVERAGE for band in strongest]


def item_values(pool: Pool) -> list[int]:
    """Worth of each candidate by itself, coverage left out."""
    floor = pool.policy.min_discretionary_relevance
    return [
        0
        if (band >= PREFERRED and c.relevance < floor) or (c.form_rank == 0 and not c.depends_on)
        else BAND_WEIGHT[band]
        * FORM_WEIGHT[c.form_rank if c.form_rank < 3 else 3]
        * round(c.relevance * RELEVANCE_SCALE)
        for c, band in zip(pool.candidates, pool.band, strict=True)
    ]


def points_at_nothing(pool: Pool, i: int) -> bool:
    """A pointer whose target is not in the bundle: it would have to be a dependency to be there for sure."""
    candidate = pool.candidates[i]
    return candidate.form_rank == 0 and not candidate.depends_on
