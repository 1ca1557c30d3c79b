"""What is found without following relations: by path, by rule, by session, by words (SPEC 4.6-4.8).

The floor does not apply here, but to the words of an intent.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from contextc.core.devcontext.candidates import Board
from contextc.core.devcontext.constants import (
    ALWAYS_GIVEN,
    ANY_BLOCKING_RULE,
    CODE_UNDER_PATH,
    CONTRACT_OVER_PATH,
    INTENT,
    LOCAL_RECORD,
    POLICY,
    SESSION_CHANGED_FILES,
    SESSION_OF_BRANCH,
    SHORTEST_TERM,
    STOP_WORDS,
    TRUSTWORTHY,
    UNTRUSTWORTHY,
    tier_of,
)
from contextc.core.devcontext.order import natural, under
from contextc.core.devcontext.request import Resolved
from contextc.core.records.devcontext import Diagnostic, Discovery, Selector
from contextc.core.records.globs import matches
from contextc.core.records.layer import GitFacts, Layer, LayerObject, LocalState, scalar_text, strings

#: Issues and milestones this near to a seed lend their scope to the work.
SCOPE_DEPTH = 1
_TERM = re.compile(r"[\w-]+")


def effective_paths(board: Board, request: Resolved) -> list[str]:
    """The paths of the request, then the scopes of the issues and milestones reached so far; each once."""
    paths = dict.fromkeys(request.paths)
    for one in board.ordered():
        if one.kind not in ("issue", "milestone") or one.depth > SCOPE_DEPTH or one.object is None:
            continue
        scope = one.object.metadata.get("scope")
        for text in strings(scope) if isinstance(scope, list) else ():
            path = text.strip().rstrip("/") if not text.strip().startswith("/") else ""
            if path and ".." not in path.split("/"):
                paths.setdefault(path)
    return list(paths)


def by_path(board: Board, layer: Layer, paths: Sequence[str]) -> None:
    """Code and cases under each path, and the contracts and rules that hold over it."""
    code = sorted((one.path, one.uri, one) for one in layer.objects if one.kind in ("implementation", "test"))
    contracts = [one for one in layer.objects if one.kind == "context" and one.status != "deprecated"]
    rules = [one for one in layer.objects if one.kind == "rule" and "scope" in one.metadata]
    for path in paths:
        offers = [(one, f"it lies under {path}") for one in _below(code, path)]
        offers += [(one, why) for one in contracts if (why := holds_over(one, path))]
        offers += [(one, why) for one in rules if (why := rule_holds_over(one, path))]
        for one, reason in sorted(offers, key=lambda offer: offer[0].uri):
            if one.kind in ("context", "rule"):
                _offer(board, one.uri, "contract", reason, CONTRACT_OVER_PATH, one.kind, via=path)
            else:
                _offer(board, one.uri, "scope_path", reason, CODE_UNDER_PATH, one.kind, via=path)


def _below(code: list[tuple[str, str, LayerObject]], path: str) -> list[LayerObject]:
    """The objects at a path or below it, of all that are sorted by theirs."""
    # "/" and the sign after it enclose all that begins with the path and a slash.
    exact = code[bisect_left(code, (path,)) : bisect_left(code, (path + "\0",))]
    below = code[bisect_left(code, (path + "/",)) : bisect_left(code, (path + "0",))]
    return [one for _, _, one in (*exact, *below)]


def holds_over(contract: LayerObject, path: str) -> str:
    """Why a contract holds over a path, empty when it does not: the first test of SPEC 4.6 that succeeds."""
    scope = scalar_text(contract.metadata.get("scope")) or "directory"
    if scope == "subtree" and (contract.directory == "." or under(path, contract.directory)):
        return f"its contract holds over {contract.directory} and all below it, so over {path}"
    if scope == "directory" and contract.directory == path:
        return f"its contract holds over the directory {path}"
    if scope == "explicit":
        for text in strings(contract.metadata.get("paths")):
            if under(path, text.rstrip("/")):
                return f"its contract names {text}, so it holds over {path}"
    for text in strings(contract.metadata.get("tracks")):
        tracked = text.rstrip("/")
        if under(path, tracked) or under(tracked, path):
            return f"its contract watches {text}, so it holds over {path}"
    return ""


def rule_holds_over(rule: LayerObject, path: str) -> str:
    """Why a rule that says for itself where it holds does so over a path, empty when it does not.

    Its `scope` is `subtree` (of the directory `home`) or `globs` (`paths`, and of the listed directories those in
    `folders`, which hold files that the globs mean).
    """
    scope, home = rule.metadata.get("scope"), scalar_text(rule.metadata.get("home")) or ""
    if scope == "subtree" and under(path, home):
        return f"it speaks for {home} and all below it, so for {path}"
    if scope != "globs":
        return ""
    for glob in strings(rule.metadata.get("paths")):
        if matches(glob, path):
            return f"it applies to {glob}, which means {path}"
    if path in strings(rule.metadata.get("folders")):
        return f"it applies to {', '.join(strings(rule.metadata.get('paths')))}, which means files below {path}"
    return ""


def by_governance(board: Board, layer: Layer, request: Resolved) -> None:
    """Policy, scope and what holds for the whole repository always; every blocking rule when all are asked for."""
    for one in layer.objects:
        if one.kind in ALWAYS_GIVEN:
            _offer(board, one.uri, "governance", f"the {one.kind} always holds", POLICY, one.kind, depth=0)
        elif request.all_blocking_rules and one.kind == "rule" and one.metadata.get("class") == "blocking":
            reason = "every blocking rule was asked for"
            _offer(board, one.uri, "governance", reason, ANY_BLOCKING_RULE, one.kind, depth=0)
        if one.kind == "rule" and one.metadata.get("scope") == "repository":
            _offer(board, one.uri, "governance", "it speaks for the whole repository", POLICY, one.kind, depth=0)


def by_session(board: Board, layer: Layer, git: GitFacts, paths: Sequence[str]) -> None:
    """Sessions that changed files of the work, else those of the branch that is checked out."""
    for one in layer.objects:
        if one.kind != "session":
            continue
        files = strings(one.metadata.get("changed_files"))
        count = sum(any(under(file, path) for path in paths) for file in files)
        if count:
            reason = f"it changed {count} file{'s' if count > 1 else ''} under the paths of the work"
            _offer(board, one.uri, "session_state", reason, SESSION_CHANGED_FILES, one.kind)
        elif git.branch is not None and one.metadata.get("branch") == git.branch:
            reason = f"a session of the branch {git.branch}"
            _offer(board, one.uri, "session_state", reason, SESSION_OF_BRANCH, one.kind)


def by_local_state(board: Board, local: LocalState) -> list[Diagnostic]:
    """The handover and the checkpoint that hold here, and warnings about them."""
    warnings = [Diagnostic(severity="warning", code="continuity", message=text) for text in local.failures]
    for record in local.records:
        trusted = record.divergence in TRUSTWORTHY
        weight = LOCAL_RECORD[record.kind]
        where = "this worktree and branch" if record.matched == "same_worktree_same_branch" else "this branch"
        reason = f"the newest {record.kind.removeprefix('local-')} of {where}"
        found = Discovery(
            selector="session_state",
            reason=reason,
            depth=0,
            confidence=1.0 if trusted else UNTRUSTWORTHY,
            weight=weight,
        )
        board.offer_local(record, weight if trusted else weight * UNTRUSTWORTHY, found)
        if not trusted:
            message = f"the {record.kind.removeprefix('local-')} no longer describes this checkout: {record.divergence}"
            warnings.append(Diagnostic(severity="warning", code="stale_record", path=record.path, message=message))
    return warnings


def by_intent(board: Board, layer: Layer, request: Resolved) -> None:
    """Objects whose title, description, identity or tags hold words of the intent."""
    terms = terms_of(request.intent)
    if not terms:
        return
    for one in layer.objects:
        text = haystack(one)
        hits = [term for term in terms if term in text]
        if not hits:
            continue
        confidence = len(hits) / len(terms)
        relevance = INTENT * confidence
        shown = ", ".join(sorted(hits, key=natural))
        if relevance < request.floor:
            detail = (
                f"relevance {relevance:.3f} is below the floor {request.floor}; "
                f"{len(hits)} of {len(terms)} words of the intent match: {shown}"
            )
            board.miss(one.uri, "relevance", relevance, detail)
            continue
        reason = f"{len(hits)} of {len(terms)} words of the intent match: {shown}"
        _offer(board, one.uri, "intent_match", reason, relevance, one.kind, confidence=confidence)


def terms_of(intent: str) -> tuple[str, ...]:
    """The words of an intent that say something, each once, in the order they come."""
    words = (word.lower() for word in _TERM.findall(intent) if len(word) >= SHORTEST_TERM)
    return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS))


def haystack(one: LayerObject) -> str:
    """What an intent is matched against."""
    texts: Iterable[str] = (one.title or "", one.description or "", one.identity, *strings(one.metadata.get("tags")))
    return " ".join(texts).lower()


def _offer(
    board: Board,
    uri: str,
    selector: Selector,
    reason: str,
    relevance: float,
    kind: str,
    *,
    depth: int = 1,
    via: str | None = None,
    confidence: float = 1.0,
) -> None:
    found = Discovery(selector=selector, reason=reason, via=via, depth=depth, confidence=confidence, weight=relevance)
    board.offer(uri, tier_of(kind), relevance, depth, found)
