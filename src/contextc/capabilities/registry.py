"""Every capability, in the order that surfaces list them."""

from __future__ import annotations

from contextc.capabilities import (
    bundle_compile,
    bundle_diff,
    bundle_explain,
    bundle_inspect,
    bundle_replay,
    bundle_validate,
    compile,
    devcontext_compile,
    devcontext_explain,
    devcontext_index,
    devcontext_policy,
    doctor,
    index_status,
    init,
    objects,
    search,
)
from contextc.capabilities.base import Capability

REGISTRY: tuple[Capability, ...] = (
    compile.CAPABILITY,
    bundle_compile.CAPABILITY,
    bundle_validate.CAPABILITY,
    bundle_inspect.CAPABILITY,
    bundle_explain.CAPABILITY,
    bundle_diff.CAPABILITY,
    bundle_replay.CAPABILITY,
    devcontext_compile.CAPABILITY,
    devcontext_explain.CAPABILITY,
    devcontext_policy.CAPABILITY,
    devcontext_index.CAPABILITY,
    objects.LIST,
    objects.GET,
    index_status.CAPABILITY,
    init.CAPABILITY,
    search.CAPABILITY,
    doctor.CAPABILITY,
)
