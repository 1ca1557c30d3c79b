"""Tasks made of a repository's own history: the message of a change is the task, its places are what was needed.

Only changes that a message can stand for: fixes and features of one to five source files, told in at least eight
words. Candidates are taken in the order of a hash of their ids, so that no part of the history is preferred.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from contextc.bench.usefulness.cases import Case
from contextc.bench.usefulness.history import Message, Touched, changed_places, git_of, messages, touched
from contextc.errors import NotFound
from contextc.frontend.index import language_of
from contextc.frontend.select.kinds import kind_of
from contextc.frontend.sources.git import Git, resolve_commit
from contextc.frontend.sources.paths import to_text

#: How far back: practices change, and a message of ten years ago tells little of a task of today.
NEWEST = 6_000
SINCE = "2018-01-01T00:00:00Z"
#: What one task may change.
MOST_SOURCES, MOST_ADDED, MOST_FILES, MOST_LINES = 5, 2, 25, 600
#: Words left after cleaning, source files in the tree, tasks with the very same files.
LEAST_WORDS, LEAST_SOURCES, SAME_FILES = 8, 15, 2

_BOT = re.compile(r"\bbot\b|\[bot\]|dependabot|renovate|github-actions|pre-commit-ci|greenkeeper", re.IGNORECASE)
_CHORE = re.compile(
    r"^\W*(?:chore|docs?|documentation|ci|build|tests?|style|refactor(?:ing)?|perf|release|bump|typos?|format(?:ting)?|lint|"
    r"merge|revert|wip|prepare|version|v?\d+\.\d+|changelog|cleanup|clean up|upgrade|update (?:dep|change|readme|doc)|"
    r"deps?|rename|move|ruff|black|mypy|eslint|prettier|clippy|gofmt|cargo fmt|fmt)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:fix(?:e[sd])?|add(?:s|ed)?|support(?:s|ed)?|implement(?:s|ed)?|allow(?:s|ed)?|handle[sd]?|prevent(?:s|ed)?|"
    r"correct(?:s|ed)?|improve[sd]?|avoid(?:s|ed)?|make|ensure[sd]?|change[sd]?|use|enable[sd]?|introduce[sd]?|feat|"
    r"resolve[sd]?|raise|return|remove[sd]?|don't|do not|bug|crash|regression)\b",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"^\s*(?:[A-Za-z-]+-by|co-authored-by|cc|change-id|reviewed-on|see-also|git-svn-id|pr-url|pull request|backport-of|"
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|ref(?:s|erences)?|see|related|updates?|issue)(?:\s+to)?)\s*:?\s*"
    r"(?:#\d+|gh-\d+|https?://\S+|[\w.-]+/[\w.-]+#\d+|:.*|[A-Za-z-]+ .*<[^>]*>).*$|^\s*[A-Za-z-]+-by:.*$|"
    r"^\s*\(cherry picked from .*$",
    re.IGNORECASE,
)
_URL = re.compile(r"\b[a-z][a-z+.-]{1,10}://\S+", re.IGNORECASE)
_ISSUE = re.compile(r"\(?(?:\bgh-|\bissue\s*)?#\d+\)?|\bgh-\d+\b|\([\w.-]+/[\w.-]+#\d+\)", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/.@-])[\w.@+~-]*(?:/[\w.@+~\[\]-]+)*/[\w.@+~\[\]-]+\.\w{1,6}\b|(?<![\w/.@-])[\w-]+\.(?:%s)\b"
)
_ENDINGS = "py|pyi|pyx|js|jsx|mjs|cjs|ts|tsx|mts|vue|svelte|go|rs|java|kt|rb|c|h|cc|cpp|hpp|cs|php|swift|scala"
_WRITTEN_PATH = re.compile(_PATH.pattern % _ENDINGS, re.IGNORECASE)


def replay(root: Path, repo: str, count: int, *, rev: str = "HEAD", split: str = "") -> Iterator[Case]:
    """Up to `count` tasks of a repository's history up to a revision, in the order of their hashes.

    Raises `RepositoryError`, and `NotFound` when the revision is not there.
    """
    git = git_of(root)
    last = resolve_commit(git, rev)
    if last is None:
        raise NotFound(f"expected a revision that names a commit, found {rev!r}", where=str(root))
    told = [message for message in messages(git, last, NEWEST, SINCE) if telling(message)]
    told.sort(key=lambda message: hashlib.sha256(message.commit.encode()).digest())
    same: Counter[tuple[str, ...]] = Counter()
    for message in told:
        if not count:
            return
        files = touched(git, message.commit)
        gold = changed_sources(files)
        text = cleaned(message.text)
        if not gold or len(text.split()) < LEAST_WORDS or same[gold] == SAME_FILES:
            continue
        if not any(kind_of(each.path) == "test" for each in files) and not _CHANGE.search(_subject(text)):
            continue
        case = _case(git, message, repo, text, gold, split)
        if case is not None:
            same[gold] += 1
            count -= 1
            yield case


def telling(message: Message) -> bool:
    """Whether a commit is a person's fix or feature, by its author and its subject."""
    return not _BOT.search(message.author) and bool(message.text) and not _CHORE.search(_subject(message.text))


