"""How fast the offline engine tries candidates, and how soon it finds a first repair."""

from __future__ import annotations

import resource
import sys
import tempfile
import threading
import time
from collections import Counter
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


class Resident(threading.Thread):
    """Watches the memory of the search itself, twice a second: of the processes that live through it.

    What a candidate allocates before its limit stops it is gone with its process, and is not the search's.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._seen: list[dict[str, float]] = []
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.5):
            self._seen.append({process: _resident_mb(process) for process in _descendants("self")})

    def quarters(self) -> str:
        """Stops. Says how many MB the largest of them had after each quarter of the time."""
        self._over.set()
        self.join()
        counted = Counter(process for sample in self._seen for process in sample)
        lasting = [process for process, times in counted.items() if times > len(self._seen) / 2]
        mb = [max((sample.get(process, 0.0) for process in lasting), default=0.0) for sample in self._seen]
        return ", ".join(f"{mb[max(0, len(mb) * part // 4 - 1)]:.0f}" for part in range(1, 5) if mb)


def _descendants(process: str) -> list[str]:
    """None for a process that has ended meanwhile."""
    found: list[str] = []
    try:
        for path in Path("/proc", process, "task").glob("*/children"):
            found += path.read_text().split()
    except OSError:
        return []
    return found + [below for child in found for below in _descendants(child)]


def _resident_mb(process: str) -> float:
    """0 for a process that has ended meanwhile."""
    try:
        return int(Path("/proc", process, "statm").read_text().split()[1]) * resource.getpagesize() / 2**20
    except (OSError, IndexError):
        return 0.0


def rate() -> None:
    """Nothing repairs this one: the whole space is tried, pairs of edits too."""
    tree, folder = tree_of(HOPELESS), Path(tempfile.mkdtemp())
    failure = failure_of(run_suite(FolderSession(folder / "before"), tree, launch_of(tree)))
    workbench = workbench_of(tree, FolderSession(folder / "search"), budget_s=10.0)
    memory = Resident()
    memory.start()
    stats = SearchEngine().propose(failure, workbench).stats
    per_s = stats.tried / stats.seconds
    print(
        f"{stats.tried} candidates in {stats.seconds:.1f} s ({per_s:.0f} a second), start-up and slow path included"
    )
    print(f"the search itself takes, after each quarter of that time: {memory.quarters()} MB")


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
