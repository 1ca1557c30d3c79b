"""One record of a decision: number, title, status, date, and what it replaces or is replaced by.

Read are: front matter (MADR, Backlog.md), a section `## Status` (Nygard), and lines such as `Status: accepted`,
`* **Status**: accepted` or `| Status | accepted |` before the first section.
"""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from contextc.frontend.conventions.base import Status
from contextc.frontend.conventions.front_matter import FrontMatter, read_front_matter


class Link(NamedTuple):
    """What a record says of another: its words, the target of a link ("" without), its number ("" without)."""

    text: str
    href: str
    number: str


class Record(NamedTuple):
    """A record as written."""

    path: str
    number: str
    title: str
    status: Status
    stated: str
    date: str
    supersedes: tuple[Link, ...]
    superseded_by: tuple[Link, ...]


#: Characters of a line that are looked through; longer lines are no fields.
LONGEST_LINE = 2_000

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FIELD = re.compile(
    r"[ \t]*(?:[-*+|>][ \t]*)*[*_]{0,3}([A-Za-z][A-Za-z -]{2,24}?)[*_]{0,3}[ \t]*[:|][*_]{0,3}[ \t]*(.*?)[ \t|]*$"
)
_TITLE_NUMBER = re.compile(
    r"(?:(?:ADR|RFC|DR|MADR|Decision)[ -]*)?#?(\d{1,8})[ \t]*[.:)\u2013\u2014-]+[ \t]*(?=\S)", re.IGNORECASE
)
_TITLE_WORD = re.compile(r"(?:ADR|Decision)(?:[ -]\d+)?[ \t]*[:.\u2013\u2014-][ \t]*", re.IGNORECASE)
_NAME_NUMBER = re.compile(r"(?:(?:adr|decision|dr|rfc)[-_ ]*)?(\d{1,8})(?=[-_. ]|$)", re.IGNORECASE)
_CROSSED_OUT = re.compile(r"~~.*?~~")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}")

_REPLACED = r"(?:super[sc]eded|replaced|overridden|obsoleted|retired in favou?r of)"
_REPLACES = r"(?:super[sc]edes|replaces|overrides|obsoletes)"
_BY = re.compile(
    rf"\b{_REPLACED}(?:[ \t]+(?:by|with|through|in favou?r of))?[ \t]*:?[ \t]*(.*)|\bin favou?r of[ \t]+(.*)",
    re.IGNORECASE,
)
_OF = re.compile(rf"\b{_REPLACES}[ \t]*:?[ \t]*(.*)", re.IGNORECASE)
_LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]*))?\]\]|\[([^\]]*)\]\(<?([^)>\s]+)>?[^)]*\)|\[([^\]]+)\]")
_MENTION = re.compile(r"\b(?:ADR|RFC|DR|decision)[-_ #]*(\d{1,8})\b|#(\d{1,8})\b|\b(\d{1,8})\b", re.IGNORECASE)
_FILE = re.compile(r"[\w./-]+\.(?:md|markdown)\b")

#: Words of a status, strongest first: `Accepted, superseded by 7` is superseded.
_MEANINGS: tuple[tuple[Status, str], ...] = (
    ("superseded", _REPLACED),
    ("deprecated", "deprecated|obsolete|retired|abandoned|withdrawn|expired"),
    ("rejected", "rejected|declined|denied|not accepted"),
    ("accepted", "accepted|approved|adopted|decided|agreed|implemented|active|done|final|in force"),
    ("proposed", "proposed|proposal|draft|pending|open|(?:under|in) review|in progress|rfc"),
)
_WORDS = tuple((re.compile(rf"\b(?:{words})\b", re.IGNORECASE), status) for status, words in _MEANINGS)
_BY_FIELDS = ("superseded-by", "superseded_by", "supersededby", "superseded", "replaced-by", "replaced_by")
_OF_FIELDS = ("supersedes", "replaces", "supersede")


def read_record(path: str, text: str) -> tuple[Record, list[tuple[int, str]]]:
    """A record, and its faults as (line, message)."""
    matter = read_front_matter(text)
    faults = [matter.fault] if matter.fault is not None else []
    page = _Page(text, matter.body_line)
    stated, line = _status(matter, page)
    where = [*page.status_lines, *([stated] if stated else [])]
    by = [*_field_links(matter, _BY_FIELDS), *_page_links(page, _BY_FIELDS), *_links_after(_BY, where)]
    of = [*_field_links(matter, _OF_FIELDS), *_page_links(page, _OF_FIELDS), *_links_after(_OF, where)]
    status = meaning("\n".join(where) if where else stated)
    if status == "unknown":
        what = f"a status that is not known: {stated[:60]!r}" if stated else "a decision that states no status"
        faults.append((line, f"{what}; expected proposed, accepted, rejected, deprecated or superseded"))
    title, number = _title(path, matter, page)
    if not title:
        faults.append((matter.body_line, "a decision without a title; expected a heading `# Title`"))
        title = posixpath.basename(path)
    record = Record(
        path, number, title, status, stated, _date(matter, page), tuple(dict.fromkeys(of)), tuple(dict.fromkeys(by))
    )
    return record, faults


def meaning(stated: str) -> Status:
    """What the words of a status mean."""
    for pattern, status in _WORDS:
        if pattern.search(stated):
            return status
    return "unknown"


