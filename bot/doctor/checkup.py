"""All checks of `regreen doctor`, one after the other; one that fails says so, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bot.doctor import app, boxes, contract, machine, model, queue, webhook
from bot.doctor.finding import Check, Finding
from bot.errors import Refused, TryLater
from bot.settings import Settings
from sandbox import SandboxError, SandboxUnavailable

CHECKS: dict[str, Check] = {
    "settings": machine.settings_set,
    "python": machine.python,
    "git": machine.git,
    "disk": machine.disk,
    "docker engine": boxes.engine,
    "engine disk": boxes.disk,
    "sandbox": boxes.sandbox,
    "images": boxes.images,
    "image registry": boxes.registry,
    "github app": app.github_app,
    "webhook": webhook.webhook,
    "models": model.models,
    "job database": queue.database,
}
"""Subject -> check. Adding one is one line here and one function."""


def examine(load: Callable[[], Settings], *, with_contract: bool = False) -> Iterator[Finding]:
    """Each finding as it is made. With settings that cannot be read, that is the one finding."""
    try:
        settings = load()
    except Refused as error:
        yield Finding("settings", "problem", error.cause, f"{error.remedy} Nothing else was looked at.")
        return
    yield from findings(CHECKS.items(), settings)
    if with_contract:
        try:
            yield from findings(contract.checks(settings), settings)
        except (Refused, SandboxError) as error:
            yield Finding("contract", "problem", f"No box can be had: {error}.", "Mend that first.")


def findings(checks: Iterable[tuple[str, Check]], settings: Settings) -> Iterator[Finding]:
    """What each check found, whatever became of the others."""
    for subject, check in checks:
        yield finding(subject, check, settings)


def finding(subject: str, check: Check, settings: Settings) -> Finding:
    """What a check found, or what kept it from finding anything."""
    try:
        return check(settings)
    except Refused as error:
        return Finding(subject, "problem", error.cause, error.remedy)
    except TryLater as error:
        return Finding(subject, "warning", str(error), "Run `regreen doctor` again later.")
    except SandboxUnavailable:
        if settings.sandbox != "docker":
            return Finding(subject, "ok", "Not looked at: no Docker engine answers, and none is needed")
        return Finding(subject, "warning", "Not known: no Docker engine answers.", "See `docker engine` above.")
    except SandboxError as error:
        return Finding(subject, "problem", f"{error}.", "See the Docker engine's own log.")
    except Exception as error:
        # Whoever asks what is wrong must get all other answers, whatever one of the questions ran into.
        text = f"This check itself failed: {type(error).__name__}: {error}."
        return Finding(subject, "problem", text, "Please report it as a bug of regreen.")
