"""Shapes of secrets: names of files, and tokens as their issuers document them."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Whole names of files, in lower case, and what they are.
NAMES: dict[str, str] = {
    ".netrc": "login file",
    "_netrc": "login file",
    ".pypirc": "package index login",
    ".pgpass": "database password file",
    "pgpass.conf": "database password file",
    ".my.cnf": "database password file",
    ".mylogin.cnf": "database password file",
    ".htpasswd": "password file",
    ".git-credentials": "stored git logins",
    ".dockercfg": "registry login",
    ".vault-token": "vault token",
    ".vault_pass": "vault password",
    ".vault_pass.txt": "vault password",
    ".s3cfg": "object store login",
    ".boto": "cloud credentials",
    "credentials": "credentials file",
    "credentials.json": "credentials file",
    "application_default_credentials.json": "credentials file",
    "client_secret.json": "credentials file",
    "secrets.yml": "secrets file",
    "secrets.yaml": "secrets file",
    "secrets.json": "secrets file",
    "secrets.toml": "secrets file",
    ".secrets": "secrets file",
    "kubeconfig": "cluster credentials",
    "secring.gpg": "private key file",
    "terraform.tfvars": "terraform variables",
}
#: Ends of names, in lower case.
ENDINGS: dict[str, str] = {
    ".pem": "key or certificate file",
    ".key": "private key file",
    ".p12": "key store",
    ".pfx": "key store",
    ".jks": "key store",
    ".bks": "key store",
    ".keystore": "key store",
    ".kdbx": "password store",
    ".kdb": "password store",
    ".ppk": "private key file",
    ".p8": "private key file",
    ".tfstate": "terraform state",
    ".tfstate.backup": "terraform state",
    ".ovpn": "network credentials",
    ".agekey": "private key file",
}
#: The last two components, for names that mean something only in their folder.
IN_FOLDER: dict[tuple[str, str], str] = {
    (".docker", "config.json"): "registry login",
    (".kube", "config"): "cluster credentials",
    (".cargo", "credentials.toml"): "package index login",
}
#: Parts of an environment file's name (between dots) that say it is a form to fill in.
FORM_PARTS = frozenset(("example", "examples", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults"))
SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-](?:old|bak|backup|private|priv|\d+))?")


class Rule(NamedTuple):
    """A token. `needle` is a literal every match holds, looked for first because that is fast; group 1 of `pattern` is
    the secret part; `words`: whether words such as "example" in it show that it is none (not in kilobytes of key)."""

    reason: str
    needle: str
    pattern: re.Pattern[str]
    words: bool = True


def _rule(reason: str, needle: str, pattern: str, *, words: bool = True) -> Rule:
    return Rule(reason, needle, re.compile(pattern), words)


# What may stand between the header of a key and its letters: line ends and indents, also as written in a string of a
# program, and the headers of an encrypted key (RFC 1421). Possessive and bounded, so that no text makes it slow.
_BREAK = r"(?:\s++|\\++[nrt]|[\"'`+,;>|#*]|[A-Z][A-Za-z-]{1,40}: [^\r\n]{0,200}+){0,60}+"
_PEM = rf"-----BEGIN (?:[A-Z0-9]{{1,20}} ){{0,4}}PRIVATE KEY(?: BLOCK)?-----{_BREAK}([A-Za-z0-9+/=]{{40,}})"
_PUTTY = r"PuTTY-User-Key-File-\d: [\w-]+\s[\s\S]{0,2000}?Private-Lines: \d+\s+([A-Za-z0-9+/=]{40,})"
_AWS_SECRET = r"(?i:aws_?secret_?(?:access_?)?key)[\"']?\s*(?:=>|[:=])\s*[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
_NPM_LOGIN = r"(?m)^\s*//[^\s=]+:_(?:authToken|auth|password)[ \t]*=[ \t]*[\"']?([0-9A-Za-z+/=_.-]{16,})[\"']?\s*$"
_SLACK_HOOK = r"hooks\.slack\.com/(?:services|workflows)/(T[0-9A-Z]{8,}/[AB][0-9A-Z]{8,}/[0-9A-Za-z]{20,})"

RULES: tuple[Rule, ...] = (
    _rule("private key", "PRIVATE KEY", _PEM, words=False),
    _rule("PuTTY private key", "PuTTY-User-Key-File-", _PUTTY, words=False),
    _rule("age private key", "AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1([02-9AC-HJ-NP-Z]{58})\b"),
    _rule("AWS access key", "AKIA", r"\bAKIA([A-Z0-9]{16})\b"),
    _rule("AWS access key", "ASIA", r"\bASIA([A-Z0-9]{16})\b"),
    _rule("AWS secret key", "ecret", _AWS_SECRET),
    _rule("AWS secret key", "SECRET", _AWS_SECRET),
    _rule("Google API key", "AIza", r"\bAIza([0-9A-Za-z_-]{35})(?![0-9A-Za-z_-])"),
    _rule("Google OAuth secret", "GOCSPX-", r"\bGOCSPX-([0-9A-Za-z_-]{28})(?![0-9A-Za-z_-])"),
    _rule("Azure storage key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    *(_rule("GitHub token", f"gh{kind}_", rf"\bgh{kind}_([0-9A-Za-z]{{36,251}})\b") for kind in "pousr"),
    _rule("GitHub token", "github_pat_", r"\bgithub_pat_([0-9A-Za-z]{22}_[0-9A-Za-z]{59})\b"),
    _rule("GitLab token", "glpat-", r"\bglpat-([0-9A-Za-z_-]{20,})(?![0-9A-Za-z_-])"),
    _rule("Slack token", "xox", r"\bxox[abeoprs]-(?:\d{8,}-){1,3}([0-9A-Za-z]{16,})(?![0-9A-Za-z-])"),
    _rule("Slack app token", "xapp-", r"\bxapp-\d-([0-9A-Z]{8,}-\d{8,}-[0-9a-f]{32,})\b"),
    _rule("Slack webhook", "hooks.slack.com", _SLACK_HOOK),
    _rule("Stripe key", "k_live_", r"\b[sr]k_live_([0-9A-Za-z]{24,247})\b"),
    _rule("Anthropic key", "sk-ant-", r"\bsk-ant-[a-z]+\d\d-([0-9A-Za-z_-]{80,})"),
    _rule("OpenAI key", "T3BlbkFJ", r"\bsk-(?:[a-z]+-)?([0-9A-Za-z_-]{20,}T3BlbkFJ[0-9A-Za-z_-]{20,})"),
    _rule("npm token", "npm_", r"\bnpm_([0-9A-Za-z]{36})\b"),
    _rule("package registry login", ":_", _NPM_LOGIN),
    _rule("PyPI token", "pypi-AgEI", r"\bpypi-AgEI([0-9A-Za-z_-]{60,})"),
    _rule("Hugging Face token", "hf_", r"\bhf_([A-Za-z0-9]{34})\b"),
    _rule("SendGrid key", "SG.", r"\bSG\.([0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43})(?![0-9A-Za-z_-])"),
    _rule("DigitalOcean token", "_v1_", r"\bdo[opr]_v1_([0-9a-f]{64})\b"),
    _rule("Shopify token", "shp", r"\bshp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})\b"),
    _rule("Vault token", "hvs.", r"\bhvs\.([0-9A-Za-z_-]{24,})"),
    _rule("Databricks token", "dapi", r"\bdapi([0-9a-f]{32})(?:-\d)?\b"),
)

#: Words that people write into a token to show its shape. Long ones anywhere, short ones only in front: four given
#: letters stand somewhere in a random token of 36 once in 30,000 tokens, at its front once in a million. The one
#: without a meaning begins the published key of Azure's storage emulator, which is the same everywhere.
PLACEHOLDER_WORDS = re.compile(
    r"example|sample|placeholder|redact|change.?me|your.?(?:key|token|secret|api)|secret.?key|insert|replace|dummy|"
    r"Eby8vdM02xNOcqFl|token.?here|key.?here|not.?real|invalid|deadbeef|abcdefg|1234567|xxxxx|\*\*\*\*|\.\.\.\.|^(?:fake|test|your|my)",
    re.IGNORECASE,
)
#: A random token of 16 or more letters holds more different ones than this (of hexadecimal digits: 9 or more in 32).
FEW_LETTERS = 6
