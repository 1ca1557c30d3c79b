"""From files to objects and diagnostics: SPEC 1 and 2, a case for each row of their tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.devcontext.builder import (
    CLASSES,
    MANIFEST,
    base,
    classes,
    commit,
    contract,
    issue,
    markdown,
    repository,
    rule,
    small_layer,
    write,
)

from contextc.core.records.layer import Layer, LayerObject
from contextc.errors import InputError, NotFound, RepositoryError
from contextc.frontend.layer.index import Files, build_layer
from contextc.frontend.layer.kinds import KINDS
from contextc.frontend.layer.workspace import Workspace
from contextc.frontend.sources import Entry


def build(files: Mapping[str, str | bytes]) -> Layer:
    """The index over files that are on no disk."""
    data = {path: text if isinstance(text, bytes) else text.encode("utf-8") for path, text in files.items()}
    entries = {path: Entry(path, "file", "", len(found)) for path, found in data.items()}
    return build_layer(Files(entries, {}, lambda wanted: [(entry, data[entry.path]) for entry in wanted]))


def by_uri(layer: Layer) -> dict[str, LayerObject]:
    return {one.uri.removeprefix("majordomus://"): one for one in layer.objects}


def codes(layer: Layer, path: str) -> list[str]:
    return [one.code for one in layer.diagnostics if one.path == path]


#: For each kind: the file, what it holds, and the identity, title and description it must give (SPEC 1.6).
KIND_ROWS: dict[str, tuple[str, str, str, str | None, str | None]] = {
    "context": ("x.md", "schema: context/v1\nid: c\ntitle: T\ndescription: D", "c", "T", "D"),
    "policy": ("x.yaml", "version: 1\ntitle: T", "k/x.yaml", None, None),
    "scope": ("x.yaml", "version: 1", "k/x.yaml", None, None),
    "profile": ("x.yaml", "name: deep\ndescription: D", "deep", "deep", "D"),
    "rule": ("x.md", "id: r\nversion: 2\ntitle: T\ndescription: D", "r@2", "T", "D"),
    "prompt": ("x.md", "name: p\ndescription: D", "p", "p", "D"),
    "skill": ("x.md", "schema: skill/v1\nid: s\ntitle: T\ndescription: D", "s", "T", "D"),
    "document": ("x.md", "title: T\ndescription: D", "k/x.md", "Heading", "D"),
    "milestone": ("x.yaml", "id: m\ntitle: T\noutcome: D", "m", "T", "D"),
    "issue": ("x.yaml", "id: i\ntitle: T\nobjective: D", "i", "T", "D"),
    "intent": ("x.yaml", "id: n\ntitle: T\nstatement: D", "n", "T", "D"),
    "gap": ("x.yaml", "intent: n\nobserved_at: abc", "n", "n", "abc"),
    "critique": ("x.yaml", "intent: n\nreviewed_at: abc", "n", "n", "abc"),
    "project": ("x.yaml", "schema_version: 1\nname: T\nrepository: D", "k/x.yaml", "T", "D"),
    "adr": ("x.md", "schema: adr/v1\nid: adr-1\ntitle: T", "adr-1", "T", "T"),
    "session": ("x.md", "schema: session/v1\nsession_id: s-1\ntitle: T", "s-1", "T", "T"),
    "knowledge": ("x.md", "schema: knowledge/v1\nid: n\ntitle: T\ndescription: D", "n", "T", "D"),
    "use-case": ("x.md", "id: u\ntitle: T\nsummary: D", "u", "T", "D"),
    "application": ("x.md", "id: a\ntitle: T\nsummary: D", "a", "T", "D"),
    "taxonomy": ("x.yaml", "version: 1\ncategories:\n  - id: c\n    title: T\n    summary: D", "c", "T", "D"),
    "claim": ("x.yaml", "version: 1\nclaims:\n  - id: c\n    claim: T\n    note: D", "c", "T", "D"),
    "command": ("x.yaml", "version: 1\ncommands:\n  - id: c\n    title: T\n    summary: D", "c", "T", "D"),
    "moment": ("x.md", "schema: moment/v1\nid: m\ntitle: T\nsummary: D", "m", "T", "D"),
    "audience": ("x.md", "schema: audience/v1\nid: m\ntitle: T\nsummary: D", "m", "T", "D"),
    "area": ("x.md", "schema: area/v1\nid: m\ntitle: T\nsummary: D", "m", "T", "D"),
    "feature": ("x.md", "schema: feature/v1\nid: m\ntitle: T\nsummary: D", "m", "T", "D"),
    "domain": ("x.md", "schema: domain/v1\nid: m\ntitle: T\nheadline: D", "m", "T", "D"),
    "deployment": ("x.yaml", "id: d\ntitle: T\ndescription: D", "d", "T", "D"),
    "workspace": ("x.yaml", "id: d\ntitle: T\ndescription: D", "d", "T", "D"),
    "mesh-declaration": ("x.yaml", "id: d\ntitle: T", "d", None, None),
    "distribution-model": ("x.yaml", "title: T", "k/x.yaml", None, None),
    "release-record": ("x.yaml", "tag: v1.0\ntitle: T", "v1.0", None, None),
    "integration-batch": ("x.yaml", "id: b\ncomposed_at: 2026-01-01", "b", "b", "2026-01-01"),
    "implementation": ("x.sh", "id: x", "k/x.sh", None, None),
    "test": ("x.sh", "id: x", "k/x.sh", None, None),
}


def of_kind(kind: str, pattern: str = "k/*") -> dict[str, str]:
    """A layer with one more class, and everything in scope."""
    files = base((f"{kind}-class", kind, pattern, False))
    files[".ai/repo/scope.yaml"] = "version: 1\nin:\n  - '**'\nout:\n  binary: true\n"
    return files


def test_every_kind_has_a_row() -> None:
    assert set(KIND_ROWS) == set(KINDS)


@pytest.mark.parametrize("kind", KIND_ROWS)
def test_a_kind_gives_identity_title_and_description(kind: str) -> None:
    name, text, identity, title, description = KIND_ROWS[kind]
    content = f"---\nkind: {kind}\n{text}\n---\n# Heading\n" if name.endswith(".md") else text + "\n"
    found = by_uri(build(of_kind(kind) | {f"k/{name}": content}))[f"{kind}/{identity}"]
    assert (found.kind, found.identity, found.title, found.description) == (kind, identity, title, description)
    assert (found.path, found.directory, found.source_class, found.section) == (f"k/{name}", "k", f"{kind}-class", None)
    assert found.bytes == len(content)


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if row.format == "required"])
def test_a_kind_that_needs_front_matter_says_so(kind: str) -> None:
    layer = build(of_kind(kind) | {"k/x.md": "# Heading\n"})
    assert codes(layer, "k/x.md") == ["missing_front_matter"]


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if row.format == "else-document"])
def test_without_front_matter_it_is_a_document(kind: str) -> None:
    layer = build(of_kind(kind) | {"k/x.md": "# Heading\n"})
    assert by_uri(layer)["document/k/x.md"].title == "Heading"
    assert not codes(layer, "k/x.md")


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if row.marker])
def test_a_missing_or_other_version_is_refused(kind: str) -> None:
    name, text, *_ = KIND_ROWS[kind]
    for other in ("", "7"):
        lines = [line for line in text.split("\n") if not line.startswith(("schema:", "version:", "schema_version:"))]
        marker = KINDS[kind].marker
        assert marker is not None
        changed = "\n".join(lines + ([f"{marker[0]}: {other}"] if other else []))
        content = f"---\n{changed}\n---\n" if name.endswith(".md") else changed + "\n"
        layer = build(of_kind(kind) | {f"k/{name}": content})
        assert codes(layer, f"k/{name}") == ["unsupported_version"]


SOURCES = ".ai/repo/knowledge/sources.yaml"


@pytest.mark.parametrize(
    "place, kind, text, code",
    [
        ("k/x.yaml", "issue", "id: a\n\tb: c\n", "malformed_yaml"),
        ("k/x.md", "rule", "---\nid: a\nid: b\n---\n", "malformed_front_matter"),
        ("k/x.md", "rule", "---\nkind: adr\nid: a\nversion: 1\n---\n", "kind_mismatch"),
        ("k/x.yaml", "issue", "title: T\n", "missing_field"),
        ("k/x.yaml", "issue", "id: a/b\n", "schema_violation"),
        ("k/x.yaml", "issue", "id: a@b\n", "schema_violation"),
        ("k/x.yaml", "claim", "version: 1\nclaims: none\n", "schema_violation"),
        ("k/x.yaml", "no-such-kind", "id: a\n", "unknown_kind"),
        ("k/x.md", "rule", b"\xff\xfe", "invalid_utf8"),
        (".ai/k/README.md", "document", "# No contract\n", "missing_context_contract"),
    ],
)
def test_a_file_that_gives_no_object_says_why_and_the_rest_stands(
    place: str, kind: str, text: str | bytes, code: str
) -> None:
    layer = build(of_kind(kind, place.rpartition("/")[0] + "/*") | {place: text})
    found = [one for one in layer.diagnostics if one.path == place and one.severity == "error"]
    assert [one.code for one in found] == [code]
    assert "policy/.ai/repo/policy.yaml" in by_uri(layer)


def test_a_fault_in_a_file_names_its_line() -> None:
    layer = build(of_kind("rule") | {"k/x.md": "---\nid: a\nversion: 1\n\tx: y\n---\n"})
    (fault,) = [one for one in layer.diagnostics if one.path == "k/x.md"]
    assert fault.place == "k/x.md:4"


def test_one_bad_member_does_not_take_the_others_with_it() -> None:
    text = "version: 1\nclaims:\n  - id: a\n    claim: A\n  - claim: B\n  - id: c\n    claim: C\n"
    layer = build(of_kind("claim") | {"k/x.yaml": text})
    assert {"claim/a", "claim/c"} <= set(by_uri(layer))
    assert codes(layer, "k/x.yaml") == ["missing_field"]
    assert "claims.1" in next(one.message for one in layer.diagnostics if one.path == "k/x.yaml")


def test_a_member_has_its_own_content_and_price_and_the_size_of_its_file() -> None:
    text = "version: 1\nclaims:\n  - id: a\n    note: é\n    tags: [x]\n    none: []\n  - id: c\n    n: 7\n"
    found = by_uri(build(of_kind("claim") | {"k/x.yaml": text}))["claim/a"]
    assert found.member == "claims.0"
    assert found.content == '{\n  "id": "a",\n  "note": "é",\n  "tags": [\n    "x"\n  ],\n  "none": []\n}'
    assert found.bytes == len(text.encode("utf-8"))
    assert found.cost_bytes == len(found.content.encode("utf-8"))


def test_two_records_of_one_identity_are_both_dropped_and_both_named() -> None:
    layer = build(base() | {".ai/repo/rules/a.md": rule("same"), ".ai/repo/rules/b.md": rule("same")})
    assert layer.contested == {"majordomus://rule/same@1": (".ai/repo/rules/a.md", ".ai/repo/rules/b.md")}
    assert "rule/same@1" not in by_uri(layer)
    for path in layer.contested["majordomus://rule/same@1"]:
        assert codes(layer, path) == ["duplicate_identity"]


def test_the_first_class_owns_a_file() -> None:
    layer = build(base() | {".ai/repo/rules/README.md": contract("ai.rules")})
    assert by_uri(layer)["context/ai.rules"].source_class == "context"
    assert codes(layer, ".ai/repo/rules/README.md") == ["claimed_twice"]


def test_a_file_of_another_class_may_say_that_it_is_a_contract() -> None:
    layer = build(of_kind("document") | {"k/x.md": contract("free")})
    assert by_uri(layer)["context/free"].source_class == "document-class"


def test_an_empty_class_that_must_not_be_empty_is_an_error() -> None:
    layer = build(base(("prompt", "prompt", "prompts/*.md", True)))
    assert codes(layer, SOURCES) == ["required_source_empty"]


def test_the_longest_section_wins() -> None:
    files = small_layer()
    files[".ai/manifest.yaml"] = MANIFEST.replace("  rules:", "  all: repo\n  rules:")
    found = by_uri(build(files))
    assert found["rule/alpha@1"].section == "rules"
    assert found["issue/I0001"].section == "project"
    assert found["policy/.ai/repo/policy.yaml"].section == "policy"
    assert found["context/ai.layer"].section is None
    assert found["implementation/lib/thing.sh"].section is None


def test_objects_are_in_the_order_of_their_identifiers() -> None:
    uris = [one.uri for one in build(small_layer()).objects]
    assert uris == sorted(uris)


def test_the_fingerprint_is_that_of_the_contract() -> None:
    layer = build(small_layer())
    sha = hashlib.sha256()
    for one in layer.objects:
        sha.update(one.path.encode() + b"\0" + one.content.encode() + b"\n")
    assert layer.fingerprint == sha.hexdigest()


@pytest.mark.parametrize("path", ["lib/thing.sh", ".ai/repo/rules/alpha.md", ".ai/repo/policy.yaml"])
def test_one_changed_byte_is_another_fingerprint(path: str) -> None:
    files = small_layer()
    before = build(files).fingerprint
    assert build(files | {path: files[path] + "#"}).fingerprint != before
    assert build(files | {"lib/unclaimed.py": "x"}).fingerprint == before


SCOPED = """version: 1
in:
  - .ai/**
  - k/**
out:
  paths:
    - k/never/
    - '**/deps/'
  binary: true
  max_bytes: 100
  generated:
    paths:
      - k/gen/
    names: ['*.min.sh']
  secret:
    names: ['.env', '*.pem']
  fixtures:
    paths:
      - '**/fixtures/'
    max_bytes: 10
  image:
    names: ['*.png']
