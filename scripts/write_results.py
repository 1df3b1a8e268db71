"""Writes docs/results.md out of the committed runs; with a folder and a name, takes that run in first."""

from __future__ import annotations

import sys
from pathlib import Path

from bench import results
from bot.errors import Refused

TARGET = Path(__file__).parent.parent / "docs" / "results.md"


def main() -> None:
    try:
        if len(sys.argv) > 1:
            results.adopt(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "offline")
    except Refused as refused:
        sys.exit(f"{refused} {refused.remedy}")
    TARGET.write_text(results.render(), encoding="utf-8")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
