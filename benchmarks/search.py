"""How fast the offline engine tries candidates, and how soon it finds a first repair."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of  # noqa: E402
from searchfaults import FAULTS  # noqa: E402

from bot.engines.search.engine import SearchEngine  # noqa: E402
from sandbox import Command, Limits, Ran  # noqa: E402

HOPELESS = {
    "work.py": """
        def mixed(values, limit, names):
            total = 0
            seen = []
            for index, value in enumerate(values):
                if value > limit and index % 2 == 0:
                    total += value * 3 - limit
                elif value < 0 or not names:
                    total -= abs(value) // 2
                else:
                    seen.append(value + index)
            if len(seen) > 3:
                return sorted(seen)[1:-1] + [total]
            return [total] + seen
    """,
    "tests/test_work.py": """
        from work import mixed


        def test_mixed():
            assert mixed([5, -3, 8, 2, 9, 4, 7], 4, ["a"]) == [1, "x", 3.5, None, 12345]
    """,
}


def fresh_rate(runs: int = 5) -> None:
    """A fresh pytest each, as most tools of this kind do it."""
    tree, folder = tree_of(HOPELESS), Path(tempfile.mkdtemp())
    started = time.monotonic()
    for number in range(runs):
        run_suite(FolderSession(folder / str(number)), tree, launch_of(tree))
    print(f"{runs / (time.monotonic() - started):.1f} fresh runs of pytest a second")


def peak_mb() -> float:
    """The most memory that any process of ours has had so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def rate() -> None:
    """Nothing repairs this one: the whole space is tried, pairs of edits too."""
    tree, folder = tree_of(HOPELESS), Path(tempfile.mkdtemp())
    failure = failure_of(run_suite(FolderSession(folder / "before"), tree, launch_of(tree)))
    workbench = workbench_of(tree, FolderSession(folder / "search"), budget_s=10.0)
    stats = SearchEngine().propose(failure, workbench).stats
    per_s = stats.tried / stats.seconds
    print(
        f"{stats.tried} candidates in {stats.seconds:.1f} s ({per_s:.0f} a second), start-up and slow path included"
    )
    print(f"at most {peak_mb():.0f} MB in one process")


class Watched(FolderSession):
    """Notes when the first repair that passes everything is announced."""

    first_s: float | None = None

    def run(
        self,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        started = time.monotonic()

        def heard(chunk: bytes) -> None:
            if b'"kind": "found"' in chunk and self.first_s is None:
                self.first_s = time.monotonic() - started
            if on_report is not None:
                on_report(chunk)

        return super().run(command, limits, on_report=heard, cancelled=cancelled)


def first_repairs() -> None:
    """Seconds from the start of the box to the first repair that passes everything."""
    seconds = []
    for fault in FAULTS:
        tree, folder = tree_of(fault.files), Path(tempfile.mkdtemp())
        failure = failure_of(run_suite(FolderSession(folder / "before"), tree, launch_of(tree)))
        session = Watched(folder / "search")
        SearchEngine().propose(failure, workbench_of(tree, session))
        if session.first_s is not None:
            seconds.append(session.first_s)
    seconds.sort()
    median = seconds[len(seconds) // 2]
    print(f"{len(seconds)} of {len(FAULTS)} found, first after {median:.2f} s (median), {seconds[-1]:.2f} s (worst)")


if __name__ == "__main__":
    fresh_rate()
    rate()
    first_repairs()
