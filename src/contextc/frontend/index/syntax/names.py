"""What a node that names something says: the simple name, and the scopes written before it."""

from __future__ import annotations

import re

import tree_sitter

#: Characters; a longer "name" is a computed key or an error of the grammar.
LONGEST_NAME = 200

#: Characters of what stands before a name.
LONGEST_SCOPE = 500

# Around the name: C and C++ declarators, generic and template arguments. The field that leads inward, "" for the last
# child with a name.
_INWARD = {
    "pointer_declarator": "declarator",
    "array_declarator": "declarator",
    "function_declarator": "declarator",
    "init_declarator": "declarator",
    "bitfield_clause": "declarator",
    "reference_declarator": "",
    "parenthesized_declarator": "",
    "attributed_declarator": "",
    "pointer_type_declarator": "",
    "generic_type": "type",
    "template_type": "name",
    "template_function": "name",
    "template_method": "name",
    "dependent_name": "",
}
_SCOPED = {
    "qualified_identifier": ("scope", "name"),
    "scoped_identifier": ("path", "name"),
    "scoped_type_identifier": ("path", "name"),
    "scope_resolution": ("scope", "name"),
    "nested_identifier": ("object", "property"),
}
_PLAIN_NAMES = frozenset(
    ("identifier", "type_identifier", "property_identifier", "field_identifier", "constant", "namespace_identifier")
)
_QUOTES = "\"'`"
# An object that methods are put on: what leads to it and the word between it and the method.
_OBJECT = re.compile(r"[*&\s]*((?:[\w$#]+(?:\.|::))*[\w$#]+)")
_ANONYMOUS_OBJECTS = {"exports", "module.exports", "this", "self", "window", "globalThis"}


class Name:
    """The simple name, the scopes before it (outermost first), and the type of the innermost declarator around it."""

    __slots__ = ("scopes", "simple", "wrapper")

    def __init__(self, simple: str, scopes: list[str], wrapper: str) -> None:
        self.simple = simple
        self.scopes = scopes
        self.wrapper = wrapper


def text_of(node: tree_sitter.Node, data: bytes) -> str:
    """The text of a node of the tree of `data`."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def name_of(node: tree_sitter.Node, data: bytes) -> Name | None:
    """The name a node stands for, None where it is no name (computed, too long, broken)."""
    scopes: list[str] = []
    wrapper = ""
    inner: tree_sitter.Node | None = node
    while inner is not None:
        node = inner
        kind = node.type
        if kind in _SCOPED:
            outer, field = _SCOPED[kind]
            scope = node.child_by_field_name(outer)
            if scope is not None:
                scopes.extend(_plain(text_of(scope, data)))
            inner = node.child_by_field_name(field)
        elif kind in _INWARD:
            wrapper = kind
            inner = _inward(node, _INWARD[kind])
        else:
            break
    simple = _simple(node, data)
    if not simple or len(simple) > LONGEST_NAME:
        return None
    return Name(simple, scopes, wrapper)


def _inward(node: tree_sitter.Node, field: str) -> tree_sitter.Node | None:
    inner = node.child_by_field_name(field) if field else None
    if inner is not None:
        return inner
    children = node.named_children
    return children[-1] if children else None


def _simple(node: tree_sitter.Node, data: bytes) -> str:
    kind = node.type
    text = text_of(node, data)
    if kind == "nested_namespace_specifier":
        return ".".join(_plain(text))
    if kind == "operator_cast":  # `operator bool() const`
        return " ".join(text.partition("(")[0].split())
    if kind == "operator_name":
        return "".join(text.split()) if not text.rstrip()[-1:].isalnum() else " ".join(text.split())
    if kind == "destructor_name":
        return "".join(text.split())
    if kind in _PLAIN_NAMES:
        return text
    if kind in ("computed_property_name", "ERROR") or any(char.isspace() for char in text.strip()):
        return ""
    return text.strip().strip(_QUOTES).removeprefix(":") if kind == "simple_symbol" else text.strip(_QUOTES)


def _plain(scope: str) -> list[str]:
    """The names of a scope, without template arguments: `a::B<C<D>>::` gives a, B."""
    scope = scope[:LONGEST_SCOPE]
    while (cut := re.sub(r"<[^<>]*>", "", scope)) != scope:
        scope = cut
    return [part for part in re.split(r"::|\.|\s+", scope) if part]


def scope_of(node: tree_sitter.Node, data: bytes) -> list[str]:
    """The scopes a receiver or object stands for: `*List[T]` is List, `Store.prototype` is Store, `exports` nothing."""
    match = _OBJECT.match(text_of(node, data)[:LONGEST_SCOPE])
    if match is None:
        return []
    text = match.group(1).removesuffix(".prototype")
    if text in _ANONYMOUS_OBJECTS:
        return []
    return _plain(text.removeprefix("module.exports.").removeprefix("exports.").removeprefix("this."))
