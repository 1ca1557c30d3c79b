"""Token counters: exact against another tokenizer, additive at cuts, for texts of any length and content."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nasty import NASTY, NASTY_TEXT
from tests.conftest import PROJECT

from contextc.core.records.pricing import tokens_of
from contextc.counters import COUNTERS, counter, vocabulary
from contextc.counters.encoded import CHUNK, PATTERNS, WORTH_THREADS, TikTokens
from contextc.errors import InputError, PluginError
from token_oracle import oracle

O200K = counter("o200k_base")

TEXT = st.one_of(NASTY_TEXT, st.text())

#: A text that a renderer may put after another: it begins with a sign that is neither blank nor a slash.
FOLLOWING = st.tuples(st.sampled_from(["#", "<", "=", "`", "[", "a", "Z", "1", "é", '"', "\u0301"]), TEXT).map("".join)


# -- names ---------------------------------------------------------------------------------------------------------


def test_counters_are_known_by_their_names():
    assert sorted(COUNTERS) == ["bytes4", "o200k_base", "words13"]
    for name in COUNTERS:
        assert counter(name).name == name


def test_an_unknown_counter_is_an_input_error_that_lists_the_names():
    with pytest.raises(InputError) as caught:
        counter("cl100k_base")
    assert "cl100k_base" in str(caught.value)
    assert caught.value.hint == "counters: bytes4, o200k_base, words13"


# -- the vocabulary ------------------------------------------------------------------------------------------------


def test_the_vocabulary_is_the_published_one_to_the_byte():
    text = vocabulary.published_text(vocabulary.load("o200k_base"))
    assert hashlib.sha256(text).hexdigest() == vocabulary.PUBLISHED_SHA256["o200k_base"]


def test_the_stated_checksum_is_the_one_in_the_source_of_tiktoken():
    import tiktoken_ext.openai_public as public

    assert vocabulary.PUBLISHED_SHA256["o200k_base"] in Path(public.__file__).read_text()


def test_the_expression_is_the_one_in_the_source_of_tiktoken(monkeypatch):
    import tiktoken_ext.openai_public as public

    monkeypatch.setattr(public, "load_tiktoken_bpe", lambda *_, **__: {})
    assert public.o200k_base()["pat_str"] == PATTERNS["o200k_base"]


@pytest.mark.parametrize(
    "tokens", [[], [b"a"], [b"\x00", b"\xff" * 128, b"ab", b" "], [bytes([n]) for n in range(256)]]
)
def test_a_vocabulary_survives_packing(tokens):
    assert vocabulary.unpack(vocabulary.pack(tokens)) == tokens
    assert vocabulary.published_tokens(vocabulary.published_text(tokens)) == tokens


def test_a_vocabulary_with_a_gap_in_its_ranks_is_refused():
    with pytest.raises(ValueError, match="ranks"):
        vocabulary.published_tokens(b"YQ== 0\nYg== 2\n")


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: b"", lambda data: b"\x00" + data])
def test_a_damaged_vocabulary_is_named(tmp_path, monkeypatch, damage):
    good = Path(vocabulary.__file__).with_name("o200k_base.bin").read_bytes()
    (tmp_path / "o200k_base.bin").write_bytes(damage(good))
    monkeypatch.setattr(vocabulary, "__file__", str(tmp_path / "vocabulary.py"))
    with pytest.raises(PluginError, match="vocabulary of o200k_base") as caught:
        vocabulary.load("o200k_base")
    assert caught.value.hint


OFFLINE = """
import socket, sys, os
def refuse(*args, **kwargs):
    raise AssertionError("a socket was asked for")
