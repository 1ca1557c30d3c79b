"""From what is written to what is meant: short names, paths, and names that more than one record claims."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from contextc.core.records.layer import IndexDiagnostic, Relation
from contextc.frontend.ordinary.base import Draft, Link, path_identity, plain_id, remark
from contextc.frontend.sources import display_path

SCHEME = "contextc"


class Identities(NamedTuple):
    """The identity of each draft in order, the identifiers that several records claim, and what is wrong with them."""

    names: Sequence[str]
    contested: Mapping[str, tuple[str, ...]]
    diagnostics: Sequence[IndexDiagnostic]


def identities(drafts: Sequence[Draft]) -> Identities:
    """An identity of its own for each draft. Records that claim one id go by their paths; their short name is refused.

    Two records of one collection are at fault; the same number in two collections is only ambiguous.
    """
    claims: dict[tuple[str, str], list[Draft]] = {}
    for draft in drafts:
        if draft.id:
            claims.setdefault((draft.kind, draft.id.casefold()), []).append(draft)
    contested: dict[str, tuple[str, ...]] = {}
    faults: list[IndexDiagnostic] = []
    for (kind, _), group in claims.items():
        if len(group) < 2:
            continue
        places = tuple(sorted(draft.place for draft in group))
        for draft in group:
            for name in dict.fromkeys((draft.id, draft.id.casefold(), draft.id.upper())):
                contested[f"{SCHEME}://{kind}/{name}"] = places
        same_shelf = len({draft.shelf for draft in group}) < len(group)
        for draft in group:
            others = " and ".join(place for place in places if place != draft.place) or draft.place
            message = f"the {kind} {draft.id} is also claimed by {others}; each goes by its path"
            faults.append(
                remark(draft.path, draft.line, "duplicate_identity", message, "error" if same_shelf else "info")
            )
    names = [
        draft.id
        if draft.id and len(claims[draft.kind, draft.id.casefold()]) == 1
        else path_identity(draft.path, draft.member)
        for draft in drafts
    ]
    return Identities(names, dict(sorted(contested.items())), faults)


class Names:
    """Every name in a layer. Letter case does not count in short names."""

    def __init__(
        self,
        drafts: Sequence[Draft],
        given: Sequence[str],
        listed: Set[str],
        folders: Set[str],
        links: Mapping[str, str],
    ) -> None:
        self._listed = listed
        self._folders = folders
        self._links = links
        self._table: dict[tuple[str, str], dict[str, Draft]] = {}
        self._identity = {id(draft): name for draft, name in zip(drafts, given, strict=True)}
        for draft, identity in zip(drafts, given, strict=True):
            for name in (draft.id, *draft.names):
                if name:
                    self._table.setdefault((draft.kind, name.casefold()), {})[identity] = draft

    def relation(self, draft: Draft, link: Link) -> Relation | None:
        """A link of a draft as a relation; None for one that says nothing."""
        wrong = ""
        for kind in link.kinds:
            if kind == "file":
                path = self.path(link.written, draft.path)
                if path is not None:
                    return Relation(link.edge, f"file:{display_path(path)}", link.field, "", link.backward)
                continue
            found = self.named(kind, link.written, draft.shelf)
            if not found:
                continue
            others = [one for one in found if one is not draft]
            if len(others) == 1:
                target = f"{kind}:{self._identity[id(others[0])]}"
                return Relation(link.edge, target, link.field, "", link.backward)
            if others:
                places = " and ".join(sorted(one.place for one in others))
                wrong = wrong or f"more than one {kind} is named so: {places}; give one of them another id"
            elif found:
                wrong = wrong or "a record that refers to itself; name another or remove it"
        if link.quiet:
            return None
        return Relation(link.edge, link.written, _where(link), wrong or self._correction(link), link.backward)

    def named(self, kind: str, text: str, shelf: str) -> list[Draft]:
        """Objects of a kind by a short name; those of the same collection when there are any."""
        known = self._table.get((kind, text.strip().casefold()))
        if known is None and not text.isalnum():
            known = self._table.get((kind, plain_id(text).casefold()))
        found = list(known.values()) if known else []
        return [one for one in found if one.shelf == shelf] or found

    def path(self, text: str, origin: str) -> str | None:
        """The listed file that a text names, from the root or from the directory of the file it stands in."""
        written = text.strip().partition("#")[0].removeprefix("./")
        if not written or written.startswith(("/", "~")) or "://" in written:
            return None
        for path in (written, posixpath.join(posixpath.dirname(origin), written)):
            path = posixpath.normpath(path)
            if path in self._listed:
                return self._links.get(path, path)
        return None

    def only_named(self, name: str) -> str | None:
        """The one listed file of that name, wherever it lies; None for a path, or where several have the name."""
        return self._by_name.get(name) if "/" not in name else None

    @cached_property
    def _by_name(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for path in self._listed:
            name = path.rpartition("/")[2]
            found[name] = None if name in found else path
        return found

    def folder(self, text: str) -> str | None:
        """The listed directory that a text names from the root."""
        path = posixpath.normpath(text.strip()) if text.strip() else ""
        return path if path in self._folders and path not in ("", ".") else None

    def _correction(self, link: Link) -> str:
        kinds = [kind for kind in link.kinds if kind != "file"]
        if not kinds:
            return "there is no such file; write its path from the root, or remove it"
        near = self._like(kinds[0], link.written)
        hint = f"; there is {near}" if near else ""
        article = "an" if kinds[0][0] in "aeiou" else "a"
        return f"add {article} {kinds[0]} of that id, or write the id of one that is there{hint}"

    def _like(self, kind: str, text: str) -> str:
        """A name of that kind with the same digits or letters, which may be the one that was meant."""
        wanted = _bones(text)
        if not wanted:
            return ""
        likely = {
            identity
            for (known, name), claims in self._table.items()
            if known == kind and _bones(name) == wanted
            for identity in claims
        }
        return min(likely, default="")


def _bones(text: str) -> str:
    digits = "".join(char for char in text if char.isdecimal()).lstrip("0")
    return digits or "".join(char for char in text.casefold() if char.isalnum())


def _where(link: Link) -> str:
    return f"{link.field} (line {link.line})" if link.line else link.field


def relations(names: Names, draft: Draft, links: Iterable[Link]) -> tuple[Relation, ...]:
    """All relations of a draft, each once, in a fixed order. What is declared is not mentioned besides."""
    found = {made for link in links if (made := names.relation(draft, link)) is not None}
    declared = {one.target for one in found if one.edge != "mentions"}
    kept = (one for one in found if one.edge != "mentions" or one.target not in declared)
    return tuple(sorted(kept, key=lambda one: (one.edge, one.target, one.field, one.correction, one.backward)))
