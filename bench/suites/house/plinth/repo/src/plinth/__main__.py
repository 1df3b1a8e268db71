"""`plinth FILE`: shows what a file holds, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from plinth.errors import PlinthError
from plinth.formats import read


def main(argv: Sequence[str] | None = None) -> int:
    """Show a file. Returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if len(arguments) != 1:
        print("usage: plinth FILE", file=sys.stderr)
        return 2
    try:
        print(json.dumps(read(arguments[0]), indent=2, sort_keys=True, default=str))
    except (PlinthError, OSError) as error:
        print(f"plinth: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
