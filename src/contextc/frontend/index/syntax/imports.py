"""What import statements say: the module or path as written, and the names taken from it.

`*` stands for all names. A default import (ECMAScript) is the name `default`. A `<...>` include (C) keeps its angle
brackets, which tell it from one beside the file. `require_relative "x"` (Ruby) gives `./x`, `mod x;` (Rust) gives
`self::x`: the files they load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from contextc.frontend.index.base import Import
from contextc.frontend.index.syntax.grammar import Matches
from contextc.frontend.index.syntax.names import text_of
from contextc.frontend.index.syntax.outline import last_row

#: Imports of one statement, nested lists included, that are kept; nobody writes more by hand.
MOST_NAMES = 1_000

_Target = tuple[str, tuple[str, ...]]


def imports_of(reader: str, matches: Matches, data: bytes) -> tuple[Import, ...]:
    """The imports among the matches, in the order of the text. `reader` is a key of `READERS`."""
    read = READERS[reader]
    found: dict[int, list[Import]] = {}
    for _, captures in matches:
        for node in captures.get("import", ()):
            targets = [(target, names[:MOST_NAMES]) for target, names in read(node, data) if target]
            lines = (node.start_point.row + 1, last_row(node) + 1)
            made = [Import(target, names, *lines) for target, names in targets[:MOST_NAMES]]
            # `const { a } = require("x")` matches whole and as a call: the match that says more wins.
            at = node.end_byte
            if sum(len(item.names) + 1 for item in made) > sum(len(item.names) + 1 for item in found.get(at, ())):
                found[at] = made
    return tuple(item for at in sorted(found) for item in found[at])


def _python(node: Node, data: bytes) -> Iterator[_Target]:
    if node.type == "future_import_statement":
        yield "__future__", tuple(_python_name(name, data) for name in node.children_by_field_name("name"))
    elif node.type == "import_from_statement":
        module = node.child_by_field_name("module_name")
        names = tuple(_python_name(name, data) for name in node.children_by_field_name("name"))
        if any(child.type == "wildcard_import" for child in node.named_children):
            names = ("*",)
        if module is not None:
            yield _joined(module, data), names
    else:
        for name in node.children_by_field_name("name"):
            yield _python_name(name, data), ()


def _python_name(node: Node, data: bytes) -> str:
    inner = node.child_by_field_name("name") if node.type == "aliased_import" else node
    return _joined(inner, data) if inner is not None else ""


def _joined(node: Node, data: bytes) -> str:
    return "".join(text_of(node, data).split())


def _ecma(node: Node, data: bytes) -> Iterator[_Target]:
    if node.type in ("call_expression", "variable_declarator"):
        yield _required(node, data)
        return
    source = node.child_by_field_name("source")
    names: list[str] = []
    for child in node.children:
        if child.type == "import_require_clause":
            source = child.child_by_field_name("source")
        elif child.type == "import_clause":
            names.extend(_clause(child, data))
        elif child.type == "export_clause":
            names.extend(_specifiers(child, data))
        elif child.type in ("*", "namespace_export"):
            names.append("*")
    if source is not None:
        yield _unquoted(source, data), tuple(names)


def _clause(node: Node, data: bytes) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "identifier":
            yield "default"
        elif child.type == "namespace_import":
            yield "*"
        elif child.type == "named_imports":
            yield from _specifiers(child, data)


def _specifiers(node: Node, data: bytes) -> Iterator[str]:
    for child in node.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            yield _unquoted(name, data)


def _required(node: Node, data: bytes) -> _Target:
    names: tuple[str, ...] = ()
    call = node
    if node.type == "variable_declarator":
        value, pattern = node.child_by_field_name("value"), node.child_by_field_name("name")
        if value is None or pattern is None:
            return "", ()
        call = value
        keys = (part.child_by_field_name("key") or part for part in pattern.named_children)
        names = tuple(text_of(key, data) for key in keys if key.type.startswith(("shorthand_", "property_")))
    arguments = call.child_by_field_name("arguments")
    return (_unquoted(arguments.named_children[0], data) if arguments and arguments.named_children else ""), names


def _go(node: Node, data: bytes) -> Iterator[_Target]:
    path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    if path is not None:
        yield _unquoted(path, data), ("*",) if name is not None and name.type == "dot" else ()


def _rust(node: Node, data: bytes) -> Iterator[_Target]:
    name = node.child_by_field_name("name")
    if node.type == "mod_item":
        yield (f"self::{text_of(name, data)}" if name is not None else ""), ()
    elif node.type == "extern_crate_declaration":
        yield (text_of(name, data) if name is not None else ""), ()
    else:
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yield from _use_tree(argument, data)


def _use_tree(argument: Node, data: bytes) -> Iterator[_Target]:
    """A use tree, flattened: names directly in one list share a target. Not recursive: lists nest as deep as the
    text says."""
    pending: list[tuple[str, Node]] = [("", argument)]
    while pending:
        prefix, node = pending.pop()
        if node.type == "scoped_use_list":
            path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
            if inner is not None:
                pending.append((_under(prefix, _joined(path, data) if path is not None else ""), inner))
        elif node.type == "use_list":
            names = []
            for child in node.named_children:
                if child.type in ("identifier", "self", "crate", "super"):
                    names.append(text_of(child, data))
                elif "comment" not in child.type:
                    pending.append((prefix, child))
            if names:
                yield prefix, tuple(names)
        elif node.type == "use_as_clause":
            path = node.child_by_field_name("path")
            if path is not None:
                yield _split_path(_under(prefix, _joined(path, data)))
        elif node.type == "use_wildcard":
            inside = node.named_children
            yield _under(prefix, _joined(inside[0], data) if inside else ""), ("*",)
        else:
            yield _split_path(_under(prefix, _joined(node, data)))


def _under(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _split_path(path: str) -> _Target:
    module, separator, name = path.rpartition("::")
    return (module, (name,)) if separator and module else (path, ())


def _java(node: Node, data: bytes) -> Iterator[_Target]:
    path = next((_joined(child, data) for child in node.named_children if "identifier" in child.type), "")
    kinds = {child.type for child in node.children}
    if "asterisk" in kinds:
        yield path, ("*",)
    elif "static" in kinds:
        module, _, name = path.rpartition(".")
        yield module, (name,)
    else:
        yield path, ()


def _c(node: Node, data: bytes) -> Iterator[_Target]:
    path = node.child_by_field_name("path")
    if path is not None:
        yield text_of(path, data).strip().strip('"'), ()


def _ruby(node: Node, data: bytes) -> Iterator[_Target]:
    method, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
    if method is None or arguments is None:
        return
    values = [text_of(child, data).strip("\"'") for child in arguments.named_children if child.type == "string"]
    symbols = tuple(
        text_of(child, data).lstrip(":") for child in arguments.named_children if child.type == "simple_symbol"
    )
    if values:
        local = text_of(method, data) == "require_relative" and not values[0].startswith(".")
        yield ("./" if local else "") + values[0], symbols


def _unquoted(node: Node, data: bytes) -> str:
    return text_of(node, data).strip("\"'`")


READERS: dict[str, Callable[[Node, bytes], Iterator[_Target]]] = {
    "python": _python,
    "ecma": _ecma,
    "go": _go,
    "rust": _rust,
    "java": _java,
    "c": _c,
    "ruby": _ruby,
}
