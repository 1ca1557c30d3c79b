"""Which rules apply to a task, by the conventions of the tools that read them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from trees import tree_of

from contextc.frontend.conventions.base import RuleSet
from contextc.frontend.conventions.rules import find_rules

CASES = json.loads((Path(__file__).parent / "rules_data" / "rules.json").read_text("utf-8"))


def standing(rules: RuleSet, name: str) -> list[str]:
    return [rule.path for rule in rules.rules if rule.standing == name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_rules_by_convention(tmp_path, case):
    rules = find_rules(tree_of(tmp_path, case["files"]), case["touched"])
    assert standing(rules, "rule") == case["rules"]
    assert standing(rules, "advice") == case.get("advice", [])
    by_path = {rule.path: rule for rule in rules.rules}
    assert len(by_path) == len(rules.rules), "each path once"
    for path, words in case.get("why", {}).items():
        assert words in by_path[path].why
    for path, words in case.get("remark", {}).items():
        assert words in by_path[path].remark
    for path, words in case.get("idle", {}).items():
        assert by_path[path].standing == "idle"
        assert words in by_path[path].why[0]
    expected = case.get("diagnostics", [])
    assert len(rules.diagnostics) == len(expected)
    for path, line, words in expected:
        assert any((d.path, d.line) == (path, line) and words in d.message for d in rules.diagnostics), words


def test_the_order_of_touched_paths_changes_nothing(tmp_path):
    files = {"AGENTS.md": "a", "x/AGENTS.md": "x", "y/AGENTS.md": "y", "y/z/AGENTS.md": "z", "x/1": "1", "y/z/2": "2"}
    files[".claude/rules/r.md"] = "---\npaths: y/**\n---\nr"
    tree = tree_of(tmp_path, files)
    answers = {find_rules(tree, order) for order in itertools.permutations(["x/1", "y/z/2", "y"])}
    assert len(answers) == 1


def test_a_link_to_a_rule_inside_the_root_is_that_rule_once(tmp_path):
    tree = tree_of(tmp_path, {"AGENTS.md": "Be kind."}, {"CLAUDE.md": "AGENTS.md"})
    rules = find_rules(tree, [])
    assert standing(rules, "rule") == ["AGENTS.md"]
    assert "also by the link CLAUDE.md" in rules.rules[0].remark
    assert rules.diagnostics == ()


def test_a_link_to_another_name_is_read_where_it_leads(tmp_path):
    rules = find_rules(tree_of(tmp_path, {"docs/rules.md": "Be kind."}, {"AGENTS.md": "docs/rules.md"}), [])
    assert standing(rules, "rule") == ["docs/rules.md"]


def test_a_link_out_of_the_root_is_said_and_not_followed(tmp_path):
    (tmp_path / "outside.md").write_text("OUTSIDE")
    rules = find_rules(tree_of(tmp_path, {"a.py": "x"}, {"AGENTS.md": "../outside.md"}), [])
    assert rules.rules == ()
    assert [(d.path, "symlink" in d.message) for d in rules.diagnostics] == [("AGENTS.md", True)]


def test_a_rule_file_that_is_binary_is_said(tmp_path):
    rules = find_rules(tree_of(tmp_path, {"AGENTS.md": b"\0\1\2" * 40, "CLAUDE.md": "Be kind."}), [])
    assert standing(rules, "rule") == ["CLAUDE.md"]
    assert [d.path for d in rules.diagnostics] == ["AGENTS.md"]


def test_a_thousand_rules_elsewhere_do_not_flood_the_answer(tmp_path):
    files = {f"p{n:04}/AGENTS.md": f"{n}" for n in range(300)}
    rules = find_rules(tree_of(tmp_path, files), ["p0007/AGENTS.md"])
    assert standing(rules, "rule") == ["p0007/AGENTS.md"]
    assert len(rules.rules) < 60