class _Page:
    """The head of a record: its title, the fields before the first section, the lines of its section `Status`."""

    def __init__(self, text: str, first: int) -> None:
        self.title = ""
        self.fields: dict[str, tuple[str, int]] = {}
        self.status_lines: list[str] = []
        self.status_line = first
        section = ""
        lines = text.split("\n")[first - 1 :]
        for number, line in enumerate(lines, first):
            line = line.rstrip("\r")[:LONGEST_LINE]
            heading = _heading(line, lines[number - first + 1] if number - first + 1 < len(lines) else "")
            if heading is not None:
                level, words = heading
                if not self.title and level == 1:
                    self.title = words
                else:
                    section = words.strip(" *:").lower()
                    if section == "status":
                        self.status_line = number
                continue
            if section in ("status", "state"):
                if line.strip() and not _UNDERLINE.match(line) and not line.lstrip().startswith("<!--"):
                    self.status_lines.append(_CROSSED_OUT.sub("", line.strip()))
            elif section in ("", "metadata", "info"):
                field = _FIELD.match(line)
                if field:
                    self.fields.setdefault(field.group(1).strip().lower(), (field.group(2).strip(" *_"), number))


def _heading(line: str, following: str) -> tuple[int, str] | None:
    match = _HEADING.match(line)
    if match:
        return len(match.group(1)), match.group(2)
    under = _UNDERLINE.match(following.rstrip("\r"))
    if under and line.strip() and len(under.group(1)) >= 3 and not line.lstrip().startswith(("-", "*", ">", "|")):
        return (1 if under.group(1)[0] == "=" else 2), line.strip()
    return None


def _status(matter: FrontMatter, page: _Page) -> tuple[str, int]:
    value = matter.fields.get("status")
    if isinstance(value, dict):  # `status: superseded by: 5` as a mapping
        value = " ".join(f"{key} {text}" for key, text in value.items())
    if isinstance(value, str) and value.strip():
        return value.strip(), matter.line("status")
    if page.status_lines:
        return page.status_lines[0], page.status_line
    if "status" in page.fields:
        return page.fields["status"]
    return "", page.status_line


def _title(path: str, matter: FrontMatter, page: _Page) -> tuple[str, str]:
    """Title without number, and the number: of the front matter, the title, or the file's name."""
    given = matter.fields.get("title")
    title = given.strip() if isinstance(given, str) and given.strip() else page.title
    match = _TITLE_NUMBER.match(title)
    plain = (
        title[match.end() :] if match else _TITLE_WORD.sub("", title, count=1) if _TITLE_WORD.match(title) else title
    )
    own = matter.fields.get("id")
    if isinstance(own, (str, int)) and not isinstance(own, bool) and str(own).strip():
        return plain, str(own).strip()
    name = _NAME_NUMBER.match(posixpath.basename(path))
    if name:
        return plain, name.group(1).lstrip("0") or "0"
    return plain, (match.group(1).lstrip("0") or "0") if match else ""


def _date(matter: FrontMatter, page: _Page) -> str:
    for text in (
        matter.fields.get("date"),
        page.fields.get("date", ("", 0))[0],
        page.fields.get("decided", ("", 0))[0],
    ):
        if isinstance(text, str):
            found = _DATE.search(text)
            if found:
                return found.group()
    return ""


def _field_links(matter: FrontMatter, names: tuple[str, ...]) -> list[Link]:
    found: list[Link] = []
    for name, value in matter.fields.items():
        if name.lower() in names:
            items = value if isinstance(value, list) else [value]
            found.extend(link for item in items if isinstance(item, (str, int)) for link in links_in(str(item)))
    return found


def _page_links(page: _Page, names: tuple[str, ...]) -> list[Link]:
    fields = (text for name, (text, _) in page.fields.items() if name.replace(" ", "-") in names)
    return [link for text in fields for link in links_in(text)]


def _links_after(pattern: re.Pattern[str], lines: list[str]) -> list[Link]:
    found: list[Link] = []
    for line in lines:
        match = pattern.search(line)
        if match:
            rest = next((group for group in match.groups() if group is not None), "")
            found.extend(
                links_in(re.split(rf"\b(?:{_REPLACES}|{_REPLACED}|amends|amended)\b", rest, flags=re.IGNORECASE)[0])
            )
    return found


def links_in(text: str) -> list[Link]:
    """The records that a piece of text names: links, numbers, names of files; else its words."""
    found: list[Link] = []
    rest = text
    for match in _LINK.finditer(text):
        words = match.group(1) or match.group(3) or match.group(5) or ""
        href = (match.group(4) or match.group(1) or "").partition("#")[0]
        found.append(
            Link((match.group(2) or words).strip(), href, _number_in(words) or _number_in(posixpath.basename(href)))
        )
        rest = rest.replace(match.group(), " ")
    for name in _FILE.findall(rest):
        found.append(Link(name, name, _number_in(posixpath.basename(name))))
        rest = rest.replace(name, " ")
    if not found:
        numbers = [next(group for group in match if group) for match in _MENTION.findall(_DATE.sub(" ", rest))]
        found = [Link(number, "", number) for number in numbers]
    words = rest.strip(" .,:;()*_\"'")
    if not found and words and words.lower() not in ("none", "n/a", "-", "null", "~"):
        found = [Link(words, "", "")]
    return found


def _number_in(text: str) -> str:
    match = _MENTION.search(text)
    return next((group for group in match.groups() if group), "") if match else ""
