"""Parameters of a command line made from the fields of an input record.

text, number, choice   --name VALUE
several texts          --name VALUE, repeated
yes or no              --name
a record, a document   --name FILE, `-` for standard input
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from msgspec import inspect

from contextc.capabilities.base import Capability
from contextc.core.records.base import Record
from contextc.core.records.codec import decode
from contextc.errors import DocumentError, NotFound, UsageError

#: Names of options that differ from the name of the field: the singular where an option is repeated, and short forms.
OPTION_NAMES: dict[str, tuple[str, ...]] = {
    "paths": ("--path",),
    "uris": ("--uri",),
    "root": ("-C", "--root"),
}

#: What stands for the value in the help.
METAVARS: dict[str, str] = {
    "root": "DIR",
    "paths": "PATH",
    "uris": "URI",
    "intent": "TEXT",
    "rev": "REV",
    "counter": "NAME",
}


class Field(NamedTuple):
    """A field of a record as a command line needs it."""

    name: str
    option: str
    kind: Any
    optional: bool
    required: bool
    default: Any
    description: str

    @property
    def is_file(self) -> bool:
        """The value is a document, so the command line names a file."""
        return isinstance(self.kind, (inspect.StructType, inspect.RawType))


def fields_of(record: type[Record]) -> list[Field]:
    """The fields of a record in order. Raises `TypeError` for a type that no option can give."""
    info = inspect.type_info(record)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{record.__name__} is no record")
    return [_field(field) for field in info.fields]


def _field(field: inspect.Field) -> Field:
    kind, description = field.type, ""
    if isinstance(kind, inspect.Metadata):
        description = (kind.extra_json_schema or {}).get("description", "")
        kind = kind.type
    optional = False
    if isinstance(kind, inspect.UnionType):
        optional = True
        (kind,) = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
        kind = kind.type if isinstance(kind, inspect.Metadata) else kind
    default = None if field.default is msgspec.NODEFAULT else field.default
    return Field(field.name, field.encode_name, kind, optional, field.required, default, description)


def parameters(capability: Capability, *, without: Iterable[str] = ()) -> list[click.Parameter]:
    """The parameters of a capability's command: positional ones first, then options in the order of the fields."""
    fields = [field for field in fields_of(capability.input) if field.name not in set(without)]
    by_name = {field.name: field for field in fields}
    made: list[click.Parameter] = [_argument(by_name[name]) for name in capability.positional]
    made.extend(_option(field) for field in fields if field.name not in capability.positional)
    return made


def _argument(field: Field) -> click.Argument:
    several = isinstance(field.kind, inspect.VarTupleType)
    metavar = METAVARS.get(field.name, field.option.upper())
    if not field.required:
        metavar = f"[{metavar}]"
    return click.Argument(
        [field.name],
        nargs=-1 if several else 1,
        required=field.required,
        type=_type(field),
        metavar=f"{metavar}..." if several else metavar,
    )


def _option(field: Field) -> click.Option:
    names = OPTION_NAMES.get(field.name, (f"--{field.option.replace('_', '-')}",))
    declared = [*names, field.name]
    shared: dict[str, Any] = {"help": field.description, "required": field.required}
    if isinstance(field.kind, inspect.BoolType):
        return click.Option(declared, is_flag=True, default=bool(field.default), **shared)
    shown = field.default not in (None, "", ())
    several = isinstance(field.kind, inspect.VarTupleType)
    if not field.required:
        # Even a default of None is one for click, and an option with a default is never missing.
        shared["default"] = None if several or field.is_file else field.default
    return click.Option(
        declared,
        multiple=several,
        type=_type(field),
        metavar="FILE" if field.is_file else METAVARS.get(field.name),
        show_default=shown and not several and not field.is_file,
        **shared,
    )


def _type(field: Field) -> click.ParamType[Any] | type:
    kind = field.kind
    if isinstance(kind, inspect.VarTupleType):
        kind = kind.item_type
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.IntType):
        return click.IntRange(min=kind.ge)
    if isinstance(kind, inspect.FloatType):
        return click.FloatRange(min=kind.ge, max=kind.le)
    if isinstance(kind, inspect.LiteralType):
        return click.Choice([str(value) for value in kind.values])
    if field.is_file or isinstance(kind, inspect.StrType):
        return str
    raise TypeError(f"no option can give the field {field.name!r} of type {type(kind).__name__}")


def input_of(capability: Capability, values: dict[str, Any], read: Callable[[str], bytes] | None = None) -> Record:
    """The input record from the values a command line gave; values it did not give keep the record's default.

    Raises `UsageError`, `NotFound` for a file that is not there, and `DocumentError` for one that breaks its schema.
    """
    read = read or Reader()
    given: dict[str, Any] = {}
    fields = fields_of(capability.input)
    if sum(field.is_file and values.get(field.name) == "-" for field in fields) > 1:
        raise UsageError("two parameters name standard input", hint="give `-` once, and a file for the other")
    for field in fields:
        value = values.get(field.name)
        if value is None or (value == () and not field.required):
            continue
        if field.is_file:
            data = read(value)
            cls = getattr(field.kind, "cls", None)
            value = decode(data, cls, where=shown(value)) if cls else msgspec.Raw(data)
        given[field.name] = value
    return capability.input(**given)


def name_files(error: DocumentError, values: dict[str, Any]) -> DocumentError:
    """The same error with the file in place of the field it came from: a capability knows only the field."""
    value = values.get(error.where)
    if not isinstance(value, str):
        return error
    return DocumentError(error.problems, where=shown(value), hint=error.hint)


def shown(path: str) -> str:
    """A file named on the command line, as an error names it."""
    return "standard input" if path == "-" else path


class Reader:
    """Reads the files that a command line names; standard input can be read once."""

    def __init__(self) -> None:
        self._stdin_read = False

    def __call__(self, path: str) -> bytes:
        """The bytes of a file, or of standard input for `-`."""
        if path != "-":
            return read_file(path)
        if self._stdin_read:
            raise UsageError("two parameters name standard input", hint="give `-` once, and a file for the other")
        self._stdin_read = True
        return sys.stdin.buffer.read()


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises `NotFound` when there is none, `UsageError` when it cannot be read."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise NotFound("no such file", where=path) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the file: {getattr(error, 'strerror', None) or error}", where=path) from None
