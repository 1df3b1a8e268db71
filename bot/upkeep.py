"""What a server does for its machine once a day: it removes images that are old or take too much room."""

from __future__ import annotations

import logging
import threading

from bot.settings import Settings
from sandbox import SandboxError, prune
from sandbox.bubblewrap import usual_state
from sandbox.prune import Pruned, Rules, Stock
from sandbox.shelf import FolderStock
from sandbox.stock import EngineStock

PERIOD_S = 86400.0

log = logging.getLogger(__name__)


def rules(settings: Settings) -> Rules:
    """What the operator has set."""
    return Rules(max_age_s=settings.images_max_age_days * 86400.0, max_bytes=int(settings.images_max_gb * 1e9))


def stocks(settings: Settings) -> list[Stock]:
    """Where images of ours lie on this machine. An engine that is needed is among them even if it is silent."""
    engine, folder = EngineStock(), FolderStock(usual_state())
    return [engine, folder] if settings.sandbox == "docker" or engine.answers() else [folder]


class Upkeep:
    """Prunes at the start of its `with` block and then once a day, in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        """The thread is not waited for: a removal that the engine is slow to carry out would hold the end back."""
        self._over.set()

    def _run(self) -> None:
        once(self._settings)
        while not self._over.wait(PERIOD_S):
            once(self._settings)


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
