"""`python -m cashbook`."""

import sys

from cashbook.cli import main

if __name__ == "__main__":
    sys.exit(main())
