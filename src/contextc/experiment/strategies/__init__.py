"""The table of strategies. To add one: a file here with a callable that keeps to `base.Strategy`, and a line below."""

from __future__ import annotations

from contextc.experiment.strategies.base import Registered
from contextc.experiment.strategies.compiled import compiled
from contextc.experiment.strategies.dump import dump
from contextc.experiment.strategies.gated import gated
from contextc.experiment.strategies.oracle import oracle
from contextc.experiment.strategies.staged import staged
from contextc.experiment.strategies.topk import topk
from contextc.experiment.strategies.weighted import weighted

#: In the order in which they run (construction experiment, section 8), then what goes beyond the published six.
STRATEGIES: tuple[Registered, ...] = (
    Registered(key="dump", title="dump with tail truncation", strategy=dump, published=True),
    Registered(key="topk", title="relevance ranking", strategy=topk, published=True),
    Registered(key="weighted", title="fixed-weight packer", strategy=weighted, published=True),
    Registered(key="gated", title="hard gates, then relevance", strategy=gated, published=True),
    Registered(key="staged", title="compiler", strategy=staged, published=True),
    Registered(key="oracle", title="oracle", strategy=oracle, published=True, sees_labels=True),
    Registered(key="compiled", title="compiler, policy v2", strategy=compiled),
)

#: The six strategies of the published run.
PUBLISHED: tuple[Registered, ...] = tuple(entry for entry in STRATEGIES if entry.published)