socket.socket = refuse
socket.getaddrinfo = refuse
socket.create_connection = refuse
from contextc.counters import counter
print(counter("o200k_base").measure("hello world, <|endoftext|>"))
print("requests" in sys.modules, "urllib3" in sys.modules)
"""


def test_counting_needs_no_network_no_environment_and_no_download(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", OFFLINE], env={}, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [str(oracle("hello world, <|endoftext|>")), "False False"]
    assert list(tmp_path.iterdir()) == []


def test_naming_a_counter_loads_no_vocabulary():
    code = "import sys; from contextc.counters import *; counter('o200k_base').unit; print('tiktoken' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# -- exactness -----------------------------------------------------------------------------------------------------


def project_files() -> list[Path]:
    found = [path for folder in ("src", "tests", "docs") for path in (PROJECT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.suffix in {".py", ".md", ".json", ".jsonl", ".txt", ".scm", ".toml"})


def test_the_projects_own_files_count_the_same_by_another_tokenizer():
    texts = [path.read_text("utf-8", "replace") for path in project_files()]
    assert len(texts) > 50
    assert O200K.measure_many(texts) == [oracle(text) for text in texts]


@settings(max_examples=400)
@given(TEXT)
@example("a\u0351'\u017f'Scamel")
@example("<|endoftext|><|endofprompt|>")
@example(" \n\r\t\u2028/")
def test_any_text_counts_the_same_by_another_tokenizer(text):
    assert O200K.measure(text) == oracle(text)


def test_pseudo_random_text_counts_the_same_by_another_tokenizer():
    texts = [pseudo_random_text(seed) for seed in range(3000)]
    assert O200K.measure_many(texts) == [oracle(text) for text in texts]


def pseudo_random_text(seed: int) -> str:
    """Twenty signs and words of the nasty list in an order that a hash decides."""
    return "".join(NASTY[byte % len(NASTY)] for byte in hashlib.sha256(str(seed).encode()).digest()[:20])


@pytest.mark.parametrize("text", ["\ud800", "a\udc80b.py", "\udcff\n", "\ud83d\ude00", "x\udc80" * 50])
def test_a_lone_surrogate_counts_as_the_signs_it_is_delivered_as(text):
    written = text.encode("utf-8", "backslashreplace").decode()
    assert O200K.measure(text) == oracle(written)
    assert counter("bytes4").measure(text) == len(written.encode())
    assert counter("words13").measure(text) == len(written.split())


# -- long texts ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain_tiktoken() -> tiktoken.Encoding:
    """tiktoken as it is, without a cut."""
    ranks = {token: rank for rank, token in enumerate(vocabulary.load("o200k_base"))}
    return tiktoken.Encoding("o", pat_str=PATTERNS["o200k_base"], mergeable_ranks=ranks, special_tokens={})


BLANKS = [" ", "   ", "\t", "\n", "\r", "\u3000", "\u2028", "\xa0", "\x85", "\x1c"]
BLANK_TEXT = st.lists(st.sampled_from([*BLANKS, "a", "A", "9", "!", "/", "'s", "\u0301"])).map("".join)


@settings(max_examples=600)
@given(text=st.one_of(BLANK_TEXT, NASTY_TEXT), chunk=st.integers(0, 6), run=st.integers(1, 4))
@example(text="a   \n   b", chunk=0, run=2)
@example(text="   ", chunk=100, run=1)
@example(text="!\n/   a", chunk=0, run=1)
@example(text="}\n// a", chunk=0, run=4)
@example(text=")\n\n/*", chunk=0, run=4)
def test_cutting_a_text_anywhere_it_may_be_cut_changes_no_count(plain_tiktoken, text, chunk, run):
    cut = TikTokens("o200k_base", chunk=chunk, run=run)
    assert cut.measure(text) == len(plain_tiktoken.encode_ordinary(text))


@pytest.mark.parametrize(
    ("blank", "after", "taken"),
    [(" ", "a", -1), (" ", "1", -1), ("\t", ".", -1), (" ", "", 0), (" ", "\n", 1), ("\t ", "\r\nx", 2)],
)
def test_a_million_blanks_are_counted(blank, after, taken):
    """tiktoken alone panics on these. The piece is the run and so many signs more of what comes after it."""
    text = "x" + blank * (1_100_000 // len(blank)) + after
    end = len(text) - len(after) + taken
    assert O200K.measure(text) == 1 + pieces_of(text[1:end]) + O200K.measure(text[end:])


def pieces_of(piece: str) -> int:
    """Tokens of one piece of white space, by the rank table alone."""
    from contextc.counters.encoded import WHOLE, encoding

    return len(encoding("o200k_base", WHOLE).encode_ordinary(piece))


@pytest.mark.parametrize("sign", ["a", "A", "!", "\n", " \n", "1", "\u4e16", "/", "\r"])
def test_a_long_row_of_one_sign_is_counted(sign):
    text = sign * 60_000
    assert O200K.measure(text) == oracle(text)


def test_a_text_of_many_chunks_counts_as_the_whole(plain_tiktoken):
    text = "x\n" + "".join(f"    value_{n} = {n} * price  // comment {n}\n" + "#\n" * (n % 3) for n in range(20_000))
    assert len(text) > 5 * CHUNK
    assert O200K.measure(text) == len(plain_tiktoken.encode_ordinary(text))


# -- many texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COUNTERS))
def test_many_texts_are_measured_in_order_whatever_their_size(name):
    texts = [f"text {n} " * (n % 97) for n in range(700)] + ["", "same", "same", "\udc80"]
    assert sum(map(len, texts)) > 2 * WORTH_THREADS
    made = counter(name)
    assert made.measure_many(texts) == [made.measure(text) for text in texts]
    assert made.measure_many([]) == []


# -- units ---------------------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(parts=st.lists(FOLLOWING, min_size=1, max_size=5), name=st.sampled_from(sorted(COUNTERS)))
def test_units_add_up_at_cuts(parts, name):
    made = counter(name)
    ended = [part + "\n" for part in parts]
    assert made.measure("".join(ended)) == sum(made.measure(part) for part in ended)


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 4, 2), ("\r\n", 1)])
def test_bytes4_is_a_quarter_of_the_bytes_rounded_up(text, tokens):
    made = counter("bytes4")
    assert tokens_of(made.measure(text), made.unit) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), (" \n", 0), ("a", 1), ("a b", 3), ("a b c", 4), ("a b c d e", 6), ("a " * 15, 20)]
)
def test_words13_is_1_3_tokens_a_word_halves_to_even(text, tokens):
    made = counter("words13")
    assert tokens_of(made.measure(text), made.unit) == tokens
