"""The local half of a layer: the handover and the checkpoint that hold for this checkout (SPEC 1.8).

It is git-ignored, so no snapshot lists it; this is the one place that looks at the disk by itself, and only in
`.ai/local/state/`. Links are not followed.

Ages are counted by the repository's own clock and not by the machine's, so that the same repository gives the same
answer tomorrow: now is the date of HEAD, or that of the newest record where one is newer.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from contextc.core.records.layer import LayerObject, LocalRecord, LocalState, Value, scalar_text
from contextc.frontend.layer.front_matter import split
from contextc.frontend.layer.gitfacts import ancestry
from contextc.frontend.layer.yaml_subset import YamlError
from contextc.frontend.sources import display_path, secret_content
from contextc.frontend.sources.disk import Blocked, Disk
from contextc.frontend.sources.git import Git

STATE = ".ai/local/state"
_KINDS: tuple[tuple[str, Literal["local-handover", "local-checkpoint"]], ...] = (
    ("handovers", "local-handover"),
    ("checkpoints", "local-checkpoint"),
)
#: Front matter that becomes a fact when it is there, in the order of SPEC 4.7.
_FACTS = ("created_at", "branch", "head", "task_id", "working_tree")
#: How records say that no branch was checked out.
_DETACHED = frozenset(("", "HEAD", "detached"))

Freshness = Literal["fresh", "aging", "stale", "unknown", "invalid"]


class Here(NamedTuple):
    """This checkout: its root, git or why not, the branch (None: detached), the head and its date."""

    root: Path
    git: Git | str
    branch: str | None
    head: str | None
    head_time: int | None


class Thresholds(NamedTuple):
    """Minutes up to which a record is fresh, and from which it is stale; None where the policy says nothing."""

    fresh: int | None = None
    stale: int | None = None


class _Record(NamedTuple):
    path: str
    size: int
    front: Mapping[str, Value]
    body: str

    def text(self, field: str) -> str:
        return scalar_text(self.front.get(field)) or ""


def thresholds(objects: tuple[LayerObject, ...]) -> Thresholds:
    """`session.freshness` of the policy."""
    for one in objects:
        session = one.metadata.get("session") if one.kind == "policy" else None
        freshness = session.get("freshness") if isinstance(session, dict) else None
        if isinstance(freshness, dict):
            fresh, old = freshness.get("fresh_minutes"), freshness.get("stale_minutes")
            return Thresholds(fresh if isinstance(fresh, int) else None, old if isinstance(old, int) else None)
    return Thresholds()


def local_state(here: Here, limits: Thresholds) -> LocalState:
    """The records that hold here, and what could not be read."""
    failures: list[str] = []
    groups = [(kind, _records(here.root, f"{STATE}/{folder}", failures)) for folder, kind in _KINDS]
    moments = [_moment(record.text("created_at")) for _, records in groups for record in records]
    now = max([moment for moment in (*moments, here.head_time) if moment is not None], default=None)
    chosen = []
    for kind, records in groups:
        found = _choose(records, here)
        if found is not None:
            chosen.append(_judged(kind, *found, here, limits, now))
    return LocalState(records=tuple(chosen), failures=tuple(failures))


def _records(root: Path, folder: str, failures: list[str]) -> list[_Record]:
    """The records of a folder in path order; a file without `created_at` and `head` is none."""
    found = []
    try:
        names = _names(root, folder)
    except OSError as error:
        failures.append(f"{folder} cannot be listed: {os.strerror(error.errno or 0)}")
        return []
    if not names:
        return []
    with Disk(os.fsencode(root)) as disk:
        for name in names:
            path = f"{folder}/{name}"
            try:
                data, _ = disk.read(os.fsencode(path))
                front = split(data.decode("utf-8"))
            except Blocked as blocked:
                failures.append(f"{display_path(path)} cannot be read: {blocked.detail}")
            except UnicodeDecodeError:
                failures.append(f"{display_path(path)} cannot be read: it is not UTF-8")
            except YamlError as error:
                failures.append(f"{display_path(path)}:{error.line} cannot be read: {error.message}")
            else:
                record = _Record(display_path(path), len(data), front.data or {}, front.body)
                if record.text("created_at") and record.text("head"):
                    found.append(record)
    return found


def _names(root: Path, folder: str) -> list[str]:
    """The Markdown files of a folder; none where the folder, or one above it, is not there or is a link."""
    place = root
    for part in folder.split("/"):
        place = place / part
        try:
            if not stat.S_ISDIR(place.lstat().st_mode):
                return []
        except FileNotFoundError:
            return []
    return sorted(item.name for item in place.iterdir() if item.name.endswith(".md"))


def _choose(
    records: list[_Record], here: Here
) -> tuple[_Record, Literal["same_worktree_same_branch", "same_branch"]] | None:
    """The newest record of the nearest tier: this worktree and branch, else this branch. Never wider."""
    same_branch = [record for record in records if _branch(record) == here.branch]
    own = [record for record in same_branch if _same_place(record.text("worktree"), here.root)]
    if own:
        return _newest(own), "same_worktree_same_branch"
    if same_branch and here.branch is not None:
        return _newest(same_branch), "same_branch"
    return None


def _same_place(worktree: str, root: Path) -> bool:
    """Whether a recorded worktree is this one; it may have been recorded by a path that leads through links."""
    return worktree.startswith("/") and "\0" not in worktree and os.path.realpath(worktree) == str(root)


def _newest(records: list[_Record]) -> _Record:
    """The greatest `created_at` as text; of equals the first by path."""
    return max(records, key=lambda record: record.text("created_at"))


def _branch(record: _Record) -> str | None:
    name = record.text("branch")
    return None if name in _DETACHED else name


def _judged(
    kind: Literal["local-handover", "local-checkpoint"],
    record: _Record,
    matched: Literal["same_worktree_same_branch", "same_branch"],
    here: Here,
    limits: Thresholds,
    now: int | None,
) -> LocalRecord:
    divergence: Literal["exact", "advanced", "diverged", "different_context", "unknown"]
    if matched == "same_branch":
        divergence = "different_context"
    elif isinstance(here.git, str):
        divergence = "unknown"
    else:
        divergence = ancestry(here.git, record.text("head"), here.head)
    freshness = _freshness(record, limits, now)
    facts = {name: record.text(name) for name in _FACTS if record.text(name)}
    action = _section(record.body, "Next Action")
    # What is written by hand may hold what must not be shown.
    if action and secret_content(action) is None and freshness not in ("stale", "invalid"):
        facts["next_action"] = action
    facts |= {"matched": matched, "divergence": divergence, "bytes": str(record.size)}
    return LocalRecord(
        kind=kind,
        path=record.path,
        matched=matched,
        divergence=divergence,
        freshness=freshness,
        facts=facts,
        bytes=record.size,
    )


def _freshness(record: _Record, limits: Thresholds, now: int | None) -> Freshness:
    moment = _moment(record.text("created_at"))
    if moment is None:
        return "invalid"
    if limits.fresh is None or limits.stale is None or now is None:
        return "unknown"
    minutes = (now - moment) // 60
    if minutes >= limits.stale:
        return "stale"
    return "fresh" if minutes <= limits.fresh else "aging"


def _moment(text: str) -> int | None:
    """Seconds since 1970 of a time as records write it; a time without a zone is meant as UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return int((found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp())


def _section(body: str, title: str) -> str:
    """The text under a heading `# title`, up to the next heading of that level."""
    inside = False
    kept: list[str] = []
    for line in body.split("\n"):
        if line.startswith("# "):
            if inside:
                break
            inside = line[2:].strip() == title
        elif inside:
            kept.append(line.rstrip("\r"))
    return "\n".join(kept).strip()
