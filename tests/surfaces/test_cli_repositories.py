"""The main job on repositories as they are found: strange names, strange bytes, strange states."""

from __future__ import annotations

import json
import os
import subprocess

import pytest


def compile_json(contextc, path, *more):
    ran = contextc("compile", "--intent", "basket total price", "--format", "json", *more, cwd=path)
    assert ran.code == 0, ran
    return ran.json


def status(made) -> str:
    return made.git("status", "--porcelain", "--ignored", "-z")


@pytest.mark.parametrize(
    "name",
    [b"basket caf\xe9.py", b"basket\nline.py", b"basket 'single' \"double\".py", b"basket\ttab.py", b"-basket.py",
     "basket \u202egnp.py".encode(), b"basket $(touch x) `id`.py", "баскет basket.py".encode()],
)  # fmt: skip
def test_a_hostile_name_is_read_and_shown_quoted(contextc, repository, name):
    made = repository().write(name, "def basket_total():\n    return 'price'\n").commit()
    answer = compile_json(contextc, made.path)
    assert any("basket_total" in item["text"] for item in answer["selection"])
    shown = next(item["path"] for item in answer["selection"] if "basket_total" in item["text"])
    assert "\n" not in shown and "\t" not in shown and "\u202e" not in shown
    ran = contextc("compile", "--path", b"./" + name, cwd=made.path)
    assert ran.code == 0, ran
    assert "basket_total" in ran.text
    assert status(made) == ""


