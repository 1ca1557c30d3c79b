"""Opening the index: what is read, what is told, and that nothing else than the snapshot decides it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Repository, repository_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import WatchedSource, everything, vocabulary

from contextc.errors import SourceError
from contextc.frontend.index import build as module
from contextc.frontend.index import open_index, stat_cache, words
from contextc.frontend.index.base import IndexView, Posting
from contextc.frontend.index.cachedir import store_path
from contextc.frontend.index.compaction import MOST_SEGMENTS
from contextc.frontend.sources import open_source

PROFILE = settings(derandomize=True, deadline=None, max_examples=12)
KEY = "AKIA" + "Q3EG7T5RZX2WLNV4"
FILES: dict[str, str | bytes] = {
    "README.md": "# Shop\n\nSells things.\n\n## Prices\n",
    "shop/__init__.py": "",
    "shop/seller.py": "from .price import Price\n\n\nclass Seller:\n    def sell_all(self): return Price()\n",
    "shop/price.py": "class Price:\n    amount = 0\n\n\ndef sell_all(): pass\n",
    "web/app.js": "export function sellAll() { return 1; }\n",
    "web/copy.js": "export function sellAll() { return 1; }\n",
    "web/copy.ts": "export function sellAll() { return 1; }\n",
    "notes.txt": "Sell all, session by session: see #404.\n",
    "package-lock.json": "{}\n",
    "latin.py": "größe_neu = 1\n".encode("latin-1"),
    "image.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "deploy.env": f"key={KEY}\n",
    "config.py": f'KEY = "{KEY}"\n',
    "crlf.py": "def a():\r\n    pass\r\n",
    "namé\n.txt": "odd name\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    return repository_of(tmp_path / "shop", FILES)


def opened(root: Path, cache: Path, *, rev: str | None = None, jobs: int = 1) -> tuple[IndexView, list[str]]:
    """The index of a root, and the paths whose bytes were read for it."""
    source = WatchedSource(open_source(root, rev=rev))
    view = open_index(source, source.snapshot(), cache_dir=cache, jobs=jobs)
    return view, source.reads


def test_a_view_tells_the_files_of_the_snapshot_in_order(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    assert [file.path for file in view.files] == sorted(FILES.keys() - {"image.png", "deploy.env", "config.py"})
    file = view.file("shop/seller.py")
    assert file is not None and file.facts.language == "python"
    assert [symbol.qualified for symbol in file.facts.symbols] == ["Seller", "Seller.sell_all"]
    assert file.facts.imports[0].target == ".price"
    assert view.file("nowhere") is None


def test_what_is_left_out_is_told_with_its_reason(shop: Repository, tmp_path: Path) -> None:
    shop.link("link", "README.md")
    shop.write("huge.txt", b"x" * 2_000_001)
    shop.commit()
    view, reads = opened(shop.path, tmp_path / "cache")
    reasons = {item.path: item.reason for item in view.left_out}
    assert reasons == {
        "image.png": "binary",
        "deploy.env": "secret",
        "config.py": "secret",
        "link": "symlink",
        "huge.txt": "oversized",
    }
    assert list(view.left_out) == sorted(view.left_out)
    assert "deploy.env" not in reads, "what is secret by name is not even read"
    assert KEY not in repr(view.left_out) + repr(view.files)


def test_postings_count_words_in_texts_and_in_names(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    assert view.postings(["sell_all", "größe", "404", "absent"]) == {
        "sell_all": (Posting("shop/price.py", 1, 1), Posting("shop/seller.py", 1, 1)),
        "größe": (Posting("latin.py", 1, 1),),
        "404": (Posting("notes.txt", 1, 0),),
        "absent": (),
    }
    assert [posting.path for posting in view.postings(["sellall"])["sellall"]] == [
        "web/app.js",
        "web/copy.js",
        "web/copy.ts",
    ]


def test_the_words_of_secrets_are_nobodys_to_find(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    secret = words.split(f'KEY = "{KEY}"')
    assert all(not found for found in view.postings(secret).values())
    path = store_path(shop.path, tmp_path / "cache")
    assert path is not None and KEY.encode() not in path.read_bytes()


def test_definitions_are_found_by_their_simple_name(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    assert [(path, symbol.qualified) for path, symbol in view.definitions("sell_all")] == [
        ("shop/price.py", "sell_all"),
        ("shop/seller.py", "Seller.sell_all"),
    ]
    assert view.definitions("Sell_All") == () and view.definitions("Prices") == ()


def test_statistics_are_of_the_files_that_are_told(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    total = sum(file.facts.length for file in view.files)
    assert (view.statistics.files, view.statistics.words) == (len(view.files), total)
    assert view.statistics.average_length == total / len(view.files)


def test_an_empty_repository_has_an_empty_index(tmp_path: Path) -> None:
    view, _ = opened(Repository.create(tmp_path / "empty").path, tmp_path / "cache")
    assert (view.files, view.left_out, view.statistics.average_length) == ((), (), 0.0)
    assert view.postings(["a"]) == {"a": ()}


def test_flags_tell_what_is_no_ordinary_file(shop: Repository, tmp_path: Path) -> None:
    shop.write("node_modules/x/index.js", "export const x = 1;\n")
    shop.write("made.py", "# Code generated by a tool. DO NOT EDIT.\nx = 1\n")
    shop.commit()
    view, _ = opened(shop.path, tmp_path / "cache")
    flags = {file.path: file.flag for file in view.files if file.flag}
    assert flags == {"node_modules/x/index.js": "vendored", "made.py": "generated", "package-lock.json": "lock"}


def test_a_text_is_given_as_it_stands(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    assert view.text("crlf.py") == "def a():\r\n    pass\r\n"
    assert view.text("latin.py") == "größe_neu = 1\n"
    assert view.texts(["notes.txt", "crlf.py", "notes.txt"]).keys() == {"notes.txt", "crlf.py"}


@pytest.mark.parametrize(
    ("path", "why"),
    [("image.png", "binary"), ("config.py", "secret"), ("deploy.env", "secret"), ("nowhere", "not in the snapshot")],
)
def test_a_text_that_is_none_is_refused(shop: Repository, tmp_path: Path, path: str, why: str) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    with pytest.raises(SourceError, match=why) as caught:
        view.text(path)
    assert KEY not in str(caught.value)


def test_a_text_is_read_once_for_all_its_forms(shop: Repository, tmp_path: Path) -> None:
    view, reads = opened(shop.path, tmp_path / "cache")
    before = len(reads)
    for _ in range(3):
        view.text("notes.txt")
        view.texts(["notes.txt", "crlf.py"])
    assert reads[before:] == ["notes.txt", "crlf.py"]


def test_the_memory_for_texts_is_bounded(shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contextc.frontend.index.view.TEXT_MEMORY", 60)
    view, reads = opened(shop.path, tmp_path / "cache")
    paths = [file.path for file in view.files]
    assert view.texts(paths) == view.texts(paths)
    assert reads.count("shop/seller.py") > 2


def test_a_second_run_reads_nothing(shop: Repository, tmp_path: Path) -> None:
    first, reads = opened(shop.path, tmp_path / "cache")
    assert len(reads) == len(set(reads)) == len(FILES) - 2  # neither the secret by name nor the second copy of one blob
    second, again = opened(shop.path, tmp_path / "cache")
    assert again == []
    every = vocabulary(second)
    assert everything(second, every) == everything(first, every)


def test_a_later_run_reads_only_what_changed(shop: Repository, tmp_path: Path) -> None:
    opened(shop.path, tmp_path / "cache")
    shop.write("notes.txt", "Something new.\n")
    shop.write("new.go", "package new\n")
    shop.git("mv", "shop/price.py", "shop/prices.py")
    shop.git("add", "new.go")
    view, reads = opened(shop.path, tmp_path / "cache")
    assert sorted(reads) == ["new.go", "notes.txt"]
    assert view.postings(["session"])["session"] == ()
    assert [posting.path for posting in view.postings(["price"])["price"]] == ["shop/prices.py", "shop/seller.py"]
    assert opened(shop.path, tmp_path / "cache", rev="HEAD")[1] == [], "the commit is known already"


def test_one_content_in_two_languages_is_two_documents(shop: Repository, tmp_path: Path) -> None:
    view, reads = opened(shop.path, tmp_path / "cache")
    assert [path for path in reads if path.startswith("web/")] == ["web/app.js", "web/copy.ts"]
    copy, typed = view.file("web/copy.js"), view.file("web/copy.ts")
    assert copy is not None and typed is not None
    assert (copy.facts.language, typed.facts.language) == ("javascript", "typescript")


def test_a_commit_and_the_work_tree_that_equals_it_are_told_alike(shop: Repository, tmp_path: Path) -> None:
    tree, _ = opened(shop.path, tmp_path / "one")
    commit, _ = opened(shop.path, tmp_path / "two", rev="HEAD")
    every = vocabulary(tree)
    assert everything(tree, every) == everything(commit, every)


def test_what_else_the_store_holds_changes_no_answer(shop: Repository, tmp_path: Path) -> None:
    alone, _ = opened(shop.path, tmp_path / "alone")
    every = vocabulary(alone)
    # Other commits of this repository, with many files that hold the same words, in a store of many segments.
    for number in range(MOST_SEGMENTS + 3):
        shop.files({f"more/{number}/{n}.py": f"def sell_all(): price{n} = {number}\n" for n in range(5)})
        shop.commit()
        opened(shop.path, tmp_path / "full")
    full, reads = opened(shop.path, tmp_path / "full", rev=f"HEAD~{MOST_SEGMENTS + 3}")
    assert reads == []
    assert everything(full, every) == everything(alone, every)


def test_a_store_filled_by_another_repository_changes_no_answer(
    shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, _ = opened(shop.path, tmp_path / "alone")
    every = vocabulary(alone)
    other = repository_of(
        tmp_path / "other", {**{f"{n}.py": f"def sell_all(): x{n}\n" for n in range(9)}, "same.txt": FILES["notes.txt"]}
    )
    shared = tmp_path / "shared.sqlite"
    monkeypatch.setattr(module, "store_path", lambda root, cache: shared)
    opened(other.path, tmp_path)
    mixed, reads = opened(shop.path, tmp_path)
    assert "notes.txt" not in reads, "the same content is known"
    assert everything(mixed, every) == everything(alone, every)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_reading_changes_no_answer(shop: Repository, tmp_path: Path, seed: int) -> None:
    plain, _ = opened(shop.path, tmp_path / "plain")
    every = vocabulary(plain)
    paths = sorted(FILES)
    random.Random(seed).shuffle(paths)
    for count in (3, 7, len(paths)):  # first some of them, in another order, then all
        part = Repository.create(tmp_path / f"part{count}").files({path: FILES[path] for path in paths[:count]})
        part.commit()
        source = open_source(part.path)
        moved = WatchedSource(source)
        open_index(moved, source.snapshot(), cache_dir=tmp_path / "cache", jobs=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "store_path", lambda root, cache: store_path(tmp_path / f"part{len(paths)}", cache))
        view, reads = opened(shop.path, tmp_path / "cache")
    assert reads == []
    assert everything(view, every) == everything(plain, every)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_several_processes_give_the_answer_of_one(
    shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    shop.files({f"more/{n}.py": f"def f{n}(): return sell_all({n})\n" for n in range(60)})
    shop.commit()
    one, _ = opened(shop.path, tmp_path / "one", jobs=1)
    monkeypatch.setattr(module, "HARMLESS_BYTES", -1)
    monkeypatch.setattr(module, "CREW_BYTES", 0)
    monkeypatch.setattr(module.os, "cpu_count", lambda: jobs)
    monkeypatch.setattr("contextc.frontend.index.crew.PIECE_FILES", 7)
    several, reads = opened(shop.path, tmp_path / "several", jobs=jobs)
    assert len(reads) == len(FILES) - 2 + 60
    every = vocabulary(one)
    assert everything(several, every) == everything(one, every)
    again, reads = opened(shop.path, tmp_path / "several")
    assert reads == []
    assert everything(again, every) == everything(one, every)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_whose_bytes_are_gone_is_left_out(
    shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    if jobs == 2:
        monkeypatch.setattr(module, "HARMLESS_BYTES", -1)
        monkeypatch.setattr(module, "CREW_BYTES", 0)
    source = WatchedSource(open_source(shop.path), lost=["shop/seller.py", "web/app.js", "README.md"])
    view = open_index(source, source.snapshot(), cache_dir=tmp_path / "cache", jobs=jobs)
    gone = [(item.path, item.detail) for item in view.left_out if item.reason == "unreadable"]
    # The two files with the content of web/app.js go with it: they are one document.
    assert [path for path, _ in gone] == ["README.md", "shop/seller.py", "web/app.js", "web/copy.js"]
    assert {detail for _, detail in gone} == {"gone since it was listed"}
    assert view.file("shop/price.py") is not None
    source.lost.clear()
    assert len(open_index(source, source.snapshot(), cache_dir=tmp_path / "cache").files) == len(view.files) + 4


def test_progress_is_told_from_nothing_to_all(shop: Repository, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    source = open_source(shop.path)
    tell: Callable[[int, int], None] = lambda done, total: told.append((done, total))  # noqa: E731
    open_index(source, source.snapshot(), cache_dir=tmp_path / "cache", progress=tell)
    total = len(FILES) - 2
    assert told[0] == (0, total) and told[-1] == (total, total)
    assert told == sorted(told)
    told.clear()
    open_index(source, source.snapshot(), cache_dir=tmp_path / "cache", progress=tell)
    assert told == []


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": lambda path: path.unlink(),
    "empty": lambda path: os.truncate(path, 0),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "garbage": lambda path: path.write_bytes(b"garbage" * 1000),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
    "a broken middle": lambda path: path.write_bytes(
        (data := path.read_bytes())[: len(data) // 2] + b"\xff" * 100 + data[len(data) // 2 + 100 :]
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_changes_no_answer(shop: Repository, tmp_path: Path, damage: str) -> None:
    first, _ = opened(shop.path, tmp_path / "cache")
    every = vocabulary(first)
    path = store_path(shop.path, tmp_path / "cache")
    assert path is not None
    DAMAGES[damage](path)
    second, _ = opened(shop.path, tmp_path / "cache")
    assert everything(second, every) == everything(first, every)
    third, reads = opened(shop.path, tmp_path / "cache")
    assert everything(third, every) == everything(first, every)
    if damage != "a directory":
        assert reads == [], "the store is as good as new"


def test_a_value_that_is_no_segment_although_its_checksum_holds_changes_no_answer(
    shop: Repository, tmp_path: Path
) -> None:
    from contextc.frontend.index.fingerprint import fingerprint
    from contextc.frontend.index.store import Store

    first, _ = opened(shop.path, tmp_path / "cache")
    store = Store(store_path(shop.path, tmp_path / "cache"))
    assert store.replace(fingerprint(), [b"\x94\x01"], [])
    second, _ = opened(shop.path, tmp_path / "cache")
    every = vocabulary(first)
    assert everything(second, every) == everything(first, every)
    assert opened(shop.path, tmp_path / "cache")[1] == []


def test_facts_of_other_code_are_not_trusted(shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(shop.path, tmp_path / "cache")
    monkeypatch.setattr(module, "fingerprint", lambda: b"another" * 4)
    assert len(opened(shop.path, tmp_path / "cache")[1]) == len(FILES) - 2


def test_the_work_tree_stays_as_it_is(shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTEXTC_CACHE_DIR", str(shop.path / "cache"))
    before = sorted(path for path in shop.path.rglob("*") if ".git" not in path.parts)
    source = open_source(shop.path, cache=stat_cache(shop.path))
    view = open_index(source, source.snapshot())
    view.remember("counter", {b"k" * 32: 1})
    assert sorted(path for path in shop.path.rglob("*") if ".git" not in path.parts) == before
    assert shop.git("status", "--porcelain") == b""
    assert view.count("counter", [b"k" * 32]) == {}


def test_token_counts_are_remembered(shop: Repository, tmp_path: Path) -> None:
    view, _ = opened(shop.path, tmp_path / "cache")
    view.remember("o200k_base", {b"k" * 32: 12})
    again, _ = opened(shop.path, tmp_path / "cache")
    assert again.count("o200k_base", [b"k" * 32, b"l" * 32]) == {b"k" * 32: 12}


def test_stamps_spare_reading_the_work_tree(shop: Repository, tmp_path: Path) -> None:
    cache = stat_cache(shop.path, tmp_path / "cache")
    assert cache.get(["a"]) == {}
    from contextc.frontend.sources import Stamp

    odd = "na\udcffme"
    stamp = Stamp(1, 2, 3, 4, "0" * 40)
    cache.put({"a": stamp, odd: stamp, "b": stamp})
    cache.put({"b": None, "c": None})
    for known in (cache, stat_cache(shop.path, tmp_path / "cache")):
        assert known.get(["a"]) == {"a": stamp, odd: stamp}
    assert stat_cache(tmp_path, tmp_path / "cache").get(["a"]) == {}


def test_stamps_and_facts_share_a_store_and_survive_each_other(shop: Repository, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for expected in (len(FILES) - 2, 0):
        source = WatchedSource(open_source(shop.path, cache=stat_cache(shop.path, cache)))
        open_index(source, source.snapshot(), cache_dir=cache)
        assert len(source.reads) == expected
    assert len(list(cache.iterdir())) == 1


ANYWHERE = """
import hashlib, os, sys
from pathlib import Path
from contextc.frontend.index import open_index, words
from contextc.frontend.sources import open_source
source = open_source(sys.argv[1])
view = open_index(source, source.snapshot(), cache_dir=Path(sys.argv[2]))
told = [view.files, view.left_out, view.statistics, view.postings(["sell", "price", "all"]), view.definitions("Price")]
print(hashlib.sha256(repr(told).encode("utf-8", "surrogateescape")).hexdigest())
"""


def test_the_answer_does_not_depend_on_the_surroundings(shop: Repository, tmp_path: Path) -> None:
    digests = set()
    clone = shop.clone(tmp_path / "clone")
    for number, root in enumerate((shop.path, clone.path)):
        env = {**os.environ, "PYTHONHASHSEED": str(number), "TZ": ("UTC", "Asia/Tokyo")[number], "LC_ALL": "C"}
        command = [sys.executable, "-c", ANYWHERE, str(root), str(tmp_path / f"cache{number}")]
        digests.add(subprocess.run(command, cwd=(tmp_path, root)[number], env=env, stdout=subprocess.PIPE).stdout)
    assert len(digests) == 1 and digests != {b""}


def test_two_processes_that_start_at_once_agree(shop: Repository, tmp_path: Path) -> None:
    shop.files({f"more/{n}.py": f"def f{n}():\n" + "    sell_all()\n" * 900 for n in range(20)})
    shop.commit()
    command = [sys.executable, "-c", ANYWHERE, str(shop.path), str(tmp_path / "cache")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    digests = {process.communicate()[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(digests) == 1
    _, reads = opened(shop.path, tmp_path / "cache")
    assert reads == []


def test_a_name_of_any_bytes_is_indexed(shop: Repository, tmp_path: Path) -> None:
    shop.write(b"bad\xff\xfe.py", "def odd_name(): pass\n")
    shop.commit()
    for expected in (1, 0):
        view, reads = opened(shop.path, tmp_path / "cache")
        assert reads.count("bad\udcff\udcfe.py") == expected
        assert [posting.path for posting in view.postings(["odd_name"])["odd_name"]] == ["bad\udcff\udcfe.py"]
        assert view.path_words("bad\udcff\udcfe.py") == ["bad", "py"]
        assert view.text("bad\udcff\udcfe.py") == "def odd_name(): pass\n"


@PROFILE
@given(st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.integers(0, 3)), min_size=1, max_size=12))
def test_any_history_of_edits_ends_in_the_answer_of_a_fresh_start(edits: list[tuple[str, int]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shop = repository_of(root / "shop", FILES)
        for path, kind in edits:
            if kind == 0:
                (shop.path / path).unlink(missing_ok=True)
            else:
                shop.write(path, f"def sell_all{kind}(): price = {kind}\n")
            worn, _ = opened(shop.path, root / "worn")
        fresh, _ = opened(shop.path, root / "fresh")
        every = vocabulary(fresh)
        assert everything(worn, every) == everything(fresh, every)
