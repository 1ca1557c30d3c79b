"""Repositories that are made up, for measuring: as large as asked for, and the same for the same figures.

`layer_files` is a repository with an `.ai` layer, `ordinary_files` the same work without one: issues as Markdown with
front matter (the form of Backlog.md), decisions in the form of Nygard, rules for several assistants.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

#: Issues of one milestone, and files of one package: small teams' figures.
ISSUES_OF_MILESTONE = 20
FILES_OF_PACKAGE = 25

_WORD_TEXT = """
    account archive balance basket billing booking branch budget cache calendar catalog channel charge checkout
    claim client cluster column commit coupon courier credit customer dashboard delivery deposit device digest
    discount document driver email endpoint entry event export factor fee file filter forecast gateway graph group
    history image import index invoice item journal key label ledger limit link list location log machine margin
    market member menu merge message metric model module notice offer order owner package page parser partner
    payment period plan point policy portal price profile project proxy queue quota quote rate reader record refund
    region release report request reserve review role route rule sample schedule schema search segment session share
    shelf shift signal site slot snapshot source stock storage store stream summary supplier table target tariff
    task tax team template tenant ticket token topic trace transfer trigger unit user vault vendor version view
    voucher wallet
"""
_WORDS = tuple(_WORD_TEXT.split())
_VERB_TEXT = "add bind check close count drain encode fetch gather hold join keep load merge move open pack read send"
_VERBS = tuple(_VERB_TEXT.split())

_MANIFEST = """\
schema: ai-repository/v1
repo:
  path: repo
local:
  path: local
  tracked: false
  implicit_context: false
sections:
  policy: repo/policy.yaml
  scope: repo/scope.yaml
  rules: repo/rules
  adrs: repo/adrs
  project: repo/project
  sessions: repo/sessions
  knowledge: repo/knowledge
context:
  documents: [README.md]
