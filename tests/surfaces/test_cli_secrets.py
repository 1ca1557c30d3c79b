"""Bytes of a secret appear in no output, trace, log, error or file, whatever is asked."""

from __future__ import annotations

import os

import pytest

#: Shapes of secrets, put together so that this file holds none.
SECRETS = {
    ".env": "SESSION_COOKIE_PASSWORD=" + "hunter2-" + "Zq81kLp0xT77" + "\n",
    "shop/session_key.pem": "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEow" + "Zq81kLp0xT77" * 4 + "\n-----END "
    "RSA PRIVATE KEY-----\n",
    "shop/session_cloud.py": 'session_cookie = "cookie"\naws_key = "' + "AKIA" + "ZQ81KLP0XT77ABCD" + '"\n',
    "shop/session_forge.py": '# session cookie refresh\ntoken = "' + "ghp_" + "Zq81kLp0xT77" * 3 + '"\n',
}
MARKS = [b"Zq81kLp0xT77", b"ZQ81KLP0XT77ABCD"]


@pytest.fixture(scope="module")
def leaky(sample_at, tmp_path_factory):
    made = sample_at(tmp_path_factory.mktemp("leaky") / "shop")
    for name, content in SECRETS.items():
        made.write(name, content)
    return made.commit()


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--budget", "50"],
        ["--format", "json"],
        ["--format", "xml"],
        ["--path", "shop/session_forge.py"],
        ["--path", ".env", "--format", "json"],
        ["--explain", "shop/session_forge.py"],
        ["--explain", ".env"],
        ["--untracked"],
        ["--rev", "HEAD"],
        ["--counter", "bytes4", "--budget", "100000"],
    ],
    ids=" ".join,
)
def test_a_secret_appears_nowhere(contextc, leaky, intent, tmp_path, more):
    files = ["--json", tmp_path / "a.json", "--trace", tmp_path / "t.json", "--store", tmp_path / "s.json"]
    ran = contextc(
        "compile", "--intent", f"{intent} password token key", *more, *files,
        cwd=leaky.path, cache=tmp_path / "cache", env={"CONTEXTC_DEBUG": "1"},
    )  # fmt: skip
    assert ran.code in (0, 11, 12, 13), ran
    outputs = [ran.out, ran.err.encode()]
    for folder, _, names in os.walk(tmp_path):
        for name in names:
            with open(os.path.join(folder, name), "rb") as stream:
                outputs.append(stream.read())
    for mark in MARKS:
        assert not any(mark in output for output in outputs)


def test_a_file_left_out_for_its_secret_is_named(contextc, leaky, intent):
    answer = contextc("compile", "--intent", intent, "--format", "json", cwd=leaky.path).json
    said = {entry["path"] for entry in answer["left_out"] if entry["reason"] == "secret"}
    gated = {
        entry["candidate_id"] for entry in answer["result"]["trace"]["entries"] if "secret" in entry["reason_detail"]
    }
    for name in SECRETS:
        assert name in said or any(name in candidate for candidate in gated), name


@pytest.mark.parametrize("arguments", [["search", "hunter2"], ["index", "status"]])
def test_search_and_status_show_no_secret(contextc, leaky, arguments):
    ran = contextc(*arguments, "--format", "json", cwd=leaky.path)
    assert ran.code == 0, ran
    assert "hunter2-" not in ran.text
