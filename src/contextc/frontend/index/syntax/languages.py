"""Which language a file is in, by its name alone, and what is needed to read it.

To add a language: its query file in `../queries/`, one entry in `LANGUAGES`, and where its import statements have a
shape of their own, a reader in `imports.py`.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """One entry: how files are recognised, the grammar (`module.function()` of a wheel, loaded when first needed), the
    query files in order, and the reader of import statements (a key of `imports.READERS`).

    `reader` is how the text is read: grammar, or headings of a documentation format, or none (words only).
    """

    extensions: tuple[str, ...]
    names: tuple[str, ...] = ()
    reader: str = "none"
    module: str = ""
    function: str = "language"
    queries: tuple[str, ...] = ()
    imports: str = ""


def _grammar(
    extensions: str, module: str, queries: str, imports: str, *, names: str = "", function: str = "language"
) -> Language:
    return Language(
        tuple(extensions.split()), tuple(names.split()), "grammar", module, function, tuple(queries.split()), imports
    )


#: By key. The key is part of the address of facts: the same bytes as `.h` and as `.cpp` are two entries. `c-header` is
#: read as C or C++ by a look at the text (`cfamily.is_cpp`).
LANGUAGES: dict[str, Language] = {
    "python": _grammar(".py .pyi .pyw", "tree_sitter_python", "python", "python", names="SConstruct wscript"),
    "javascript": _grammar(".js .mjs .cjs .jsx", "tree_sitter_javascript", "ecma javascript", "ecma"),
    "typescript": _grammar(
        ".ts .mts .cts", "tree_sitter_typescript", "ecma typescript", "ecma", function="language_typescript"
    ),
    "tsx": _grammar(".tsx", "tree_sitter_typescript", "ecma typescript", "ecma", function="language_tsx"),
    "go": _grammar(".go", "tree_sitter_go", "go", "go"),
    "rust": _grammar(".rs", "tree_sitter_rust", "rust", "rust"),
    "java": _grammar(".java", "tree_sitter_java", "java", "java"),
    "c": _grammar(".c", "tree_sitter_c", "c", "c"),
    "cpp": _grammar(".cc .cpp .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .inl .cu .cuh", "tree_sitter_cpp", "c cpp", "c"),
    "ruby": _grammar(
        ".rb .rake .gemspec .ru .jbuilder",
        "tree_sitter_ruby",
        "ruby",
        "ruby",
        names="Rakefile Gemfile Guardfile Capfile Vagrantfile Podfile Fastfile Brewfile",
    ),
    "c-header": Language((".h",), reader="grammar"),
    "markdown": Language((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdc"), reader="markdown"),
    "restructuredtext": Language((".rst", ".rest"), reader="restructuredtext"),
    # Words only: named so that a reader can be told what it sees.
    "json": Language((".json", ".jsonc", ".json5", ".webmanifest")),
    "jsonl": Language((".jsonl", ".ndjson")),
    "yaml": Language((".yaml", ".yml")),
    "toml": Language((".toml",)),
    "ini": Language((".ini", ".cfg", ".conf", ".properties", ".editorconfig")),
    "xml": Language((".xml", ".xsd", ".xsl", ".svg", ".plist")),
    "html": Language((".html", ".htm", ".xhtml")),
    "css": Language((".css", ".scss", ".sass", ".less")),
    "shell": Language((".sh", ".bash", ".zsh", ".fish")),
    "powershell": Language((".ps1", ".psm1")),
    "sql": Language((".sql",)),
    "make": Language((".mk",), ("Makefile", "makefile", "GNUmakefile")),
    "cmake": Language((".cmake",), ("CMakeLists.txt",)),
    "dockerfile": Language((".dockerfile",), ("Dockerfile", "Containerfile")),
    "starlark": Language((".bzl", ".star"), ("BUILD", "BUILD.bazel", "WORKSPACE")),
    "proto": Language((".proto",)),
    "graphql": Language((".graphql", ".gql")),
    "cython": Language((".pyx", ".pxd", ".pxi")),
    "csharp": Language((".cs",)),
    "kotlin": Language((".kt", ".kts")),
    "swift": Language((".swift",)),
    "scala": Language((".scala", ".sc")),
    "php": Language((".php",)),
    "perl": Language((".pl", ".pm")),
    "lua": Language((".lua",)),
    "r": Language((".r", ".R")),
    "julia": Language((".jl",)),
    "haskell": Language((".hs",)),
    "elixir": Language((".ex", ".exs")),
    "zig": Language((".zig",)),
    "vue": Language((".vue",)),
    "svelte": Language((".svelte",)),
    "csv": Language((".csv", ".tsv")),
    "diff": Language((".diff", ".patch")),
    "text": Language((".txt", ".text")),
}

#: The key of everything else.
OTHER = "text"

_BY_EXTENSION = {ending: key for key, language in LANGUAGES.items() for ending in language.extensions}
_BY_NAME = {name: key for key, language in LANGUAGES.items() for name in language.names}


def language_of(path: str) -> str:
    """The key of a path's language: by its whole name, else by its last extension in any letter case."""
    name = path.rpartition("/")[2]
    key = _BY_NAME.get(name)
    if key is not None:
        return key
    stem, dot, extension = name.rpartition(".")
    if not (dot and stem):
        return OTHER
    return _BY_EXTENSION.get(f".{extension}") or _BY_EXTENSION.get(f".{extension.lower()}", OTHER)
