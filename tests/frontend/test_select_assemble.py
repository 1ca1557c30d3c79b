"""The pool of a task: which candidates there are, how strongly asked for, and behind which gates."""

from __future__ import annotations

import pytest
from trees import view_of

from contextc.core.records.candidate import Candidate
from contextc.errors import NotFound
from contextc.frontend.select import Pool, Task, assemble

SHOP = {
    "AGENTS.md": "# Rules\n\nNever edit generated files.\n",
    "src/AGENTS.md": "# Source\n\nNo globals.\n",
    "README.md": "# Shop\n\nA shop with a session.\n",
    "doc/adr/0001-cents.md": "# 1. Session cookie in cents\n\n## Status\n\nAccepted\n\nA session cookie.\n",
    "doc/adr/0002-old.md": "# 2. Session cookie in Redis\n\n## Status\n\nSuperseded by [3](0003-new.md)\n",
    "doc/adr/0003-new.md": "# 3. Session cookie in Postgres\n\n## Status\n\nAccepted\n",
    "src/session.py": (
        "import cookies\n\n\nclass Session:\n    def __init__(self, cookie):\n        self.cookie = cookie\n"
        "\n"
        "    def refresh_cookie(self):\n        self.cookie.touch()\n\n" + "    def other(self):\n        pass\n\n" * 60
    ),
    "src/cookies.py": "class Cookie:\n    def touch(self):\n        self.age = 0\n",
    "src/prices.py": "".join(f"def price_{n}():\n    return {n}\n\n\n" for n in range(50)),
    "tests/test_session.py": "import session\n\n\ndef test_refresh():\n    session.Session(0).refresh_cookie()\n",
    "package-lock.json": '{"session": "cookie", "refresh": "cookie"}\n' * 50,
    "web/app.js": "export const cookie = 1;\n",
}
TASK = "the session cookie is not refreshed by refresh_cookie"


def pool_of(tmp_path, files, intent="", paths=(), budget=8000, links=None) -> Pool:
    view, snapshot = view_of(tmp_path, files, links)
    return assemble(view, snapshot, Task(intent, tuple(paths), budget))


def of_path(pool: Pool, path: str) -> dict[str, Candidate]:
    return {c.representation_id: c for c in pool.candidates if c.content_identity == path}


def text_of(pool: Pool) -> str:
    return "".join(c.content for c in pool.candidates) + repr(pool)


def test_every_candidate_has_a_note_and_a_block_of_its_own(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK)
    ids = [c.candidate_id for c in pool.candidates]
    assert ids == sorted(set(ids))
    assert set(pool.notes) == set(pool.blocks) == set(ids)
    for c in pool.candidates:
        assert pool.blocks[c.candidate_id].id == c.candidate_id
        assert pool.notes[c.candidate_id].path == pool.blocks[c.candidate_id].path == c.content_identity
        assert c.token_count == 0


def test_a_pool_is_a_function_of_snapshot_and_task(tmp_path):
    view, snapshot = view_of(tmp_path, SHOP)
    assert assemble(view, snapshot, Task(TASK)) == assemble(view, snapshot, Task(TASK))


def test_rules_are_obligations_and_the_nearest_stands_last(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK, ["src/session.py"])
    rules = [c for c in pool.candidates if c.requirement == "MANDATORY"]
    assert [c.content_identity for c in rules] == ["AGENTS.md", "src/AGENTS.md"]
    assert {c.order_role for c in rules} == {"instruction"}
    assert "speaks for src and all below" in pool.notes[rules[1].candidate_id].why


def test_a_rule_off_the_chain_is_out_of_scope_and_says_why(tmp_path):
    (rule,) = of_path(pool_of(tmp_path, SHOP, "prices"), "src/AGENTS.md").values()
    assert not rule.scope_eligible and rule.requirement == "DISCRETIONARY"
    assert rule.scope_reason == "speaks for src/, which the task does not touch"
    assert rule.content == ""


