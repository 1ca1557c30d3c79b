"""Builds repositories with a layer: any files, and the small layer that the contract's own tests describe."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}

MANIFEST = """\
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
  profiles: repo/profiles
  rules: repo/rules
  adrs: repo/adrs
  project: repo/project
  sessions: repo/sessions
  knowledge: repo/knowledge
context:
  documents: [README.md]
"""

SCOPE = """\
version: 1
in:
  - .ai/**
  - lib/**
  - test/**
  - docs/**
out:
  paths:
    - .ai/local/
  binary: true
"""

#: The classes of the small layer: id, kind, pattern, required.
CLASSES = (
    ("context", "context", ".ai/**/README.md", True),
    ("policy", "policy", ".ai/repo/policy.yaml", True),
    ("scope", "scope", ".ai/repo/scope.yaml", False),
    ("profile", "profile", ".ai/repo/profiles/*.yaml", False),
    ("rule", "rule", ".ai/repo/rules/**/*.md", False),
    ("milestone", "milestone", ".ai/repo/project/milestones/*.yaml", False),
    ("issue", "issue", ".ai/repo/project/issues/*.yaml", False),
    ("adr", "adr", ".ai/repo/adrs/????-*.md", False),
    ("session", "session", ".ai/repo/sessions/*.md", False),
    ("library", "implementation", "lib/*.sh", False),
    ("case", "test", "test/cases/*.sh", False),
)


def classes(*rows: tuple[str, str, str, bool]) -> str:
    """The text of `sources.yaml`."""
    lines = ["version: 1", "sources:"]
    for name, kind, pattern, required in rows:
        lines += [
            f"  - id: {name}",
            f"    kind: {kind}",
            "    discovery: vcs",
            f"    pathspec: ':(glob){pattern}'",
            f"    required: {str(required).lower()}",
        ]
    return "\n".join(lines) + "\n"


def base(*more: tuple[str, str, str, bool]) -> dict[str, str]:
    """The least layer: manifest, classes, policy, scope, the root contract. `more` are further classes."""
    return {
        ".ai/manifest.yaml": MANIFEST,
        ".ai/repo/knowledge/sources.yaml": classes(*CLASSES, *more),
        ".ai/repo/policy.yaml": "version: 1\n",
        ".ai/repo/scope.yaml": SCOPE,
        ".ai/README.md": contract("ai.layer", scope="subtree", tracks="[lib]"),
    }


def contract(name: str, **fields: str) -> str:
    """A directory contract."""
    return markdown(schema="context/v1", id=name, kind="context", title=name, description="Text.", **fields)


def markdown(body: str = "# Body\n", **fields: str) -> str:
    """A document with front matter; `_` in a field's name stands for nothing but itself."""
    block = "".join(f"{name}: {value}\n" if value else f"{name}:\n" for name, value in fields.items())
    return f"---\n{block}---\n{body}"


def rule(name: str, version: int = 1, **fields: str) -> str:
    """A rule; advisory unless a class is given."""
    given = {"id": name, "version": str(version), "kind": "rule", "title": f"Rule {name}", "description": "A rule."}
    given |= {"status": "active", "class": fields.pop("klass", "advisory")}
    return markdown(**(given | fields))


def issue(name: str, milestone: str = "m1", more: str = "", **fields: str) -> str:
    """An issue; `more` is YAML that is appended as it stands."""
    rows = {"id": name, "milestone": milestone, "title": f"Issue {name}", "objective": f"Objective of {name}."} | fields
    return "".join(f"{key}: {value}\n" for key, value in rows.items()) + more


def small_layer() -> dict[str, str]:
    """The fixture of SPEC 7, last paragraph, built afresh."""
    commit = "2dd5915d62182c8c35f609391a23c355fad1134a"
    evidence = f"evidence:\n  - covers: suite\n    type: test\n    commit: {commit}\n"
    return base() | {
        ".ai/repo/rules/README.md": contract("ai.repo.rules", scope="directory"),
        ".ai/repo/profiles/implementation.yaml": "name: implementation\ndescription: Plain work.\n",
        ".ai/repo/rules/alpha.md": rule("alpha", klass="blocking"),
        ".ai/repo/rules/beta.md": rule("beta", depends_on="[alpha@1]"),
        ".ai/repo/rules/gamma.md": rule("gamma", status="deprecated", depends_on="[alpha@1]"),
        ".ai/repo/adrs/0001-first.md": markdown(
            schema="adr/v1",
            id="adr-0001",
            kind="adr",
            title="The first decision",
            status="accepted",
            date="2026-01-01",
            related="[rule:alpha]",
        ),
        ".ai/repo/adrs/0002-second.md": markdown(
            schema="adr/v1",
            id="adr-0002",
            kind="adr",
            title="The second decision",
            status="accepted",
            date="2026-01-02",
            supersedes="[adr-0001]",
            related="[rule:beta]",
        ),
        ".ai/repo/project/milestones/m1.yaml": "id: m1\ntitle: Milestone one\nslug: the-first\noutcome: It works.\n",
        ".ai/repo/project/issues/I0001.yaml": issue(
            "I0001", slug="write-the-thing", more="scope:\n  - lib\n" + evidence
        ),
        ".ai/repo/project/issues/I0002.yaml": issue("I0002", more="depends_on:\n  - I0001\n"),
        ".ai/repo/sessions/one.md": markdown(
            schema="session/v1",
            kind="session",
            session_id="s-1",
            title="Session one",
            branch="master",
            changed_files="[lib/thing.sh]",
        ),
        "lib/thing.sh": "#!/bin/sh\necho thing\n",
        "test/cases/01_thing.sh": "#!/bin/sh\nexit 0\n",
    }


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a directory."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root


def repository(root: Path, files: Mapping[str, str | bytes], date: str = "2026-01-10T10:00:00Z") -> Path:
    """A git repository on branch master with one commit of all these files."""
    write(root, files)
    git(root, "init", "-q", "-b", "master")
    write(root, {".git/info/exclude": ".ai/local/\n"})
    commit(root, date)
    return root


def commit(root: Path, date: str = "2026-01-10T10:00:00Z") -> str:
    """Commit everything and return the id."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "state", date=date)
    return git(root, "rev-parse", "HEAD")


def git(root: Path, *arguments: str, date: str = "2026-01-10T10:00:00Z") -> str:
    """Run git and return what it says."""
    environment = GIT_ENVIRONMENT | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *arguments], cwd=root, env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8").strip()


def record(root: Path, head: str, created_at: str = "2026-01-10T09:00:00Z", branch: str = "master") -> str:
    """A handover or checkpoint of this worktree."""
    return markdown(
        "# Objective\n\nText.\n\n# Next Action\n\nRun the suite.\n\n# Else\n\nNo.\n",
        schema_version="1",
        created_at=created_at,
        task_id="t-1",
        branch=branch,
        head=head,
        worktree=str(root),
        working_tree="clean",
        changed_files="",
    )
