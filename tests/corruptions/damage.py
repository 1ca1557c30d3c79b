"""All kinds of damage, each a small function from a sound case to a damaged one, or to None where it does not apply.

`KINDS` names for each kind the codes of which the checker must raise at least one: it has to see this damage, not
merely that something is wrong. Kinds made with `forge` keep hash, totals and trace consistent, so only the broken rule
is left to tell; they get a budget with ample room for the same reason.
"""

from __future__ import annotations

from tests.corruptions import of_bundles, of_decisions, of_envelopes, of_rules, of_traces, of_witnesses
from tests.corruptions.tools import KINDS

__all__ = ["KINDS"]

#: Modules that enter their kinds in the table when they are loaded, in the order in which it lists them.
MODULES = (of_bundles, of_rules, of_traces, of_decisions, of_envelopes, of_witnesses)
