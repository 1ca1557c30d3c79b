"""The kinds of a layer as data (SPEC 1.6): format, identity, title, description, version marker."""

from __future__ import annotations

from typing import Literal, NamedTuple

from contextc.frontend.layer.schemas import RecordSchema

#: `required`: Markdown that must have front matter. `optional`: it may. `else-document`: without it the file is a
#: `document`. `yaml`: the whole file is a map. `text`: the file is taken as it stands.
Format = Literal["required", "optional", "else-document", "yaml", "text"]

#: The title field that means the first heading of the body.
HEADING = "@heading"


class Kind(NamedTuple):
    """One kind. Without identity fields the path is the identity. `members` is the key of the list whose items are the
    objects. `schema` is the JSON Schema of a kind that a repository declares for itself."""

    name: str
    format: Format
    identity: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    marker: tuple[str, str | int] | None = None
    members: str = ""
    schema: RecordSchema | None = None


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("context", "required", ("id",), "title", "description", ("schema", "context/v1")),
        Kind("policy", "yaml", marker=("version", 1)),
        Kind("scope", "yaml", marker=("version", 1)),
        Kind("profile", "yaml", ("name",), "name", "description"),
        Kind("rule", "else-document", ("id", "version"), "title", "description"),
        Kind("prompt", "required", ("name",), "name", "description"),
        Kind("skill", "required", ("id",), "title", "description", ("schema", "skill/v1")),
        Kind("document", "optional", (), HEADING, "description"),
        Kind("milestone", "yaml", ("id",), "title", "outcome"),
        Kind("issue", "yaml", ("id",), "title", "objective"),
        Kind("intent", "yaml", ("id",), "title", "statement"),
        Kind("gap", "yaml", ("intent",), "intent", "observed_at"),
        Kind("critique", "yaml", ("intent",), "intent", "reviewed_at"),
        Kind("project", "yaml", (), "name", "repository", ("schema_version", 1)),
        Kind("adr", "else-document", ("id",), "title", "title", ("schema", "adr/v1")),
        Kind("session", "else-document", ("session_id",), "title", "title", ("schema", "session/v1")),
        Kind("knowledge", "else-document", ("id",), "title", "description", ("schema", "knowledge/v1")),
        Kind("use-case", "required", ("id",), "title", "summary"),
        Kind("application", "required", ("id",), "title", "summary"),
        Kind("taxonomy", "yaml", ("id",), "title", "summary", ("version", 1), "categories"),
        Kind("claim", "yaml", ("id",), "claim", "note", ("version", 1), "claims"),
        Kind("command", "yaml", ("id",), "title", "summary", ("version", 1), "commands"),
        Kind("moment", "required", ("id",), "title", "summary", ("schema", "moment/v1")),
        Kind("audience", "required", ("id",), "title", "summary", ("schema", "audience/v1")),
        Kind("area", "required", ("id",), "title", "summary", ("schema", "area/v1")),
        Kind("feature", "required", ("id",), "title", "summary", ("schema", "feature/v1")),
        Kind("domain", "required", ("id",), "title", "headline", ("schema", "domain/v1")),
        Kind("deployment", "yaml", ("id",), "title", "description"),
        Kind("workspace", "yaml", ("id",), "title", "description"),
        Kind("mesh-declaration", "yaml", ("id",)),
        Kind("distribution-model", "yaml"),
        Kind("release-record", "yaml", ("tag",)),
        Kind("integration-batch", "yaml", ("id",), "id", "composed_at"),
        Kind("implementation", "text"),
        Kind("test", "text"),
    )
}
