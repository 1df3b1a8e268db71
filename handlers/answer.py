"""How a command ends: outcomes and expected errors become an exit code and one message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
_REFUSALS = {"usage": 2, "cannot-set-up": 4}
_REFUSED_AS = {"usage": Outcome.REFUSED, "cannot-set-up": Outcome.CANNOT_SET_UP}


@contextmanager
def answering(screen: Screen, *, interrupted: str = "Nothing was changed.") -> Iterator[None]:
    """Every expected error ends as one message and an exit code."""
    try:
        yield
    except Refused as error:
        _end(screen, _REFUSED_AS[error.kind], error.cause, error.remedy, log=error.log, code=_REFUSALS[error.kind])
    except SandboxError as error:
        _end(screen, Outcome.CANNOT_SET_UP, str(error))
    except TryLater as error:
        _end(screen, Outcome.CANNOT_SET_UP, str(error), "Run the command again later.")
    except OutOfBudget as error:
        _end(screen, Outcome.OVER_BUDGET, str(error))
    except KeyboardInterrupt:
        _end(screen, Outcome.CANCELLED, "Interrupted.", interrupted)


def _end(
    screen: Screen, outcome: Outcome, cause: str, remedy: str = "", *, log: str = "", code: int | None = None
) -> NoReturn:
    screen.failure(cause, remedy, log)
    screen.no_evidence(outcome, f"{cause} {remedy}".strip())
    raise typer.Exit(EXIT[outcome] if code is None else code)