def test_a_large_rule_is_offered_whole_or_as_an_outline_and_is_never_cut(tmp_path):
    text = "# Rules\n\n" + "".join(f"## Part {n}\n\n{'Do it well. ' * 60}\n\n" for n in range(60))
    pool = pool_of(
        tmp_path, {"AGENTS.md": text, "sub/AGENTS.md": "# Sub\n\nNested.\n", "sub/a.py": "x = 1\n"}, "", ["sub/a.py"]
    )
    forms = of_path(pool, "AGENTS.md")
    assert set(forms) == {"full", "outline"}
    assert forms["full"].content == text
    assert "left out" in pool.notes[forms["outline"].candidate_id].remark
    assert of_path(pool, "sub/AGENTS.md")["full"].content == "# Sub\n\nNested.\n"
    assert "\ufffd" not in text_of(pool)


def test_the_file_that_the_task_is_about_is_the_clear_top(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK)
    top = max((c for c in pool.candidates if c.order_role == "evidence"), key=lambda c: c.relevance)
    assert top.content_identity == "src/session.py"
    assert top.requirement == "PREFERRED"
    why = pool.notes[top.candidate_id].why
    assert "defines refresh_cookie, named in the task" in why
    assert "path holds 'session'" in why
    assert any(line.startswith("text holds ") for line in why)


def test_reasons_hold_no_unrounded_figure(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK)
    for note in pool.notes.values():
        assert not any("." in word and word.replace(".", "").isdigit() for line in note.why for word in line.split())


def test_named_files_are_required_in_every_form_that_shows_something(tmp_path):
    forms = of_path(pool_of(tmp_path, SHOP, TASK, ["src/session.py"], budget=400), "src/session.py")
    assert {"full", "focused", "outline"} <= set(forms)
    assert "anchor" not in forms
    assert {c.requirement for c in forms.values()} == {"REQUIRED"}
    assert forms["full"].content == SHOP["src/session.py"]


def test_relevance_grows_with_what_a_form_shows(tmp_path):
    forms = of_path(pool_of(tmp_path, SHOP, TASK), "src/session.py")
    focused = [c.relevance for name, c in forms.items() if name.startswith("focused")]
    assert focused
    assert all(forms["full"].relevance >= relevance > forms["anchor"].relevance for relevance in focused)
    ranks = {name.partition("-")[0]: c.form_rank for name, c in forms.items()}
    assert ranks == {"full": 3, "focused": 2, "outline": 1, "anchor": 1}


def test_a_named_path_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFound):
        pool_of(tmp_path, SHOP, TASK, ["src/gone.py"])


def test_a_named_directory_keeps_everything_else_out(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK, ["src"])
    for c in pool.candidates:
        if c.order_role != "instruction" and not c.content_identity.startswith("src/"):
            assert not c.scope_eligible and c.scope_reason == "outside src/"
            assert c.content == ""
    assert of_path(pool, "src/session.py")["full"].scope_eligible
    assert not of_path(pool, "tests/test_session.py")["reference"].scope_eligible


def test_a_named_directory_without_words_gives_its_files(tmp_path):
    pool = pool_of(tmp_path, SHOP, "", ["src"])
    inside = {c.content_identity for c in pool.candidates if c.order_role == "evidence" and c.scope_eligible}
    assert inside == {"src/cookies.py", "src/prices.py", "src/session.py"}
    assert all(
        c.relevance >= 0.3 for c in pool.candidates if c.representation_id == "full" and c.order_role == "evidence"
    )


def test_a_file_named_beside_a_directory_is_in_scope(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK, ["src", "web/app.js"])
    assert of_path(pool, "web/app.js")["full"].requirement == "REQUIRED"
    assert of_path(pool, "web/app.js")["full"].scope_eligible


def test_lock_files_are_only_pointed_to(tmp_path):
    forms = of_path(pool_of(tmp_path, SHOP, TASK), "package-lock.json")
    assert set(forms) == {"reference"}
    assert forms["reference"].content == ""


def test_a_lock_file_that_is_named_is_shown(tmp_path):
    forms = of_path(pool_of(tmp_path, SHOP, TASK, ["package-lock.json"]), "package-lock.json")
    assert forms["full"].content == SHOP["package-lock.json"]


def test_tests_stand_behind_the_source_they_test(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK)
    assert of_path(pool, "tests/test_session.py")["full"].relevance <= of_path(pool, "src/session.py")["full"].relevance
    assert pool.notes["tests/test_session.py#full"].path == "tests/test_session.py"