def changed_sources(files: Sequence[Touched]) -> tuple[str, ...]:
    """The source files that a change modifies; none when it is of another kind or too large to stand for a task."""
    if len(files) > MOST_FILES or sum(each.lines for each in files) > MOST_LINES:
        return ()
    sources = [each for each in files if is_source(each.path)]
    gold = tuple(each.path for each in sources if each.status == "M")
    added = sum(each.status == "A" for each in sources)
    if len(gold) + added < len(sources) or added > MOST_ADDED or not 0 < len(gold) <= MOST_SOURCES:
        return ()
    return gold


def is_source(path: str) -> bool:
    """Whether a path is source by its name: code in a language, no test, no document, nobody else's."""
    return kind_of(path) == "source" and language_of(path) not in ("html", "css") and not path.endswith(".d.ts")


def cleaned(text: str) -> str:
    """A message without what gives the answer away or says nothing: paths, addresses, trailers, numbers of issues."""
    lines = [line for line in text.replace("\r", "").split("\n") if not _TRAILER.match(line)]
    kept = _URL.sub("", "\n".join(lines))
    kept = _ISSUE.sub("", _WRITTEN_PATH.sub("", kept))
    kept = re.sub(r"[ \t]{2,}", " ", kept)
    return re.sub(r"\n{3,}", "\n\n", kept).strip()


def _subject(text: str) -> str:
    return text.partition("\n")[0]


def _case(git: Git, message: Message, repo: str, text: str, gold: tuple[str, ...], split: str) -> Case | None:
    """The task of a commit; None when its tree is too small, or its places cannot be told."""
    sizes = _sizes(git, message.parent)
    hunks = changed_places(git, message.commit, gold)
    if sum(map(is_source, sizes)) < LEAST_SOURCES or any(path not in sizes or not hunks.get(path) for path in gold):
        return None
    return Case(
        id=f"{repo}@{message.commit[:12]}",
        split=split,
        repo=repo,
        lang=language_of(gold[0]),
        parent=message.parent,
        commit=message.commit,
        text=text,
        gold=gold,
        gold_hunks=hunks,
        gold_tokens={path: (sizes[path] + 3) // 4 for path in gold},
    )


def _sizes(git: Git, commit: str) -> Mapping[str, int]:
    """Sizes in bytes of the files of a tree, as far as their objects are there."""
    found = {}
    for record in git.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit).split(b"\0")[:-1]:
        meta, _, name = record.partition(b"\t")
        mode, _, _, size = meta.split()
        if mode in (b"100644", b"100755") and size.isdigit():
            found[to_text(name)] = int(size)
    return found
