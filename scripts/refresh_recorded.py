"""Fetches Octokit's recordings of GitHub's own answers and keeps those that concern what localhub serves.

    python scripts/refresh_recorded.py          needs npm and its default registry

Writes exchanges.json.gz and NOTICE into tests/recorded/.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npm_package import Package, Unpacked, notice_text, packed

TARGET = Path(__file__).parent.parent / "tests" / "recorded"

FIXTURES = Package(
    "@octokit/fixtures",
    "23.1.2",
    "niG+SVffZ/xzojT3CE6M7DlqX7H9aQ75A6Xxjt4N47CkqssKXpSy2k6+Tj5ntcI5uWW2D9POzKxwJDmBfR+sJw==",
)

# By scenario: the exchanges that localhub serves, by method and the end of their path.
KEPT = {
    "add-labels-to-issue": [("post", "/labels")],
    "create-status": [("post", "/statuses/" + "0" * 39 + "1"), ("get", "/status")],
    "errors": [("post", "/labels")],
    "get-content": [("get", "/contents/")],
    "get-repository": [("get", "/hello-world")],
    "git-refs": [("post", "/refs"), ("patch", "/test"), ("delete", "/test")],
    "labels": [("get", "/labels/labels"), ("post", "/labels")],
    "paginate-issues": [("get", "?per_page=3")],
}
FIELDS = ("method", "path", "body", "status", "response")

OPENING = (
    "exchanges.json.gz holds recorded answers of GitHub taken from this package by scripts/refresh_recorded.py,\n"
    "which keeps those that localhub has to answer in the same way.\n"
)


def main() -> None:
    with FIXTURES.opened() as held:
        found = {name: kept(held, name) for name in KEPT}
        licence = held.read("LICENSE.md").decode()
    TARGET.mkdir(exist_ok=True)
    (TARGET / "exchanges.json.gz").write_bytes(packed(found))
    (TARGET / "NOTICE").write_text(notice_text(OPENING, [(FIXTURES, licence)]))
    print(", ".join(f"{name}: {len(each)}" for name, each in found.items()))


def kept(held: Unpacked, name: str) -> list[dict[str, Any]]:
    """The exchanges of a scenario that are kept, with the link header of lists."""
    exchanges = json.loads(held.read(f"scenarios/api.github.com/{name}/normalized-fixture.json"))
    return [
        {field: each[field] for field in FIELDS} | {"link": each["headers"].get("link", "")}
        for each in exchanges
        if any(each["method"] == method and each["path"].endswith(end) for method, end in KEPT[name])
    ]


if __name__ == "__main__":
    main()
