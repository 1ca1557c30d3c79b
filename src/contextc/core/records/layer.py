"""A repository's layer as values: its objects, what could not be read, what git says, what this checkout keeps.

Made by `frontend.layer`, computed with by `core.devcontext`. None of them has a wire form of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

#: What a YAML value of a layer can be: the subset has no null.
Value = str | int | float | bool | list["Value"] | dict[str, "Value"]

IndexSeverity = Literal["info", "warning", "error"]


class Relation(Struct, frozen=True):
    """A relation that is known when the object is made, beside those that its metadata declares.

    `target` is `<kind>:<identity>` or `file:<path>`. What leads nowhere has what was written as its target and says in
    `correction` what to do about it. `field` is where it is declared, as its reader finds it; "" where a reader of the
    repository derived it. `backward`: the edge is drawn from the target to the object.
    """

    edge: str
    target: str
    field: str = ""
    correction: str = ""
    backward: bool = False


class LayerObject(Struct, frozen=True, kw_only=True):
    """One thing the layer holds: a file, or a member of a list file.

    `path` is relative to the root of the layer, with `/`; `directory` is `.` at the root. `bytes` is the size of the
    whole file, `cost_bytes` that of the object itself: the same but for a member, whose own is its content.
    `content` is the text of the file, or the member as JSON. `member` is like `claims.3` (counted from 0).
    In an ordinary repository `content` is empty where the file was not read: its bytes are known by their blob id.
    """

    uri: str
    kind: str
    identity: str
    title: str | None
    description: str | None
    metadata: Mapping[str, Value]
    content: str
    path: str
    directory: str
    source_class: str
    section: str | None
    bytes: int
    cost_bytes: int
    member: str | None = None
    relations: tuple[Relation, ...] = ()

    @property
    def status(self) -> str | None:
        """The status it declares, as text."""
        return scalar_text(self.metadata.get("status"))


class IndexDiagnostic(Struct, frozen=True, kw_only=True, order=True):
    """What is wrong with a file of the layer. `line` counts from 1; 0 means the whole file."""

    path: str
    line: int
    code: str
    severity: IndexSeverity
    message: str

    @property
    def place(self) -> str:
        """`path` or `path:line`."""
        return f"{self.path}:{self.line}" if self.line else self.path


class Layer(Struct, frozen=True, kw_only=True):
    """All objects ascending by identifier, and what was left out.

    `contested` names, for each identifier that more than one record claims, their places: none of them is an object.
    `sizes` gives the bytes of each listed file. `fingerprint` is the SHA-256 over all objects (SPEC 2.4).
    """

    scheme: str
    objects: tuple[LayerObject, ...]
    contested: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, int]
    fingerprint: str
    diagnostics: tuple[IndexDiagnostic, ...]


class GitFacts(Struct, frozen=True, kw_only=True):
    """Where the repository stands. `branch` is None when detached, `head` before the first commit.

    `commit_times` are the committer's seconds since 1970 of those commits named in the layer that git knows. With
    `unavailable` not empty, git could not be asked, and it says why.
    """

    branch: str | None = None
    head: str | None = None
    working_tree: Literal["clean", "dirty", "unknown"] = "unknown"
    commit_times: Mapping[str, int] = msgspec.field(default_factory=dict)
    unavailable: str = ""


class LocalRecord(Struct, frozen=True, kw_only=True):
    """The handover or checkpoint that holds here. `facts` are those that are present, as text, with `bytes`."""

    kind: Literal["local-handover", "local-checkpoint"]
    path: str
    matched: Literal["same_worktree_same_branch", "same_branch"]
    divergence: Literal["exact", "advanced", "diverged", "different_context", "unknown"]
    freshness: Literal["fresh", "aging", "stale", "unknown", "invalid"]
    facts: Mapping[str, str]
    bytes: int


class LocalState(Struct, frozen=True, kw_only=True):
    """What this checkout keeps for itself; `failures` are sentences about what could not be read."""

    records: tuple[LocalRecord, ...] = ()
    failures: tuple[str, ...] = ()


def scalar_text(value: Value | None) -> str | None:
    """A scalar as text (`true`, `7`, `0.5`), None for a list, a map or nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    return None


def strings(value: Value | None) -> tuple[str, ...]:
    """The strings of a field: a list of them, or one string, which is a list of one. Other types are no strings."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    return ()
