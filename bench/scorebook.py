"""The scores of one run of a suite: a file with one JSON line for each, that a later run goes on with."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError


class Scored(Protocol):
    """A dataclass that says what became of one task."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def task(self) -> str: ...


S = TypeVar("S", bound=Scored)


class Scorebook(Generic[S]):
    """Scores of one kind, as they come; each is on disk when `add` returns."""

    def __init__(self, path: Path, kind: type[S]) -> None:
        self.path = path
        self._kind = TypeAdapter(kind)

    def scores(self) -> dict[str, S]:
        """The last score of each task by its name. A line that a crash has cut off counts as none."""
        if not self.path.exists():
            return {}
        found: dict[str, S] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                score = self._kind.validate_json(line)
            except ValidationError:
                continue
            found[score.task] = score
        return found

    def add(self, score: S) -> None:
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
