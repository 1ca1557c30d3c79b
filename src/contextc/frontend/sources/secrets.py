"""What must never be shown: told by the name of a file, or by a token in its text.

The reason names the rule, never the bytes. Rules by content ask for the exact shape of a token that its issuer
documents; what is plainly a placeholder is not a secret, or documentation could not be read. A secret without a shape
(a password in a sentence) is not found.
"""

from __future__ import annotations

import itertools

from contextc.frontend.sources.secret_rules import (
    ENDINGS,
    FEW_LETTERS,
    FORM_PARTS,
    IN_FOLDER,
    NAMES,
    PLACEHOLDER_WORDS,
    RULES,
    SSH_KEY,
    Rule,
)


def secret_name(path: str) -> str | None:
    """Why a path is secret by its name, None when it is not. Letter case does not matter; only the last component and
    its folder do."""
    kind = _kind_of_name(path.lower())
    return f"by name: {kind}" if kind is not None else None


def secret_content(text: str) -> str | None:
    """Why a text is secret by what it holds, None when no rule finds anything. Time is linear in the length."""
    for rule in RULES:
        if rule.needle in text and any(not _placeholder(m.group(1), rule) for m in rule.pattern.finditer(text)):
            return f"by content: {rule.reason}"
    return None


def _kind_of_name(path: str) -> str | None:
    folder, _, name = path.rpartition("/")
    kind = IN_FOLDER.get((folder.rpartition("/")[2], name)) or NAMES.get(name)
    if kind is not None:
        return kind
    if (name.startswith(".env.") or name.endswith(".env")) and FORM_PARTS.isdisjoint(name.split(".")):
        return "environment file"
    if SSH_KEY.fullmatch(name):
        return "private key file"
    return next((kind for ending, kind in ENDINGS.items() if name.endswith(ending)), None)


def _placeholder(secret: str, rule: Rule) -> bool:
    """Whether letters that have the shape of a token were plainly typed by a person to show that shape."""
    if rule.words and PLACEHOLDER_WORDS.search(secret):
        return True
    return len(set(secret)) <= FEW_LETTERS or _is_sequence(secret)


def _is_sequence(secret: str) -> bool:
    """Whether most letters repeat or follow the one before, as in `abcdef...` or `0000...`."""
    steps = sum(1 for a, b in itertools.pairwise(secret) if -1 <= ord(b) - ord(a) <= 1)
    return 2 * steps > len(secret)
