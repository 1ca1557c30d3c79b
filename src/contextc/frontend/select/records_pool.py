"""Candidates from what the records of a repository say: issues, milestones, rules, decisions, notes, and pointers to
what is out. Code and tests that the records lead to are ranked with all other files (`lifted`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import structs

from contextc.core.records.answer import LeftOut
from contextc.core.records.candidate import Band
from contextc.core.records.devcontext import ContextEntry, Discovery, Excluded, Tier
from contextc.core.records.layer import LayerObject, scalar_text
from contextc.core.render.base import Piece
from contextc.frontend.index import IndexView, split_lines
from contextc.frontend.select.candidates import Builder
from contextc.frontend.select.forms import Shown, anchor, focused, full, outline, reference, title_of
from contextc.frontend.select.kinds import kind_of
from contextc.frontend.select.places import Matcher
from contextc.frontend.select.records import Records
from contextc.frontend.select.weights import (
    ANCHOR_SHARE,
    BAND_RATIO,
    FOCUSED_SIZES,
    IN_SCOPE,
    LARGE_RULE,
    LEAST_WORTH,
    NEARLY_ALL,
    OUTLINE_SHARE,
    PREFERRED_FROM,
)
from contextc.frontend.sources import display_path, secret_content

#: What an entry is worth is its relevance squared, so that what is two steps away counts clearly less, times this:
#: how much of a tier a piece of work usually turns out to need.
TIER_WORTH: dict[Tier, float] = {
    "task": 1.0,
    "governance": 1.0,
    "source": 1.0,
    "decision": 0.9,
    "knowledge": 0.6,
    "history": 0.4,
}
#: Bytes of all optional records that are shown whole; of the others an anchor is offered.
MOST_RECORD_BYTES = 400_000
#: Optional records that are candidates at all, the most relevant first.
MOST_RECORDS = 150
#: Things that are out and recorded as candidates, so that a trace can say why.
MOST_OUT = 60
#: Where an entry stands in the layout.
_ROLES: dict[Tier, str] = {
    "task": "task",
    "governance": "instruction",
    "source": "evidence",
    "decision": "support",
    "knowledge": "support",
    "history": "support",
}
#: Fields in which two versions of a thing can disagree.
_DISPUTED = ("class", "status", "title", "statement", "description")


class Lift(NamedTuple):
    """How much a file of code is worth at least because records lead to it, and whether it was named itself."""

    worth: float
    required: bool


def lifted(records: Records, view: IndexView) -> dict[str, Lift]:
    """The code and tests that the records lead to, by path in the snapshot."""
    found: dict[str, Lift] = {}
    by_name = _by_name(view)
    for entry in records.answer.selected:
        one = records.objects.get(entry.uri)
        code = entry.tier == "source" or entry.kind in ("implementation", "test", "file")
        path = by_name.get(records.prefix + entry.provenance.path)
        if path is None or not code or (one is not None and one.member is not None):
            continue
        below = all(way.selector == "scope_path" and way.via != entry.provenance.path for way in entry.discovered_by)
        worth = IN_SCOPE if below else entry.relevance**2
        before = found.get(path, Lift(0.0, False))
        found[path] = Lift(max(worth, before.worth), entry.required or before.required)
    return found


class RecordsPool:
    """Adds records to a builder. `named` are paths that the task names by themselves."""

    def __init__(self, builder: Builder, view: IndexView, records: Records, matcher: Matcher, budget: int) -> None:
        self._builder = builder
        self._view = view
        self._records = records
        self._matcher = matcher
        self._budget = budget
        self._by_name = _by_name(view)
        self._left = MOST_RECORD_BYTES
        self._optional = 0
        self._full_ids: dict[str, str] = {}

    def add(self, named: Sequence[str], lifts: Iterable[str]) -> None:
        """Add what is given and what is out; paths in `lifts` are added elsewhere."""
        code = set(lifts)
        groups = self._version_groups()
        for entry in self._records.answer.selected:
            path = self._path(entry.provenance.path)
            if path in code or (path is not None and path in self._builder.paths and not self._is_member(entry.uri)):
                continue
            self._add_entry(entry, named, groups.get(entry.uri, ""))
        for row in self._records.answer.excluded:
            self._add_excluded(row, named, groups.get(row.uri, ""))
        self._connect()
        self._group(groups)

    def tell(self) -> None:
        """Put before the reasons of every candidate how the records lead to it."""
        reasons: dict[str, tuple[str, ...]] = {}
        for entry in self._records.answer.selected:
            if not self._is_member(entry.uri):
                name = self._records.prefix + entry.provenance.path
                reasons[name] = reasons.get(name, ()) + discovered(entry)
        for name, note in self._builder.notes.items():
            said = reasons.get(note.path, ())
            if said:
                self._builder.notes[name] = structs.replace(note, why=tuple(dict.fromkeys((*said, *note.why))))

    def leave_out(self) -> None:
        """Name what lies just too far away and became no candidate otherwise."""
        known = {note.path for note in self._builder.notes.values()}
        for row in self._records.answer.excluded:
            one = self._records.objects.get(row.uri)
            name = self._name(one) if one is not None else row.uri
            if row.reason in ("relevance", "depth") and name not in known:
                known.add(name)
                self._builder.left_out.append(LeftOut(path=name, reason=row.reason, detail=row.detail))

    def _add_entry(self, entry: ContextEntry, named: Sequence[str], group: str) -> None:
        one = self._records.objects.get(entry.uri)
        path = self._path(entry.provenance.path)
        by_path = path is not None and path in named
        band, share = _band(entry, by_path)
        optional = band not in ("MANDATORY", "REQUIRED")
        if optional and not group:
            self._optional += 1
            if share <= 0.0 or self._optional > MOST_RECORDS:
                self._leave(entry, "relevance", "less relevant than what there is room for")
                return
        if entry.uri.startswith("local:"):
            self._add_local(entry, band, share)
            return
        text, faults = self._text(one, path)
        if text is None:
            if optional and not faults:
                self._leave(entry, "named only", "a name in the records, without a text in the repository")
                return
            self._put(entry, reference(faults or "no text of it can be read"), band, 0.0, authority=faults or "unread")
            return
        for shown, worth in self._forms(one, path, text, optional and not group, whole=bool(group)):
            self._put(entry, shown, band, share * worth, total=len(split_lines(text)))

    def _forms(
        self, one: LayerObject | None, path: str | None, text: str, optional: bool, *, whole: bool
    ) -> list[tuple[Shown, float]]:
        """The forms of a record, with the share of its worth that each has."""
        lines = split_lines(text)
        if one is not None and (one.member is not None or path is None):
            return [(_of_member(one, lines), 1.0)]
        made = [(full(lines, ()), 1.0)]
        file = self._view.file(path) if path is not None else None
        if file is None or whole:
            return made
        size = file.facts.size
        if size > LARGE_RULE:
            made += self._smaller(path or "", lines, size)
        if optional:
            self._left -= size
            made = ([] if self._left < 0 else made) + [(anchor(file.facts, lines), ANCHOR_SHARE)]
        return made

    def _smaller(self, path: str, lines: list[str], size: int) -> list[tuple[Shown, float]]:
        file = self._view.file(path)
        if file is None:
            return []
        made: list[tuple[Shown, float]] = []
        blocks = self._matcher.score(file, lines, ())
        for name, part in FOCUSED_SIZES:
            form = focused(name, file.facts, lines, blocks, int(self._budget * 3 * part), neighbours=False)
            if (
                form is not None
                and len(form.text) < NEARLY_ALL * size
                and all(form.ranges != f.ranges for f, _ in made)
            ):
                made.append((form, form.share))
        signs = outline(file.facts, lines)
        if signs is not None and len(signs.text) < NEARLY_ALL * size:
            made.append((signs, OUTLINE_SHARE))
        return made

    def _add_local(self, entry: ContextEntry, band: Band, share: float) -> None:
        action = entry.facts.get("next_action", "")
        said = f"the record is kept by this checkout alone; {entry.status or 'unknown'} against HEAD"
        shown = Shown(
            "anchor", "anchor", (), (), 0.0, frozenset(), f"{said}; next action: {action}" if action else said
        )
        self._put(entry, shown, band, share, role="state", kind=entry.kind.removeprefix("local-"))

    def _add_excluded(self, row: Excluded, named: Sequence[str], group: str) -> None:
        """Pointers to what is superseded or stale; of two versions in conflict, the other one."""
        one = self._records.objects.get(row.uri)
        if one is None or row.reason not in ("superseded", "stale"):
            return
        path = self._path(one.path)
        if group:
            self._add_entry(_as_entry(one, row), named, group)
            return
        if (path is not None and path in (*self._builder.paths, *named)) or len(self._full_ids) > MOST_OUT * 10:
            return
        successor = self._records.successors.get(row.uri, "")
        why = f"{row.reason}: {row.detail}"
        if successor and successor not in why:
            why = f"{why}; replaced by {successor}"
        self._builder.add(
            self._name(one),
            reference(why),
            band="DISCRETIONARY",
            role=_ROLES[row.tier],
            kind=one.kind,
            relevance=0.0,
            why=(f"{row.uri}, {provenance(one)}", why),
            title=one.title or "",
            freshness=why,
        )

    def _version_groups(self) -> dict[str, str]:
        """The name of the group of each version that is in conflict with another that is in force."""
        given = {entry.uri for entry in self._records.answer.selected}
        found: dict[str, str] = {}
        for conflict in self._records.answer.conflicts:
            against = self._records.objects.get(conflict.against)
            stale = any(row.uri == conflict.against and row.reason == "stale" for row in self._records.answer.excluded)
            gone = against is None or against.status in ("deprecated", "superseded", "rejected", "archived")
            if conflict.kind == "version" and conflict.current in given and not stale and not gone:
                name = f"versions:{conflict.current.rpartition('@')[0]}"
                found[conflict.current] = found[conflict.against] = name
        return found

    def _group(self, groups: dict[str, str]) -> None:
        """Members of a group are present together or not at all, and say what they disagree in."""
        for uri, name in groups.items():
            own = self._full_ids.get(uri)
            others = [other for other in groups if other != uri and groups[other] == name and other in self._full_ids]
            if own is None or not others:
                continue
            words = "; ".join(_disagreement(self._records.objects[uri], self._records.objects[o]) for o in others)
            band = min(
                (self._builder.candidates[self._full_ids[o]].requirement for o in (uri, *others)),
                key=("MANDATORY", "REQUIRED", "PREFERRED", "DISCRETIONARY").index,
            )
            together = tuple(self._builder.blocks[self._full_ids[other]].path for other in others)
            self._builder.candidates[own] = structs.replace(
                self._builder.candidates[own], group_id=name, group_required=True, requirement=band
            )
            block, note = self._builder.blocks[own], self._builder.notes[own]
            remark = "; ".join(part for part in (block.remark, words) if part)
            self._builder.blocks[own] = structs.replace(block, group=together, remark=remark)
            self._builder.notes[own] = structs.replace(note, remark=remark)

    def _connect(self) -> None:
        """A rule needs the rules that it rests on, where both are candidates and may be given."""
        for uri, targets in self._records.needs.items():
            needed = [self._full_ids[target] for target in targets if target in self._full_ids]
            needed = [name for name in needed if _eligible(self._builder, name)]
            for name, candidate in list(self._builder.candidates.items()):
                if needed and uri in self._full_ids and candidate.content_identity == self._identity(uri):
                    self._builder.candidates[name] = structs.replace(candidate, depends_on=tuple(sorted(set(needed))))

    def _identity(self, uri: str) -> str:
        return self._builder.candidates[self._full_ids[uri]].content_identity

    def _put(
        self,
        entry: ContextEntry,
        shown: Shown,
        band: Band,
        relevance: float,
        *,
        role: str = "",
        kind: str = "",
        total: int = 0,
        authority: str = "",
    ) -> None:
        one = self._records.objects.get(entry.uri)
        name = self._name(one) if one is not None else self._path(entry.provenance.path) or entry.provenance.path
        file = self._view.file(name)
        self._builder.add(
            name,
            shown,
            band=band,
            role=role or _ROLES[entry.tier],
            kind=kind or ("decision" if entry.kind == "adr" else _kind(entry.kind, name)),
            relevance=relevance,
            why=discovered(entry),
            title=entry.title or (title_of(file.facts, split_lines(self._view.text(name))) if file is not None else ""),
            language=file.facts.language if file is not None else "",
            total_lines=total,
            remark=file.facts.remark if file is not None else "",
            authority=authority,
            default=shown.form == "full",
        )
        if shown.form == "full" or entry.uri not in self._full_ids:
            self._full_ids[entry.uri] = next(reversed(self._builder.candidates))

    def _leave(self, entry: ContextEntry, reason: str, detail: str) -> None:
        one = self._records.objects.get(entry.uri)
        name = self._name(one) if one is not None else entry.uri
        self._builder.left_out.append(LeftOut(path=name, reason=reason, detail=detail))

    def _text(self, one: LayerObject | None, path: str | None) -> tuple[str | None, str]:
        """The text of a record, and why it may not be shown."""
        if one is not None and (one.member is not None or path is None):
            hidden = secret_content(one.content)
            unread = self._hidden(one.path)
            if hidden is not None or unread:
                return None, unread or "secret: its text holds one"
            return (one.content if one.content.endswith("\n") else f"{one.content}\n"), ""
        if path is None or self._view.file(path) is None:
            return None, self._hidden(one.path) if one is not None else ""
        return self._view.text(path), ""

    def _hidden(self, path: str) -> str:
        """Why a listed file has no text in the index."""
        name = self._records.prefix + path
        for item in self._view.left_out:
            if display_path(item.path) == name:
                return f"{item.reason}: {item.detail}".removesuffix(": ")
        return ""

    def _is_member(self, uri: str) -> bool:
        one = self._records.objects.get(uri)
        return one is not None and one.member is not None

    def _path(self, path: str) -> str | None:
        """The file of the snapshot that a path of the layer is."""
        return self._by_name.get(self._records.prefix + path)

    def _name(self, one: LayerObject) -> str:
        """What a record is called: its path, with the member where a file holds several."""
        if one.member is not None:
            return f"{self._records.prefix}{one.path}#{one.member}"
        return self._path(one.path) or (one.path if ":" in one.path else self._records.prefix + one.path)


def discovered(entry: ContextEntry) -> tuple[str, ...]:
    """What an entry is, and every way in which it was found."""
    origin = entry.provenance
    section = f", section {origin.section}" if origin.section else ""
    return (
        f"{entry.uri}, from {origin.path} of the class {origin.source_class}{section}",
        *(_way(found) for found in entry.discovered_by),
    )


def provenance(one: LayerObject) -> str:
    """Where an object comes from."""
    return f"from {one.path} of the class {one.source_class}"


def _way(found: Discovery) -> str:
    edge = f" by {found.edge}" if found.edge else ""
    via = f" of {found.via}" if found.via else ""
    return f"{found.selector}{edge}{via}: {found.reason}"


def _band(entry: ContextEntry, by_path: bool) -> tuple[Band, float]:
    """The band of an entry and its relevance there: what binds the work is an obligation of the first band, what was
    named one of the second; the rest by its worth, on the scale of files (`weights`)."""
    if entry.required:
        return ("MANDATORY" if entry.tier == "governance" else "REQUIRED"), 1.0
    if by_path:
        return "REQUIRED", 1.0
    worth = entry.relevance**2 * TIER_WORTH[entry.tier]
    if worth < LEAST_WORTH:
        return "DISCRETIONARY", 0.0
    return ("PREFERRED", worth) if worth >= PREFERRED_FROM else ("DISCRETIONARY", min(1.0, worth * BAND_RATIO))


def _of_member(one: LayerObject, lines: list[str]) -> Shown:
    """A record that is no file of its own, whole."""
    what = f"{one.member} of {one.path}" if one.member is not None else one.path
    pieces = (Piece(first=1, last=len(lines), text="".join(lines)),) if lines else ()
    ranges = ((1, len(lines)),) if lines else ()
    return Shown("full", "full", pieces, ranges, 1.0, frozenset(), f"the record {what}; lines are counted within it")


def _as_entry(one: LayerObject, row: Excluded) -> ContextEntry:
    """The other version of a conflict, as if it were given."""
    from contextc.core.records.devcontext import EntryProvenance

    return ContextEntry(
        uri=one.uri,
        kind=one.kind,
        title=one.title,
        provenance=EntryProvenance(
            path=one.path, directory=one.directory, source_class=one.source_class, section=one.section, bytes=one.bytes
        ),
        tier=row.tier,
        relevance=row.relevance,
        confidence=1.0,
        discovered_by=(
            Discovery(selector="relation", reason=f"in conflict: {row.detail}", depth=0, confidence=1.0, weight=1.0),
        ),
        depth=0,
        cost_tokens=row.cost_tokens,
        cost_bytes=one.cost_bytes,
        required=False,
    )


def _disagreement(one: LayerObject, other: LayerObject) -> str:
    """In which fields two versions of one thing differ, in words."""
    differ = []
    for field in _DISPUTED:
        here, there = scalar_text(one.metadata.get(field)), scalar_text(other.metadata.get(field))
        if here != there:
            differ.append(f"{field} is {here or 'not given'!r} here and {there or 'not given'!r} there")
    said = "; ".join(differ) or "their texts differ"
    return f"in conflict with {other.uri}, and both are in force: {said}"


def _kind(kind: str, name: str) -> str:
    return kind_of(name) if kind in ("implementation", "file", "test") else kind


def _eligible(builder: Builder, name: str) -> bool:
    one = builder.candidates[name]
    return one.scope_eligible and one.freshness_eligible and one.authority_eligible


def _by_name(view: IndexView) -> dict[str, str]:
    return {display_path(file.path): file.path for file in view.files}
