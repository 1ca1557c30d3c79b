"""Issues, milestones and decisions of an ordinary repository, one test for each convention."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.devcontext.ordinary_builder import matter, ordinary

from contextc.errors import InputError, NotFound

BACKLOG = {
    "backlog/config.yml": 'project_name: "P"\ntask_prefix: "back"\n',
    "backlog/tasks/back-7 - Write-records.md": matter(
        "## Description\n\nOne function writes every record, in `src/records.py`.\n",
        id="BACK-7",
        title="Write records",
        status="In Progress",
        dependencies="[BACK-5, task-6.1]",
        milestone="m-1",
        labels="[core, io]",
        priority="high",
    ),
    "backlog/tasks/back-6.1 - Part.md": matter(id="BACK-6.1", title="Part", status="To Do", parent_task_id="BACK-5"),
    "backlog/completed/back-5 - Done.md": matter(id="BACK-5", title="Done", status="Done"),
    "backlog/drafts/draft-1 - Idea.md": matter(id="DRAFT-1", title="Idea", status="Draft"),
    "backlog/archive/tasks/back-3 - Gone.md": matter(
        id="BACK-3", title="Gone", status="To Do", dependencies="[BACK-5]"
    ),
    "backlog/milestones/m-1 - First.md": matter("## Description\n\nIt works.\n", id="m-1", title='"First release"'),
    "backlog/decisions/decision-1 - Use-files.md": matter(id="decision-1", title="Use files", status="accepted"),
    "backlog/docs/doc-1 - Guide.md": matter("# Guide\n", id="doc-1", title="Guide"),
    "src/records.py": "def write():\n    return 1\n",
    "tests/test_records.py": "from src.records import write\n",
}


def test_backlog_md_gives_tasks_milestones_decisions_and_documents(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, BACKLOG)
    assert layer.of("issue") == ["BACK-3", "BACK-5", "BACK-6.1", "BACK-7", "DRAFT-1"]
    assert layer.of("milestone") == ["m-1"]
    assert layer.of("adr") == ["decision-1"]
    assert layer.of("knowledge") == ["doc-1"]
    task = layer["issue/BACK-7"]
    assert (task.title, task.status) == ("Write records", "In Progress")
    assert task.description == "One function writes every record, in `src/records.py`."
    assert task.metadata["scope"] == ["src/records.py"]
    assert layer["milestone/m-1"].description == "It works."
    assert not layer.faults
    assert not layer.findings


def test_backlog_md_relations_are_followed_by_any_prefix_a_task_has_had(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, BACKLOG)
    assert layer.edges("depends_on") == [
        ("issue/BACK-3", "issue/BACK-5"),
        ("issue/BACK-7", "issue/BACK-5"),
        ("issue/BACK-7", "issue/BACK-6.1"),
    ]
    assert layer.edges("belongs_to") == [("issue/BACK-6.1", "issue/BACK-5"), ("issue/BACK-7", "milestone/m-1")]


def test_work_on_a_task_is_given_its_milestone_what_it_needs_the_code_it_names_and_its_test(tmp_path: Path) -> None:
    answer = ordinary(tmp_path, BACKLOG).ask(issue="back-7")
    assert [(one.uri.removeprefix("contextc://"), one.relevance) for one in answer.selected] == [
        ("issue/BACK-7", 1.0),
        ("milestone/m-1", 0.95),
        ("issue/BACK-5", 0.9),
        ("issue/BACK-6.1", 0.9),
        ("implementation/src/records.py", 0.85),
        ("test/tests/test_records.py", 0.722),
    ]
    # The archived task is reached and left out.
    assert ("contextc://issue/BACK-3", "stale") in [(row.uri, row.reason) for row in answer.excluded]


def test_a_backlog_in_another_directory_is_found_by_its_configuration(tmp_path: Path) -> None:
    files = {"backlog.config.yml": "backlog_directory: work\n", "work/tasks/t-1 - A.md": matter(id="T-1", title="A")}
    assert ordinary(tmp_path, files).of("issue") == ["T-1"]


def test_a_task_number_given_again_means_the_task_that_is_there(tmp_path: Path) -> None:
    again = matter(id="BACK-5", title="Old", status="To Do")
    layer = ordinary(tmp_path, BACKLOG | {"backlog/archive/tasks/back-5 - Old.md": again})
    assert "BACK-5" in layer.of("issue")
    assert "backlog/archive/tasks/back-5 - Old.md" in layer.of("issue")
    assert not layer.layer.contested


def bead(name: str, **fields: object) -> str:
    row = {"id": name, "title": f"Title of {name}", "status": "open", "priority": 1, "issue_type": "task", **fields}
    return json.dumps(row)


def needs(name: str, other: str, kind: str) -> dict[str, str]:
    return {"issue_id": name, "depends_on_id": other, "type": kind}


def test_beads_gives_an_issue_a_line_and_epics_as_milestones(tmp_path: Path) -> None:
    lines = [
        bead("bd-1", issue_type="epic"),
        bead("bd-2", dependencies=[needs("bd-2", "bd-1", "parent-child")], description="See src/a.py"),
        bead("bd-3", dependencies=[needs("bd-3", "bd-2", "blocks"), needs("bd-3", "bd-1", "discovered-from")]),
        bead("bd-4", status="tombstone"),
    ]
    layer = ordinary(tmp_path, {".beads/issues.jsonl": "\n".join(lines) + "\n", "src/a.py": "x = 1\n"})
    assert (layer.of("milestone"), layer.of("issue")) == (["bd-1"], ["bd-2", "bd-3"])
    assert layer.edges("belongs_to") == [("issue/bd-2", "milestone/bd-1")]
    assert layer.edges("depends_on") == [("issue/bd-3", "issue/bd-2")]
    assert layer.edges("touches") == [("issue/bd-2", "implementation/src/a.py")]
    assert layer.edges("mentions") == [("issue/bd-3", "milestone/bd-1")]
    one = layer["issue/bd-2"]
    assert (one.member, one.cost_bytes) == ("issues.1", len(one.content.encode()))
    assert one.bytes == len("\n".join(lines)) + 1
    assert {"issue/bd-2", "issue/bd-3", "milestone/bd-1"} <= set(layer.given(issue="bd-2"))


def test_a_line_of_beads_that_cannot_be_read_is_a_diagnostic_and_the_rest_stands(tmp_path: Path) -> None:
    text = "\n".join((bead("bd-1"), "{broken", '{"title": "no id"}', "[1]", bead("bd-2")))
    layer = ordinary(tmp_path, {".beads/issues.jsonl": text})
    assert layer.of("issue") == ["bd-1", "bd-2"]
    assert layer.faults == [
        "error .beads/issues.jsonl:2 malformed_record",
        "error .beads/issues.jsonl:3 missing_field",
        "error .beads/issues.jsonl:4 missing_field",
    ]


TASKS = """\
# Tasks: Photo albums

