"""Secrets by name and by content. Tokens are put together here from harmless parts: no line of this file is one."""

from __future__ import annotations

import hashlib
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextc.frontend.sources import secret_content, secret_name

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"


def body(length: int, letters: str = ALNUM, seed: str = "a") -> str:
    """Letters that look random and are always the same."""
    return "".join(letters[hashlib.sha256(f"{seed}{i}".encode()).digest()[0] % len(letters)] for i in range(length))


def key_block(kind: str, eol: str = "\n", indent: str = "", header: str = "") -> str:
    """A block of private key, whose letters are no key."""
    lines = [body(64, BASE64, str(i)) for i in range(6)]
    dashes = "-" * 5
    return indent + (eol + indent).join(
        [f"{dashes}BEGIN {kind}{dashes}", *([header, ""] if header else []), *lines, f"{dashes}END {kind}{dashes}"]
    )


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "deploy/.env",
        ".env.local",
        ".env.production",
        "config/prod.env",
        ".ENV",
        "server.pem",
        "tls/server.key",
        ".ssh/id_rsa",
        "keys/id_ed25519",
        "id_rsa.bak",
        ".netrc",
        "home/.aws/credentials",
        ".docker/config.json",
        ".kube/config",
        "store.p12",
        "store.PFX",
        "android/release.keystore",
        "terraform.tfstate",
        "infra/terraform.tfstate.backup",
        "terraform.tfvars",
        ".git-credentials",
        ".htpasswd",
        ".pypirc",
        "secrets.yml",
        "passwords.kdbx",
    ],
)
def test_names_that_hold_secrets_are_known(path):
    assert secret_name(path) is not None


@pytest.mark.parametrize(
    "path",
    [
        ".env.example",
        ".env.sample",
        ".env.template",
        "example.env",
        "config/.env.dist",
        ".env.local.example",
        ".env/lib/python/site.py",
        "environment.py",
        "env.py",
        "src/keys.py",
        "id_rsa.pub",
        "src/id_rsa_loader.py",
        "credentials.py",
        "docs/secrets.md",
        "src/config.json",
        "kube/config",
        ".npmrc",
        "monkey",
        "keyboard.keymap",
        "terraform/main.tf",
        "tests/test_env.py",
    ],
)
def test_names_that_only_speak_of_secrets_are_free(path):
    assert secret_name(path) is None


