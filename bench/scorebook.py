"""The scores of one run of a suite: a file with one JSON line for each, that a later run goes on with."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bench.score import Score

_SCORE = TypeAdapter(Score)


class Scorebook:
    """Scores as they come; each is on disk when `add` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def scores(self) -> dict[str, Score]:
        """The last score of each task by its name. A line that a crash has cut off counts as none."""
        if not self.path.exists():
            return {}
        found: dict[str, Score] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                score = _SCORE.validate_json(line)
            except ValidationError:
                continue
            found[score.task] = score
        return found

    def add(self, score: Score) -> None:
        """Write one line, on a line of its own even after one that was cut off."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b") as stream:
            if stream.tell() and not self._ends_a_line():
                stream.write(b"\n")
            stream.write(json.dumps(asdict(score), ensure_ascii=False).encode() + b"\n")

    def _ends_a_line(self) -> bool:
        with self.path.open("rb") as stream:
            stream.seek(-1, 2)
            return stream.read() == b"\n"
