"""Every rule of a repository with the place it speaks for, whatever a task touches.

`rules.find_rules` says what applies to some paths; this says where each file applies, so that a layer can be made once
and asked often. Both read the same files.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from contextc.frontend.conventions.base import Diagnostic, Standing
from contextc.frontend.conventions.front_matter import FrontMatter, read_front_matter
from contextc.frontend.conventions.globs import means_all, split_globs
from contextc.frontend.conventions.rule_imports import Imported, follow, only_imports
from contextc.frontend.conventions.rules import (
    ADVICE,
    ADVICE_FOLDERS,
    CHAIN,
    in_folders,
    present_in,
    takes_imports,
)
from contextc.frontend.conventions.tree import Tree, depth_of, joined

COPILOT = ".github/copilot-instructions.md"
#: Folders of rules that say for themselves where they apply, and the endings of their files.
FOLDERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (".claude/rules/", (".md",)),
    (".cursor/rules/", (".mdc",)),
    (".github/instructions/", (".instructions.md",)),
    *((folder, (".md", ".txt")) for folder in ADVICE_FOLDERS),
)


class DeclaredRule(Struct, frozen=True):
    """One file of rules. It speaks for the directory `home` ("" is the root) and all below it, or, with `globs`, for
    the files they mean (relative to the root). `idle` ones speak only when somebody asks for them, `why` says so.

    `overridden_by` and `same_as` name the file that stands in for it; `imports` are the files it imports directly.
    """

    path: str
    home: str
    standing: Standing
    why: str
    globs: tuple[str, ...] = ()
    description: str = ""
    remark: str = ""
    overridden_by: str = ""
    same_as: str = ""
    imports: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """How many directories lie above its place: the nearest, which counts most, has the most."""
        return depth_of(self.home)


class DeclaredRules(Struct, frozen=True):
    """All rules of a snapshot ascending by path, each path once, and what is wrong with any of them."""

    rules: tuple[DeclaredRule, ...]
    diagnostics: tuple[Diagnostic, ...]


def declared_rules(tree: Tree) -> DeclaredRules:
    """Every rule of a snapshot. A file that cannot be read is a diagnostic."""
    found: dict[str, DeclaredRule] = {}
    faults: set[Diagnostic] = set()
    for rule in (*_by_name(tree, faults), *_by_folder(tree, faults)):
        _add(found, rule)
    _add_imports(tree, found, faults)
    return DeclaredRules(tuple(_once(tree, found)), tuple(sorted(faults)))


def _add(found: dict[str, DeclaredRule], rule: DeclaredRule) -> None:
    """Keep the stronger standing; of equals the wider place."""
    before = found.get(rule.path)
    if before is None:
        found[rule.path] = rule
        return
    remarks = "; ".join(dict.fromkeys(text for text in (before.remark, rule.remark) if text))
    kept = rule if _strength(rule) < _strength(before) else before
    found[rule.path] = structs.replace(kept, remark=remarks, imports=before.imports)


def _strength(rule: DeclaredRule) -> tuple[int, bool, int]:
    return ("rule", "advice", "idle").index(rule.standing), bool(rule.globs), rule.depth


def _by_name(tree: Tree, faults: set[Diagnostic]) -> Iterator[DeclaredRule]:
    """Files that are rules by their name, in every directory."""
    names = {name for row in CHAIN for name in row}
    last = {posixpath.basename(name) for name in (*names, *ADVICE, COPILOT)}
    listed = (*tree.paths, *tree.links, *tree.unread)
    folders = sorted({_home_of(path) for path in listed if path.rpartition("/")[2] in last})
    for folder in folders:
        where = folder or "the root"
        for row in CHAIN:
            present = [joined(folder, name) for name in row if present_in(tree, joined(folder, name))]
            for index, path in enumerate(present):
                why = f"overridden by {present[0]}" if index else f"speaks for {where} and all below"
                yield from _named(tree, faults, path, folder, "rule", why, present[0] if index else "")
        for name in ADVICE:
            path = joined(folder, name)
            if path in tree.known or path in tree.links:
                yield from _named(tree, faults, path, folder, "advice", "conventions for other tools or people")
    if present_in(tree, COPILOT):
        yield from _named(tree, faults, COPILOT, "", "rule", "speaks for the whole repository")


def _home_of(path: str) -> str:
    """The directory that a file of rules speaks for, by where it lies."""
    folder = posixpath.dirname(path)
    inside = posixpath.basename(folder)
    return posixpath.dirname(folder) if inside in (".claude", ".github") else folder


def _named(
    tree: Tree,
    faults: set[Diagnostic],
    path: str,
    home: str,
    standing: Standing,
    why: str,
    overridden_by: str = "",
) -> Iterator[DeclaredRule]:
    """A file, or the file of the snapshot that a link leads to."""
    target = tree.links.get(path, path)
    if target not in tree.known:
        faults.add(Diagnostic(path, 1, f"a file of rules that {tree.unread.get(path, 'cannot be read')}"))
        return
    remark = f"also by the link {path}" if target != path else ""
    yield DeclaredRule(target, home, standing, why, remark=remark, overridden_by=overridden_by)


def _by_folder(tree: Tree, faults: set[Diagnostic]) -> Iterator[DeclaredRule]:
    for start, endings in FOLDERS:
        for path, home in in_folders(tree, start, endings):
            text = tree.readable(path)
            matter = read_front_matter(text if text is not None else "")
            remark = ""
            if matter.fault is not None:
                line, message = matter.fault
                faults.add(Diagnostic(path, line, f"front matter that is no YAML, read leniently: {message}"))
                remark = f"its front matter is no YAML (line {line}) and was read leniently"
            rule = _scoped(start, path, home, matter)
            yield structs.replace(rule, description=_text(matter, "description"), remark=remark)


def _scoped(start: str, path: str, home: str, matter: FrontMatter) -> DeclaredRule:
    """Where a rule of a folder applies, by the fields of its tool."""
    if start == ".cursor/rules/":
        if matter.fields.get("alwaysApply") is True:
            return DeclaredRule(path, home, "rule", "`alwaysApply` is true")
        globs = _globs(matter, "globs", home, anywhere=True)
        if globs is not None:
            return DeclaredRule(path, home, "rule", _by("globs", matter), globs)
        if _text(matter, "description"):
            return DeclaredRule(path, home, "idle", "to be read when its description fits")
        return DeclaredRule(path, home, "idle", "only applied by hand")
    if start == ".github/instructions/":
        globs = _globs(matter, "applyTo", home, anywhere=False)
        if globs is not None:
            return DeclaredRule(path, home, "rule", _by("applyTo", matter), globs)
        return DeclaredRule(path, home, "idle", "without `applyTo` only applied by hand")
    if start == ".windsurf/rules/":
        return _windsurf(path, home, matter)
    standing: Standing = "rule" if start == ".claude/rules/" else "advice"
    globs = _globs(matter, "paths", home, anywhere=False)
    if globs is not None:
        return DeclaredRule(path, home, standing, _by("paths", matter), globs)
    return DeclaredRule(path, home, standing, "a rule without `paths` always applies")


def _windsurf(path: str, home: str, matter: FrontMatter) -> DeclaredRule:
    trigger = _text(matter, "trigger")
    globs = _globs(matter, "globs", home, anywhere=True)
    if globs is not None and trigger in ("", "glob"):
        return DeclaredRule(path, home, "advice", _by("globs", matter), globs)
    if trigger in ("manual", "model_decision"):
        return DeclaredRule(path, home, "idle", f"`trigger: {trigger}`: only when it is asked for")
    return DeclaredRule(path, home, "advice", "a rule that always applies")


def _globs(matter: FrontMatter, field: str, home: str, *, anywhere: bool) -> tuple[str, ...] | None:
    """The globs of a field relative to the root; () for those that mean every file, None without any.

    A glob of a rule in `home` may be meant from there or from the root. With `anywhere` one without a slash means
    such names in all folders.
    """
    written = split_globs(matter.fields.get(field))
    if not written:
        return None
    if any(means_all(glob) for glob in written):
        return ()
    full = [f"**/{glob}" if anywhere and "/" not in glob else glob.removeprefix("./").lstrip("/") for glob in written]
    from_home = [f"{home}/{glob}" for glob in full] if home else []
    return tuple(dict.fromkeys((*from_home, *full)))


def _by(field: str, matter: FrontMatter) -> str:
    return f"`{field}: {', '.join(split_globs(matter.fields.get(field)))}`"


def _text(matter: FrontMatter, field: str) -> str:
    value = matter.fields.get(field)
    return value.strip() if isinstance(value, str) else ""


def _add_imports(tree: Tree, found: dict[str, DeclaredRule], faults: set[Diagnostic]) -> None:
    """What is imported is a rule where the importer is one."""
    for rule in sorted(found.values(), key=lambda one: (_strength(one), one.path)):
        if rule.standing == "idle" or rule.overridden_by or not takes_imports(rule.path):
            continue
        imported, wrong = follow(tree, rule.path)
        faults.update(wrong)
        for item in imported:
            _add(found, structs.replace(rule, path=item.path, why=_imported(item), description="", remark=""))
            importer = found[item.importer]
            found[item.importer] = structs.replace(
                importer, imports=tuple(sorted({*importer.imports, item.path} - {item.importer}))
            )


def _imported(item: Imported) -> str:
    return f"imported by {item.importer}, line {item.line}"


def _once(tree: Tree, found: dict[str, DeclaredRule]) -> list[DeclaredRule]:
    """Each text once: a copy, a file without text and one that only imports are idle."""
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    kept: list[DeclaredRule] = []
    for rule in sorted(found.values(), key=lambda one: (_strength(one), one.path)):
        text = tree.readable(rule.path)
        if rule.standing == "idle" or text is None:
            kept.append(rule)
            continue
        plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
        # The same text in another directory speaks for another place.
        original = first.setdefault((plain, (rule.home, *rule.globs)), rule.path)
        if not plain:
            kept.append(structs.replace(rule, standing="idle", why="it holds no text"))
        elif takes_imports(rule.path) and only_imports(text):
            why = "it only imports other files, which speak for themselves"
            kept.append(structs.replace(rule, standing="idle", why=why))
        elif original != rule.path:
            kept.append(structs.replace(rule, standing="idle", why=f"same text as {original}", same_as=original))
        else:
            kept.append(rule)
    return sorted(kept, key=lambda one: one.path)


def rule_paths(tree: Tree) -> Sequence[str]:
    """Files whose text is needed to tell where rules apply, so that a caller can read them in one go."""
    names = {posixpath.basename(name) for row in CHAIN for name in row} | {posixpath.basename(name) for name in ADVICE}
    starts = tuple(start for start, _ in FOLDERS)
    return [
        path
        for path in tree.paths
        if path.rpartition("/")[2] in names or any(path.startswith(start) or f"/{start}" in path for start in starts)
    ]
