"""Rules of a repository: what a coding agent is to follow, by the files that tools read for it.

A pure function of the snapshot and the touched paths. The chain of directories from the root to each touched path
counts, all of it, the nearest last. Without touched paths the root's rules are what applies.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from contextc.frontend.conventions.base import Diagnostic, Rule, RuleSet, Standing
from contextc.frontend.conventions.front_matter import FrontMatter, read_front_matter
from contextc.frontend.conventions.globs import matches, means_all, split_globs
from contextc.frontend.conventions.rule_imports import follow, only_imports
from contextc.frontend.conventions.tree import Tree, chains, depth_of, joined

#: Rules that are passed over because they do not apply and are still named; a monorepo can hold thousands.
MOST_IDLE = 40

#: One file by name in each directory of the chain: the first of a line that is there.
CHAIN: tuple[tuple[str, ...], ...] = (
    ("AGENTS.override.md", "AGENTS.md"),
    ("CLAUDE.md",),
    (".claude/CLAUDE.md",),
    ("CLAUDE.local.md",),
)
#: Read by other tools, or not as rules alone: worth having, never an obligation.
ADVICE = ("GEMINI.md", "CONVENTIONS.md", ".cursorrules", ".windsurfrules", ".clinerules", ".github/CONVENTIONS.md")
ADVICE_FOLDERS = (".clinerules/", ".windsurf/rules/")
CHAIN_NAMES = frozenset(name for names in CHAIN for name in names)


class _Found:
    """Rules as they are found, by path: the strongest standing counts, reasons add up."""

    def __init__(self) -> None:
        self.rules: dict[str, Rule] = {}
        self.diagnostics: list[Diagnostic] = []

    def add(self, path: str, depth: int, standing: Standing, why: str, remark: str = "") -> None:
        rank = ("rule", "advice", "idle")
        before = self.rules.get(path)
        if before is None:
            self.rules[path] = Rule(path, depth, standing, (why,), remark)
            return
        if rank.index(standing) > rank.index(before.standing):
            return
        reasons = before.why if standing == before.standing else ()
        depth = max(depth, before.depth) if standing == before.standing else depth
        remarks = "; ".join(dict.fromkeys(part for part in (before.remark, remark) if part))
        self.rules[path] = Rule(path, depth, standing, tuple(dict.fromkeys((*reasons, why))), remarks)


def find_rules(tree: Tree, touched: Sequence[str]) -> RuleSet:
    """The rules of a snapshot. `touched` are listed files or directories, relative to the root."""
    found = _Found()
    scope = _Scope(tree, touched)
    for step in (_chain_files, _claude_rules, _cursor_rules, _copilot, _advice, _off_the_chain):
        step(tree, scope, found)
    _imports(tree, found)
    return RuleSet(_once(tree, found), tuple(sorted(set(found.diagnostics))))


class _Scope:
    """What the task touches, as rules ask for it."""

    def __init__(self, tree: Tree, touched: Sequence[str]) -> None:
        self.folders = chains(touched, tree.folders)
        self._tree = tree
        self._touched = sorted(touched)

    def hit(self, globs: Iterable[str], *, anywhere: bool, below: str = "") -> str | None:
        """A touched file that one of the globs means, as written below the directory `below`; None without any."""
        for glob in globs:
            for path in self._files():
                inner = path.removeprefix(f"{below}/") if below else path
                if (not below or path.startswith(f"{below}/")) and matches(glob, inner, anywhere=anywhere):
                    return path
        return None

    def _files(self) -> Iterator[str]:
        for path in self._touched:
            if path in self._tree.folders:
                yield from self._tree.below(path)
            else:
                yield path


def _chain_files(tree: Tree, scope: _Scope, found: _Found) -> None:
    for folder in scope.folders:
        where = folder or "the root"
        for names in CHAIN:
            present = [name for name in names if present_in(tree, joined(folder, name))]
            if not present:
                continue
            path = joined(folder, present[0])
            over = f", which it overrides: {joined(folder, present[1])}" if len(present) > 1 else ""
            _add_file(tree, found, path, depth_of(folder), "rule", f"speaks for {where} and all below{over}")
            for other in present[1:]:
                found.add(joined(folder, other), depth_of(folder), "idle", f"overridden by {path}")


def _add_file(tree: Tree, found: _Found, path: str, depth: int, standing: Standing, why: str) -> None:
    """Add a file; for a link inside the root, the file it leads to."""
    target = tree.links.get(path)
    if target is not None:
        found.add(target, depth, standing, why, f"also by the link {path}")
    elif path in tree.known:
        found.add(path, depth, standing, why)
    else:
        found.diagnostics.append(Diagnostic(path, 1, f"a file of rules that {tree.unread.get(path, 'cannot be read')}"))


def present_in(tree: Tree, path: str) -> bool:
    """Whether a path is listed, readable or not."""
    return path in tree.known or path in tree.unread


def _claude_rules(tree: Tree, scope: _Scope, found: _Found) -> None:
    for path, home in in_folders(tree, ".claude/rules/", (".md",)):
        matter = _matter(tree, path, found)
        globs = split_globs(matter.fields.get("paths"))
        if not globs:
            found.add(path, depth_of(home), "rule", "a rule without `paths` always applies", _remark(matter))
        else:
            _by_globs(found, scope, path, home, matter, globs, "paths", anywhere=False)


def _cursor_rules(tree: Tree, scope: _Scope, found: _Found) -> None:
    for path, home in in_folders(tree, ".cursor/rules/", (".mdc",)):
        matter = _matter(tree, path, found)
        globs = split_globs(matter.fields.get("globs"))
        if matter.fields.get("alwaysApply") is True:
            found.add(path, depth_of(home), "rule", "`alwaysApply` is true", _remark(matter))
        elif globs:
            _by_globs(found, scope, path, home, matter, globs, "globs", anywhere=True)
        elif matter.fields.get("description"):
            found.add(path, depth_of(home), "advice", "a rule to be read when its description fits", _remark(matter))
        else:
            found.add(path, depth_of(home), "idle", "a rule that is only applied by hand", _remark(matter))


def _copilot(tree: Tree, scope: _Scope, found: _Found) -> None:
    path = ".github/copilot-instructions.md"
    if present_in(tree, path):
        _add_file(tree, found, path, 0, "rule", "speaks for the whole repository")
    for path, home in in_folders(tree, ".github/instructions/", (".instructions.md",)):
        matter = _matter(tree, path, found)
        globs = split_globs(matter.fields.get("applyTo"))
        if globs:
            _by_globs(found, scope, path, home, matter, globs, "applyTo", anywhere=False)
        else:
            found.add(path, depth_of(home), "idle", "without `applyTo` it is only applied by hand", _remark(matter))


def _by_globs(
    found: _Found,
    scope: _Scope,
    path: str,
    home: str,
    matter: FrontMatter,
    globs: Sequence[str],
    field: str,
    *,
    anywhere: bool,
) -> None:
    shown = ", ".join(globs)
    if any(means_all(glob) for glob in globs):
        found.add(path, depth_of(home), "rule", f"`{field}: {shown}` means every file", _remark(matter))
        return
    hit = scope.hit(globs, anywhere=anywhere, below=home) or (scope.hit(globs, anywhere=anywhere) if home else None)
    if hit is not None:
        found.add(path, depth_of(home), "rule", f"`{field}: {shown}` matches {hit}", _remark(matter))
    else:
        found.add(path, depth_of(home), "idle", f"applies to {shown}, which the task does not touch", _remark(matter))


def _advice(tree: Tree, scope: _Scope, found: _Found) -> None:
    for folder in scope.folders:
        for name in ADVICE:
            path = joined(folder, name)
            if path in tree.known or path in tree.links:
                _add_file(
                    tree, found, path, depth_of(folder), "advice", "conventions written for other tools or people"
                )
    for start in ADVICE_FOLDERS:
        for path, home in in_folders(tree, start, (".md", ".txt")):
            found.add(path, depth_of(home), "advice", "conventions written for other tools or people")


def _off_the_chain(tree: Tree, scope: _Scope, found: _Found) -> None:
    """Files of rules in directories that the task does not touch: named, so that it can be seen why they are out."""
    count = 0
    on_chain = set(scope.folders)
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        if folder.endswith(".claude") and name == "CLAUDE.md":
            folder, name = posixpath.dirname(folder), ".claude/CLAUDE.md"
        if name in CHAIN_NAMES and folder not in on_chain and path not in found.rules and count < MOST_IDLE:
            count += 1
            found.add(path, depth_of(folder), "idle", f"speaks for {folder}/, which the task does not touch")


def in_folders(tree: Tree, start: str, endings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Files below a folder of rules, wherever such a folder lies, and the directory that holds it."""
    for path in tree.paths:
        if path.endswith(endings) and (path.startswith(start) or f"/{start}" in path):
            home = "" if path.startswith(start) else path[: path.index(f"/{start}")]
            yield path, home


