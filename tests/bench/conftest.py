"""Repositories with a history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stories import Story, module_text


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path / "story")


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[str], Story]:
    """A repository of a name."""
    return lambda name: Story(tmp_path / name)


@pytest.fixture
def shop(story: Story) -> Story:
    """Twenty source files and a test; nothing but the first commit."""
    files: dict[str, str | None] = {f"shop/part{at}.py": module_text(f"part{at}") for at in range(18)}
    files["shop/prices.py"] = module_text("price", 80)
    files["shop/invoice.py"] = module_text("invoice", 40)
    files["tests/test_prices.py"] = "def test_price():\n    assert True\n"
    files["README.md"] = "# Shop\n"
    story.commit("First version of the shop", files)
    return story
