"""The files of rules of a repository as objects."""

from __future__ import annotations

import posixpath
from bisect import bisect_left

from contextc.core.records.layer import IndexDiagnostic, Value
from contextc.frontend.conventions.base import Diagnostic
from contextc.frontend.conventions.declared import DeclaredRule, declared_rules
from contextc.frontend.conventions.globs import matches
from contextc.frontend.index import IndexView
from contextc.frontend.ordinary.base import Draft, Link, Reading, Repository, remark
from contextc.frontend.ordinary.files import title_of
from contextc.frontend.sources import display_path

_MAGIC = frozenset("*?[{\\")


def read_rules(repository: Repository, view: IndexView) -> Reading:
    """Every rule. What must be followed is blocking, what is only offered is advisory."""
    declared = declared_rules(repository.tree)
    drafts = [_draft(repository, view, rule) for rule in declared.rules]
    faults = [_fault(one) for one in declared.diagnostics]
    return Reading(drafts=drafts, diagnostics=faults, owned=frozenset(rule.path for rule in declared.rules))


def _fault(one: Diagnostic) -> IndexDiagnostic:
    return remark(one.path, one.line, "malformed_record", one.message, "warning")


def _draft(repository: Repository, view: IndexView, rule: DeclaredRule) -> Draft:
    text = repository.text(rule.path) or ""
    return Draft(
        kind="rule",
        path=rule.path,
        source_class="rules",
        names=(rule.path,),
        title=title_of(view.file(rule.path)) or posixpath.basename(display_path(rule.path)),
        description="; ".join(part for part in (rule.description, rule.why, rule.remark) if part),
        metadata=_metadata(repository, rule),
        content=text,
        text=text,
        links=_links(rule),
    )


def _metadata(repository: Repository, rule: DeclaredRule) -> dict[str, Value]:
    found: dict[str, Value] = {
        "class": "blocking" if rule.standing == "rule" else "advisory",
        "precedence": rule.depth,
    }
    if rule.standing == "idle":
        return found
    if rule.globs:
        globs: list[Value] = list(rule.globs)
        folders: list[Value] = list(folders_of(repository, rule.globs))
        return found | {"scope": "globs", "paths": globs, "folders": folders}
    if rule.home:
        return found | {"scope": "subtree", "home": display_path(rule.home)}
    return found | {"scope": "repository"}


def _links(rule: DeclaredRule) -> list[Link]:
    links = [Link("depends_on", path, ("rule",), "import") for path in rule.imports]
    if rule.overridden_by:
        links.append(Link("supersedes", rule.overridden_by, ("rule",), "override", backward=True))
    return links


def folders_of(repository: Repository, globs: tuple[str, ...]) -> list[str]:
    """The directories above listed files that the globs mean."""
    paths = repository.tree.paths
    found: set[str] = set()
    for glob in globs:
        plain = glob[: next((at for at, char in enumerate(glob) if char in _MAGIC), len(glob))]
        start = plain.rpartition("/")[0]
        ending = "" if _MAGIC & set(glob.rpartition(".")[2]) or "." not in glob else "." + glob.rpartition(".")[2]
        first = bisect_left(paths, start)
        for path in paths[first:]:
            if not path.startswith(start):
                break
            folder = posixpath.dirname(path)
            if path.endswith(ending) and folder not in found and matches(glob, path):
                while folder and folder not in found:
                    found.add(folder)
                    folder = posixpath.dirname(folder)
    return sorted(map(display_path, found))