"""


@pytest.mark.parametrize(
    "path, content, category",
    [
        ("k/never/x.sh", "x", "paths"),
        ("k/a/deps/x.sh", "x", "paths"),
        ("k/gen/x.sh", "x", "generated"),
        ("k/x.min.sh", "x", "generated"),
        ("k/a/.env", "x", "secret"),
        ("k/x.png", "x", "image"),
        ("other/x.sh", "x", "undeclared"),
        ("k/fixtures/x.sh", "x" * 11, "fixtures"),
        ("k/x.sh", "x" * 101, "max_bytes"),
        ("k/x.sh", "a\0b", "binary"),
        ("k/x.sh", "x" * 100, None),
        ("k/fixtures/x.sh", "x" * 10, None),
        ("k/never.sh", "x", None),
    ],
)
def test_the_scope_decides_what_is_read(path: str, content: str, category: str | None) -> None:
    files = of_kind("implementation", "**") | {".ai/repo/scope.yaml": SCOPED, path: content}
    layer = build(files)
    warnings = [one.message for one in layer.diagnostics if one.path == path and one.code == "out_of_scope"]
    assert (f"implementation/{path}" in by_uri(layer)) == (category is None)
    assert [text.partition(":")[0] for text in warnings] == ([] if category is None else [category])


def test_a_tracked_secret_is_reported_and_never_read() -> None:
    files = of_kind("implementation", "k/**") | {".ai/repo/scope.yaml": SCOPED, "k/x.pem": "KEY"}
    data = {path: text.encode() for path, text in files.items()}
    entries = {path: Entry(path, "file", "", len(found)) for path, found in data.items()}
    asked: list[str] = []

    def read(wanted):
        asked.extend(entry.path for entry in wanted)
        return [(entry, data[entry.path]) for entry in wanted]

    layer = build_layer(Files(entries, {}, read))
    assert sorted(codes(layer, "k/x.pem")) == ["out_of_scope", "tracked_secret"]
    assert "k/x.pem" not in asked


def test_without_a_scope_all_but_secrets_and_binaries_is_read_and_there_is_no_scope_object() -> None:
    files = of_kind("implementation", "k/**") | {"k/x.sh": "x", "k/y.pem": "KEY", "k/z.bin": "\0"}
    files[".ai/manifest.yaml"] = MANIFEST.replace("  scope: repo/scope.yaml\n", "")
    del files[".ai/repo/scope.yaml"]
    found = by_uri(build(files))
    assert [uri for uri in found if uri.startswith(("implementation/", "scope/"))] == ["implementation/k/x.sh"]


@pytest.mark.parametrize(
    "pattern, yes, no",
    [
        ("k/*.sh", ["k/a.sh", "k/.sh"], ["k/a/b.sh", "k/a.shx"]),
        ("k/**/*.sh", ["k/a.sh", "k/a/b/c.sh"], ["a.sh"]),
        ("**/x", ["x", "a/x", "a/b/x"], ["ax"]),
        ("k/**", ["k/a", "k/a/b"], ["k"]),
        ("k/????-*.md", ["k/0001-a.md"], ["k/001-a.md"]),
        ("k/[ab].sh", ["k/a.sh"], ["k/c.sh"]),
        ("k/[!ab].sh", ["k/c.sh"], ["k/a.sh", "k//.sh"]),
        ("k/[0-9]*", ["k/7x"], ["k/x"]),
        ("k/[x", ["k/[x"], ["k/x"]),
        ("k/a.b", ["k/a.b"], ["k/aXb"]),
        ("k/", ["k/a", "k/a/b"], ["kk/a"]),
    ],
)
def test_globs(pattern: str, yes: list[str], no: list[str]) -> None:
    from contextc.frontend.layer.globs import matches

    assert [path for path in yes + no if matches(pattern, path)] == yes


@pytest.mark.parametrize(
    "path, text, where",
    [
        (".ai/manifest.yaml", MANIFEST + "extra: 1\n", ".ai/manifest.yaml"),
        (".ai/manifest.yaml", MANIFEST.replace("ai-repository/v1", "ai-repository/v2"), ".ai/manifest.yaml"),
        (".ai/manifest.yaml", MANIFEST.replace("repo/rules", "../rules"), ".ai/manifest.yaml"),
        (".ai/manifest.yaml", "schema:\tx\n", ".ai/manifest.yaml:1"),
        (SOURCES, "version: 2\n", SOURCES),
        (SOURCES, classes(*CLASSES, CLASSES[0]), SOURCES),
        (SOURCES, classes(*CLASSES).replace("discovery: vcs", "discovery: magic", 1), SOURCES),
        (SOURCES, classes(*CLASSES).replace(":(glob)", "", 1), SOURCES),
        (SOURCES, classes(*CLASSES) + "  - id: [x]\n", SOURCES),
        (".ai/repo/scope.yaml", "version: 1\nout: no\n", ".ai/repo/scope.yaml"),
        (".ai/repo/scope.yaml", "version: 1\n\tin: x\n", ".ai/repo/scope.yaml:2"),
    ],
)
def test_what_discovery_rests_on_is_a_hard_error(path: str, text: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        build(small_layer() | {path: text})
    assert caught.value.where == where


def test_the_layer_is_found_from_any_directory_of_it(tmp_path: Path) -> None:
    root = repository(tmp_path, small_layer())
    assert Workspace(root / ".ai" / "repo" / "rules").root == root
    assert Workspace(root / "lib").view() == Workspace(root).view()


def test_a_directory_without_a_layer_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Workspace(tmp_path)


def test_a_legacy_layout_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".majordomus").mkdir()
    with pytest.raises(RepositoryError, match="legacy"):
        Workspace(tmp_path)


def test_a_layer_in_a_part_of_a_repository_has_paths_of_its_own(tmp_path: Path) -> None:
    alone = Workspace(repository(tmp_path / "a", small_layer())).view().layer
    inside = {f"part/{path}": text for path, text in small_layer().items()} | {"lib/other.sh": "x"}
    root = repository(tmp_path / "b", inside)
    layer = Workspace(root / "part").view().layer
    assert layer.fingerprint == alone.fingerprint
    assert [one.uri for one in layer.objects] == [one.uri for one in alone.objects]


def test_a_layer_outside_git_is_read_and_git_is_unavailable(tmp_path: Path) -> None:
    view = Workspace(write(tmp_path, small_layer())).view()
    assert "majordomus://rule/alpha@1" in {one.uri for one in view.layer.objects}
    assert view.git.unavailable == "there is no git repository here"


def test_only_tracked_files_are_read_and_never_the_local_half(tmp_path: Path) -> None:
    files = base(("all", "document", ".ai/**/*.md", False))
    root = repository(tmp_path, files)
    write(root, {"lib/new.sh": "x", ".ai/local/notes.md": "# Private\n"})
    layer = Workspace(root).view().layer
    assert not [one for one in layer.objects if one.path in ("lib/new.sh", ".ai/local/notes.md")]
    (root / ".git/info/exclude").write_text("")
    commit(root)
    layer = Workspace(root).view().layer
    assert [one.path for one in layer.objects if one.path == "lib/new.sh"]
    assert not [one for one in layer.objects if one.path.startswith(".ai/local")]


def test_links_and_special_files_are_errors_and_are_not_followed(tmp_path: Path) -> None:
    root = repository(tmp_path, small_layer())
    (root / "lib" / "link.sh").symlink_to("thing.sh")
    commit(root)
    layer = Workspace(root).view().layer
    assert codes(layer, "lib/link.sh") == ["symlink"]
    (root / "lib" / "thing.sh").unlink()
    assert codes(Workspace(root).view().layer, "lib/thing.sh") == ["unreadable"]


def test_a_name_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    root = repository(tmp_path, small_layer())
    (root / "lib" / "caf\udce9.sh").write_text("x")
    commit(root)
    layer = Workspace(root).view().layer
    assert [one.code for one in layer.diagnostics if "caf" in one.path] == ["invalid_utf8"]
    json.dumps([one.path for one in layer.objects]).encode("utf-8")


def test_a_workspace_reads_again_what_has_changed(tmp_path: Path) -> None:
    root = repository(tmp_path, small_layer())
    workspace = Workspace(root)
    first = workspace.view()
    assert workspace.view() == first
    write(root, {"lib/thing.sh": "other"})
    second = workspace.view()
    assert second.layer.fingerprint != first.layer.fingerprint
    assert (first.git.working_tree, second.git.working_tree) == ("clean", "dirty")


def test_the_whole_small_layer_is_indexed_without_a_fault() -> None:
    layer = build(small_layer())
    assert len(layer.objects) == 16
    assert [one.code for one in layer.diagnostics] == ["claimed_twice"]


def test_an_empty_issue_file_is_a_diagnostic() -> None:
    layer = build(
        small_layer() | {".ai/repo/project/issues/I9.yaml": "", ".ai/repo/project/issues/I8.yaml": issue("I8")}
    )
    assert codes(layer, ".ai/repo/project/issues/I9.yaml") == ["missing_field"]
    assert "issue/I8" in by_uri(layer)


def test_a_document_may_have_front_matter_of_its_own() -> None:
    layer = build(of_kind("document") | {"k/x.md": markdown("# H\n", description="D", kind="document")})
    assert by_uri(layer)["document/k/x.md"].description == "D"
