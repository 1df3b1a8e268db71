"""How jobs ended, owed to GitHub until it has heard of it: one that is down at that moment makes it late, not lost.

An ending is stored before its job is cancelled, so that no crash leaves a check run that looks as if work went on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.desk import Desk
from bot.engines.contract import StepRunner
from bot.errors import Refused, TryLater
from bot.github import App
from bot.jobs import TELL, JobEngine, decode, encode
from bot.nouns import Evidence, Job, Publication

FLOW = "tell"
MAX_TRIES = 100
"""Some three days, at the longest wait."""
LONGEST_WAIT_S = 3600.0
_LET_GO_S = 2.0
"""How often it is looked whether a cancelled job's present step is over."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ending:
    """What is to be said of a job."""

    job: Job
    evidence: Evidence
    published: Publication | None = None
    announce: bool = False
    """Say it also where the beginning of the work was never announced."""
    defer: bool = False
    """Say nothing where the job came to another end by itself before it could be ended."""
    tries: int = 0
    said: bool = False
    """It was said while the job's last step still ran, which may have written over it: it is looked at again."""


@dataclass(frozen=True)
class Said:
    """Result of one try. `again_s`: when the next one is due, 0 when none is."""

    again_s: float = 0.0
    said: bool = False


class Endings:
    """Says how jobs ended, as durable flows of their own queue: nobody waits for it, and it waits for nobody."""

    def __init__(self, app: App, *, at_work: Callable[[Job], bool], is_last_word: Callable[[Job], bool]) -> None:
        """`at_work`: a step of the job is running now. `is_last_word`: no later job has the comment to itself."""
        self._app = app
        self._at_work = at_work
        self._is_last_word = is_last_word
        self.engine: JobEngine

    def owe(self, ending: Ending, *, delay_s: float = 0.0) -> None:
        """Store what is to be said. Called outside of steps, since it starts a flow."""
        evidence = ending.evidence
        words = hashlib.sha256(f"{evidence.outcome}\0{evidence.message}".encode()).hexdigest()[:12]
        key = f"{FLOW}:{ending.job.id}:{words}:{ending.tries}"
        partition = str(ending.job.repo_id)
        self.engine.submit(FLOW, key, encode(Ending, ending), partition=partition, queue=TELL, delay_s=delay_s)

    def flow(self, payload: dict[str, Any], step: StepRunner) -> None:
        """One try; the next one is a flow of its own, so that a long outage holds no worker."""
        ending = decode(Ending, payload)
        self.follow(ending, step("say", Said, lambda: self.say(ending, at_work=self._at_work(ending.job))))

    def follow(self, ending: Ending, said: Said) -> None:
        """Owe what could not be said yet."""
        if said.again_s and ending.tries < MAX_TRIES:
            self.owe(dataclasses.replace(ending, tries=ending.tries + 1, said=said.said), delay_s=said.again_s)
        elif said.again_s:
            log.error("job %s: GitHub never heard that it ended: %s", ending.job.id, ending.evidence.message)

    def say(self, ending: Ending, *, at_work: bool = False) -> Said:
        """Say it now, if GitHub hears. Never raises for what GitHub answers."""
        if ending.said and at_work:
            return Said(_LET_GO_S, said=True)
        try:
            Desk(ending.job, self._app).end(
                ending.evidence, ending.published,
                announce=ending.announce, comment=self._is_last_word(ending.job), defer=ending.defer,
            )  # fmt: skip
        except TryLater as error:
            log.warning("job %s: cannot tell yet that it ended: %s", ending.job.id, error)
            return Said(min(error.after_s * 2 ** min(ending.tries, 10), LONGEST_WAIT_S), said=ending.said)
        except Refused as error:
            log.info("job %s: cannot tell GitHub that it ended: %s", ending.job.id, error)
            return Said()
        return Said(_LET_GO_S, said=True) if at_work else Said()