SECRETS = {
    "rsa key": key_block("RSA " + "PRIVATE KEY"),
    "pkcs8 key": key_block("PRIVATE " + "KEY"),
    "crlf key": key_block("EC " + "PRIVATE KEY", eol="\r\n"),
    "openssh key": key_block("OPENSSH " + "PRIVATE KEY"),
    "encrypted key": key_block("RSA " + "PRIVATE KEY", header="Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B"),
    "key in yaml": "tls:\n  key: |\n" + key_block("PRIVATE " + "KEY", indent="    "),
    "key in json": '{"private_key": "' + key_block("PRIVATE " + "KEY", eol="\\n") + '\\n"}',
    "key in a program": 'KEY = (\n    "' + key_block("PRIVATE " + "KEY", eol='\\n"\n    "') + '\\n"\n)\n',
    "pgp key": key_block("PGP " + "PRIVATE KEY BLOCK", header="Version: GnuPG v2"),
    "putty key": "PuTTY-User-Key-File-"
    + f"2: ssh-rsa\nComment: me\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 8\n{body(64)}\n",
    "aws id": "aws_access_key_id = AKIA" + body(16, UPPER),
    "aws secret": "aws_" + "secret_access_key = " + body(40, BASE64),
    "aws secret in env": "AWS_" + 'SECRET_ACCESS_KEY="' + body(40, BASE64) + '"',
    "google": "key: AIza" + body(35),
    "github": "token=ghp_" + body(36),
    "github fine": "github_pat_" + body(22) + "_" + body(59),
    "gitlab": "glpat-" + body(20),
    "slack bot": "xoxb-" + "123456789012-210987654321-" + body(24),
    "slack hook": "https://hooks.slack.com" + "/services/T" + body(9, UPPER) + "/B" + body(9, UPPER) + "/" + body(24),
    "stripe": "sk_live_" + body(24),
    "anthropic": "sk-ant-" + "api03-" + body(95),
    "openai": "sk-proj-" + body(30) + "T3BlbkFJ" + body(30),
    "npm": "npm_" + body(36),
    "npm login": "registry=https://r.example.org/\n//r.example.org/:_" + "authToken=" + body(36) + "\n",
    "pypi": "pypi-AgEI" + body(90),
    "hugging face": "hf_" + body(34),
    "sendgrid": "SG." + body(22) + "." + body(43),
    "digitalocean": "dop_v1_" + body(64, HEX),
    "azure": "AccountKey=" + body(86, BASE64) + "==",
    "age": "AGE-SECRET-KEY-1" + body(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
}


#: A token stands in any text; the line of a login file only as a line.
AROUND = ["{}", "# notes\n\n{}\n", "# notes\n\nuse {} here\n", "a = '{}'\r\n"]


@pytest.mark.parametrize(
    ("name", "around"), [(n, a) for n in SECRETS for a in (AROUND[:2] if n == "npm login" else AROUND)]
)
def test_tokens_are_found_and_the_reason_holds_none_of_their_bytes(name, around):
    text = around.replace("{}", SECRETS[name])
    reason = secret_content(text)
    assert reason is not None and reason.startswith("by content: ")
    pieces = [SECRETS[name][i : i + 12] for i in range(0, len(SECRETS[name]) - 12, 4)]
    assert not any(piece in reason for piece in pieces)


HARMLESS = {
    "aws documentation": "AKIA" + "IOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws documentation secret": "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "the storage emulator's key": "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/"
    "K1SZFPTOtr/KBHBeksoGMGw==;",
    "crossed out": "ghp_" + "x" * 36,
    "zeros": "AKIA" + "A" * 16,
    "alphabet": "ghp_" + (string.ascii_lowercase + string.digits)[:36],
    "asked for": "ghp_" + "YourTokenHere" + body(23),
    "from the environment": "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
    "header in a pattern": r"re.compile('-----BEGIN (RSA |EC )?PRIVATE KEY-----[\s\S]+?-----END')",
    "header in a test": 'assert text.startswith("-----BEGIN RSA PRIVATE KEY-----")\nassert text.endswith("x")\n',
    "shortened key": "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
    "public key": key_block("PUBLIC KEY"),
    "certificate": key_block("CERTIFICATE"),
    "a hash": "sha256:" + body(64, HEX) + " and sha512-" + body(86, BASE64) + "==",
    "an identifier": "def ghp_handler(): pass\nnpm_config_registry = 1\nsk_live_mode = True",
    "a test key": "sk_test_" + body(24),
    "an image": "data:image/png;base64," + body(4000, BASE64),
    "a long word": "a" * 5000,
}


@pytest.mark.parametrize("name", HARMLESS)
def test_placeholders_and_lookalikes_are_not_secrets(name):
    assert secret_content(HARMLESS[name]) is None


def test_this_very_file_and_the_rules_are_not_secret():
    from pathlib import Path

    from contextc.frontend.sources import secret_rules

    for module in (__file__, secret_rules.__file__):
        assert secret_content(Path(module).read_text()) is None


def test_a_secret_after_a_placeholder_is_still_found():
    assert secret_content("AKIA" + "IOSFODNN7EXAMPLE\n" + SECRETS["aws id"]) == "by content: AWS access key"


@given(st.integers(0, 10_000))
def test_a_token_at_any_place_is_found(offset):
    assert secret_content("." * offset + " ghp_" + body(36, seed=str(offset))) is not None


@pytest.mark.parametrize(
    "unit",
    [
        "-----BEGIN " + "A " * 4,
        "-----BEGIN " + "PRIVATE KEY-----\nAb: Ab: Ab: Ab: ",
        "-----BEGIN " + "PRIVATE KEY-----Ab: ",
        "-----BEGIN " + "PRIVATE KEY-----" + " \\n" * 9,
        "PuTTY-User-Key-File-" + "2: ssh-rsa\n",
        "aws_secret_access_key = ",
        "xoxb-" + "12345678-" * 3,
        "//a:_auth=\n",
        "sk-" + "a" * 40,
    ],
)
def test_no_text_makes_the_search_slow(unit):
    text = unit * (400_000 // len(unit))
    started = time.process_time()
    secret_content(text)
    # A bound on work, not on speed: quadratic or worse behaviour on this length takes minutes.
    assert time.process_time() - started < 5
