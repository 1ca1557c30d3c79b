"""Local records, git's facts, and a desk that notices when they change (SPEC 1.8, CONTRACT 4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.devcontext.builder import base, commit, git, markdown, record, repository, small_layer, write

from contextc.capabilities.base import Session
from contextc.capabilities.devcontext_compile import DevContextCompileInput, run
from contextc.core.records.layer import LocalRecord
from contextc.frontend.layer.workspace import Workspace

HANDOVERS = ".ai/local/state/handovers"
CHECKPOINTS = ".ai/local/state/checkpoints"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", small_layer())


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


def only(root: Path) -> LocalRecord:
    (found,) = Workspace(root).view().local.records
    return found


def test_branch_head_and_tree(root: Path) -> None:
    facts = Workspace(root).view().git
    assert (facts.branch, facts.head, facts.working_tree) == ("master", head(root), "clean")
    write(root, {"lib/thing.sh": "other"})
    assert Workspace(root).view().git.working_tree == "dirty"
    git(root, "checkout", "-q", "--detach")
    assert Workspace(root).view().git.branch is None


def test_before_the_first_commit_there_is_a_branch_and_no_head(tmp_path: Path) -> None:
    write(tmp_path, small_layer())
    git(tmp_path, "init", "-q", "-b", "master")
    git(tmp_path, "add", "-A")
    facts = Workspace(tmp_path).view().git
    assert (facts.branch, facts.head) == ("master", None)


def test_dates_of_commits_that_evidence_names(tmp_path: Path) -> None:
    root = repository(tmp_path, base(), "2026-01-01T00:00:00Z")
    first = head(root)
    evidence = f"evidence:\n  - commit: {first}\n  - commit: {'0' * 40}\n  - commit: --all\n  - commit: {first[:12]}\n"
    write(root, {".ai/repo/project/issues/a.yaml": f"id: a\ntitle: T\n{evidence}"})
    commit(root, "2026-01-02T00:00:00Z")
    assert Workspace(root).view().git.commit_times == {first: 1767225600, first[:12]: 1767225600}


def test_no_local_half_is_no_record_and_no_failure(root: Path) -> None:
    local = Workspace(root).view().local
    assert (local.records, local.failures) == ((), ())


def test_a_record_of_this_worktree_and_branch(root: Path) -> None:
    text = record(root, head(root))
    write(root, {f"{HANDOVERS}/a.md": text})
    found = only(root)
    assert (found.kind, found.path, found.matched, found.divergence) == (
        "local-handover",
        f"{HANDOVERS}/a.md",
        "same_worktree_same_branch",
        "exact",
    )
    assert found.facts == {
        "created_at": "2026-01-10T09:00:00Z",
        "branch": "master",
        "head": head(root),
        "task_id": "t-1",
        "working_tree": "clean",
        "next_action": "Run the suite.",
        "matched": "same_worktree_same_branch",
        "divergence": "exact",
        "bytes": str(len(text)),
    }


def test_handovers_and_checkpoints_are_chosen_each_for_itself(root: Path) -> None:
    text = record(root, head(root))
    write(root, {f"{HANDOVERS}/a.md": text, f"{CHECKPOINTS}/a.md": text})
    assert [one.kind for one in Workspace(root).view().local.records] == ["local-handover", "local-checkpoint"]


def test_the_nearest_tier_wins_and_in_it_the_newest(root: Path) -> None:
    here, there = record(root, head(root), "2026-01-01T00:00:00Z"), record(Path("/elsewhere"), head(root))
    write(root, {f"{HANDOVERS}/a.md": there})
    assert (only(root).matched, only(root).divergence) == ("same_branch", "different_context")
    write(root, {f"{HANDOVERS}/b.md": here})
    assert only(root).path.endswith("b.md")
    write(root, {f"{HANDOVERS}/c.md": record(root, head(root), "2026-01-03T00:00:00Z")})
    write(root, {f"{HANDOVERS}/d.md": record(root, head(root), "2026-01-03T00:00:00Z")})
    assert only(root).path.endswith("c.md")


def test_a_record_of_another_branch_never_holds(root: Path) -> None:
    write(root, {f"{HANDOVERS}/a.md": record(root, head(root), branch="other")})
    assert Workspace(root).view().local.records == ()


def test_on_a_detached_head_only_this_worktree_counts(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")
    write(root, {f"{HANDOVERS}/a.md": record(Path("/elsewhere"), head(root), branch="HEAD")})
    assert Workspace(root).view().local.records == ()
    write(root, {f"{HANDOVERS}/b.md": record(root, head(root), branch="HEAD")})
    assert only(root).divergence == "exact"


def test_divergence_from_head(root: Path) -> None:
    first = head(root)
    write(root, {f"{HANDOVERS}/a.md": record(root, first)})
    write(root, {"lib/thing.sh": "other"})
    second = commit(root)
    assert only(root).divergence == "advanced"
    git(root, "checkout", "-q", "-B", "master", first)
    write(root, {f"{HANDOVERS}/a.md": record(root, second)})
    assert only(root).divergence == "diverged"
    write(root, {f"{HANDOVERS}/a.md": record(root, "f" * 40)})
    assert only(root).divergence == "unknown"


FRESHNESS = "version: 1\nsession:\n  freshness:\n    fresh_minutes: 60\n    stale_minutes: 120\n"


@pytest.mark.parametrize(
    "created_at, freshness, told",
    [
        ("2026-01-10T10:00:00Z", "fresh", True),
        ("2026-01-10T09:00:00Z", "fresh", True),
        ("2026-01-10T08:30:00Z", "aging", True),
        ("2026-01-10T10:30:00+02:00", "aging", True),
        ("2026-01-10T08:00:00Z", "stale", False),
        ("yesterday", "invalid", False),
    ],
)
def test_age_is_counted_by_the_date_of_head(tmp_path: Path, created_at: str, freshness: str, told: bool) -> None:
    root = repository(tmp_path, base() | {".ai/repo/policy.yaml": FRESHNESS}, "2026-01-10T10:00:00Z")
    write(root, {f"{HANDOVERS}/a.md": record(root, head(root), created_at)})
    assert only(root).freshness == freshness
    assert ("next_action" in only(root).facts) == told


def test_without_thresholds_freshness_is_unknown(root: Path) -> None:
    write(root, {f"{HANDOVERS}/a.md": record(root, head(root))})
    assert only(root).freshness == "unknown"


def test_what_cannot_be_read_is_named_and_the_rest_stands(root: Path) -> None:
    write(
        root,
        {
            f"{HANDOVERS}/a.md": record(root, head(root)),
            f"{HANDOVERS}/b.md": "---\nx: 1\n\ty: 2\n---\n",
            f"{HANDOVERS}/c.md": b"\xff",
            f"{HANDOVERS}/d.md": markdown(created_at="2026-01-10T09:00:00Z"),
            f"{HANDOVERS}/e.txt": "no record",
        },
    )
    (root / HANDOVERS / "f.md").symlink_to("a.md")
    local = Workspace(root).view().local
    assert only(root).path.endswith("a.md")
    assert [text.partition(" ")[0] for text in local.failures] == [
        f"{HANDOVERS}/b.md:3",
        f"{HANDOVERS}/c.md",
        f"{HANDOVERS}/f.md",
    ]


def test_a_local_half_that_is_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    write(tmp_path / "away", {"state/handovers/a.md": record(root, head(root))})
    (root / ".ai" / "local").symlink_to(tmp_path / "away")
    assert Workspace(root).view().local.records == ()


def test_an_answer_that_is_kept_notices_a_handover_a_branch_and_a_dirty_tree(root: Path) -> None:
    def ask() -> tuple[object, ...]:
        answer = run(DevContextCompileInput(root=str(root), issue="I0001"), Session())
        local = [one.uri for one in answer.selected if one.uri.startswith("local:")]
        return answer, local, answer.git.branch, answer.git.working_tree

    first = ask()
    assert ask()[0] is first[0]
    assert first[1:] == ([], "master", "clean")
    write(root, {f"{HANDOVERS}/a.md": record(root, head(root))})
    assert ask()[1:] == ([f"local:{HANDOVERS}/a.md"], "master", "clean")
    git(root, "checkout", "-q", "-b", "other")
    assert ask()[1:] == ([], "other", "clean")
    write(root, {"test/cases/01_thing.sh": "other"})
    assert ask()[1:] == ([], "other", "dirty")
    git(root, "checkout", "-q", "master")
    git(root, "checkout", "-q", ".")
    (root / HANDOVERS / "a.md").unlink()
    assert ask()[0] == first[0]
