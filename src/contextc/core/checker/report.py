"""What the checker says: objections, and apart from them what it could not settle."""

from __future__ import annotations

from msgspec import Struct

#: The most findings of one code in a report. A bundle that is damaged throughout would otherwise repeat one
#: sentence a hundred thousand times; the last finding says how many more there are.
PER_CODE = 20


class Finding(Struct, frozen=True):
    """One thing that is not as it must be.

    `code` is a stable name: `L1` ... `L8` for the rules of a legal bundle, then `envelope`, `pricing`, `trace...`,
    `witness...` (docs/checker.md lists them). `path` is the place in the outcome, like `$.bundle.items[3]`.
    """

    code: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.code} at {self.path}: {self.message}"


class Report(Struct, frozen=True):
    """The verdict. No findings: the outcome is valid, as far as `unverified` does not say otherwise.

    `unverified` names what a bounded check did not settle; it is neither an objection nor a nod.
    """

    findings: tuple[Finding, ...] = ()
    unverified: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether there is no objection."""
        return not self.findings

    @property
    def settled(self) -> bool:
        """Whether every claim was settled one way or the other."""
        return not self.unverified


class Notes:
    """Collects findings in the order they are met, at most `PER_CODE` of each code."""

    def __init__(self) -> None:
        self._found: list[Finding] = []
        self._open: list[Finding] = []
        self._count: dict[str, int] = {}

    def object(self, code: str, path: str, message: str) -> None:
        """Something is wrong."""
        self._count[code] = self._count.get(code, 0) + 1
        if self._count[code] <= PER_CODE:
            self._found.append(Finding(code, path, message))

    def leave_open(self, code: str, path: str, message: str) -> None:
        """Something could not be settled within the bounds of the checker."""
        self._open.append(Finding(code, path, message))

    def __len__(self) -> int:
        return sum(self._count.values())

    def take(self, other: Notes) -> None:
        """Adds everything another collector has."""
        for finding in other._found:
            self.object(finding.code, finding.path, finding.message)
        for code, count in other._count.items():
            self._count[code] += count - min(count, PER_CODE)
        self._open.extend(other._open)

    def report(self) -> Report:
        """The report of everything collected."""
        more = [
            Finding(code, "$", f"and {count - PER_CODE} more like this")
            for code, count in sorted(self._count.items())
            if count > PER_CODE
        ]
        return Report(findings=(*self._found, *more), unverified=tuple(self._open))
