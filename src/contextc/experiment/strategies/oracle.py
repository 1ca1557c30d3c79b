"""`oracle`: reads the ledger, so it is a ceiling and not a usable strategy (construction experiment, section 5).

Where the rules are silent it keeps to the gates: a form whose closure or required group holds something that is not
legal is no form at all. A *must* of a strong band without any form left is refused, every other one is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable

from contextc.core.records.candidate import Candidate
from contextc.core.records.outcome import FailureReason
from contextc.core.records.trace import TraceEntryV1
from contextc.experiment.cost import rendered_tokens
from contextc.experiment.ledger import Label, Labels
from contextc.experiment.strategies.base import Choice, Problem, lay_out
from contextc.experiment.strategies.common import effective_band, is_legal
from contextc.experiment.traces import entry_of, missing_entry


def oracle(problem: Problem) -> Choice:
    """Take what the labels ask for, at the least form that is enough, and nothing else."""
    by_id = {candidate.candidate_id: candidate for candidate in problem.candidates}
    missing = [name for name in problem.request.required_ids if name not in by_id]
    if missing:
        return Choice(reason="REQUIRED_SOURCE_UNAVAILABLE", entries=tuple(missing_entry(name) for name in missing))
    search = _Search(problem, by_id)
    if search.mandatory_without_form():
        return Choice(reason="NO_LEGAL_REPRESENTATION", entries=())
    reason = search.take("must") or search.take("should")
    if reason is not None:
        return Choice(reason=reason, entries=search.entries(search.selected))
    return Choice(items=lay_out(search.selected, problem), entries=search.entries(by_id))


class _Search:
    """The selection as it grows, identity by identity."""

    def __init__(self, problem: Problem, by_id: dict[str, Candidate]) -> None:
        if problem.labels is None:
            raise TypeError("the oracle is registered with sees_labels")
        self._problem = problem
        self._labels: Labels = problem.labels
        self._by_id = by_id
        self.selected: dict[str, None] = {}

    def mandatory_without_form(self) -> bool:
        """Whether some content has a MANDATORY candidate but no legal form."""
        candidates = self._problem.candidates
        legal = {c.content_identity for c in candidates if is_legal(c)}
        return any(c.requirement == "MANDATORY" and c.content_identity not in legal for c in candidates)

    def take(self, label: Label) -> FailureReason | None:
        """Add every identity with this label that fits; a *must* that cannot be had gives the reason of a refusal."""
        for identity in self._labels.identities(label):
            if any(self._by_id[name].content_identity == identity for name in self.selected):
                continue
            forms = self._forms(identity)
            if not forms:
                if label == "must" and self._is_obligation(identity):
                    return self._why_none(identity)
                continue
            form = min(forms, key=lambda c: (c.token_count, c.candidate_id))
            grown = dict.fromkeys([*self.selected, *self._unit(form)])
            if rendered_tokens(self._problem.pricing, grown) <= self._problem.request.usable_token_budget:
                self.selected = grown
            elif label == "must":
                return "INSUFFICIENT_BUDGET"
        return None

    def entries(self, shown: Iterable[str]) -> tuple[TraceEntryV1, ...]:
        """The trace of the candidates shown."""
        rows = []
        for name in sorted(shown):
            admitted = name in self.selected
            detail = "baseline admission" if admitted else "baseline rejection"
            rows.append(entry_of(self._by_id[name], self._problem, admitted=admitted, detail=detail))
        return tuple(rows)

    def _forms(self, identity: str) -> list[Candidate]:
        """Legal forms of an identity at the ledger's minimum, or all legal ones when none is."""
        legal = [
            c for c in self._problem.candidates if c.content_identity == identity and self._all_legal(self._unit(c))
        ]
        minimum = self._labels.minimum_form.get(identity, "")
        return [c for c in legal if c.representation_id == minimum] or legal

    def _unit(self, form: Candidate) -> list[str]:
        """The closure of a form, or of all members of its required group in ascending id."""
        start = [form.candidate_id]
        if form.group_required and form.group_id is not None:
            members = (c for c in self._problem.candidates if c.group_required and c.group_id == form.group_id)
            start = sorted(c.candidate_id for c in members)
        found: dict[str, None] = {}
        stack = start[::-1]
        while stack:
            name = stack.pop()
            if name not in found:
                found[name] = None
                stack.extend(reversed(self._by_id[name].depends_on))
        return list(found)

    def _why_none(self, identity: str) -> FailureReason:
        """Why an obligation has no form: its group is broken, none is legal, or what it needs is not."""
        forms = [c for c in self._problem.candidates if c.content_identity == identity]
        if any(c.group_required for c in forms):
            return "UNRESOLVED_REQUIRED_GROUP"
        return "UNSATISFIED_DEPENDENCY" if any(is_legal(c) for c in forms) else "REQUIRED_INELIGIBLE"

    def _all_legal(self, ids: Iterable[str]) -> bool:
        return all(is_legal(self._by_id[name]) for name in ids)

    def _is_obligation(self, identity: str) -> bool:
        forms = (c for c in self._problem.candidates if c.content_identity == identity)
        return any(effective_band(c, self._problem) in ("MANDATORY", "REQUIRED") for c in forms)