## Phase 1: Setup

- [x] T001 Create the project
- [ ] T002 [P] [US1] Write the model in src/models/album.py
- [ ] T003 [US1] Write src/new.py (depends on T001, T002)
- [ ] no number
"""
SPECKIT = {
    "specs/001-photo-albums/spec.md": "# Feature Specification: Photo albums\n\nPeople sort photos into albums.\n",
    "specs/001-photo-albums/plan.md": "# Plan\n",
    "specs/001-photo-albums/contracts/api.yaml": "openapi: 3.1.0\n",
    "specs/001-photo-albums/tasks.md": TASKS,
    ".specify/memory/constitution.md": "# Constitution\n\nTests first.\n",
    "src/models/album.py": "x = 1\n",
}


def test_spec_kit_gives_a_feature_its_tasks_its_documents_and_the_constitution(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, SPECKIT)
    assert layer.of("milestone") == ["001-photo-albums"]
    feature = layer["milestone/001-photo-albums"]
    assert (feature.title, feature.description) == ("Photo albums", "People sort photos into albums.")
    assert layer.of("issue") == [f"001-photo-albums.T00{number}" for number in (1, 2, 3)]
    second = layer["issue/001-photo-albums.T002"]
    assert second.metadata["tags"] == ["P", "US1"]
    assert second.metadata["scope"] == ["src/models/album.py"]
    assert (layer["issue/001-photo-albums.T001"].status, second.status) == ("done", "open")
    third = "issue/001-photo-albums.T003"
    assert layer.edges("depends_on") == [(third, "issue/001-photo-albums.T001"), (third, "issue/001-photo-albums.T002")]
    assert len(layer.edges("belongs_to")) == 5
    assert layer.faults == ["warning specs/001-photo-albums/tasks.md:8 malformed_record"]
    given = layer.given(issue="T002")
    assert given["rule/.specify/memory/constitution.md"] == "governance"
    assert given["implementation/src/models/album.py"] == "scope_path touches"


def test_a_constitution_that_is_not_filled_in_binds_nobody(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, {".specify/memory/constitution.md": "# [PROJECT_NAME] Constitution\n"})
    assert not layer.given()


def test_a_task_number_of_two_features_is_refused_with_both_places(tmp_path: Path) -> None:
    other = {"specs/002-more/spec.md": "# More\n", "specs/002-more/tasks.md": "- [ ] T001 Another\n"}
    layer = ordinary(tmp_path, SPECKIT | other)
    with pytest.raises(InputError, match=r"specs/001-photo-albums/tasks.md and specs/002-more/tasks.md"):
        layer.ask(issue="T001")
    assert "issue/002-more.T001" in layer.given(issue="002-more.T001")


ISSUE = matter(
    "# Drafts do not survive\n\nSee `src/a.py`.\n", id="12", title="Drafts do not survive", status="open",
    depends_on="[11]", milestone="1.0", labels="[bug]",
)  # fmt: skip


@pytest.mark.parametrize("folder", ["issues", ".issues", "docs/issues"])
def test_an_issue_a_file_in_markdown(tmp_path: Path, folder: str) -> None:
    files = {
        f"{folder}/12-drafts.md": ISSUE,
        f"{folder}/closed/0011-before.md": "# 11. Before\n\nStatus: done\nBlocked by: #10\n\nText.\n",
        f"{folder}/10.md": "# First\n",
        f"{folder}/README.md": "# How we write issues\n",
        f"{folder}/milestones/1.0.md": matter(id='"1.0"', title="One"),
        "src/a.py": "x = 1\n",
    }
    layer = ordinary(tmp_path, files)
    assert (layer.of("issue"), layer.of("milestone")) == (["10", "11", "12"], ["1.0"])
    assert layer.edges("depends_on") == [("issue/11", "issue/10"), ("issue/12", "issue/11")]
    assert layer.edges("belongs_to") == [("issue/12", "milestone/1.0")]
    assert (layer["issue/11"].title, layer["issue/11"].status) == ("Before", "done")
    assert layer["issue/12"].metadata["tags"] == ["bug"]
    assert next(iter(layer.given(issue="12-drafts"))) == "issue/12"


def test_an_issue_a_file_in_yaml_and_a_list_of_them(tmp_path: Path) -> None:
    one = "id: APP-1\ntitle: One\nstatus: open\nobjective: Do it.\nscope: [src]\n"
    several = (
        "issues:\n  - id: APP-2\n    title: Two\n    depends_on: [APP-1]\n"
        "  - id: APP-3\n    title: Three\n    blocks: APP-2\n"
    )
    files = {"issues/APP-1.yaml": one, "issues/more.yml": several, "src/a.py": "x = 1\n"}
    layer = ordinary(tmp_path, files)
    assert layer.of("issue") == ["APP-1", "APP-2", "APP-3"]
    assert layer.edges("depends_on") == [("issue/APP-2", "issue/APP-1"), ("issue/APP-2", "issue/APP-3")]
    assert layer["issue/APP-3"].member == "issues.1"
    assert layer.given(issue="APP-1")["implementation/src/a.py"] == "scope_path"


def test_yaml_that_cannot_be_read_is_a_diagnostic_with_its_line(tmp_path: Path) -> None:
    files = {"issues/1.yaml": "id: 1\ntitle: [\n", "issues/2.yaml": "just text\n", "issues/3.yaml": "id: 3\n"}
    layer = ordinary(tmp_path, files)
    assert layer.of("issue") == ["3"]
    assert layer.faults == ["error issues/1.yaml:3 malformed_yaml", "error issues/2.yaml:1 schema_violation"]


def exported() -> list[dict[str, object]]:
    return [
        {
            "number": 5, "title": "Crash", "state": "OPEN",
            "body": "It breaks in src/a.py.\n\nBlocked by #4. Part of #6.",
            "labels": [{"name": "bug"}], "assignees": [{"login": "ann"}],
            "milestone": {"number": 2, "title": "v1.0", "description": "The first.", "dueOn": None},
            "updatedAt": "2026-01-02T00:00:00Z", "url": "https://example.org/5",
        },
        {"number": 4, "title": "Before", "state": "CLOSED", "body": "", "labels": [], "milestone": None},
        {"number": 6, "title": "Parent", "state": "OPEN", "body": "Depends on #999"},
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["issues.json", ".github/issues.json", "docs/github-issues.json", ".issues/open.json"])
def test_exported_github_issues(tmp_path: Path, path: str) -> None:
    layer = ordinary(tmp_path, {path: json.dumps(exported()), "src/a.py": "x = 1\n"})
    assert (layer.of("issue"), layer.of("milestone")) == (["4", "5", "6"], ["v1.0"])
    issue = layer["issue/5"]
    assert (issue.title, issue.status) == ("Crash", "open")
    assert issue.metadata["owners"] == ["ann"]
    assert issue.metadata["tags"] == ["bug"]
    assert layer.edges("depends_on") == [("issue/5", "issue/4")]
    assert layer.edges("belongs_to") == [("issue/5", "issue/6"), ("issue/5", "milestone/v1.0")]
    # What a body says about an issue that was not exported leads nowhere without remark.
    assert not layer.findings
    assert list(layer.given(issue="#5"))[:2] == ["issue/5", "issue/6"]


def test_json_that_is_no_export_is_an_ordinary_file_and_broken_json_a_diagnostic(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, {"issues.json": '{"a": 1}', ".issues/x.json": "[\n{"})
    assert not layer.of("issue")
    assert layer.faults == ["error .issues/x.json:2 malformed_record"]


def nygard(number: int, title: str, status: str) -> str:
    return f"# {number}. {title}\n\nDate: 2026-01-0{number}\n\n## Status\n\n{status}\n\n## Context\n\nText.\n"


def test_decisions_by_nygard_also_where_adr_dir_says(tmp_path: Path) -> None:
    files = {
        ".adr-dir": "log/choices\n",
        "log/choices/0001-use-files.md": nygard(1, "Use files", "Superseded by [2. Use a database](0002-use-db.md)"),
        "log/choices/0002-use-db.md": nygard(
            2, "Use a database", "Accepted\n\nSupersedes [1. Use files](0001-use-files.md)"
        ),
        "src/db.py": "x = 1\n",
    }
    layer = ordinary(tmp_path, files)
    assert layer.of("adr") == ["1", "2"]
    assert layer["adr/1"].description == "replaced by log/choices/0002-use-db.md"
    assert layer.edges("supersedes") == [("adr/2", "adr/1")]
    answer = layer.ask(intent="use files use database")
    assert [(one.current, one.against) for one in answer.conflicts] == [("contextc://adr/2", "contextc://adr/1")]
    assert [row.reason for row in answer.excluded if row.uri == "contextc://adr/1"] == ["superseded"]


def test_decisions_by_madr(tmp_path: Path) -> None:
    files = {
        "docs/decisions/0001-old.md": matter("# Old\n", status='"superseded by ADR-0002"', date="2026-01-01"),
        "docs/decisions/0002-new.md": matter("# New\n\nSee src/a.py and ADR-0003.\n", status="accepted"),
        "docs/decisions/0003-no.md": matter("# No\n", status="rejected"),
        "docs/decisions/adr-template.md": "# Template\n",
        "src/a.py": "x = 1\n",
    }
    layer = ordinary(tmp_path, files)
    assert [layer[f"adr/{number}"].status for number in (1, 2, 3)] == ["superseded", "accepted", "rejected"]
    assert layer.edges("supersedes") == [("adr/2", "adr/1")]
    assert layer.edges("mentions") == [("adr/2", "adr/3"), ("adr/2", "implementation/src/a.py")]
    answer = layer.ask(uris=["contextc://adr/2"])
    assert [(row.uri.removeprefix("contextc://"), row.reason) for row in answer.excluded] == [
        ("adr/3", "stale"),
        ("adr/1", "superseded"),
    ]


def test_a_successor_that_is_not_there_is_an_unresolved_reference(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, {"doc/adr/0001-a.md": nygard(1, "A", "Superseded by [7. B](0007-b.md)")})
    (finding,) = layer.findings
    assert (finding.declared_in, finding.key, finding.reference) == ("doc/adr/0001-a.md", "superseded by", "7. B")
    answer = layer.ask(uris=["contextc://adr/1"])
    assert "unresolved_reference" in [one.code for one in answer.diagnostics]


def test_decisions_of_one_number_in_two_packages_go_by_their_paths(tmp_path: Path) -> None:
    files = {f"{package}/docs/adr/0001-a.md": nygard(1, package.upper(), "Accepted") for package in ("one", "two")}
    layer = ordinary(tmp_path, files)
    assert layer.of("adr") == ["one/docs/adr/0001-a.md", "two/docs/adr/0001-a.md"]
    assert layer.faults == [f"info {path} duplicate_identity" for path in files]
    with pytest.raises(InputError, match=r"one/docs/adr/0001-a.md and two/docs/adr/0001-a.md"):
        layer.ask(uris=["contextc://adr/1"])


def test_two_issues_of_one_id_are_refused_with_both_places_and_can_still_be_named_by_path(tmp_path: Path) -> None:
    files = BACKLOG | {"backlog/tasks/back-7 - Other.md": matter(id="BACK-7", title="Other", status="To Do")}
    layer = ordinary(tmp_path, files)
    for name in ("BACK-7", "back-7"):
        with pytest.raises(InputError, match=r"back-7 - Other.md and backlog/tasks/back-7 - Write-records.md"):
            layer.ask(issue=name)
    assert [fault for fault in layer.faults if "duplicate_identity" in fault] == [
        "error backlog/tasks/back-7 - Other.md duplicate_identity",
        "error backlog/tasks/back-7 - Write-records.md duplicate_identity",
    ]
    other = "issue/backlog/tasks/back-7 - Other.md"
    assert next(iter(layer.given(uris=[f"contextc://{other}"]))) == other


def test_a_reference_to_an_ambiguous_id_says_so(tmp_path: Path) -> None:
    files = {
        "issues/1-a.md": matter(id="1", title="A"),
        "issues/1-b.md": matter(id="1", title="B"),
        "issues/2.md": matter(id="2", title="C", depends_on="[1]"),
    }
    (finding,) = ordinary(tmp_path, files).findings
    assert finding.key == "depends_on (line 4)"
    assert "issues/1-a.md and issues/1-b.md" in finding.correction


def test_a_reference_to_nothing_says_what_is_there(tmp_path: Path) -> None:
    files = {
        "issues/1.md": matter(id="1", title="A", milestone="m-9"),
        "milestones/m-09.md": matter(id="M09", title="N"),
    }
    layer = ordinary(tmp_path, files)
    (finding,) = layer.findings
    assert (finding.reference, finding.key) == ("m-9", "milestone (line 4)")
    assert "there is M09" in finding.correction
    assert [one.code for one in layer.ask(issue="1").diagnostics] == ["unresolved_reference"]


def test_an_unknown_issue_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="BACK-99"):
        ordinary(tmp_path, BACKLOG).ask(issue="BACK-99")


def test_a_milestone_brings_its_issues(tmp_path: Path) -> None:
    given = ordinary(tmp_path, BACKLOG).given(milestone="First release")
    assert given["issue/BACK-7"] == "belongs_to"
    assert given["implementation/src/records.py"] == "scope_path touches"


def test_records_of_test_data_are_none_of_the_repository(tmp_path: Path) -> None:
    files = {f"tests/fixtures/{path}": text for path, text in BACKLOG.items()} | {
        "tests/data/docs/adr/0001-a.md": nygard(1, "A", "Accepted")
    }
    layer = ordinary(tmp_path, files)
    assert not layer.of("issue")
    assert not layer.of("adr")
