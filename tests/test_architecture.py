"""The shape of the code is as ARCHITECTURE.md says: who may import whom, what the core may touch, how large a module
may be, and that public functions say what they do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "contextc"

#: Parts by their path under src/contextc, the longest first where one lies in another, and what each may import of the
#: others beside itself. The table of ARCHITECTURE.md, spelled out.
ALWAYS = {"errors", "core/records"}
CORE = {"core/compiler", "core/checker", "core/explain", "core/render", "core/devcontext"}
FRONTEND = {"frontend/sources", "frontend/index", "frontend/conventions", "frontend/select"}
BELOW = CORE | FRONTEND | {"counters", "frontend/layer", "frontend/ordinary"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "core/records": {"errors"},
    "core/compiler": ALWAYS,
    "core/checker": ALWAYS,
    "core/explain": ALWAYS,
    "core/render": ALWAYS,
    "core/devcontext": ALWAYS,
    "counters": ALWAYS,
    "frontend/sources": ALWAYS,
    "frontend/index": ALWAYS | {"frontend/sources"},
    "frontend/conventions": ALWAYS | {"frontend/sources", "frontend/index"},
    "frontend/layer": ALWAYS | {"frontend/sources"},
    "frontend/ordinary": ALWAYS | FRONTEND | {"frontend/layer"},
    "frontend/select": ALWAYS | FRONTEND | {"core/render", "counters"},
    "checked": ALWAYS | {"core/compiler", "core/checker", "frontend/index"},
    "layers": ALWAYS | FRONTEND | {"frontend/layer", "frontend/ordinary"},
    "briefing": ALWAYS | BELOW | {"layers"},
    "pipeline": ALWAYS | BELOW | {"checked", "briefing", "layers"},
    "experiment": ALWAYS | BELOW | {"pipeline", "checked"},
    "bench": ALWAYS | BELOW | {"pipeline", "checked", "experiment", "layers"},
    "capabilities": ALWAYS | BELOW | {"pipeline", "checked", "experiment", "layers", "briefing"},
    "surfaces": ALWAYS | {"capabilities", "experiment", "bench"},
    "__main__": {"surfaces"},
    "__init__": set(),
}

#: Modules with which the core could see or change the world outside its arguments.
IMPURE_MODULES = {
    "asyncio", "datetime", "getpass", "glob", "http", "io", "locale", "logging", "multiprocessing", "os", "pathlib",
    "platform", "random", "secrets", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile",
    "threading", "time", "urllib", "uuid", "warnings", "zoneinfo",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}

#: Outside libraries that the core may use. The last two do heavy work for a few callers, so they are loaded late.
PURE_LIBRARIES = {"msgspec", "ortools", "jsonschema_rs"}
LATE_LIBRARIES = {"ortools", "jsonschema_rs"}

#: Lines a module may have; beyond that it has more than one purpose.
LINE_LIMIT = 600

#: Parts that talk to a person; nothing else writes to standard output.
TALKERS = ("surfaces", "bench", "experiment", "__main__")

MODULES = sorted(SOURCE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def part_of(module: str) -> str:
    """The part a path like `core/records/base.py` or a dotted name below contextc belongs to."""
    path = module.removesuffix(".py").replace(".", "/")
    for part in sorted(MAY_IMPORT, key=len, reverse=True):
        if path == part or path.startswith(part + "/"):
            return part
    return path


def imports(tree: ast.AST) -> list[tuple[str, int]]:
    """Every imported module as a dotted name, with its line. `from a import b` gives `a.b`, which may be a name."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.extend((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which part is meant"
            found.extend((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
    return found


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=str(path))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_what_the_table_allows(path: Path) -> None:
    part = part_of(name_of(path))
    if name_of(path) in ("core/__init__.py", "frontend/__init__.py"):
        assert not imports(parsed(path)), "a folder of parts holds no code of its own"
        return
    assert part in MAY_IMPORT, f"{part} is not in the table"
    wrong = []
    for module, line in imports(parsed(path)):
        if not module.startswith("contextc"):
            continue
        target = part_of(module.removeprefix("contextc").lstrip(".") or "__init__")
        if module == "contextc.__version__" or target == part or target in MAY_IMPORT[part]:
            continue
        wrong.append(f"line {line}: {module}")
    assert not wrong


def test_every_part_of_the_table_exists() -> None:
    missing = [p for p in MAY_IMPORT if not (SOURCE / p).is_dir() and not (SOURCE / f"{p}.py").is_file()]
    assert not missing


def test_the_checker_does_not_know_the_compiler() -> None:
    for path in sorted((SOURCE / "core" / "checker").rglob("*.py")):
        assert "compiler" not in " ".join(module for module, _ in imports(parsed(path))), name_of(path)


@pytest.mark.parametrize("path", sorted((SOURCE / "core").rglob("*.py")), ids=name_of)
def test_the_core_is_pure(path: Path) -> None:
    import sys

    tree = parsed(path)
    wrong = []
    for module, line in imports(tree):
        top = module.split(".")[0]
        if top in IMPURE_MODULES or (top not in sys.stdlib_module_names and top not in PURE_LIBRARIES | {"contextc"}):
            wrong.append(f"line {line}: imports {module}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            wrong.append(f"line {node.lineno}: calls {node.func.id}")
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_heavy_libraries_of_the_core_are_loaded_late(path: Path) -> None:
    top_level = [node for node in parsed(path).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    early = {module.split(".")[0] for node in top_level for module, _ in imports(node)} & LATE_LIBRARIES
    assert not early


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_has_one_purpose_and_is_short(path: Path) -> None:
    tree = parsed(path)
    assert path.read_bytes().count(b"\n") <= LINE_LIMIT
    assert ast.get_docstring(tree), "the first line says what the module is for"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_functions_say_what_they_do_and_return(path: Path) -> None:
    wrong = []
    for function in public_functions(parsed(path)):
        if function.returns is None:
            wrong.append(f"line {function.lineno}: {function.name} has no return type")
        if not ast.get_docstring(function) and not is_protocol_of_python(function):
            wrong.append(f"line {function.lineno}: {function.name} has no docstring")
    assert not wrong


def public_functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions and methods that others may call: no leading underscore anywhere on the way."""
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for node in tree.body:
        members = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        found.extend(
            member
            for member in members
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) and not is_private(member.name)
        )
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def is_protocol_of_python(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """`__init__`, `__str__` and the like mean what Python says they mean."""
    return function.name.startswith("__")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_what_talks_to_a_person_writes_to_standard_output(path: Path) -> None:
    if name_of(path).startswith(TALKERS):
        return
    wrong = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            wrong.append(f"line {node.lineno}: print")
        if not isinstance(node, ast.Attribute) or node.attr not in ("stdout", "stderr"):
            continue
        if isinstance(node.value, ast.Name) and node.value.id == "sys":
            wrong.append(f"line {node.lineno}: sys.{node.attr}")
    assert not wrong
