"""Right code in the styles of many kinds of library, and faults in it: `operatorfaults/<kind>.txt` and `.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_suffix("")


class Case(NamedTuple):
    """A file with one fault, the same file without it, and what the red test says."""

    name: str
    right: str
    wrong: str
    message: str


def cases() -> list[Case]:
    """Every fault as two files. Fails where a right text does not stand in its file."""
    found = []
    for table in sorted(FOLDER.glob("*.toml")):
        text = table.with_suffix(".txt").read_text(encoding="utf-8")
        for number, (old, new, *message) in enumerate(tomllib.loads(table.read_text(encoding="utf-8"))["faults"]):
            assert old in text, (table.name, old)
            found.append(Case(f"{table.stem}-{number}", text, text.replace(old, new, 1), "".join(message)))
    return found
