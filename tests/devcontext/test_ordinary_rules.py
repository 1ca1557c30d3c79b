"""Rules of every assistant as objects of an ordinary repository: where each holds, and how strongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.devcontext.ordinary_builder import matter, ordinary

CODE = {"src/api/user.py": "x = 1\n", "src/web/app.ts": "export {}\n", "README.md": "# Read me\n"}

#: File, its text; a path over which it holds ("" for the whole repository), one over which it does not, its class.
HOLDS = [
    ("AGENTS.md", "Root.\n", "", None, "blocking"),
    ("src/api/AGENTS.md", "Nested.\n", "src/api/user.py", "src/web/app.ts", "blocking"),
    ("CLAUDE.md", "Root.\n", "", None, "blocking"),
    (".claude/CLAUDE.md", "Root.\n", "", None, "blocking"),
    ("src/api/CLAUDE.md", "Nested.\n", "src/api", "src/web", "blocking"),
    (".claude/rules/always.md", "Always.\n", "", None, "blocking"),
    (".claude/rules/api.md", matter(paths='["src/api/**"]'), "src/api/user.py", "src/web/app.ts", "blocking"),
    (".cursor/rules/always.mdc", matter(alwaysApply="true"), "", None, "blocking"),
    (".cursor/rules/ts.mdc", matter(globs="*.ts, *.tsx"), "src/web/app.ts", "src/api/user.py", "blocking"),
    (".cursor/rules/new.mdc", matter(globs="src/api/**/*.py"), "src/api/not/there.py", "src/web", "blocking"),
    (".cursorrules", "Old.\n", "", None, "advisory"),
    (".github/copilot-instructions.md", "All.\n", "", None, "blocking"),
    (".github/instructions/all.instructions.md", matter(applyTo='"**"'), "", None, "blocking"),
    (".github/instructions/py.instructions.md", matter(applyTo='"**/*.py"'), "src/api", "src/web", "blocking"),
    ("GEMINI.md", "Gemini.\n", "", None, "advisory"),
    ("src/web/GEMINI.md", "Gemini.\n", "src/web/app.ts", "src/api/user.py", "advisory"),
    (".windsurfrules", "Wind.\n", "", None, "advisory"),
    (".windsurf/rules/all.md", matter(trigger="always_on"), "", None, "advisory"),
    (".windsurf/rules/ts.md", matter(trigger="glob", globs="**/*.ts"), "src/web/app.ts", "src/api/user.py", "advisory"),
    (".clinerules/all.md", "Cline.\n", "", None, "advisory"),
    (".clinerules/api.md", matter(paths='["src/api/**"]'), "src/api/user.py", "src/web/app.ts", "advisory"),
    ("CONVENTIONS.md", "Aider.\n", "", None, "advisory"),
]

#: Rules that hold nowhere by themselves.
IDLE = [
    (".cursor/rules/hand.mdc", matter(globs="")),
    (".cursor/rules/fits.mdc", matter(description="When you write SQL")),
    (".github/instructions/hand.instructions.md", "By hand.\n"),
    (".windsurf/rules/hand.md", matter(trigger="manual")),
    (".windsurf/rules/model.md", matter(trigger="model_decision", description="Sometimes")),
]


@pytest.mark.parametrize(("path", "text", "over", "not_over", "strength"), HOLDS, ids=lambda value: str(value)[:40])
def test_a_rule_is_found_where_it_holds_and_blocking_ones_are_required(
    tmp_path: Path, path: str, text: str, over: str, not_over: str | None, strength: str
) -> None:
    layer = ordinary(tmp_path, CODE | {path: text})
    rule = layer[f"rule/{path}"]
    assert rule.metadata["class"] == strength
    answer = layer.ask(paths=[over]) if over else layer.ask()
    entry = next(one for one in answer.selected if one.uri == rule.uri)
    assert entry.tier == "governance"
    assert entry.required == (strength == "blocking")
    assert entry.discovered_by[0].selector == ("contract" if over else "governance")
    if not_over is not None:
        assert rule.uri not in [one.uri for one in layer.ask(paths=[not_over]).selected]


@pytest.mark.parametrize(("path", "text"), IDLE, ids=lambda value: str(value)[:40])
def test_a_rule_applied_by_hand_is_given_only_when_it_is_named(tmp_path: Path, path: str, text: str) -> None:
    layer = ordinary(tmp_path, CODE | {path: text})
    assert f"rule/{path}" not in layer.given(paths=["src"])
    assert layer.given(uris=[f"contextc://rule/{path}"])[f"rule/{path}"] == "seed"


def test_all_rules_of_the_chain_are_given_and_the_nearest_has_the_highest_precedence(tmp_path: Path) -> None:
    files = {"AGENTS.md": "Root.\n", "src/AGENTS.md": "Source.\n", "src/api/AGENTS.md": "Interface.\n"}
    layer = ordinary(tmp_path, CODE | files)
    given = layer.given(paths=["src/api/user.py"])
    assert {f"rule/{path}" for path in files} <= set(given)
    assert [layer[f"rule/{path}"].metadata["precedence"] for path in files] == [0, 1, 2]


def test_an_override_stands_in_for_the_file_beside_it(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, CODE | {"AGENTS.md": "Old.\n", "AGENTS.override.md": "New.\n"})
    answer = layer.ask()
    assert [one.uri for one in answer.selected] == ["contextc://rule/AGENTS.override.md"]
    assert [(one.current, one.against) for one in answer.conflicts] == [
        ("contextc://rule/AGENTS.override.md", "contextc://rule/AGENTS.md")
    ]


def test_what_a_rule_imports_is_a_rule_and_a_file_that_only_imports_is_not_given(tmp_path: Path) -> None:
    files = {"CLAUDE.md": "@AGENTS.md\n@docs/style.md\n", "AGENTS.md": "Rules.\n", "docs/style.md": "# Style\n"}
    layer = ordinary(tmp_path, CODE | files)
    assert sorted(layer.given()) == ["rule/AGENTS.md", "rule/docs/style.md"]
    assert layer.edges("depends_on") == [
        ("rule/CLAUDE.md", "rule/AGENTS.md"),
        ("rule/CLAUDE.md", "rule/docs/style.md"),
    ]


def test_an_import_of_nothing_is_reported_with_its_line(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, CODE | {"CLAUDE.md": "Rules.\n\n@docs/gone.md\n"})
    assert layer.faults == ["warning CLAUDE.md:3 malformed_record"]
    assert "rule/CLAUDE.md" in layer.given()


def test_one_text_under_two_names_is_given_once(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, CODE | {"AGENTS.md": "Same.\n", "CLAUDE.md": "Same.\n", "src/AGENTS.md": "Same.\n"})
    assert list(layer.given()) == ["rule/AGENTS.md"]
    # The same words in another directory speak for another place.
    assert "rule/src/AGENTS.md" in layer.given(paths=["src"])


def test_front_matter_that_is_no_yaml_is_read_leniently_and_reported(tmp_path: Path) -> None:
    layer = ordinary(tmp_path, CODE | {".cursor/rules/a.mdc": "---\nglobs: **/*.ts\n---\nText.\n"})
    assert layer.faults == ["warning .cursor/rules/a.mdc:2 malformed_record"]
    assert ".cursor/rules/a.mdc" in "".join(layer.given(paths=["src/web/app.ts"]))


def test_a_link_to_a_rule_counts_as_the_file_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "CLAUDE.md").symlink_to("AGENTS.md")
    layer = ordinary(tmp_path, CODE | {"AGENTS.md": "Rules.\n"})
    assert list(layer.given()) == ["rule/AGENTS.md"]
    assert "CLAUDE.md" in (layer["rule/AGENTS.md"].description or "")


def test_a_rule_whose_globs_mean_every_file_holds_everywhere_else_it_counts_from_its_own_directory(
    tmp_path: Path,
) -> None:
    files = {"pkg/.claude/rules/a.md": matter(paths='["lib/**"]'), "pkg/lib/a.py": "x = 1\n", "lib/b.py": "y = 1\n"}
    layer = ordinary(tmp_path, files)
    assert "rule/pkg/.claude/rules/a.md" in layer.given(paths=["pkg/lib/a.py"])
    assert layer["rule/pkg/.claude/rules/a.md"].metadata["folders"] == ["lib", "pkg", "pkg/lib"]