def _matter(tree: Tree, path: str, found: _Found) -> FrontMatter:
    text = tree.readable(path)
    matter = read_front_matter(text if text is not None else "")
    if matter.fault is not None:
        line, message = matter.fault
        found.diagnostics.append(Diagnostic(path, line, f"front matter that is no YAML, read leniently: {message}"))
    return matter


def _remark(matter: FrontMatter) -> str:
    return (
        "" if matter.fault is None else f"its front matter is no YAML (line {matter.fault[0]}) and was read leniently"
    )


def _imports(tree: Tree, found: _Found) -> None:
    """Follow the imports of the files of the Claude convention that apply."""
    for rule in sorted(found.rules.values(), key=_order):
        if rule.standing == "idle" or not takes_imports(rule.path):
            continue
        imported, faults = follow(tree, rule.path)
        found.diagnostics.extend(faults)
        for item in imported:
            found.add(item.path, rule.depth, rule.standing, f"imported by {item.importer}, line {item.line}")


def takes_imports(path: str) -> bool:
    """Whether `@path` in a file of rules means an import."""
    name = posixpath.basename(path)
    return name in ("CLAUDE.md", "CLAUDE.local.md", "GEMINI.md") or ".claude/rules/" in path


def _once(tree: Tree, found: _Found) -> tuple[Rule, ...]:
    """Each text once: copies and files that only import are named by the one that stays."""
    kept: dict[str, Rule] = {}
    idle: list[Rule] = []
    for rule in sorted(found.rules.values(), key=_order):
        if rule.standing == "idle":
            idle.append(rule)
            continue
        text = tree.readable(rule.path)
        if text is None:
            found.diagnostics.append(Diagnostic(rule.path, 1, "a file of rules whose bytes cannot be had any more"))
            continue
        if not text.strip():
            continue
        if takes_imports(rule.path) and only_imports(text):
            idle.append(
                Rule(rule.path, rule.depth, "idle", ("it only imports other files, which are included", *rule.why))
            )
            continue
        key = "\n".join(line.rstrip() for line in text.strip().splitlines())
        first = kept.get(key)
        if first is None:
            kept[key] = rule
        else:
            kept[key] = Rule(
                first.path, first.depth, first.standing, first.why, _and(first.remark, f"same text as {rule.path}")
            )
            idle.append(Rule(rule.path, rule.depth, "idle", (f"same text as {first.path}", *rule.why)))
    return (*sorted(kept.values(), key=_order), *sorted(idle, key=_order))


def _and(before: str, more: str) -> str:
    return f"{before}; {more}" if before else more


def _order(rule: Rule) -> tuple[int, int, str]:
    return (("rule", "advice", "idle").index(rule.standing), rule.depth, rule.path)
