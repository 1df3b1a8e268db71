"""Corpora that a user brings, by name."""

from __future__ import annotations

from collections.abc import Callable

from bench.readers import bugsinpy, humaneval, quixbugs, swebench
from bench.readers.place import Place
from bench.suites import Suite

READERS: dict[str, Callable[[Place], Suite]] = {
    "quixbugs": quixbugs.read,
    "humaneval": humaneval.read,
    "bugsinpy": bugsinpy.read,
    "swebench": swebench.read,
}
"""Name -> reader. Adding one is one line here and one file."""