def test_decisions_in_force_support_and_replaced_ones_name_their_successor(tmp_path):
    pool = pool_of(tmp_path, SHOP, TASK)
    assert of_path(pool, "doc/adr/0001-cents.md")["full"].order_role == "support"
    assert of_path(pool, "doc/adr/0003-new.md")["full"].kind == "decision"
    old = of_path(pool, "doc/adr/0002-old.md")
    assert all(not c.freshness_eligible for c in old.values())
    assert {c.freshness_reason for c in old.values()} == {"superseded: replaced by doc/adr/0003-new.md"}
    assert all(c.content == "" for c in old.values())


def test_a_decision_about_something_else_is_no_candidate(tmp_path):
    pool = pool_of(tmp_path, SHOP, "price_7 returns the wrong figure")
    assert of_path(pool, "doc/adr/0003-new.md") == {}


SECRET = "ghp_" + "Zq81kLp0xT77" * 3
LEAKY = {**SHOP, ".env": "PASSWORD=hunter2-Zq81\n", "src/forge.py": f'# session cookie refresh\ntoken = "{SECRET}"\n'}


@pytest.mark.parametrize("paths", [[], [".env", "src/forge.py"], ["src"]])
def test_secrets_fail_a_gate_and_their_bytes_are_nowhere(tmp_path, paths):
    pool = pool_of(tmp_path, LEAKY, TASK, paths)
    for path in (".env", "src/forge.py"):
        (candidate,) = of_path(pool, path).values()
        assert not candidate.authority_eligible
        assert candidate.authority_reason.startswith("secret: by ")
        assert candidate.content == ""
        assert candidate.requirement == ("REQUIRED" if path in paths else "DISCRETIONARY")
    assert "hunter2" not in text_of(pool) and "Zq81kLp0xT77" not in text_of(pool)


def test_what_cannot_be_read_is_left_out_with_a_reason(tmp_path):
    files = {**SHOP, "session.bin": b"\0\1session cookie" * 99, "big.sql": b"session cookie\n" * 200_000}
    pool = pool_of(tmp_path, files, TASK, links={"session-link": "../outside"})
    reasons = {item.path: item.reason for item in pool.left_out}
    assert reasons == {"session.bin": "binary", "big.sql": "oversized", "session-link": "symlink"}


def test_a_binary_that_is_named_is_pointed_to(tmp_path):
    pool = pool_of(tmp_path, {"a.bin": b"\0\1\2" * 99}, "", ["a.bin"])
    (candidate,) = pool.candidates
    assert (candidate.requirement, candidate.representation_id) == ("REQUIRED", "reference")
    assert "binary" in pool.notes[candidate.candidate_id].remark


def test_a_task_that_matches_nothing_gives_the_rules_and_nothing_else(tmp_path):
    pool = pool_of(tmp_path, SHOP, "zyzzyva quokka")
    assert {c.content_identity for c in pool.candidates if c.scope_eligible} == {"AGENTS.md"}


def test_nothing_gives_an_empty_pool(tmp_path):
    pool = pool_of(tmp_path, {}, "anything")
    assert pool.candidates == () and pool.left_out == ()


def test_paths_of_any_bytes_are_shown_quoted(tmp_path):
    pool = pool_of(
        tmp_path, {"session\n\udcff.py": "def cookie():\n    pass\n", "rule:00:x.py": "cookie = 1\n"}, "cookie"
    )
    assert {c.content_identity for c in pool.candidates} == {'"session\\n\\377.py"', "rule:00:x.py"}
    assert not any(c.candidate_id.startswith("rule:") for c in pool.candidates)


def test_line_ends_of_windows_stay(tmp_path):
    pool = pool_of(tmp_path, {"a.py": b"def cookie():\r\n    pass\r\n"}, "cookie")
    assert of_path(pool, "a.py")["full"].content == "def cookie():\r\n    pass\r\n"


def test_faults_of_records_are_reported(tmp_path):
    pool = pool_of(tmp_path, {**SHOP, "CLAUDE.md": "Read @gone.md first.\n"}, TASK)
    assert [(d.path, d.line) for d in pool.diagnostics] == [("CLAUDE.md", 1)]


def test_what_is_made_stays_within_bounds(tmp_path):
    files = {
        f"src/m{n}.py": "".join(f"def cookie_{n}_{k}():\n    return {k}\n" for k in range(200)) for n in range(120)
    }
    pool = pool_of(tmp_path, files, "cookie", budget=1_000_000)
    assert len(pool.candidates) <= 400
    assert sum(len(c.content) for c in pool.candidates) < 6_000_000
