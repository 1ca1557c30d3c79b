"""The answer is a function of the tree and the question: nothing of the machine shows in it."""

from __future__ import annotations

import shutil
import socket

import pytest


def answer(contextc, path, intent, **settings):
    ran = contextc("compile", "--intent", intent, "--format", "json", "--quiet", "-C", path, **settings)
    assert ran.code == 0, ran
    return ran.out


@pytest.fixture(scope="module")
def expected(contextc, sample, intent):
    return answer(contextc, sample.path, intent)


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "4711"},
        {"TZ": "Pacific/Kiritimati"},
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LANG": "tr_TR.UTF-8"},
        {"COLUMNS": "20", "NO_COLOR": "1"},
    ],
    ids=lambda environment: " ".join(f"{key}={value}" for key, value in environment.items()),
)
def test_the_environment_does_not_show(contextc, sample, intent, expected, environment):
    assert answer(contextc, sample.path, intent, env=environment) == expected


def test_the_working_directory_does_not_show(contextc, sample, intent, expected):
    assert answer(contextc, ".", intent, cwd=sample.path) == expected
    assert answer(contextc, ".", intent, cwd=sample.path / "shop") == expected


def test_a_cold_cache_does_not_show(contextc, sample, intent, expected, tmp_path):
    assert answer(contextc, sample.path, intent, cache=tmp_path / "cache") == expected
    assert answer(contextc, sample.path, intent, cache=tmp_path / "cache") == expected


def test_what_was_indexed_before_does_not_show(contextc, sample_at, intent, expected, tmp_path):
    other = sample_at(tmp_path / "other")
    other.write("shop/session2.py", "session cookie refreshed session cookie\n").commit()
    cache = tmp_path / "cache"
    answer(contextc, other.path, intent, cache=cache)
    other.git("reset", "-q", "--hard", "HEAD~1")
    assert answer(contextc, other.path, intent, cache=cache) == expected


def test_the_place_of_a_clone_does_not_show(contextc, sample, intent, expected, tmp_path):
    deep = tmp_path / "a" / "much" / "deeper" / "clone of it"
    sample.git("clone", "-q", str(sample.path), str(deep))
    assert answer(contextc, deep, intent) == expected


def test_times_of_files_do_not_show(contextc, sample, intent, expected, tmp_path):
    shutil.copytree(sample.path, tmp_path / "copy", symlinks=True, copy_function=shutil.copy)
    assert answer(contextc, tmp_path / "copy", intent) == expected


def test_no_path_of_the_machine_and_no_host_is_in_an_answer(contextc, sample, expected, home):
    for private in (str(sample.path), str(home), "/tmp/", socket.gethostname()):
        assert private.encode() not in expected


def test_an_answer_of_a_commit_and_of_its_clean_tree_hold_the_same_items(contextc, sample, intent, expected):
    ran = contextc("compile", "--intent", intent, "--rev", "HEAD", "--format", "json", cwd=sample.path)
    import json

    assert ran.json["selection"] == json.loads(expected)["selection"]
