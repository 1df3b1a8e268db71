"""Seconds from the webhook to the pull request in the demo, split by step: medians of several whole runs.

.venv/bin/python benchmarks/way.py [RUNS]
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

STEPS = ("prepare", "reproduce", "repair", "verify")


def run() -> dict[str, float]:
    """One demo: seconds of the whole way, of each step, and of all the rest (queue, GitHub, fetch, publication)."""
    argv = [sys.executable, "-m", "handlers.cli", "demo", "--json"]
    record = json.loads(subprocess.run(argv, check=True, capture_output=True).stdout)
    spent = {name: float(record["durations_s"][name]) for name in STEPS}
    total = float(record["seconds"])
    return {"whole way": total, **spent, "queue, GitHub, fetch, publish": total - sum(spent.values())}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    run()  # the first one may build images
    found = [run() for _ in range(runs)]
    total = statistics.median(each["whole way"] for each in found)
    print(f"{runs} runs, medians\n\n| step | seconds | share of the way |\n| --- | --- | --- |")
    for name in found[0]:
        seconds = statistics.median(each[name] for each in found)
        print(f"| {name} | {seconds:.1f} | {seconds / total:.0%} |")


if __name__ == "__main__":
    main()
