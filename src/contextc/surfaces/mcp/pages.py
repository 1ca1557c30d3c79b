"""An answer that is too long for one result, cut into a first page that keeps its shape and pieces of the rest.

The first page is a value of the same schema: lists, maps and long texts hold only what fits. A piece says to which
place of the answer it belongs, from where and out of how much; adding all pieces to the first page gives the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from contextc.core.records.base import Count, Record
from contextc.core.records.canonical import canonical_json

#: Signs from which on a text may be cut; a shorter one is a name, and half a name is none.
LONG_TEXT = 400

Path = tuple[str | int, ...]


class Piece(Record, frozen=True, kw_only=True):
    """A part of an answer that the pages before did not hold."""

    path: Annotated[tuple[str | int, ...], Meta(description="Names and positions that lead to the place.")]
    start: Annotated[Count, Meta(description="Where the part begins, in elements of a list or signs of a text.")]
    of: Annotated[Count, Meta(description="The length of the whole list, map or text.")]
    value: Annotated[Any, Meta(description="Elements of a list, entries of a map, or a text: to be added.")]


class Page(Record, frozen=True, kw_only=True):
    """`contextc.page.v1`: further pieces of an answer, and the cursor for what still follows."""

    pieces: tuple[Piece, ...]
    next: Annotated[str | None, Meta(description="Give this as `cursor` for more; null at the end.")]
    schema_version: str = "contextc.page.v1"


def size(value: Any) -> int:  # noqa: ANN401 - any JSON value
    """Bytes of the canonical JSON."""
    return len(canonical_json(value))


class Cut:
    """The first page of an answer and the rest. `allowance` is in bytes of JSON; `leading` fields are filled first."""

    def __init__(self, answer: Record, allowance: int, leading: Sequence[str] = ()) -> None:
        self._rest: list[tuple[Path, Any, int]] = []
        self._allowance = allowance
        self._leading = tuple(leading)
        self.first: dict[str, Any] = self._trim(answer, (), allowance)

    def pieces(self, allowance: int) -> Iterator[Piece]:
        """What the first page lacks, in order, each of about `allowance` bytes at most."""
        waiting = list(self._rest)
        while waiting:
            path, node, start = waiting.pop(0)
            self._rest = []
            yield from self._pieces(path, node, start, allowance)
            # What was too large for a piece was trimmed like a first page, and its rest comes at once.
            waiting = [*self._rest, *waiting]

    def _pieces(self, path: Path, node: Any, start: int, allowance: int) -> Iterator[Piece]:  # noqa: ANN401
        whole = len(node)
        while start < whole:
            end, value = self._part(path, node, start, allowance)
            yield Piece(path=path, start=start, of=whole, value=value)
            start = end

    def _part(self, path: Path, node: Any, start: int, room: int) -> tuple[int, Any]:  # noqa: ANN401
        """As much of a container from `start` on as fits, but at least one element, itself trimmed where too large."""
        if isinstance(node, str):
            end = start + max(1, _signs(node[start:], room))
            return end, node[start:end]
        keys: Sequence[Any] = list(node) if isinstance(node, dict) else range(len(node))
        taken: list[tuple[Any, Any]] = []
        for key in keys[start:]:
            child = node[key]
            cost = size(child) + (len(key) + 4 if isinstance(key, str) else 1)
            if cost > room:
                if taken:
                    break
                child = self._trim(child, (*path, key), room)
                taken.append((key, child))
                break
            room -= cost
            taken.append((key, child))
        value = dict(taken) if isinstance(node, dict) else [child for _, child in taken]
        return start + len(taken), value

    def _trim(self, node: Any, path: Path, room: int) -> Any:  # noqa: ANN401 - any record or JSON value
        """A value of the same shape within about `room` bytes; what is cut off is remembered."""
        if not _can_be_cut(node) or size(node) <= room:
            return node
        if isinstance(node, msgspec.Struct):
            return self._trim_record(node, path, room)
        if isinstance(node, str):
            end = _signs(node, room)
            self._rest.append((path, node, end))
            return node[:end]
        keys: Sequence[Any] = list(node) if isinstance(node, dict) else range(len(node))
        taken = []
        for key in keys:
            cost = size(node[key]) + (len(key) + 4 if isinstance(key, str) else 1)
            if cost > room:
                break
            room -= cost
            taken.append((key, node[key]))
        self._rest.append((path, node, len(taken)))
        return dict(taken) if isinstance(node, dict) else [child for _, child in taken]

    def _trim_record(self, node: msgspec.Struct, path: Path, room: int) -> dict[str, Any]:
        """All fields are there; those that can be cut share what the others leave, the leading ones first."""
        fields = [(field.name, field.encode_name) for field in msgspec.structs.fields(type(node))]
        values = {name: getattr(node, name) for name, _ in fields}
        least = {name: _least(value) for name, value in values.items()}
        room -= sum(least[name] + len(wire) + 4 for name, wire in fields)
        made: dict[str, Any] = {}
        order = sorted(values, key=lambda name: path != () or name not in self._leading)
        for name in order:
            wire = next(wire for own, wire in fields if own == name)
            made[wire] = self._trim(values[name], (*path, wire), max(0, room) + least[name])
            room -= size(made[wire]) - least[name]
        return {wire: made[wire] for _, wire in fields if _is_told(node, wire, made[wire])}


def _is_told(node: msgspec.Struct, wire: str, value: Any) -> bool:  # noqa: ANN401
    """Whether a field is in the JSON form: records that omit defaults leave them out."""
    if not type(node).__struct_config__.omit_defaults:
        return True
    return wire in msgspec.to_builtins(node)


def _can_be_cut(node: Any) -> bool:  # noqa: ANN401
    if isinstance(node, str):
        return len(node) > LONG_TEXT
    if isinstance(node, (tuple, list)):
        # A pair of numbers is a value and no list.
        return any(isinstance(one, (str, dict, tuple, list, msgspec.Struct)) for one in node)
    return isinstance(node, (dict, msgspec.Struct))


def _least(node: Any) -> int:  # noqa: ANN401
    """Bytes of a value with everything cut away that can be."""
    if not _can_be_cut(node):
        return size(node)
    if isinstance(node, msgspec.Struct):
        fields = msgspec.structs.fields(type(node))
        return 2 + sum(_least(getattr(node, field.name)) + len(field.encode_name) + 4 for field in fields)
    return 2


def _signs(text: str, room: int) -> int:
    """How many signs of a text fit into `room` bytes of JSON."""
    low, high = 0, min(len(text), max(0, room))
    while low < high:
        middle = (low + high + 1) // 2
        if size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def grouped(pieces: Iterator[Piece], fits: Callable[[list[Piece]], bool]) -> Iterator[tuple[Piece, ...]]:
    """Pieces a page: as many as fit, and always one."""
    page: list[Piece] = []
    for piece in pieces:
        if page and not fits([*page, piece]):
            yield tuple(page)
            page = []
        page.append(piece)
    if page:
        yield tuple(page)


def joined(first: Any, pieces: Sequence[Piece]) -> Any:  # noqa: ANN401 - JSON
    """The whole answer again as plain JSON values, from its first page and all pieces."""
    whole = msgspec.json.decode(canonical_json(first))
    for piece in pieces:
        _add(whole, piece.path, msgspec.json.decode(canonical_json(piece.value)))
    return whole


def _add(whole: Any, path: Path, value: Any) -> None:  # noqa: ANN401
    *way, last = path
    place = whole
    for step in way:
        place = place[step]
    if isinstance(value, dict):
        place[last].update(value)
    else:
        place[last] += value
