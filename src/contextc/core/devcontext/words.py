"""Answers in words, for a terminal (SPEC 5.4)."""

from __future__ import annotations

import re

from contextc.core.records.devcontext import CompiledContext, DevContextPolicy, Discovery, Explanation

#: Signs of a commit or a fingerprint that are shown.
SHORT = 12
#: Characters that could move the cursor, hide text or turn its direction. Names and reasons may hold them.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def compiled_in_words(answer: CompiledContext) -> str:
    """The answer of compile as columns of text."""
    lines = [*_head(answer), "", f"SELECTED ({len(answer.selected)})", "TIER        REL   CONF  TOKENS  URI"]
    for one in answer.selected:
        required = "  (required)" if one.required else ""
        lines.append(
            f"{one.tier:<11} {one.relevance:5.3f} {one.confidence:5.3f} {one.cost_tokens:>6}  {one.uri}{required}"
        )
        lines += [_way(found) for found in one.discovered_by]
    lines += ["", f"EXCLUDED ({len(answer.excluded)})"]
    lines += [
        f"{row.tier:<11} {row.reason:<10} {row.cost_tokens:>6} {row.uri} - {row.detail}" for row in answer.excluded
    ]
    lines += ["", f"DEDUPLICATED ({len(answer.deduplicated)})"]
    lines += [f"{row.key:<9} {row.kept} - {row.detail}" for row in answer.deduplicated]
    if answer.conflicts:
        lines += ["", f"CONFLICTS ({len(answer.conflicts)})"]
        lines += [f"{row.kind:<10} {row.current} against {row.against} - {row.detail}" for row in answer.conflicts]
    if answer.git.commits:
        lines += ["", f"COMMITS THE LAYER NAMES ({len(answer.git.commits)})"]
        for commit in answer.git.commits:
            covers = f" ({commit.covers})" if commit.covers is not None else ""
            lines.append(f"{commit.commit[:SHORT]} {commit.named_by}{covers}")
    if answer.diagnostics:
        lines += ["", f"DIAGNOSTICS ({len(answer.diagnostics)})"]
        lines += [f"{one.severity:<8} {one.code:<22} {one.message}" for one in answer.diagnostics]
    return "\n".join(map(fit_for_a_line, lines)) + "\n"


def explained_in_words(answer: Explanation) -> str:
    """The standing of one identifier, and its ways or what it was folded into."""
    lines = [f"{answer.standing:<12} {answer.uri}", f"             {answer.detail}"]
    if answer.entry is not None:
        entry = answer.entry
        lines.append(
            f"             {entry.tier}, relevance {entry.relevance:.3f}, confidence {entry.confidence:.3f}, "
            f"{entry.cost_tokens} tokens, {entry.provenance.path}"
        )
        lines += [_way(found) for found in entry.discovered_by]
    if answer.excluded is not None:
        row = answer.excluded
        lines.append(f"             {row.tier}, relevance {row.relevance:.3f}, {row.cost_tokens} tokens")
    budget = answer.budget
    lines.append(f"budget       {budget.used_tokens} of {budget.limit_tokens} tokens used")
    return "\n".join(map(fit_for_a_line, lines)) + "\n"


def policy_in_words(answer: DevContextPolicy) -> str:
    """The rules of the selection."""
    defaults = answer.defaults
    lines = [
        f"defaults     {defaults.budget_tokens} tokens, depth {defaults.max_depth}, floor {defaults.floor}, "
        f"{defaults.bytes_per_token} bytes per token",
        "",
        "TIERS, in the order of spending",
    ]
    for tier in answer.tiers:
        lines.append(f"{tier.position}  {tier.tier:<11} {tier.meaning}")
        lines.append(f"               {', '.join(tier.kinds) or 'every other kind'}")
    lines += ["", "EDGES          FORWARD REVERSE"]
    for edge in answer.edges:
        if edge.refused is not None:
            lines.append(f"{edge.edge:<15} refused         {edge.meaning}: {edge.refused}")
        else:
            lines.append(f"{edge.edge:<15} {edge.forward:>6.2f} {edge.reverse:>7.2f}  {edge.meaning}")
    lines += ["", "SELECTORS"]
    for selector in answer.selectors:
        lines.append(f"{selector.selector:<14} {'declared' if selector.declared else 'inferred'}  {selector.meaning}")
    return "\n".join(lines) + "\n"


def _head(answer: CompiledContext) -> list[str]:
    git, budget = answer.git, answer.budget
    lines = [
        f"devcontext   index {answer.fingerprint[:SHORT]}  head {(git.head or 'none')[:SHORT]} "
        f"({git.branch or 'detached'}, {git.working_tree})"
    ]
    lines += [f"seed         {seed.kind:<10} {seed.uri}" for seed in answer.seeds]
    over = "  OVER BUDGET: what is required alone costs more" if budget.over_budget else ""
    lines.append(
        f"budget       {budget.used_tokens} of {budget.limit_tokens} token(s) used, {budget.required_tokens} required, "
        f"{budget.bytes_per_token} bytes per token{over}"
    )
    lines += [
        f"  {row.tier:<11} {row.selected:>3} selected {row.excluded:>3} dropped {row.tokens:>7} tokens"
        for row in budget.tiers
    ]
    return lines


def _way(found: Discovery) -> str:
    edge = f"({found.edge})" if found.edge is not None else ""
    return f"            <- {found.selector}{edge} {found.reason}"


def fit_for_a_line(line: str) -> str:
    """The line without signs that could break it, move the cursor or hide text."""
    return _UNFIT.sub(lambda match: f"\\u{ord(match.group()):04x}", line)
