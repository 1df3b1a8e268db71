"""Writes docs/results.md out of the committed scores; with a folder, takes the scores of that run first."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bench import results

TARGET = Path(__file__).parent.parent / "docs" / "results.md"


def main() -> None:
    if len(sys.argv) > 1:
        results.FOLDER.mkdir(exist_ok=True)
        for path in [*Path(sys.argv[1]).glob("*.jsonl"), Path(sys.argv[1], "run.json")]:
            shutil.copy(path, results.FOLDER / path.name)
    TARGET.write_text(results.render(), encoding="utf-8")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
