"""What a path is, by its name alone: source, test, documentation, and so on.

Folders and names are the customary ones of many ecosystems; nothing is read. The order of the rules is their rank: a
lock file below `tests/` is a lock file, a test below `examples/` is a test.
"""

from __future__ import annotations

import re
from typing import Literal

from contextc.frontend.index.syntax.languages import LANGUAGES, language_of

Kind = Literal["source", "test", "doc", "example", "config", "lock", "vendored", "generated", "other"]

#: Lock files of package managers, by their whole name in lower case.
LOCKS = frozenset(
    (
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
        "cargo.lock", "poetry.lock", "pdm.lock", "uv.lock", "pipfile.lock", "pixi.lock", "conda-lock.yml", "go.sum",
        "go.work.sum", "gemfile.lock", "composer.lock", "mix.lock", "pubspec.lock", "podfile.lock", "package.resolved",
        "flake.lock", "packages.lock.json", "gradle.lockfile", ".terraform.lock.hcl", "cartfile.resolved", "paket.lock",
        "shard.lock", "stack.yaml.lock", "cabal.project.freeze", "module.bazel.lock", "chart.lock", "elm-stuff.lock",
    )
)  # fmt: skip

_VENDORED = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[_-]?party|node_modules|bower_components|deps|extern|externals?|"
    r"site-packages|\.yarn|Godeps)/",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:^|/)(?:generated|__generated__|__snapshots__|gen|dist|\.next|deno_dist)/|"
    r"(?:[._]pb2?(?:_grpc)?\.(?:py|pyi|go|rb|cc|h|js|ts)|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.min\.(?:js|css)|"
    r"\.bundle\.js|[._-]generated\.\w+|\.g\.(?:cs|dart|ts)|\.freezed\.dart|\.autogen\.\w+|\.designer\.cs|\.snap|"
    r"\.map|zz_generated[^/]*)$",
    re.IGNORECASE,
)
_TEST_FOLDER = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|__mocks__|specs?|e2e|testdata|test-data|test[_-]?(?:utils?|helpers?|support)|"
    r"fixtures?|bench(?:es|marks?)?|integration[_-]tests?|acceptance|playgrounds?)/",
    re.IGNORECASE,
)
_TEST_NAME = re.compile(
    r"(?:^|/)(?:test_[^/]*\.\w+|[^/]*_(?:tests?|spec|bench)\.\w+|conftest\.py|tests?\.\w+|"
    r"[^/]*[.-](?:spec|test|tests|e2e|bench|test-d|spec-d|cy)\.[cm]?[jt]sx?|"
    r"[^/]*(?:Test|Tests|IT|TestCase|TestUtils?|Spec)\.(?:java|kt|cs|scala|swift|php|groovy)|test[A-Z][^/]*\.\w+)$"
)
_DOC_FOLDER = re.compile(
    r"(?:^|/)(?:docs?|docs?_src|documentation|website|man|wiki|changelogs?|release-?notes|rfcs?|adr|tutorials?)/",
    re.IGNORECASE,
)
_DOC_NAME = re.compile(
    r"(?:^|/)(?:README|CHANGES|CHANGELOG|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|CONTRIBUTING|LICEN[CS]E|COPYING|NOTICE|"
    r"CODE_OF_CONDUCT|SECURITY|MAINTAINERS|TODO|UPGRADING|INSTALL)(?:[.-][^/]*)?$",
    re.IGNORECASE,
)
_EXAMPLE_FOLDER = re.compile(r"(?:^|/)(?:examples?|samples?|demos?|galler(?:y|ies))/", re.IGNORECASE)
_CONFIG_FOLDER = re.compile(r"(?:^|/)(?:\.github|\.circleci|\.gitlab|\.vscode|\.idea|\.devcontainer|\.husky|ci)/")
_CONFIG_NAME = re.compile(
    r"(?:^|/)(?:\.[^/]+|(?:setup|noxfile|tasks|fabfile)\.py|build\.rs|gulpfile\.[cm]?[jt]s|Gruntfile\.js|"
    r"[^/]*\.config\.[cm]?[jt]s|requirements[^/]*\.txt|Makefile|Dockerfile[^/]*|Jenkinsfile|Rakefile|Gemfile|CMakeLists\.txt)$"
)

_DOC_LANGUAGES = frozenset(("markdown", "restructuredtext"))
_CONFIG_LANGUAGES = frozenset(
    ("json", "yaml", "toml", "ini", "xml", "make", "cmake", "dockerfile", "starlark", "powershell")
)
_OTHER_LANGUAGES = frozenset(("text", "csv", "jsonl", "diff"))


_FLAGS: dict[str, Kind] = {"lock": "lock", "generated": "generated", "vendored": "vendored"}


def kind_of(path: str, flag: str = "") -> Kind:
    """The kind of a path (relative to the root, with `/`). `flag` is that of the index, which has seen the text."""
    flagged = _FLAGS.get(flag)
    if flagged is not None:
        return flagged
    name = path.rpartition("/")[2]
    if name.lower() in LOCKS:
        return "lock"
    for pattern, kind in _RULES:
        if pattern.search(path):
            return kind
    return _by_language(path)


#: In this order; the first that matches counts.
_RULES: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (_VENDORED, "vendored"),
    (_GENERATED, "generated"),
    (_TEST_FOLDER, "test"),
    (_TEST_NAME, "test"),
    (_EXAMPLE_FOLDER, "example"),
    (_DOC_FOLDER, "doc"),
    (_DOC_NAME, "doc"),
    (_CONFIG_FOLDER, "config"),
    (_CONFIG_NAME, "config"),
)


def _by_language(path: str) -> Kind:
    language = language_of(path)
    if language in _DOC_LANGUAGES:
        return "doc"
    if language in _CONFIG_LANGUAGES:
        return "config"
    if language in _OTHER_LANGUAGES or language not in LANGUAGES:
        return "doc" if path.lower().endswith((".txt", ".adoc", ".org")) else "other"
    return "source"
