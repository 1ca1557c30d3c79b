"""What a path is by its name, and what a task names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.select.kinds import kind_of
from contextc.frontend.select.mentions import mentions
from contextc.frontend.select.query import MOST_WORDS, Place, read_task
from contextc.frontend.select.words_of_task import variants


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/app.py", "source"),
        ("lib/contest.rb", "source"),
        ("src/latest/index.ts", "source"),
        ("src/testing.go", "source"),
        ("testing/app.go", "test"),
        ("tests/app.py", "test"),
        ("src/test_app.py", "test"),
        ("pkg/store_test.go", "test"),
        ("spec/models/user_spec.rb", "test"),
        ("web/a.spec.ts", "test"),
        ("web/__tests__/a.js", "test"),
        ("src/test/java/FooTest.java", "test"),
        ("core/src/FooTests.java", "test"),
        ("conftest.py", "test"),
        ("crates/x/benches/b.rs", "test"),
        ("docs/conf.py", "doc"),
        ("README.md", "doc"),
        ("src/notes.md", "doc"),
        ("CHANGELOG", "doc"),
        ("LICENSE-MIT", "doc"),
        ("man/x.1.adoc", "doc"),
        ("examples/app.py", "example"),
        ("examples/tests/app.py", "test"),
        ("pyproject.toml", "config"),
        (".github/workflows/ci.yml", "config"),
        ("setup.py", "config"),
        ("vite.config.ts", "config"),
        (".gitignore", "config"),
        ("requirements-dev.txt", "config"),
        ("package-lock.json", "lock"),
        ("web/deep/yarn.lock", "lock"),
        ("Cargo.lock", "lock"),
        ("go.sum", "lock"),
        ("tests/poetry.lock", "lock"),
        ("vendor/github.com/x/y.go", "vendored"),
        ("third_party/x.c", "vendored"),
        ("src/proto/a_pb2.py", "generated"),
        ("api/a.pb.go", "generated"),
        ("web/app.min.js", "generated"),
        ("web/dist/app.js", "generated"),
        ("web/__snapshots__/a.snap", "generated"),
        ("data.csv", "other"),
        ("strange", "other"),
        ("", "other"),
        ("caf\udcff/\udcfe.py", "source"),
    ],
)
def test_the_kind_of_a_path(path, kind):
    assert kind_of(path) == kind


def test_what_the_index_saw_in_the_text_counts_more_than_the_name():
    assert kind_of("src/app.py", "generated") == "generated"
    assert kind_of("src/app.py", "") == "source"


def test_words_are_whole_identifiers_and_their_parts_without_stop_words():
    query = read_task("Fix the HTTPServer so that save_session works")
    assert list(query.words) == ["httpserver", "http", "server", "save_session", "save", "session"]
    assert [(name.text, name.certain) for name in query.names] == [("HTTPServer", True), ("save_session", True)]


def test_the_first_line_weighs_more():
    words = read_task("cookie\n\nsession").words
    assert words["cookie"] > words["session"]


def test_names_in_code_or_quotes_are_certain():
    names = dict(read_task("the session of `basket` and 'order' in prose").names)
    assert names == {"session": False, "basket": True, "order": True, "prose": False}


def test_dotted_names_paths_and_places_are_seen():
    query = read_task(
        "flask.sessions.SessionInterface.save_session in src/flask/app.py, Foo::bar and a->b\n"
        'File "/usr/lib/python3/flask/ctx.py", line 42, in push\n  at run (lib/main.js:7:12)\nsee https://example.org/x/y.py'
    )
    assert ("flask", "sessions", "SessionInterface", "save_session") in query.dotted
    assert ("Foo", "bar") in query.dotted and ("a", "b") in query.dotted
    assert "src/flask/app.py" in query.paths
    assert not any("example.org" in path for path in query.paths)
    assert query.places == (Place("/usr/lib/python3/flask/ctx.py", 42), Place("lib/main.js", 7))


def test_paths_of_windows_are_paths():
    assert r"src/app/main.py" in read_task(r"in src\app\main.py there is").paths


def test_a_log_of_megabytes_is_read_to_a_limit():
    query = read_task("\n".join(f"word{n}x" for n in range(200_000)))
    assert len(query.words) == MOST_WORDS


@pytest.mark.parametrize("text", ["", " ", "the of and", "!!! ???"])
def test_a_task_without_words_is_empty(text):
    assert read_task(text).empty


@given(st.text(st.sampled_from("ab/.\\:\"'`_-#>()[]\n \t0é漢\ud800FileLine"), max_size=300))
def test_any_text_is_a_task(text):
    query = read_task(text)
    assert all(word == word.lower() for word in query.words)


@pytest.mark.parametrize(
    ("word", "one_of_them"),
    [
        ("redirects", "redirect"),
        ("redirect", "redirects"),
        ("refreshed", "refresh"),
        ("refresh", "refreshed"),
        ("caching", "cache"),
        ("cached", "cache"),
        ("cache", "caching"),
        ("dependencies", "dependency"),
        ("dependency", "dependencies"),
        ("classes", "class"),
        ("running", "run"),
        ("parsing", "parse"),
        ("boxes", "box"),
        ("retries", "retry"),
    ],
)
def test_variants_join_the_forms_of_a_word(word, one_of_them):
    assert one_of_them in variants(word)
    assert word not in variants(word)


@pytest.mark.parametrize("word", ["id", "abc", "save_session", "404", "größe", "s", ""])
def test_identifiers_numbers_and_short_words_have_no_variants(word):
    assert variants(word) == ()


PATHS = [
    "flask/sessions.py", "flask/app.py", "flask/json/__init__.py", "flask/json/tag.py", "tests/app.py",
    "web/a/index.ts", "web/b/index.ts", "web/c/index.ts", "web/d/index.ts", "lib/store/mod.rs",
]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "paths"),
    [
        ("see flask/app.py", ["flask/app.py"]),
        ("see app.py", ["flask/app.py", "tests/app.py"]),
        ("see /home/me/work/flask/app.py", ["flask/app.py"]),
        ("see index.ts", []),
        ("see web/b/index.ts.", ["web/b/index.ts"]),
        ("flask.sessions.SessionInterface", ["flask/sessions.py"]),
        ("flask.json.dumps", ["flask/json/__init__.py"]),
        ("flask.json.tag", ["flask/json/tag.py"]),
        ("lib::store::open", ["lib/store/mod.rs"]),
        ("sessions.open", []),
        ("nothing at all", []),
        ('File "/x/site-packages/flask/sessions.py", line 7', ["flask/sessions.py"]),
    ],
)
def test_files_that_a_task_writes_out(task, paths):
    assert sorted(mentions(read_task(task), PATHS)) == paths


def test_a_traceback_gives_the_lines():
    task = 'File "/x/flask/sessions.py", line 7, in f\nFile "/x/flask/sessions.py", line 9, in g'
    assert mentions(read_task(task), PATHS)["flask/sessions.py"].lines == (7, 9)


@pytest.mark.parametrize(
    "piece", ["a", "+", "~", "$", "a$", "`", "a.", "/", "a/", "\\", "'a", "@", ":", "a::", "-", "0"]
)
def test_no_text_makes_reading_slow(piece):
    """Quadratic patterns would take minutes here."""
    read_task(piece * 60_000)
    read_task((piece * 30_000) + "!")
