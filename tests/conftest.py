"""Shared ground of all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).resolve().parent.parent

#: The published conformance data and benchmarks; beside the checkout unless CONTEXTC_SHARED says otherwise.
SHARED = Path(os.environ.get("CONTEXTC_SHARED", PROJECT.parent / "shared"))

settings.register_profile(
    "contextc", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("contextc")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published data; a test that needs it is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the published data is not at {SHARED}; set CONTEXTC_SHARED")
    return SHARED
