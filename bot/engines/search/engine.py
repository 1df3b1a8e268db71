"""The search engine seen from the host: pack the job, run it in the box, believe only what can be checked."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from bot.engines.contract import Proposals, Workbench
from bot.engines.search.pack import command_for
from bot.engines.search.readback import Messages, candidate_from
from bot.nouns import Candidate, Failure, SearchStats
from sandbox import Limits

MOST_CANDIDATES = 10
SLACK_S = 20.0
"""Time beside the budget: starting the box, importing the project, ending children."""
CORES = 2
MEMORY_MB = 3072


class SearchEngine:
    """Offline program repair for Python: localise, mutate, run the tests, rank what passes."""

    name = "search"

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        """At most ten candidates, best first. A search that died early still gives what it had found."""
        started = time.monotonic()
        heard = _Heard(workbench)
        command = command_for(failure, workbench, cores=CORES)
        limits = Limits(timeout_s=workbench.budget_s + SLACK_S, cpus=float(CORES), memory_mb=MEMORY_MB)
        workbench.session.run(command, limits, on_report=heard.feed, cancelled=workbench.cancelled)
        return heard.proposals(failure, seconds=time.monotonic() - started)


@dataclass
class _Heard:
    """What has come out of the box so far. All of it is untrusted."""

    workbench: Workbench
    messages: Messages = field(default_factory=Messages)
    result: dict[str, Any] | None = None
    found: list[dict[str, Any]] = field(default_factory=list)
    tried: int = 0
    best: str = ""

    def feed(self, chunk: bytes) -> None:
        for message in self.messages.feed(chunk):
            kind = message.get("kind")
            if kind == "progress":
                self._progress(message)
            elif kind == "found" and isinstance(message.get("candidate"), dict) and len(self.found) < 100:
                self.found.append(message["candidate"])
            elif kind == "result":
                self.result = message

    def _progress(self, message: dict[str, Any]) -> None:
        self.tried = _count(message.get("tried"))
        self.best = _words(message.get("best"))
        text = f"search: {self.tried} candidates tried, {_count(message.get('rate'))} per second"
        found = _count(message.get("found"))
        if found:
            text += f", {found} pass all tests"
        elif self.best:
            text += f"; best so far: {self.best}"
        self.workbench.progress(text)

    def proposals(self, failure: Failure, *, seconds: float) -> Proposals:
        result = self.result or {}
        raw = result.get("candidates")
        # A search that came to its end may have its reasons to propose nothing of what it found.
        offered = raw if isinstance(raw, list) else sorted(self.found, key=_cost)
        candidates: list[Candidate] = []
        for entry in offered[:50]:
            candidate = candidate_from(entry, failure, self.workbench)
            if candidate is not None and all(candidate.patch != other.patch for other in candidates):
                candidates.append(candidate)
        places = result.get("places")
        stats = SearchStats(
            tried=_count(result.get("tried", self.tried)),
            seconds=round(seconds, 3),
            places=tuple(_words(place) for place in places[:10]) if isinstance(places, list) else (),
            best=_words(result.get("best", self.best)),
            doubt=_words(result.get("doubt"), chars=1000),
        )
        return Proposals(candidates=tuple(candidates[:MOST_CANDIDATES]), stats=stats)


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**12 else 0


def _cost(entry: dict[str, Any]) -> float:
    cost = entry.get("cost")
    return float(cost) if isinstance(cost, int | float) else 99.0


def _words(value: object, chars: int = 300) -> str:
    """Text from the box, fit for one line: control characters out, length bounded."""
    text = value if isinstance(value, str) else ""
    return "".join(char for char in text if char.isprintable())[:chars]
