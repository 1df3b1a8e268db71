"""Fetches Octokit's collection of webhook payloads and keeps those of the events that Regreen takes.

    python scripts/refresh_examples.py          needs npm and its default registry

Writes webhooks.json.gz and NOTICE into tests/examples/.
"""

from __future__ import annotations

import json
from pathlib import Path

from npm_package import Package, notice_text, packed

TARGET = Path(__file__).parent.parent / "tests" / "examples"

EXAMPLES = Package(
    "@octokit/webhooks-examples",
    "7.6.1",
    "De6U3XB6O3DtCa7bKgCMzTHdeopqqZ6SNivMYJnK65ierKL1AnNIA0tkRYCRS7lwGT792d+Ps1WbfHlso6MynQ==",
)

EVENTS = [
    "check_run",
    "check_suite",
    "installation",
    "installation_repositories",
    "issue_comment",
    "issues",
    "ping",
    "pull_request",
    "push",
    "repository",
    "status",
    "workflow_run",
]

OPENING = (
    "webhooks.json.gz holds webhook payloads taken from this package by scripts/refresh_examples.py, which keeps\n"
    "those of the events that Regreen takes, and of a few that it has to pass over.\n"
)

# The package names its licence and its author, and leaves the text out.
MIT = """\
MIT License Copyright (c) {author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice (including the next paragraph) shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""  # noqa: E501


def main() -> None:
    with EXAMPLES.opened() as held:
        events = json.loads(held.read("api.github.com/index.json"))
        about = json.loads(held.read("package.json"))
    assert about["license"] == "MIT"
    kept = {event["name"]: event["examples"] for event in events if event["name"] in EVENTS}
    assert sorted(kept) == EVENTS, f"the package lacks {sorted(set(EVENTS) - set(kept))}"
    TARGET.mkdir(exist_ok=True)
    (TARGET / "webhooks.json.gz").write_bytes(packed(kept))
    (TARGET / "NOTICE").write_text(notice_text(OPENING, [(EXAMPLES, MIT.format(author=about["author"]))]))
    print(", ".join(f"{name}: {len(examples)}" for name, examples in kept.items()))


if __name__ == "__main__":
    main()
