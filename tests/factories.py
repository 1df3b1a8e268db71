"""Makes the things that tests need, with good defaults, so that a test shows only what matters to it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from bot.gate.baseline import Baseline
from bot.nouns import Evidence, Job, LayerRecord, Patch, Result, TestCase, TestChange, TestRun
from sandbox import File

SHOP = {
    "shop/__init__.py": "",
    "shop/pricing.py": (
        '"""Prices."""\n\n\n'
        "def apply_discount(price, percent):\n"
        '    """Return the price less a discount in percent."""\n'
        "    return round(price * (100 - percent) / 100)\n\n\n"
        "def total(prices):\n"
        "    return sum(prices)\n"
    ),
    "tests/test_pricing.py": (
        "from shop.pricing import apply_discount, total\n\n\n"
        "def test_discount_keeps_cents():\n    assert apply_discount(19.99, 15) == 16.99\n\n\n"
        "def test_no_discount():\n    assert apply_discount(20, 0) == 20\n\n\n"
        "def test_total():\n    assert total([1, 2]) == 3\n"
    ),
}
"""A small project with one red test."""

FIXED = SHOP["shop/pricing.py"].replace("/ 100)\n", "/ 100, 2)\n")
TARGET = "tests/test_pricing.py::test_discount_keeps_cents"


def files(contents: Mapping[str, str | bytes]) -> dict[str, File]:
    """A tree as the sandbox takes it."""
    return {path: File(data.encode() if isinstance(data, str) else data) for path, data in contents.items()}


def patch(contents: Mapping[str, str | None]) -> Patch:
    return Patch({path: None if text is None else text.encode() for path, text in contents.items()})


def git(folder: Path, *args: str) -> str:
    """Run the real git client, with an identity and without the user's configuration."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make_checkout(folder: Path, contents: Mapping[str, str | bytes] = SHOP) -> Path:
    """A git checkout with one commit that holds `contents`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    write(folder, contents)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "First")
    return folder


def write(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    for path, data in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data.encode() if isinstance(data, str) else data)


def make_run(results: Mapping[str, Result], *, exit_code: int | None = None, message: str = "") -> TestRun:
    cases = tuple(TestCase(test, result, message=message) for test, result in results.items())
    red = any(result in ("failed", "error") for result in results.values())
    return TestRun(cases, int(red) if exit_code is None else exit_code, 0.1)


def make_baseline(results: Mapping[str, Result]) -> Baseline:
    """A stable baseline in which every red test is a target."""
    targets = tuple(TestCase(test, result) for test, result in results.items() if result in ("failed", "error"))
    green = frozenset(test for test, result in results.items() if result == "passed")
    return Baseline(targets, green, dict(results))


def make_job(**changes: object) -> Job:
    values: dict[str, object] = {
        "id": "repair:7:abc", "trigger": "check-run", "installation": 1, "repo_id": 7, "repo": "ada/shop",
        "sha": "a" * 40, "base": "main",
    }  # fmt: skip
    return Job(**{**values, **changes})  # type: ignore[arg-type]


def make_evidence(**changes: object) -> Evidence:
    values: dict[str, object] = {
        "job": "repair:7:abc", "outcome": "fixed", "repo": "ada/shop", "base_sha": "a" * 40, "head_sha": "a" * 40,
        "tree": "b" * 40, "sandbox": "docker", "patch_sha256": "c" * 64, "image": "sha256:" + "d" * 64, "commands": ("pytest",),
        "patch": "diff --git a/shop/pricing.py b/shop/pricing.py\n--- a/shop/pricing.py\n+++ b/shop/pricing.py\n",
        "engine": "search", "operator": "round-digits", "root_cause": "`round(x)` drops the cents.",
        "verdict": "accepted", "layers": (LayerRecord("structure", True), LayerRecord("tests", True)),
        "tests": (TestChange(TARGET, "failed", "passed"),), "tests_total": 3,
    }  # fmt: skip
    return Evidence(**{**values, **changes})  # type: ignore[arg-type]
