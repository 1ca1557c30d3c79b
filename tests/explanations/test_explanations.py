"""Every explanation against its golden text, and that nothing a compilation can end in goes without one."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from explanation_cases import CASES, FOLDER, INELIGIBLE, SHOP, candidate, compiled, noted, priced, request, shop
from tests.conftest import PROJECT

from contextc.core.explain import account, changes, explain_candidate, explain_refusal, table
from contextc.core.explain.decisions import ADMITTED_AS, CODES
from contextc.core.explain.refusals import REASONS, WITNESSES
from contextc.core.records.answer import Note
from contextc.core.records.outcome import FailureReason, WitnessKind
from contextc.core.records.trace import Decision
from contextc.errors import NotFound

COMPILER = PROJECT / "src" / "contextc" / "core" / "compiler"


@pytest.mark.parametrize("name", sorted(CASES))
def test_an_explanation_reads_as_it_should(name):
    assert CASES[name]() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_text_has_a_case():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(CASES)


def test_every_code_reason_and_witness_has_a_golden_text():
    wanted = [f"decision-{code}" for code in CODES]
    wanted += [f"reason-{reason}" for reason in get_args(FailureReason)]
    wanted += [f"witness-{kind}" for kind in get_args(WitnessKind)]
    assert [name for name in wanted if name not in CASES] == []


def test_every_reason_and_witness_is_explained():
    assert sorted(REASONS) == sorted(get_args(FailureReason))
    assert sorted(WITNESSES) == sorted(get_args(WitnessKind))


def constants_after_decisions() -> set[str]:
    """Reason codes that the compiler writes down: the argument after a decision, in any call."""
    found = set()
    for path in sorted(COMPILER.rglob("*.py")):
        for call in [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]:
            values = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
            found |= {
                code for decision, code in pairwise(values) if decision in get_args(Decision) and isinstance(code, str)
            }
            named = {key.arg: key.value.value for key in call.keywords if isinstance(key.value, ast.Constant)}
            if named.get("decision") in get_args(Decision) and "code" in named:
                found.add(named["code"])
    return found


def test_every_code_the_compiler_can_write_is_explained():
    from contextc.core.compiler.gates import GATES

    found = constants_after_decisions() | {gate.code for gate in GATES}
    assert len(found) >= 10
    assert sorted(found - set(CODES)) == []


def test_every_way_of_being_admitted_is_explained():
    """Details are names between quotes in the modules that admit."""
    source = "".join(path.read_text() for path in sorted(COMPILER.rglob("*.py")))
    stages = [
        "mandatory",
        "required",
        "preferred-greedy",
        "discretionary-greedy",
        "preferred-worth",
        "discretionary-worth",
    ]
    assert all(f'"{stage}"' in source and stage in ADMITTED_AS for stage in stages)


def test_trace_documentation_lists_every_decision_code_and_detail():
    text = (PROJECT / "docs" / "trace.md").read_text()
    from contextc.core.compiler import ledger

    details = [value for name, value in vars(ledger).items() if name.startswith("DETAIL_")]
    wanted = [*get_args(Decision), *CODES, *get_args(FailureReason), *get_args(WitnessKind), *ADMITTED_AS, *details]
    assert [name for name in wanted if f"`{name}`" not in text] == []


def test_an_unknown_id_is_not_found():
    with pytest.raises(NotFound, match=r"'nowhere\.py'"):
        explain_candidate("nowhere.py", shop().result.trace, SHOP)


def test_a_code_that_nobody_knows_is_repeated_as_it_is():
    import msgspec

    trace = shop().result.trace
    odd = msgspec.structs.replace(
        trace.entries[0], decision="REJECTED_BUDGET", reason_code="moon", reason_detail="full"
    )
    odd = msgspec.structs.replace(odd, position=None)
    trace = msgspec.structs.replace(trace, entries=(odd, *trace.entries[1:]))
    assert "Moon: full." in explain_candidate(odd.candidate_id, trace)


@pytest.mark.parametrize("hostile", ["a\x1b[31m\nb", "x\u202ey", "\x00", "a\r\n## b"])
def test_foreign_text_acts_on_no_terminal(hostile):
    pool = [
        candidate("old#full", 5, freshness_eligible=False, freshness_reason=hostile),
        candidate(f"{hostile}#full", 5),
    ]
    notes = {
        pool[0].candidate_id: Note(path=hostile, form="full", why=(hostile,), remark=hostile),
        pool[1].candidate_id: Note(path=hostile, form="full"),
    }
    result = compiled(pool, request(500)).result
    told = [explain_candidate(one.candidate_id, result.trace, pool, notes) for one in pool]
    told += [table(result.trace)]
    for text in told:
        assert hostile not in text
        assert all(sign.isprintable() or sign == "\n" for sign in text)
        assert "\n## b" not in text


def test_a_refusal_with_many_obstacles_is_still_short():
    pool = [candidate(f"doc/{n}.md#full", 5, "MANDATORY", content_identity="one", min_rank=9) for n in range(40)]
    outcome = compiled(pool, request(500))
    text = explain_refusal(outcome.result.failure, outcome.witness, pool).in_words()
    assert "all 40 ways" in text and "and 32 more" in text
    assert text.count("\n") < 15


def test_an_obligation_is_called_by_its_path():
    outcome = compiled(INELIGIBLE, request(500))
    named = explain_refusal(outcome.result.failure, outcome.witness, INELIGIBLE, notes=noted(INELIGIBLE))
    assert named.text.startswith("refused: doc/contract.md is required")


def test_amounts_are_in_words_and_digits_alike_everywhere():
    from contextc.core.explain.words import amount, listing, sentence

    assert [amount(n) for n in (0, 1, 2, 1234567)] == ["0 tokens", "1 token", "2 tokens", "1,234,567 tokens"]
    assert amount(1, "byte") == "1 byte"
    assert [listing(list("abcdefg"[:n])) for n in (0, 1, 2, 3)] == ["", "a", "a and b", "a, b and c"]
    assert listing(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert listing(["a", "b"], joint="or") == "a or b"
    assert sentence("it is. Or not") == "It is. Or not."


def test_changes_name_both_sides_and_where_the_decision_stands():
    large, small = (compiled(SHOP, request(budget)).result for budget in (1200, 420))
    found = changes(large, small, pricing=priced(SHOP))
    assert {change.kind for change in found} == {"fell out"}
    assert all(change.decided_in == "after" and change.code == "budget" for change in found)
    back = changes(small, large)
    assert {change.kind for change in back} == {"came in"}
    assert all(change.decided_in == "before" and change.after and not change.before for change in back)


def test_equal_compilations_do_not_differ():
    assert changes(shop().result, shop().result) == ()


def test_accounts_add_up():
    from explanation_cases import answer

    outcome = shop()
    text = account(answer(SHOP, outcome, request(1200, "shop/session.py#full")))
    tiers = [
        line.split() for line in text.splitlines() if line.startswith(("  mandatory", "  required", "  pref", "  disc"))
    ]
    assert sum(int(row[1]) for row in tiers) == len(outcome.bundle.items)
    frame = next(line for line in text.splitlines() if line.startswith("  frame"))
    assert sum(int(row[2]) for row in tiers) + int(frame.split()[1]) == outcome.result.bundle_tokens
    contents = {entry.content_identity for entry in outcome.result.trace.entries}
    held = {entry.content_identity for entry in outcome.result.trace.entries if entry.position is not None}
    assert f"left out: {len(contents - held)} of {len(contents)} contents" in text


def test_goldens_end_in_a_line_feed_and_hold_no_trailing_blanks():
    for path in sorted(Path(FOLDER).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n") and not text.endswith("\n\n"), path.name
        assert not [line for line in text.splitlines() if line != line.rstrip()], path.name
