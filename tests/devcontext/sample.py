"""The published sample of a real layer as a repository, and answers in a form that is compared line by line."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.devcontext.builder import commit, git, write

from contextc.core.records.devcontext import CompiledContext


def sample_repository(shared: Path, root: Path, *, local: bool) -> Path:
    """The sample at `root`, committed; with `local` its handover and checkpoint too, as its README says."""
    shutil.copytree(shared / "devcontext" / "layer-sample", root)
    (root / "README-sample.md").unlink()
    template = root / "local-state-template"
    records = {path.relative_to(template).as_posix(): path.read_text() for path in sorted(template.rglob("*.md"))}
    shutil.rmtree(template)
    git(root, "init", "-q", "-b", "master")
    write(root, {".git/info/exclude": ".ai/local/\n"})
    head = commit(root, "2026-09-04T04:30:00Z")
    here = {"@REPO_ID@": f"{root}/.git", "@WORKTREE@": str(root), "@BRANCH@": "master", "@HEAD@": head}
    for path, text in records.items() if local else ():
        for mark, value in here.items():
            text = text.replace(mark, value)
        write(root, {f".ai/local/{path}": text})
    return root


def lines_of(answer: CompiledContext) -> list[str]:
    """An answer without its reasons and its fingerprint, a line for each row."""
    budget = answer.budget
    lines = [f"seed {seed.from_} {seed.uri} {seed.resolved or '-'}" for seed in answer.seeds]
    lines.append(
        f"budget {budget.used_tokens} of {budget.limit_tokens}, required {budget.required_tokens}, "
        f"{'over' if budget.over_budget else 'within'}"
    )
    for one in answer.selected:
        mark = " required" if one.required else ""
        lines.append(f"given {one.tier} {one.relevance:.3f} depth {one.depth} cost {one.cost_tokens} {one.uri}{mark}")
        for found in one.discovered_by:
            edge = f"({found.edge})" if found.edge else ""
            lines.append(
                f"  {found.selector}{edge} depth {found.depth} weight {found.weight:.3f} via {found.via or '-'}"
            )
    lines += [f"not given {row.tier} {row.reason} {row.relevance:.3f} {row.uri}" for row in answer.excluded]
    lines += [
        f"folded {row.key} {row.kept} {row.paths} {' '.join(row.dropped)}".rstrip() for row in answer.deduplicated
    ]
    lines += [f"conflict {row.kind} {row.current} {row.against}" for row in answer.conflicts]
    lines += [f"commit {row.commit[:12]} {row.named_by} {row.covers or '-'}" for row in answer.git.commits]
    lines += [f"warning {one.code} {one.message.partition(',')[0]}" for one in answer.diagnostics]
    return lines
