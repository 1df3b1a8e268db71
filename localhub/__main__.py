"""`python -m localhub --port N`: a GitHub to try things on by hand."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from contextlib import suppress

from localhub.hub import Hub


def main() -> None:
    parser = argparse.ArgumentParser(prog="localhub", description="A GitHub in a box, on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    # Being told to stop must clean up like Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with Hub() as hub, hub.serve(options.port):
        token = hub.create_user("octo")
        repo = hub.create_repo("octo", "hello", {"README.md": b"# hello\n"})
        sys.stdout.write(f"url    {hub.url}\ntoken  {token}\nclone  {hub.url}/{repo.full_name}.git\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    main()
