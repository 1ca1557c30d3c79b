"""What every renderer promises: parts cost what they cost alone, and no content or name forges a delimiter."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nasty import HOSTILE_TEXT, NAME, NASTY_TEXT
from rendered import PARSERS

from contextc.core.render import RENDERERS, Block, Head, Piece, price, render, renderer
from contextc.counters import COUNTERS, counter
from contextc.errors import InputError

TEXT = st.one_of(HOSTILE_TEXT, NASTY_TEXT, st.text())
SHORT = st.one_of(st.just(""), HOSTILE_TEXT, NAME)


@st.composite
def pieces(draw) -> tuple[Piece, ...]:
    """Ascending pieces with any gap between, also none, of any text."""
    made, line = [], 1
    for text in draw(st.lists(TEXT, max_size=4)):
        first = line + draw(st.integers(0, 3))
        last = first + draw(st.integers(0, 3))
        made.append(Piece(first=first, last=last, text=text))
        line = last + 1
    return tuple(made)


@st.composite
def blocks(draw) -> Block:
    shown = draw(pieces())
    return Block(
        id=draw(NAME),
        path=draw(NAME),
        form=draw(st.sampled_from(["full", "focused", "outline", "anchor", "reference"])),
        kind=draw(st.sampled_from(["source", "rule", "decision", "evidence", "", "a b"])),
        language=draw(st.sampled_from(["", "python", "c++", "`x\n"])),
        title=draw(SHORT),
        pieces=shown,
        total_lines=(shown[-1].last if shown else 0) + draw(st.integers(0, 2)),
        remark=draw(SHORT),
        group=tuple(draw(st.lists(NAME, max_size=2))),
    )


HEADS = st.builds(Head, title=SHORT, source=SHORT)
EVERY = pytest.mark.parametrize("name", sorted(RENDERERS))


def block(text: str = "x = 1\n", path: str = "a.py") -> Block:
    return Block(
        id="a", path=path, form="full", kind="source", pieces=(Piece(first=1, last=1, text=text),), total_lines=1
    )


def text_of(made: Block) -> str:
    return "".join(piece.text for piece in made.pieces)


def test_renderers_are_known_by_their_names():
    assert sorted(RENDERERS) == ["markdown", "plain", "xml"]
    assert all(renderer(name).name == name for name in RENDERERS)


def test_an_unknown_renderer_is_an_input_error_that_lists_the_names():
    with pytest.raises(InputError, match="'json'") as caught:
        renderer("json")
    assert caught.value.hint == "renderers: markdown, plain, xml"


@EVERY
@settings(max_examples=250)
@given(head=HEADS, made=st.lists(blocks(), max_size=3))
def test_every_path_and_text_is_recovered_from_the_rendered_text(name, head, made):
    text = render(RENDERERS[name], head, made)
    assert PARSERS[name](text) == [(one.path, text_of(one)) for one in made]


@EVERY
@settings(max_examples=120)
@given(text=TEXT, path=NAME)
@example(text="", path="empty")
@example(text="\n", path="one line feed")
@example(text="a\r\nb\r", path="line ends")
@example(text="````\n```\n`", path="fences")
@example(text="=" * 50 + "\n====", path="runs")
@example(text="]]]]>>]]>]]", path="cdata")
@example(text="\x00\u2400\x01\ufffd\uffff", path="stand-ins")
def test_a_text_that_is_a_rendered_document_is_recovered(name, text, path):
    """A document inside a document inside a document: each level quotes the one below."""
    for _ in range(3):
        inner = text
        text = render(RENDERERS[name], Head(title="t", source="s"), [block(inner, path), block("after\n", "after")])
        assert PARSERS[name](text) == [(path, inner), ("after", "after\n")]


@EVERY
@settings(max_examples=120)
@given(head=HEADS, made=st.lists(blocks(), max_size=3), counted=st.sampled_from(sorted(COUNTERS)))
def test_the_whole_costs_what_its_parts_cost(name, head, made, counted):
    meter = counter(counted)
    pricing = price(RENDERERS[name], meter, head, {str(at): one for at, one in enumerate(made)})
    assert (pricing.renderer, pricing.counter, pricing.unit) == (name, counted, meter.unit)
    units = pricing.base + sum(pricing.items.values()) if made else pricing.empty
    assert units == meter.measure(render(RENDERERS[name], head, made))


@EVERY
@given(head=HEADS, made=blocks())
def test_parts_begin_and_end_where_no_tokenizer_joins(name, head, made):
    parts = [RENDERERS[name].head(head), RENDERERS[name].block(made), RENDERERS[name].tail(head)]
    assert parts[0].endswith("\n")
    assert all(part.endswith("\n") for part in parts[1:] if part)
    assert all(not part[0].isspace() and part[0] != "/" for part in parts[1:] if part)


@EVERY
def test_the_order_of_blocks_is_the_order_given(name):
    made = [block(path=path) for path in ("b", "a", "c")]
    text = render(RENDERERS[name], Head(title="t", source="s"), made)
    assert [path for path, _ in PARSERS[name](text)] == ["b", "a", "c"]


@EVERY
@pytest.mark.parametrize("text", ["a\r\nb\r\n", "a\rb", "a\nb", "\ufeffa\n", "a\u2028b\n", "tab\tend \n"])
def test_line_ends_and_odd_signs_are_kept_to_the_byte(name, text):
    assert text in render(RENDERERS[name], Head(title="", source=""), [block(text)])


@EVERY
@pytest.mark.parametrize(
    "path", ["src/a.py", "a b/c-d_e.md", "pages/[id].tsx", "\u4e16\u754c/é.md", "a (1).txt", "it's", "x#1"]
)
def test_ordinary_names_stand_as_they_are(name, path):
    assert path in render(RENDERERS[name], Head(title="", source=""), [block(path=path)])


@EVERY
@pytest.mark.parametrize("path", ["a\nb", "a\u202eb", "a\x1bb", "<!--a-->", "`a`", "[a](b)", "\udc80"])
def test_names_that_could_mislead_are_quoted(name, path):
    text = RENDERERS[name].block(block(path=path))
    assert path not in text
    text.encode("utf-8")


@EVERY
def test_members_of_a_group_name_each_other_in_words(name):
    member = Block(id="a", path="a.md", form="full", kind="claim", group=("b.md", "c d.md"))
    text = RENDERERS[name].block(member)
    assert "b.md, c d.md" in text
    assert "elongs" in text


@EVERY
def test_titles_and_remarks_stay_on_one_line(name):
    made = Block(id="a", path="a", form="anchor", kind="", title="one\n\n## two", remark="three\r\n```\u2028four")
    text = RENDERERS[name].block(made)
    assert "one ## two" in text
    assert "three ``` four" in text


@EVERY
def test_a_full_text_is_not_given_a_title(name):
    made = Block(id="a", path="a", form="full", kind="", title="the title")
    assert "the title" not in RENDERERS[name].block(made)


@pytest.mark.parametrize(
    ("shown", "total", "words"),
    [
        ([(1, 42)], 42, "42 lines"),
        ([(1, 1)], 1, "1 line"),
        ([(1, 0)], 0, "0 lines"),
        ([(1, 3), (7, 7)], 42, "lines 1-3, 7 of 42"),
        ([(1, 3), (4, 7)], 42, "lines 1-7 of 42"),
        ([(5, 5)], 42, "line 5 of 42"),
        ([(5, 6)], 0, "lines 5-6"),
        ([], 42, "0 of 42 lines"),
    ],
)
def test_the_lines_shown_are_said(shown, total, words):
    made = Block(
        id="a",
        path="a",
        form="focused",
        kind="rule",
        pieces=tuple(Piece(first=first, last=last, text="x\n" * (last - first + 1)) for first, last in shown),
        total_lines=total,
    )
    assert RENDERERS["markdown"].block(made).splitlines()[0] == f"## a (rule, focused, {words})"
    assert RENDERERS["plain"].block(made).splitlines()[0] == f"==== a (rule, focused, {words})"


@pytest.mark.parametrize(
    ("first", "words"), [(3, "line 2 left out"), (9, "lines 2-8 left out"), (2, ""), (1, "line 1 follows")]
)
def test_what_lies_between_two_pieces_is_said(first, words):
    made = Block(
        id="a",
        path="a",
        form="focused",
        kind="source",
        pieces=(Piece(first=1, last=1, text="x\n"), Piece(first=first, last=first, text="...\n")),
        total_lines=9,
    )
    marks = [line for line in RENDERERS["markdown"].block(made).splitlines() if line.startswith("....")]
    assert marks == ([f".... {words}"] if words else [])


@EVERY
def test_what_stands_first_is_the_same_for_every_task_and_commit(name):
    made = RENDERERS[name]
    one, other = Head(title="one", source="commit a"), Head(title="two", source="commit b")
    assert made.head(one) == made.head(other)
    assert made.tail(one) != made.tail(other)


@EVERY
def test_the_end_says_what_the_bundle_is_for_and_where_it_is_from(name):
    text = render(RENDERERS[name], Head(title="fix & check\n# the <session>", source="commit abc"), [block()])
    end = text[text.index("x = 1") :]
    assert "commit abc" in end
    assert "fix &" in end and "session" in end
    assert "\n# the" not in end
