"""Tokens of `o200k_base` by bpe-openai, another algorithm than tiktoken's: no list of merges, no backtracking."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # bpe-openai reads its data by a deprecated function
    import bpe_openai

    _ENCODING = bpe_openai.get_encoding("o200k_base")


def oracle(text: str) -> int:
    """Tokens of a text of at most about 200,000 tokens; what looks like a special token is text."""
    return len(_ENCODING.encode_ordinary(text))
