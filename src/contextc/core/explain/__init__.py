"""Traces and witnesses in words. Everything is told from records alone; nothing is computed again."""

from __future__ import annotations

from contextc.core.explain.account import account
from contextc.core.explain.candidate import explain_candidate
from contextc.core.explain.difference import Change, changes, difference
from contextc.core.explain.refusals import Explanation, explain_refusal
from contextc.core.explain.table import table

__all__ = [
    "Change",
    "Explanation",
    "account",
    "changes",
    "difference",
    "explain_candidate",
    "explain_refusal",
    "table",
]
