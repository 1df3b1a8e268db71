"""What a server does by itself, again and again; among it, to remove images that are old or take too much room."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.settings import Settings
from sandbox import SandboxError, bubblewrap, none, prune
from sandbox.prune import Pruned, Rules, Stock
from sandbox.shelf import FolderStock
from sandbox.stock import EngineStock
from sandbox.venvs import VenvStock

PERIOD_S = 86400.0

log = logging.getLogger(__name__)


def rules(settings: Settings) -> Rules:
    """What the operator has set."""
    return Rules(max_age_s=settings.images_max_age_days * 86400.0, max_bytes=int(settings.images_max_gb * 1e9))


def stocks(settings: Settings) -> list[Stock]:
    """Where images of ours lie on this machine. An engine that is needed is among them even if it is silent."""
    engine = EngineStock()
    folders: list[Stock] = [FolderStock(bubblewrap.usual_state()), VenvStock(none.usual_state())]
    return [engine, *folders] if settings.sandbox == "docker" or engine.answers() else folders


@dataclass(frozen=True)
class Chore:
    """Something that a server does at its start, and then again and again."""

    name: str
    period_s: float
    act: Callable[[], object]


class Upkeep:
    """Does its chores for the time of its `with` block, each in a thread of its own."""

    def __init__(self, chores: Iterable[Chore]) -> None:
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(chore,), name=chore.name, daemon=True) for chore in chores
        ]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        """The threads are not waited for: a removal that the engine is slow to carry out would hold the end back."""
        self._over.set()

    def _run(self, chore: Chore) -> None:
        _done(chore)
        while not self._over.wait(chore.period_s):
            _done(chore)


def _done(chore: Chore) -> None:
    """An error nobody thought of costs this turn, not all those that come."""
    try:
        chore.act()
    except Exception:
        log.exception("the chore %s failed, and is tried again in %.0f s", chore.name, chore.period_s)


def once(settings: Settings) -> Pruned | None:
    """Prune, and log what went. None when the engine could not be asked: tomorrow is another day."""
    try:
        done = prune.prune(stocks(settings), rules(settings))
    except SandboxError as error:
        log.warning("images were not pruned: %s", error)
        return None
    for gone in done.removed:
        log.info("image %s is removed: %s", gone.image.id, gone.reason)
    for stayed in done.refused:
        log.warning("image %s is not removed: %s", stayed.image.id, stayed.reason)
    return done
