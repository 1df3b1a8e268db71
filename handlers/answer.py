"""How a command ends: outcomes and expected errors become an exit code and one message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

import typer

from bot.errors import OutOfBudget, Refused, TryLater
from bot.nouns import Outcome
from handlers.show import Screen
from sandbox import SandboxError

EXIT = {
    Outcome.FIXED: 0,
    Outcome.GAVE_UP: 1,
    Outcome.TEST_LOOKS_WRONG: 1,
    Outcome.OVER_BUDGET: 1,
    Outcome.BASE_BROKEN: 1,
    Outcome.REFUSED: 1,
    Outcome.SUPERSEDED: 1,
    Outcome.ALREADY_GREEN: 3,
    Outcome.CANNOT_SET_UP: 4,
    Outcome.ENVIRONMENT_DIFFERS: 4,
    Outcome.FLAKY: 5,
    Outcome.CANCELLED: 6,
}
_REFUSED_AS = {"usage": Outcome.REFUSED, "cannot-set-up": Outcome.CANNOT_SET_UP}
_REFUSALS = {"usage": 2, "cannot-set-up": 4}

EXPECTED = (Refused, SandboxError, TryLater, OutOfBudget)
"""Errors that are no bugs: each has a cause, and mostly a remedy."""


@dataclass(frozen=True)
class Told:
    """An expected error as people and agents are told of it."""

    outcome: Outcome
    cause: str
    remedy: str = ""
    log: str = ""


def told(error: Exception) -> Told:
    """What an expected error comes to."""
    match error:
        case Refused():
            return Told(_REFUSED_AS[error.kind], error.cause, error.remedy, error.log)
        case OutOfBudget():
            return Told(Outcome.OVER_BUDGET, str(error))
        case TryLater():
            return Told(Outcome.CANNOT_SET_UP, str(error), "Try again later.")
    return Told(Outcome.CANNOT_SET_UP, str(error))


@contextmanager
def answering(screen: Screen, *, interrupted: str = "Nothing was changed.") -> Iterator[None]:
    """Every expected error ends as one message and an exit code."""
    try:
        yield
    except EXPECTED as error:
        code = _REFUSALS[error.kind] if isinstance(error, Refused) else None
        _end(screen, told(error), code=code)
    except KeyboardInterrupt:
        _end(screen, Told(Outcome.CANCELLED, "Interrupted.", interrupted))


def _end(screen: Screen, end: Told, *, code: int | None = None) -> NoReturn:
    screen.failure(end.cause, end.remedy, end.log)
    screen.no_evidence(end.outcome, f"{end.cause} {end.remedy}".strip())
    raise typer.Exit(EXIT[end.outcome] if code is None else code)
