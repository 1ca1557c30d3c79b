"""Writing: whole files or none, links followed, devices written to, a clipboard that never fails a run."""

from __future__ import annotations

import os
import stat
import sys

import pytest

from contextc.errors import UsageError
from contextc.surfaces.cli import deliver


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path):
    target = tmp_path / "bundle.md"
    target.write_text("old")
    target.chmod(0o640)
    deliver.to_file(str(target), "new\n")
    assert target.read_text() == "new\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["bundle.md"]


def test_a_new_file_has_the_mode_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        deliver.to_file(str(tmp_path / "bundle.md"), "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "bundle.md").stat().st_mode) == 0o640


def test_a_link_stays_and_its_target_changes(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    deliver.to_file(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to(tmp_path):
    deliver.to_file(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)


def test_a_directory_that_is_missing_is_a_usage_error_that_names_the_file(tmp_path):
    path = str(tmp_path / "nowhere" / "bundle.md")
    with pytest.raises(UsageError) as caught:
        deliver.to_file(path, "text")
    assert caught.value.where == path


def test_a_failed_write_leaves_the_old_file_and_no_scratch(tmp_path, monkeypatch):
    target = tmp_path / "bundle.md"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(deliver.Path, "replace", full)
    with pytest.raises(UsageError, match="No space left"):
        deliver.to_file(str(target), "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["bundle.md"]


def test_bytes_that_are_no_utf8_are_shown_and_never_crash():
    assert deliver.encoded("caf\udce9") == b"caf\\udce9"
    assert deliver.encoded("\ud800") == b"\\ud800"
    assert deliver.encoded("café") == "café".encode()


@pytest.fixture
def only_programs(tmp_path, monkeypatch):
    """A PATH with nothing but what a test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)

    def program(name: str, script: str) -> None:
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{script}")
        path.chmod(0o755)

    return program


def test_without_a_clipboard_program_the_run_goes_on(only_programs):
    assert "not copied" in deliver.to_clipboard("text")


def test_the_clipboard_program_gets_the_text(only_programs, tmp_path):
    only_programs("pbcopy", f"import sys\nopen({str(tmp_path / 'got')!r}, 'wb').write(sys.stdin.buffer.read())")
    assert deliver.to_clipboard("café") == "copied to the clipboard with pbcopy"
    assert (tmp_path / "got").read_bytes() == "café".encode()


def test_a_clipboard_program_that_fails_is_passed_over(only_programs):
    only_programs("pbcopy", "raise SystemExit(1)")
    assert "not copied" in deliver.to_clipboard("text")


def test_a_desktop_program_without_its_desktop_is_not_tried(only_programs, tmp_path, monkeypatch):
    only_programs("xclip", f"open({str(tmp_path / 'ran')!r}, 'w').write('')")
    deliver.to_clipboard("text")
    assert not (tmp_path / "ran").exists()
    monkeypatch.setenv("DISPLAY", ":0")
    assert deliver.to_clipboard("text") == "copied to the clipboard with xclip"
    assert (tmp_path / "ran").exists()
