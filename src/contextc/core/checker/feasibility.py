"""Rules L1-L8 of a legal bundle (CONTRACT section 2), recomputed from the inputs.

Each rule is a function over the numbers of the items, so that the same functions judge a bundle and the set of ids
that a witness claims to be enough.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from contextc.core.checker import arithmetic
from contextc.core.checker.facts import GATE_CODES, Facts
from contextc.core.checker.report import Notes
from contextc.core.records.bundle import Bundle, Item
from contextc.core.records.outcome import Result


def check_bundle(facts: Facts, result: Result, bundle: Bundle, notes: Notes) -> None:
    """L1-L8 of a bundle that is returned as a success."""
    numbers: list[int] = []
    for place, item in enumerate(bundle.items):
        number = facts.number.get(item.id)
        if number is None:
            notes.object("L8", f"$.bundle.items[{place}].id", f"{item.id!r} is no candidate")
        else:
            numbers.append(number)
    check_members(facts, numbers, notes, "$.bundle.items")
    _check_budget(facts, numbers, result, notes)
    _check_items(facts, bundle, notes)
    _check_order(facts, numbers, bundle, notes)
    _check_frame(facts, result, bundle, notes)


def check_members(facts: Facts, numbers: Sequence[int], notes: Notes, path: str) -> None:
    """L1 and L3-L7 of a set of candidates, whatever its cost."""
    present = set(numbers)
    _check_gates(facts, numbers, notes, path)
    _check_named(facts, present, notes, path)
    _check_obligations(facts, present, notes, path)
    _check_dependencies(facts, numbers, present, notes, path)
    _check_groups(facts, present, notes, path)
    _check_forms(facts, numbers, notes, path)


def _check_gates(facts: Facts, numbers: Sequence[int], notes: Notes, path: str) -> None:
    for number in numbers:
        gate = facts.gates[number]
        if gate is not None:
            notes.object("L1", path, f"{facts.id(number)!r} fails the gate {gate} ({GATE_CODES[gate]})")


def _check_named(facts: Facts, present: set[int], notes: Notes, path: str) -> None:
    for name in dict.fromkeys(facts.request.required_ids):
        if facts.number.get(name, -1) not in present:
            notes.object("L3", path, f"{name!r} is required by name and is no item")


def _check_obligations(facts: Facts, present: set[int], notes: Notes, path: str) -> None:
    for content, forms in facts.obliged_forms().items():
        if present.isdisjoint(forms):
            band = facts.band(forms[0])
            notes.object("L4", path, f"content {content!r} is {band} and none of its {band} forms is an item")


def _check_dependencies(facts: Facts, numbers: Sequence[int], present: set[int], notes: Notes, path: str) -> None:
    for number in numbers:
        for needed in facts.pool[number].depends_on:
            if facts.number.get(needed, -1) not in present:
                notes.object("L5", path, f"{facts.id(number)!r} needs {needed!r}, which is no item")


def _check_groups(facts: Facts, present: set[int], notes: Notes, path: str) -> None:
    due = facts.obliged_groups()
    for name, members in facts.groups.items():
        there = sum(n in present for n in members)
        if there == len(members):
            continue
        if there:
            notes.object("L6", path, f"{there} of {len(members)} members of the required group {name!r} are items")
        elif name in due:
            notes.object("L6", path, f"the required group {name!r} is due and no member is an item")


def _check_forms(facts: Facts, numbers: Sequence[int], notes: Notes, path: str) -> None:
    seen: dict[str, str] = {}
    for number in numbers:
        c = facts.pool[number]
        other = seen.setdefault(c.content_identity, c.candidate_id)
        if other != c.candidate_id:
            notes.object("L7", path, f"{other!r} and {c.candidate_id!r} are forms of one content")
    if len(set(numbers)) != len(numbers):
        notes.object("L7", path, "an item stands twice")


def _check_budget(facts: Facts, numbers: Sequence[int], result: Result, notes: Notes) -> None:
    tokens = arithmetic.in_tokens(arithmetic.bundle_units(numbers, facts), facts.pricing)
    if result.bundle_tokens != tokens:
        notes.object("L8", "$.result.bundle_tokens", f"stated {result.bundle_tokens}, a recount gives {tokens}")
    if tokens > facts.request.usable_token_budget:
        notes.object("L2", "$.bundle", f"{tokens} tokens are over the budget of {facts.request.usable_token_budget}")


def _check_items(facts: Facts, bundle: Bundle, notes: Notes) -> None:
    """Each item's text, price and source are the candidate's own."""
    for place, item in enumerate(bundle.items):
        number = facts.number.get(item.id)
        if number is None:
            continue
        expected = expected_item(facts, number, place)
        if item == expected:
            continue
        for field in msgspec.structs.fields(Item):
            if getattr(item, field.name) != getattr(expected, field.name):
                notes.object(
                    "L8",
                    f"$.bundle.items[{place}].{field.name}",
                    f"not what candidate {item.id!r} gives: {_short(getattr(expected, field.name))}",
                )


def expected_item(facts: Facts, number: int, place: int) -> Item:
    """The item that a candidate gives at a place."""
    c = facts.pool[number]
    first = facts.policy.policy_version == "compiler-policy-v1"
    return Item(
        id=c.candidate_id,
        content=c.content,
        kind=c.kind,
        source=c.source_kind,
        position=place,
        token_count=(
            c.token_count + arithmetic.decoration(c)
            if first
            else arithmetic.in_tokens(facts.units[number], facts.pricing)
        ),
        token_provenance="approximation" if first else facts.pricing.counter,
        ref=None if first else c.source_ref,
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_order(facts: Facts, numbers: Sequence[int], bundle: Bundle, notes: Notes) -> None:
    ids = [item.id for item in bundle.items]
    if list(bundle.layout_trace) != ids:
        notes.object("L8", "$.bundle.layout_trace", "not the ids of the items in their order")
    ordered = policy_order(facts, numbers)
    if list(numbers) != ordered:
        place = next(k for k, (here, due) in enumerate(zip(numbers, ordered, strict=True)) if here != due)
        notes.object("L8", f"$.bundle.items[{place}]", f"policy order puts {facts.id(ordered[place])!r} here")


def policy_order(facts: Facts, numbers: Sequence[int]) -> list[int]:
    """By (rank of role, id). Under v2 a required group stands together, at the place of its first member."""
    place_of_role = {role: place for place, role in reversed(list(enumerate(facts.policy.order_roles)))}

    def own(number: int) -> tuple[int, str]:
        c = facts.pool[number]
        return place_of_role.get(c.order_role, len(place_of_role) + len(facts.policy.order_roles)), c.candidate_id

    if facts.policy.policy_version == "compiler-policy-v1":
        return sorted(numbers, key=own)
    first: dict[str, tuple[int, str]] = {}
    for number in numbers:
        group = facts.group_of[number]
        if group is not None:
            first[group] = min(own(number), first.get(group, own(number)))

    def together(number: int) -> tuple[tuple[int, str], tuple[int, str]]:
        group = facts.group_of[number]
        return (own(number) if group is None else first[group]), own(number)

    return sorted(numbers, key=together)


def _check_frame(facts: Facts, result: Result, bundle: Bundle, notes: Notes) -> None:
    """The fields of the bundle around its items, and the hash of the items."""
    request = facts.request
    first = facts.policy.policy_version == "compiler-policy-v1"
    expected = {
        "id": f"{request.request_id}-bundle",
        "created_at": request.created_at,
        "evidence_class": "synthetic" if first else "compiled",
        "provenance": None,
    }
    for field, value in expected.items():
        if getattr(bundle, field) != value:
            notes.object("L8", f"$.bundle.{field}", f"expected {value!r}")
    if result.bundle_id != bundle.id:
        notes.object("L8", "$.result.bundle_id", f"expected {bundle.id!r}, the id of the bundle")
    if result.bundle_hash != _hash(bundle.items):
        notes.object("L8", "$.result.bundle_hash", "not the hash of the items")


def _hash(items: Sequence[Item]) -> str:
    """SHA-256 over id, zero byte, content, zero byte of each item (construction SPEC section 9), in one go."""
    parts = [part for item in items for part in (item.id, "\0", item.content, "\0")]
    return hashlib.sha256("".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def check_text(
    facts: Facts, result: Result, bundle: Bundle, text: str, recount: Callable[[str], int] | None, notes: Notes
) -> None:
    """The delivered text: every content is in it, in order, and counted again it is what was stated and fits."""
    place = 0
    for index, item in enumerate(bundle.items):
        found, length = _find(text, item.content, place)
        if found < 0:
            notes.object(
                "text", f"$.bundle.items[{index}]", f"the content of {item.id!r} is not in the text in its place"
            )
            continue
        place = found + length
    if recount is None:
        return
    tokens = recount(text)
    if tokens != result.bundle_tokens:
        notes.object("text", "$.result.bundle_tokens", f"stated {result.bundle_tokens}, the text counts {tokens}")
    if tokens > facts.request.usable_token_budget:
        notes.object("L2", "$.bundle", f"the text is {tokens} tokens, the budget {facts.request.usable_token_budget}")


def _find(text: str, content: str, start: int) -> tuple[int, int]:
    """Where a content stands from `start` on: as one text, or line by line in order, as a rendering shows a content
    whose left-out lines it names. -1 when nowhere."""
    found = text.find(content, start)
    if found >= 0:
        return found, len(content)
    place = start
    for line in content.splitlines():
        if not line.strip() or _unwritable(line):
            continue
        found = text.find(line, place)
        if found < 0:
            return -1, 0
        place = found + len(line)
    return start, place - start


def _unwritable(line: str) -> bool:
    """Whether a rendering may have to alter a line: XML can hold neither most control characters nor a lone half of a
    surrogate pair, and writes the end of its own quotation in two."""
    if "]]>" in line:
        return True
    return any((sign < " " and sign != "\t") or sign in "\ufffe\uffff" or "\ud800" <= sign <= "\udfff" for sign in line)
