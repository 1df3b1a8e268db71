"""The pictures in docs/ are what their scripts draw, and can be shown anywhere."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "scripts").glob("draw_*.py"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_picture_is_what_its_script_draws(script):
    drawn = runpy.run_path(str(script))
    assert drawn["TARGET"].read_text(encoding="utf-8") == drawn["draw"](), f"run python scripts/{script.name}"


def test_every_picture_has_a_script():
    targets = {runpy.run_path(str(script))["TARGET"].resolve() for script in SCRIPTS}
    assert targets == set((ROOT / "docs").resolve().glob("*.svg"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_picture_speaks_to_everybody_and_loads_nothing(script):
    """Read aloud by title and description; both colour schemes; nothing from elsewhere, which GitHub would block."""
    text = runpy.run_path(str(script))["draw"]()
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img"
    named = {element.get("id"): element.text for element in root if element.tag in (SVG + "title", SVG + "desc")}
    assert all(named[name] for name in root.get("aria-labelledby").split())
    assert "prefers-color-scheme:dark" in text
    assert not [word for word in ("<script", "<image", "href", "url(", "@import") if word in text]


def test_red_to_green_names_the_five_steps_in_order():
    root = ElementTree.fromstring((ROOT / "docs" / "red-to-green.svg").read_text(encoding="utf-8"))
    names = [element.text for element in root.iter(SVG + "text") if element.get("class") == "name"]
    assert names == ["Trigger", "Reproduce", "Propose", "Verify", "Pull request"]
