"""What a request means in a layer: its seeds, its paths, its limits (SPEC 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from contextc.core.devcontext.constants import BUDGET_TOKENS, FLOOR, MAX_DEPTH
from contextc.core.records.devcontext import DevContextInput, Seed
from contextc.core.records.layer import Layer, LayerObject, scalar_text
from contextc.errors import InputError, NotFound

#: Seeds of these kinds are listed and not walked from (SPEC 4.2).
NOT_WALKED = ("path", "intent")


class Resolved(NamedTuple):
    """A checked request. `seeds` as the answer lists them; `object_seeds` ascending, each once."""

    seeds: tuple[Seed, ...]
    object_seeds: tuple[str, ...]
    paths: tuple[str, ...]
    intent: str
    budget: int
    max_depth: int
    floor: float
    all_blocking_rules: bool


def resolve(request: DevContextInput, layer: Layer) -> Resolved:
    """Check a request, in the order of SPEC 4.2; the first fault is raised.

    Raises `InputError` for a value that cannot be used or a name that means two things, `NotFound` for a name of
    nothing.
    """
    budget = BUDGET_TOKENS if request.budget_tokens is None else request.budget_tokens
    if budget == 0:
        raise InputError("expected a budget of at least one token, found zero", where="budget_tokens")
    floor = FLOOR if request.floor is None else request.floor
    if not 0.0 <= floor <= 1.0:
        raise InputError(f"expected a floor from 0 to 1, found {floor}", where="floor")
    seeds: list[Seed] = []
    for kind, text in (("issue", request.issue), ("milestone", request.milestone)):
        if text is not None:
            seeds.append(_named(layer, kind, text))
    by_uri = {one.uri: one for one in layer.objects}
    for index, uri in enumerate(request.uris):
        seeds.append(_identified(layer, by_uri, uri, f"uris[{index}]"))
    paths = tuple(normal_path(path, f"paths[{index}]") for index, path in enumerate(request.paths))
    seeds.extend(Seed(uri=path, kind="path", from_="paths") for path in paths)
    intent = (request.intent or "").strip()
    if intent:
        seeds.append(Seed(uri=intent, kind="intent", from_="intent"))
    return Resolved(
        seeds=tuple(seeds),
        object_seeds=tuple(sorted({seed.uri for seed in seeds if seed.kind not in NOT_WALKED})),
        paths=paths,
        intent=intent,
        budget=budget,
        max_depth=MAX_DEPTH if request.max_depth is None else request.max_depth,
        floor=floor,
        all_blocking_rules=bool(request.all_blocking_rules),
    )


def normal_path(path: str, where: str) -> str:
    """A path relative to the root, without `./` before and `/` after. Raises `InputError` for one that leads out."""
    text = path.strip()
    while text.startswith("./"):
        text = text[2:]
    text = text.rstrip("/") if not text.startswith("/") else text
    if not text:
        raise InputError(f"expected a path inside the repository, found {path!r}", where=where)
    if text.startswith("/") or ".." in text.split("/"):
        hint = "give it relative to the root of the repository"
        raise InputError(f"expected a path inside the repository, found {path!r}", where=where, hint=hint)
    return text


def _named(layer: Layer, kind: str, given: str) -> Seed:
    """An issue or milestone by identifier, identity or slug. A whole name goes before a slug."""
    text = given.strip()
    if not text:
        raise InputError(f"expected the name of a {kind}, found a blank", where=kind)
    of_kind = [one for one in layer.objects if one.kind == kind]
    found = _one(layer, kind, text, [one for one in of_kind if text in (one.uri, one.identity)])
    if found is None:
        _refuse_contested(layer, f"{layer.scheme}://{kind}/{text}", kind)
        _refuse_contested(layer, text, kind)
        found = _one(layer, kind, text, [one for one in of_kind if scalar_text(one.metadata.get("slug")) == text])
    if found is None:
        raise NotFound(f"no {kind} is named {text!r}", where=kind, hint=_unread(layer, lambda path: kind in path))
    resolved = found.identity if found.identity != text else None
    return Seed(uri=found.uri, kind=found.kind, from_=kind, resolved=resolved)


def _one(layer: Layer, kind: str, text: str, found: list[LayerObject]) -> LayerObject | None:
    if len(found) > 1:
        places = " and ".join(one.path for one in found)
        hint = f"name it by its identifier: {' or '.join(one.uri for one in found)}"
        raise InputError(f"{text!r} names more than one {kind}: {places}", where=kind, hint=hint)
    return found[0] if found else None


def _identified(layer: Layer, by_uri: dict[str, LayerObject], uri: str, where: str) -> Seed:
    found = by_uri.get(uri)
    if found is None:
        _refuse_contested(layer, uri, where)
        raise NotFound(f"no object is identified by {uri!r}", where=where, hint=_unread(layer, lambda _: True))
    return Seed(uri=found.uri, kind=found.kind, from_="uris")


def _refuse_contested(layer: Layer, uri: str, where: str) -> None:
    places = layer.contested.get(uri)
    if places is not None:
        hint = "give one of them another identity"
        raise InputError(f"{uri} is claimed by more than one record: {' and '.join(places)}", where=where, hint=hint)


def _unread(layer: Layer, likely: Callable[[str], bool]) -> str:
    """That records could not be read, which may be why something is not found."""
    faults = [one for one in layer.diagnostics if one.severity == "error"]
    if not faults:
        return "give an identifier, an id or a slug as the layer has it"
    first = next((one for one in faults if likely(one.path)), faults[0])
    return f"{len(faults)} records of the layer cannot be read, among them {first.place}: {first.message}"
