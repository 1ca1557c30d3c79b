"""Values of any record, drawn from its type, and documents that are a little wrong."""

import copy
import importlib
import pkgutil

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

import contextc.core.records as package
from contextc.core.records.base import Record

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)


def all_records():
    """Every record of contextc.core.records, by name."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    found = {}
    queue = [Record]
    while queue:
        for record in queue.pop().__subclasses__():
            queue.append(record)
            if record.__module__.startswith(package.__name__):
                found[record.__name__] = record
    return dict(sorted(found.items()))


RECORDS = all_records()


def values_of(record):
    """Instances of a record."""
    return st.builds(lambda value: msgspec.convert(value, record), documents_of(record))


def documents_of(record):
    """JSON values that the record's type describes."""
    return _values(inspect.type_info(record))


def _values(kind):
    match kind:
        case inspect.StructType():
            required = {f.encode_name: _values(f.type) for f in kind.fields if f.required}
            optional = {f.encode_name: _values(f.type) for f in kind.fields if not f.required}
            return st.fixed_dictionaries(required, optional=optional)
        case inspect.IntType():
            return st.integers(kind.ge, kind.le) if kind.ge is not None else st.integers(-(2**40), 2**40)
        case inspect.FloatType():
            return st.floats(kind.ge, kind.le, allow_nan=False, allow_infinity=False)
        case inspect.StrType():
            return TEXT.filter(lambda text: len(text) >= (kind.min_length or 0))
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([_values(member) for member in kind.types])
        case inspect.VarTupleType():
            return st.lists(_values(kind.item_type), max_size=2)
        case inspect.TupleType():
            return st.tuples(*[_values(item) for item in kind.item_types]).map(list)
        case inspect.DictType():
            return st.dictionaries(_values(kind.key_type), _values(kind.value_type), max_size=2)
        case inspect.Metadata():
            return _values(kind.type)
    raise TypeError(f"no values of {kind}")


#: What a wrong value may be. 5.0 is left out: JSON Schema calls it an integer and contextc does not.
WRONG = st.sampled_from([None, True, "", "text", -1, 7, 0.5, 1.5, -0.5, [], {}, [[1]], ["a"], {"a": 1}])


@st.composite
def damaged(draw, record):
    """A document of a record in which one place was removed, replaced or added to; it may still be right."""
    document = copy.deepcopy(draw(documents_of(record)))
    # A document without any key can only be added to.
    places = _places(document) or [(document, None)]
    parent, key = draw(st.sampled_from(places))
    match draw(st.sampled_from(["replace", "remove", "add"] if key is not None else ["add"])):
        case "replace":
            parent[key] = draw(WRONG)
        case "remove":
            del parent[key]
        case "add":
            if isinstance(parent, dict):
                parent[draw(st.sampled_from(["surprise", "schema_version", "id"]))] = draw(WRONG)
            else:
                parent.append(draw(WRONG))
    return document


def _places(value):
    """Every (container, key) of a document."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found.append((value, key))
        found += _places(inner)
    return found
