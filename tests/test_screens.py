"""The pictures of docs/screens.md: each kind of page has one, and its text is what Regreen writes today."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from bot.nouns import Outcome

ROOT = Path(__file__).parent.parent


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module("screens")


def test_every_screen_is_drawn_small_and_shown_in_the_document(script: Any) -> None:
    shown = re.findall(r"!\[[^\]]+\]\(screens/([\w-]+)\.png\)", (ROOT / "docs/screens.md").read_text())
    names = [screen.name for screen in script.screens(script.read_evidence())]
    assert sorted(shown) == sorted(names) == sorted(path.stem for path in script.TARGET.glob("*.png"))
    for name in names:
        data = (script.TARGET / f"{name}.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        assert len(data) < 250_000


def test_no_screen_shows_markdown_that_was_not_rendered(script: Any) -> None:
    for screen in script.screens(script.read_evidence()):
        page = script.document(screen, "")
        text = re.sub(r"<style>.*?</style>|<code.*?</code>|<[^>]+>", "", page, flags=re.DOTALL)
        assert not [mark for mark in ("**", "| ---", "```", "&amp;#", "regreen:") if mark in text], screen.name


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.FIXED])
def test_check_run_says_nothing_twice_and_never_nothing(script: Any, outcome: Outcome) -> None:
    """Its title is right above its text; GitHub takes no title without one."""
    evidence = script.outcome(script.read_evidence(), outcome)
    title, summary = script.wording.check_title(evidence), script.wording.check_summary(evidence)
    assert summary
    more = script.wording.check_summary(script.outcome(evidence, outcome, f"{title} Three tests are red."))
    assert title not in more
    assert "Three tests are red." in more
