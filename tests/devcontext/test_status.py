"""`devcontext.index`: the layer's own account, and secrets that are not shown."""

from __future__ import annotations

from pathlib import Path

from tests.devcontext.answers import layer_of
from tests.devcontext.builder import base, git, issue, markdown, repository, rule, small_layer, write

from contextc.capabilities import devcontext_index as status
from contextc.capabilities.base import Session
from contextc.frontend.layer.workspace import Workspace
from contextc.frontend.sources import secret_content

#: Made up; in two parts, so that this file holds none.
SECRET = "ghp_" + "x7Kd9QmW2pLs4VnB8rTz6YhC3fJg1EaU0oI5"


def ask(root: Path) -> status.LayerStatus:
    return status.run(status.DevContextIndexInput(root=str(root)), Session())


def test_a_sound_layer_is_done(tmp_path: Path) -> None:
    answer = ask(repository(tmp_path, small_layer()))
    assert status.verdict(answer) == "done"
    assert answer.objects["rule"] == 3
    assert answer.edges["depends_on"] == 3
    assert not answer.degraded
    assert "16 objects" in status.in_words(answer)


def test_faults_and_references_to_nothing_are_problems_with_their_places(tmp_path: Path) -> None:
    files = small_layer() | {".ai/repo/rules/bad.md": "---\nid: x\n\ty: z\n---\n"}
    answer = ask(repository(tmp_path / "a", files))
    assert (answer.degraded, status.verdict(answer)) == (True, "problems")
    assert "error    .ai/repo/rules/bad.md:3: " in status.in_words(answer)
    files = small_layer() | {".ai/repo/project/issues/a.yaml": issue("a", "gone")}
    answer = ask(repository(tmp_path / "b", files))
    assert (answer.degraded, status.verdict(answer)) == (False, "problems")
    assert [(one.field, one.reference) for one in answer.dangling] == [("milestone", "gone")]
    assert "dangling .ai/repo/project/issues/a.yaml: `milestone` names 'gone'" in status.in_words(answer)


def test_it_notices_a_change(tmp_path: Path) -> None:
    root = repository(tmp_path, small_layer())
    before = ask(root)
    write(root, {".ai/repo/rules/alpha.md": rule("alpha", klass="blocking", depends_on="[none@1]")})
    assert not before.dangling
    assert len(ask(root).dangling) == 1


def test_a_secret_in_a_title_or_a_next_action_is_not_shown(tmp_path: Path) -> None:
    assert secret_content(f"token {SECRET}") is not None
    layer = layer_of(base() | {".ai/repo/project/issues/a.yaml": issue("a", title=f"Use {SECRET}")})
    assert next(one.title for one in layer.objects if one.identity == "a") is None
    root = repository(tmp_path, small_layer())
    text = markdown(
        f"# Next Action\n\nexport TOKEN={SECRET}\n",
        created_at="2026-01-10T09:00:00Z",
        head=git(root, "rev-parse", "HEAD"),
        branch="master",
        worktree=str(root),
    )
    write(root, {".ai/local/state/handovers/a.md": text})
    (found,) = Workspace(root).view().local.records
    assert "next_action" not in found.facts
