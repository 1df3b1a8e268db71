"""What can be wrong with a configuration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class PlinthError(Exception):
    """Base of all errors of this package."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: the path of a field like `limits.size`, and why."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}" if self.path else self.why

    def below(self, name: str) -> Problem:
        """Return the same problem as the holder of the field sees it."""
        return Problem(f"{name}.{self.path}" if self.path else name, self.why)


class BadConfig(PlinthError):
    """Everything that is wrong with a document."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Unconvertible(PlinthError, ValueError):
    """A value that does not become what it should; raised by converters, caught by the model."""
