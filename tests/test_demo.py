"""The whole way, as a user sees it: `regreen demo` with each trigger, against real Docker, git and HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.docker


def demo(*args: str) -> tuple[int, str, str]:
    argv = [sys.executable, "-m", "handlers.cli", "demo", *args]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=400, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("trigger", "base"), [("check-run", "main"), ("issue-label", "main"), ("pr-comment", "tidy-pricing")]
)
def test_red_becomes_a_verified_pull_request(docker_engine: None, trigger: str, base: str) -> None:
    code, out, err = demo("--json", "--trigger", trigger)
    assert code == 0, err
    record: dict[str, Any] = json.loads(out)
    assert record["outcome"] == "fixed"
    assert record["verdict"] == "accepted"
    assert record["trigger"] == trigger
    assert {change["after"] for change in record["tests"]} == {"passed"}
    pull = record["pull_request"]
    assert pull["base"] == base
    assert pull["head"].startswith("regreen/")
    assert pull["title"].startswith("Fix shop/pricing.py: test_")
    assert "❌ failed" in pull["body"]
    assert "```diff" in pull["body"]
    assert record["root_cause"].split("`")[1] in pull["body"]


def test_people_get_plain_lines_where_there_is_no_terminal(docker_engine: None, tmp_path: Path) -> None:
    code, out, err = demo("--keep", str(tmp_path))
    assert code == 0, err
    assert "\x1b" not in out + err
    for part in ("Pull request 1", "Root cause", "Evidence", "\n+++ b/shop/pricing.py\n", "with no API key"):
        assert part in out
    assert "Traceback" not in (tmp_path / "serve.log").read_text()
    assert not list(tmp_path.glob("*.pem")), "the App's key must not stay behind"


def test_unknown_trigger_is_refused() -> None:
    code, out, err = demo("--trigger", "smoke-signal")
    assert (code, out) == (2, "")
    assert "check-run, issue-label, pr-comment" in " ".join(err.split())