"""
_POLICY = "version: 1\nsession:\n  freshness:\n    fresh_minutes: 720\n    stale_minutes: 2880\n"
_SCOPE = "version: 1\nin:\n  - '**'\nout:\n  paths:\n    - .ai/local/\n  binary: true\n  max_bytes: 1048576\n"
_CLASSES = (
    ("context", "context", ".ai/**/README.md"),
    ("policy", "policy", ".ai/repo/policy.yaml"),
    ("scope", "scope", ".ai/repo/scope.yaml"),
    ("rule", "rule", ".ai/repo/rules/**/*.md"),
    ("milestone", "milestone", ".ai/repo/project/milestones/*.yaml"),
    ("issue", "issue", ".ai/repo/project/issues/*.yaml"),
    ("adr", "adr", ".ai/repo/adrs/????-*.md"),
    ("session", "session", ".ai/repo/sessions/*.md"),
    ("claims", "claim", "docs/CLAIMS.yaml"),
    ("case", "test", "tests/**/*.py"),
    ("source", "implementation", "src/**/*.py"),
)


class Size(Struct, frozen=True, kw_only=True):
    """How much of each kind. The default is the size that the speed of `devcontext` is promised for."""

    issues: int = 260
    decisions: int = 60
    rules: int = 150
    sources: int = 2_500
    seed: int = 1


def layer_files(size: Size) -> dict[str, str]:
    """A repository with an `.ai` layer: path to text."""
    work = _Work(size)
    files = {
        ".ai/manifest.yaml": _MANIFEST,
        ".ai/repo/policy.yaml": _POLICY,
        ".ai/repo/scope.yaml": _SCOPE,
        ".ai/repo/knowledge/sources.yaml": _sources(),
        ".ai/README.md": _contract("ai.layer", "subtree", ("src/core", "tests")),
        ".ai/repo/rules/README.md": _contract("ai.repo.rules", "directory", ()),
    }
    for number in range(size.rules):
        files[f".ai/repo/rules/project/rule-{number:03d}.v1.md"] = work.layer_rule(number)
    for number in range(size.decisions):
        files[f".ai/repo/adrs/{number:04d}-{work.slug(number)}.md"] = work.layer_decision(number)
    for number in range(work.milestones):
        files[f".ai/repo/project/milestones/M{number:02d}.yaml"] = work.layer_milestone(number)
    for number in range(size.issues):
        files[f".ai/repo/project/issues/I{number:04d}.yaml"] = work.layer_issue(number)
    for number in range(size.issues // 20):
        files[f".ai/repo/sessions/s{number:03d}.md"] = work.layer_session(number)
    files["docs/CLAIMS.yaml"] = work.claims()
    return files | work.code()


def ordinary_files(size: Size) -> dict[str, str]:
    """The like of it without a layer: path to text."""
    work = _Work(size)
    files = {
        "README.md": "# A shop\n\nOrders, stock and payments.\n",
        "AGENTS.md": "# Rules\n\n- Run the tests before you hand anything over.\n- One change, one purpose.\n",
        "backlog/config.yml": "project_name: shop\nstatuses: [To Do, In Progress, Done]\ntask_prefix: task\n",
    }
    for number in range(1, size.rules):
        files |= work.ordinary_rule(number)
    for number in range(size.decisions):
        files[f"docs/adr/{number + 1:04d}-{work.slug(number)}.md"] = work.ordinary_decision(number)
    for number in range(work.milestones):
        files[f"backlog/milestones/m-{number} - {work.slug(number)}.md"] = (
            f"---\nid: m-{number}\ntitle: {work.title(number)}\n---\n\n## Description\n\n{work.sentence(number)}\n"
        )
    for number in range(size.issues):
        files[f"backlog/tasks/task-{number} - {work.slug(number)}.md"] = work.ordinary_issue(number)
    return files | work.code()


def write_repository(root: Path, files: Mapping[str, str]) -> None:
    """Write files below `root` and commit them. The commit is the same on every machine."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    who = {"NAME": "A", "EMAIL": "a@example.org", "DATE": "2026-01-10T10:00:00Z"}
    environment = {"PATH": os.environ.get("PATH", os.defpath), "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(root)}
    environment |= {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    for arguments in (
        ("init", "-q", "-b", "master"),
        ("add", "-A"),
        ("-c", "gc.auto=0", "commit", "-q", "-m", "All of it"),
    ):
        subprocess.run(["git", *arguments], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)


def _sources() -> str:
    rows = [
        f"  - id: {name}\n    kind: {kind}\n    discovery: vcs\n    pathspec: ':(glob){pattern}'\n"
        for name, kind, pattern in _CLASSES
    ]
    return "version: 1\nsources:\n" + "".join(rows)


def _contract(name: str, scope: str, tracks: tuple[str, ...]) -> str:
    return (
        f"---\nschema: context/v1\nid: {name}\nkind: context\ntitle: {name}\ndescription: What lives here.\n"
        f"status: active\nscope: {scope}\ntracks: [{', '.join(tracks)}]\n---\n# {name}\n\nText.\n"
    )


class _Work:
    """The work of one size: who depends on whom, and words for all of it."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._rng = random.Random(f"devcontext-{size.seed}")
        self.milestones = max(1, size.issues // ISSUES_OF_MILESTONE)
        self._packages = max(1, size.sources // FILES_OF_PACKAGE)

    def title(self, number: int) -> str:
        """A few words, often the same for one number."""
        rng = random.Random(f"title-{self._size.seed}-{number}")
        return f"{rng.choice(_VERBS).capitalize()} the {rng.choice(_WORDS)} of a {rng.choice(_WORDS)}"

    def slug(self, number: int) -> str:
        """The title as a name of a file."""
        return self.title(number).lower().replace(" ", "-")

    def sentence(self, number: int) -> str:
        """Words that say a little more than the title."""
        rng = random.Random(f"sentence-{self._size.seed}-{number}")
        words = [rng.choice(_WORDS) for _ in range(9)]
        return f"The {words[0]} and the {words[1]} of every {words[2]} are kept with the {' '.join(words[3:])}."

    def package(self, number: int) -> str:
        """The folder of a package."""
        return f"src/{_WORDS[number % len(_WORDS)]}_{number:03d}"

    def layer_rule(self, number: int) -> str:
        """A rule; one of eight blocks, most rest on another, one of twenty is deprecated."""
        before = f"[rule-{self._rng.randrange(number):03d}@1]" if number and number % 3 else "[]"
        body = "\n\n".join(
            f"## {part}\n\n{self.sentence(number + at)}" for at, part in enumerate(("Why", "How", "Test"))
        )
        return (
            f"---\nid: rule-{number:03d}\nversion: 1\nkind: rule\ntitle: {self.title(number)}\n"
            f"description: {self.sentence(number)}\nstatus: {'deprecated' if number % 20 == 19 else 'active'}\n"
            f"class: {'blocking' if number % 8 == 0 else 'advisory'}\ndepends_on: {before}\n"
            f"tags: [{_WORDS[number % len(_WORDS)]}]\n---\n# {self.title(number)}\n\n{body}\n"
        )

    def layer_decision(self, number: int) -> str:
        """A decision; one of ten replaces the one before, each brings a rule and a file into force."""
        supersedes = f"supersedes:\n  - adr-{number - 1:04d}\n" if number % 10 == 9 else ""
        related = (
            f"related:\n  - rule:rule-{self._rng.randrange(self._size.rules):03d}\n"
            f"  - file:{self.source(self._rng.randrange(self._size.sources))}\n"
        )
        return (
            f"---\nschema: adr/v1\nid: adr-{number:04d}\nkind: adr\ntitle: {self.title(number)}\nstatus: accepted\n"
            f"date: 2026-01-{1 + number % 28:02d}\n{supersedes}{related}---\n## Context\n\n{self.sentence(number)}\n\n"
            f"## Decision\n\n{self.sentence(number + 1)}\n\n## Consequences\n\n{self.sentence(number + 2)}\n"
        )

    def layer_milestone(self, number: int) -> str:
        """A milestone that follows the one before it, over one package."""
        before = f"depends_on:\n  - M{number - 1:02d}\n" if number else ""
        return (
            f"id: M{number:02d}\ntitle: {self.title(number)}\nslug: {self.slug(number)}\n"
            f"problem: {self.sentence(number)}\n"
            f"outcome: {self.sentence(number + 1)}\nscope:\n  - {self.package(number)}\n"
            f"{before}claims:\n  - claim-{number:03d}\n"
        )

    def layer_issue(self, number: int) -> str:
        """An issue of a milestone, over a file or a package and a folder of tests."""
        need = f"depends_on:\n  - I{number - 1 - self._rng.randrange(min(number, 9)):04d}\n" if number % 3 else ""
        place = self.package(number % self._packages) if number % 4 else self.source(number)
        return (
            f"id: I{number:04d}\nmilestone: M{number % self.milestones:02d}\ntitle: {self.title(number)}\n"
            f"slug: i{number:04d}-{self.slug(number)}\npriority: p{number % 3}\nobjective: {self.sentence(number)}\n"
            f"scope:\n  - {place}\n  - tests/t{number % 40:02d}\n{need}acceptance_criteria:\n"
            f"  - {self.sentence(number + 1)}\n  - {self.sentence(number + 2)}\nvalidation:\n  - make test\n"
        )

    def layer_session(self, number: int) -> str:
        """A closed session that changed three files."""
        changed = "".join(f"  - {self.source(self._rng.randrange(self._size.sources))}\n" for _ in range(3))
        return (
            f"---\nschema: session/v1\nkind: session\nsession_id: s-{number:03d}\ntitle: Session {number}\n"
            f"branch: feature/{number}\nchanged_files:\n{changed}outcome: closed\n---\n{self.sentence(number)}\n"
        )

    def claims(self) -> str:
        """A claim for each milestone, with its code and its case."""
        rows = [
            f"  - id: claim-{number:03d}\n    claim: {self.title(number)}\n"
            f"    implementation: {self.source(number * 7)}\n"
            f"    test: tests/t{number % 40:02d}/test_{number}.py\n    status: guaranteed\n"
            f"    note: {self.sentence(number)}\n"
            for number in range(self.milestones)
        ]
        return "version: 1\nclaims:\n" + "".join(rows)

    def ordinary_rule(self, number: int) -> dict[str, str]:
        """A rule of one of three assistants, bound to a package."""
        name, text = f"{self.slug(number)}-{number}", f"# {self.title(number)}\n\n{self.sentence(number)}\n"
        glob = f"{self.package(number % self._packages)}/**"
        if number % 3 == 0:
            return {
                f".cursor/rules/{name}.mdc": f"---\ndescription: {name}\nglobs: {glob}\nalwaysApply: false\n---\n{text}"
            }
        if number % 3 == 1:
            return {f".claude/rules/{name}.md": f'---\npaths: ["{glob}"]\n---\n{text}'}
        return {f".github/instructions/{name}.instructions.md": f'---\napplyTo: "{glob}"\n---\n{text}'}

    def ordinary_decision(self, number: int) -> str:
        """A decision in the form of Nygard; one of ten is replaced by the next."""
        status = "Accepted"
        if number % 10 == 8 and number + 1 < self._size.decisions:
            status = (
                f"Superseded by [{number + 2}. {self.title(number + 1)}]({number + 2:04d}-{self.slug(number + 1)}.md)"
            )
        return (
            f"# {number + 1}. {self.title(number)}\n\nDate: 2026-01-{1 + number % 28:02d}\n\n## Status\n\n{status}\n\n"
            f"## Context\n\n{self.sentence(number)}\n\n## Decision\n\nSee `{self.source(number * 3)}`. "
            f"{self.sentence(number + 1)}\n\n## Consequences\n\n{self.sentence(number + 2)}\n"
        )

    def ordinary_issue(self, number: int) -> str:
        """An issue in the form of Backlog.md."""
        need = f"[task-{number - 1 - self._rng.randrange(min(number, 9))}]" if number % 3 else "[]"
        return (
            f"---\nid: task-{number}\ntitle: {self.title(number)}\nstatus: To Do\nassignee: []\nlabels: []\n"
            f"dependencies: {need}\npriority: medium\nmilestone: m-{number % self.milestones}\n---\n\n"
            f"## Description\n\n"
            f"{self.sentence(number)} It touches `{self.source(number)}`.\n\n"
            f"## Acceptance Criteria\n<!-- AC:BEGIN -->\n"
            f"- [ ] #1 {self.sentence(number + 1)}\n<!-- AC:END -->\n"
        )

    def source(self, number: int) -> str:
        """The path of a source file."""
        number %= self._size.sources
        return f"{self.package(number % self._packages)}/{_WORDS[(number * 13) % len(_WORDS)]}_{number}.py"

    def code(self) -> dict[str, str]:
        """Source files that import each other, and a test for one of ten."""
        files = {}
        for number in range(self._size.sources):
            near = self.source(number + self._packages).removesuffix(".py").replace("/", ".")
            files[self.source(number)] = _module(random.Random(f"code-{self._size.seed}-{number}"), near)
        for number in range(self._size.sources // 10):
            name = self.source(number).removesuffix(".py").replace("/", ".")
            files[f"tests/t{number % 40:02d}/test_{number}.py"] = (
                f"from {name} import main\n\n\ndef test_{number}() -> None:\n    assert main([1, 2]) is not None\n"
            )
        return files


def _module(rng: random.Random, near: str) -> str:
    nouns = rng.sample(_WORDS, 5)
    parts = [f'"""The {nouns[0]} of a {nouns[1]}."""\n\nfrom {near} import main as other\n']
    for noun in nouns[2:]:
        verb = rng.choice(_VERBS)
        parts.append(
            f"\n\ndef {verb}_{noun}(values: list[int]) -> int:\n    # the {noun} comes before the {nouns[0]}\n"
            f"    total = 0\n    for value in values:\n        total += value * {rng.randrange(2, 99)}\n"
            f"    return total\n"
        )
    parts.append("\n\ndef main(values: list[int]) -> int:\n    return len(values) + id(other) % 2\n")
    return "".join(parts)
