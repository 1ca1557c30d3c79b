"""The records of one compilation, looked up by id: all that explanations know."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from contextc.core.explain.words import NOUNS, amount, plain
from contextc.core.records.answer import Note
from contextc.core.records.candidate import BAND_RANK, Candidate
from contextc.core.records.outcome import Witness
from contextc.core.records.pricing import Pricing
from contextc.core.records.trace import Trace, TraceEntry


class View:
    """Entries, candidates and notes by id. Only the trace must be there; the more is given, the more can be said."""

    def __init__(
        self,
        trace: Trace | None,
        *,
        candidates: Iterable[Candidate] = (),
        notes: Mapping[str, Note] | None = None,
        pricing: Pricing | None = None,
        witness: Witness | None = None,
    ) -> None:
        self.policy_version = trace.policy_version if trace else ""
        self.entries: dict[str, TraceEntry] = {entry.candidate_id: entry for entry in (trace.entries if trace else ())}
        self.candidates: dict[str, Candidate] = {candidate.candidate_id: candidate for candidate in candidates}
        self.groups: dict[str, list[str]] = {}
        for candidate in self.candidates.values():
            if candidate.group_required and candidate.group_id is not None:
                self.groups.setdefault(candidate.group_id, []).append(candidate.candidate_id)
        self.notes: Mapping[str, Note] = notes or {}
        self.pricing = pricing
        self.witness = witness
        self.forms: dict[str, list[TraceEntry]] = {}
        for entry in self.entries.values():
            self.forms.setdefault(entry.content_identity, []).append(entry)
        self.items: list[TraceEntry] = sorted(
            [entry for entry in self.entries.values() if entry.position is not None], key=_position
        )

    def name(self, candidate_id: str) -> str:
        """A candidate as a person knows it: path and form where there is a note, else its id."""
        note = self.notes.get(candidate_id)
        return plain(candidate_id if note is None else f"{note.path} ({self.form(candidate_id) or note.form})")

    def form(self, candidate_id: str) -> str:
        """The name of a candidate's form; empty when neither trace nor candidates know it."""
        entry, candidate = self.entries.get(candidate_id), self.candidates.get(candidate_id)
        return entry.representation_id if entry else candidate.representation_id if candidate else ""

    def place(self, candidate_id: str) -> str:
        """The path of a candidate where there is a note, else its id: a content without its form."""
        note = self.notes.get(candidate_id)
        return plain(candidate_id if note is None else note.path)

    def amount(self, units: int) -> str:
        """A number of units in words: units are tokens unless the pricing says otherwise."""
        return amount(units, NOUNS[self.pricing.unit] if self.pricing else "token")

    def tokens(self, candidate_id: str) -> int | None:
        """What an item costs in the rendering, in tokens; its declared count without a pricing; None if unknown."""
        if self.pricing is not None and candidate_id in self.pricing.items:
            return self.pricing.tokens(self.pricing.items[candidate_id])
        candidate = self.candidates.get(candidate_id)
        return None if candidate is None else candidate.token_count

    def priced(self, candidate_id: str) -> str:
        """`name (1,234 tokens)`."""
        tokens = self.tokens(candidate_id)
        return self.name(candidate_id) if tokens is None else f"{self.name(candidate_id)}: {amount(tokens)}"

    def holder(self, content_identity: str) -> TraceEntry | None:
        """The admitted form of a content."""
        admitted = [entry for entry in self.forms.get(content_identity, []) if entry.decision == "ADMITTED"]
        return admitted[0] if admitted else None

    def needs(self, candidate_id: str) -> Iterator[str]:
        """Everything a candidate depends on, directly or not, and the members of its required groups; not itself."""
        seen = {candidate_id}
        waiting = deque([candidate_id])
        while waiting:
            name = waiting.popleft()
            for needed in self._direct(name):
                if needed not in seen:
                    seen.add(needed)
                    waiting.append(needed)
                    yield needed

    def _direct(self, candidate_id: str) -> Iterator[str]:
        entry = self.entries.get(candidate_id)
        candidate = self.candidates.get(candidate_id)
        yield from candidate.depends_on if candidate else entry.dependency_closure if entry else ()
        if candidate and candidate.group_required and candidate.group_id is not None:
            yield from self.groups[candidate.group_id]

    def obligation(self, name: str, ids: Iterable[str]) -> str:
        """What a witness calls an obligation, in words: a content is called by the path of a candidate among `ids`."""
        if name in self.notes:
            return self.name(name)
        for candidate_id in ids:
            candidate, entry = self.candidates.get(candidate_id), self.entries.get(candidate_id)
            known = candidate.content_identity if candidate else entry.content_identity if entry else None
            if known == name and candidate_id in self.notes:
                return self.place(candidate_id)
        return plain(name)


def band_rank(entry: TraceEntry) -> int:
    """Bands in order of strength; a band nobody knows comes last."""
    return BAND_RANK.get(entry.priority_band, len(BAND_RANK))


def _position(entry: TraceEntry) -> int:
    return -1 if entry.position is None else entry.position