def test_a_link_out_of_the_root_is_not_followed(contextc, repository, tmp_path):
    (tmp_path / "outside.txt").write_text("basket total price OUTSIDE-WORDS")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.txt").write_text("basket total price OUTSIDE-WORDS")
    made = repository().write("basket.py", "basket_total = 'price'\n")
    (made.path / "link.txt").symlink_to(tmp_path / "outside.txt")
    (made.path / "dir").symlink_to(tmp_path / "folder")
    made.commit()
    answer = compile_json(contextc, made.path)
    assert "OUTSIDE-WORDS" not in json.dumps(answer)
    assert {entry["path"] for entry in answer["left_out"] if entry["reason"] == "symlink"} == {"link.txt", "dir"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_other_encodings_of_unicode_are_decoded(contextc, repository, encoding):
    text = "def basket_total():\n    return 'prix de l\u2019\u00e9t\u00e9'\n"
    raw = text.encode(encoding)
    made = repository().write("basket.py", b"\xfe\xff" + raw if encoding == "utf-16-be" else raw).commit()
    answer = compile_json(contextc, made.path)
    assert any("l\u2019\u00e9t\u00e9" in item["text"] for item in answer["selection"])


def test_latin1_is_decoded_and_said(contextc, repository):
    made = repository().write("basket.py", b"# basket total price: caf\xe9\n").commit()
    answer = compile_json(contextc, made.path)
    assert any("caf\u00e9" in item["text"] for item in answer["selection"])
    assert any(note["remark"] for note in answer["notes"].values())


def test_line_ends_of_windows_stay(contextc, repository):
    made = repository().write("basket.py", b"def basket_total():\r\n    return 'price'\r\n").commit()
    answer = compile_json(contextc, made.path)
    (item,) = [item for item in answer["selection"] if item["path"] == "basket.py" and item["form"] == "full"]
    assert item["text"] == "def basket_total():\r\n    return 'price'\r\n"


def test_a_file_of_40_megabytes_is_left_out_and_named(contextc, repository):
    made = repository().write("basket.py", "basket_total = 'price'\n")
    made.write("basket-dump.sql", b"basket total price\n" * (40_000_000 // 19)).commit()
    answer = compile_json(contextc, made.path)
    assert ("basket-dump.sql", "oversized") in {(entry["path"], entry["reason"]) for entry in answer["left_out"]}
    assert {item["path"] for item in answer["selection"]} == {"basket.py"}


def test_a_binary_file_is_left_out_and_named(contextc, repository):
    made = repository().write("basket.py", "basket_total = 'price'\n").write("basket.bin", bytes(range(256)) * 8)
    answer = compile_json(contextc, made.commit().path)
    assert ("basket.bin", "binary") in {(entry["path"], entry["reason"]) for entry in answer["left_out"]}


def test_a_shallow_clone_works(contextc, repository, tmp_path):
    made = repository().write("basket.py", "basket_total = 'price'\n").commit().commit().commit()
    made.git("clone", "-q", "--depth", "1", f"file://{made.path}", str(tmp_path / "shallow"))
    answer = compile_json(contextc, tmp_path / "shallow")
    assert [item["path"] for item in answer["selection"]] == ["basket.py"]


def test_a_worktree_of_git_works(contextc, repository, tmp_path):
    made = repository().write("basket.py", "basket_total = 'price'\n").commit()
    made.git("worktree", "add", "-q", str(tmp_path / "tree"))
    answer = compile_json(contextc, tmp_path / "tree")
    assert [item["path"] for item in answer["selection"]] == ["basket.py"]


def test_a_submodule_is_a_pointer(contextc, repository):
    inner = repository("inner").write("basket.py", "inner_basket_total = 'price'\n").commit()
    made = repository().write("basket.py", "basket_total = 'price'\n")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "vendor")
    answer = compile_json(contextc, made.commit().path)
    assert "inner_basket_total" not in json.dumps(answer["selection"])
    assert ("vendor", "submodule") in {(entry["path"], entry["reason"]) for entry in answer["left_out"]}


def test_an_empty_repository_gives_an_empty_bundle(contextc, repository):
    made = repository()
    ran = contextc("compile", "--intent", "basket", "--format", "json", cwd=made.path)
    assert ran.code == 0, ran
    assert ran.json["selection"] == []
    assert ran.json["bundle"]["items"] == []


def test_a_directory_that_is_no_repository_works(contextc, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "basket.py").write_text("basket_total = 'price'\n")
    answer = compile_json(contextc, tmp_path / "plain")
    assert [item["path"] for item in answer["selection"]] == ["basket.py"]
    assert answer["source"] == "directory"


def test_a_directory_that_does_not_exist_is_an_error_of_its_own(contextc, tmp_path):
    ran = contextc("compile", "--intent", "x", "-C", tmp_path / "nowhere")
    assert ran.code in (12, 13)
    assert "nowhere" in ran.err


def test_a_revision_that_does_not_exist_is_named(contextc, sample):
    ran = contextc("compile", "--intent", "x", "--rev", "no-such-branch", cwd=sample.path)
    assert ran.code in (12, 13)
    assert "no-such-branch" in ran.err


def test_a_path_that_does_not_exist_is_not_found(contextc, sample):
    ran = contextc("compile", "--path", "no/such/file.py", cwd=sample.path)
    assert ran.code == 12, ran
    assert "no/such/file.py" in ran.err


def test_a_task_that_matches_nothing_still_gives_the_rules(contextc, sample):
    ran = contextc("compile", "--intent", "zyzzyva quokka", "--budget", "2000", cwd=sample.path)
    assert ran.code == 0, ran
    assert "Never edit generated files." in ran.text
    assert "refresh_cookie" not in ran.text


def test_files_git_ignores_are_not_read(contextc, repository):
    made = repository().write(".gitignore", "*.log\n").write("basket.py", "basket_total = 'price'\n").commit()
    made.write("basket.log", "basket total price LOGGED\n")
    answer = compile_json(contextc, made.path, "--untracked")
    assert "LOGGED" not in json.dumps(answer)


def test_configuration_of_the_repository_runs_nothing(contextc, repository, tmp_path):
    made = repository().write("basket.py", "basket_total = 'price'\n").commit()
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    with open(made.path / ".git" / "config", "a") as config:
        config.write(
            f'[core]\n\tfsmonitor = {hook}\n\tpager = {hook}\n[filter "x"]\n\tclean = {hook}\n\tsmudge = {hook}\n'
        )
    made.write(".gitattributes", "*.py filter=x\n")
    compile_json(contextc, made.path, "--untracked")
    assert not (tmp_path / "ran").exists()


def test_the_work_tree_stays_clean_and_untouched(contextc, sample_at, tmp_path):
    made = sample_at(tmp_path / "shop")

    def state() -> list[tuple[str, int, int]]:
        found = []
        for folder, _, names in os.walk(made.path):
            for name in names:
                known = os.lstat(os.path.join(folder, name))
                found.append((os.path.join(folder, name), known.st_mtime_ns, known.st_size))
        return sorted(found)

    before = state()
    for arguments in (["compile", "--intent", "session"], ["index", "status"], ["search", "session"]):
        assert contextc(*arguments, cwd=made.path, cache=tmp_path / "cache").code == 0
    assert state() == before
    assert status(made) == ""


def test_a_cache_that_cannot_be_written_only_costs_time(contextc, sample, intent, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("a file where a directory should be")
    expected = contextc("compile", "--intent", intent, "--quiet", cwd=sample.path)
    ran = contextc("compile", "--intent", intent, "--quiet", cwd=sample.path, cache=blocked)
    assert ran.code == 0, ran
    assert ran.out == expected.out


def test_git_is_not_needed_for_a_plain_directory_named_from_afar(contextc, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "basket.py").write_text("basket_total = 'price'\n")
    ran = contextc("compile", "--intent", "basket total", "-C", tmp_path / "plain")
    assert ran.code == 0, ran
    assert "basket_total" in ran.text


def test_a_bare_repository_is_compiled_by_revision(contextc, repository, tmp_path):
    made = repository().write("basket.py", "basket_total = 'price'\n").commit()
    subprocess.run(["git", "clone", "-q", "--bare", made.path, tmp_path / "bare.git"], check=True)
    ran = contextc("compile", "--intent", "basket total", "--rev", "main", "-C", tmp_path / "bare.git")
    assert ran.code == 0, ran
    assert "basket_total" in ran.text
