"""What was said and done in a repair, a line of JSON each, for whoever wants to see how a patch came about."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_MOST_CHARS = 20_000


def place(folder: Path, job: str) -> Path:
    """Where the transcript of a job lies."""
    name = "".join(char if char.isalnum() else "-" for char in job)
    return folder / f"{name}.jsonl"


class Transcript:
    """Writes one job's file anew: after a restart the same lines come again, from what steps remember."""

    def __init__(self, path: Path | None) -> None:
        """None keeps nothing."""
        self._path = path
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))

    def write(self, kind: str, **facts: Any) -> None:
        """One line."""
        if self._path is None:
            return
        line = json.dumps(
            {"kind": kind, **{name: _short(value) for name, value in facts.items()}}, ensure_ascii=False
        )
        with self._path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(line + "\n")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a transcript; a last line that a crash cut is left out."""
    with path.open(encoding="utf-8", errors="replace") as stream:
        for line in stream:
            try:
                yield json.loads(line)
            except ValueError:
                return


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MOST_CHARS:
        return f"{value[:_MOST_CHARS]}[… {len(value) - _MOST_CHARS} characters …]"
    return value
