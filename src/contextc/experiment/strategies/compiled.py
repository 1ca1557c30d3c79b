"""`compiled`: the compiler of candidates as it does real work, under policy v2. Not one of the published six."""

from __future__ import annotations

import msgspec

from contextc.core.records.policy import POLICY_V2
from contextc.experiment.strategies.base import Choice, Problem
from contextc.experiment.strategies.staged import compiled_with


def compiled(problem: Problem) -> Choice:
    """Compile under policy v2, which the request then names too; the layout is that of v2."""
    request = msgspec.structs.replace(problem.request, policy_version=POLICY_V2.policy_version)
    return compiled_with(msgspec.structs.replace(problem, request=request), POLICY_V2)
