"""Notices when a model goes round in circles: by what it does and what comes of it, never by what it says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engines.agent.feedback import normal

_NUDGE_AT, _STOP_AT = 3, 5
_PERIODS = (1, 2, 3)
_VISITS_NUDGE, _VISITS_STOP = 2, 3
_SAME_FAILURE = 3
_IDLE_FROM, _IDLE = 25, 8
_MOST_OUTSIDE = 8


@dataclass(frozen=True)
class Sign:
    """What was noticed: `stop` ends the attempt, otherwise `text` is told to the model once."""

    text: str
    stop: bool = False


class Watch:
    """One attempt's history of actions and of states of its tree."""

    def __init__(self, digest: str) -> None:
        self._history: list[tuple[str, str]] = []
        self._digest = digest
        self._visits: Counter[str] = Counter({digest: 1})
        self._failures: dict[str, set[str]] = {}
        self._since_act = 0
        self._outside = 0
        self._told: set[str] = set()

    def saw(
        self, tool: str, arguments: Mapping[str, Any] | None, observation: str, *, error: str = ""
    ) -> Sign | None:
        """Note one action and what came of it. The first sign found, if any."""
        self._history.append((f"{tool} {json.dumps(arguments, sort_keys=True)}", normal(observation)))
        self._since_act = 0 if tool in ("edit_file", "create_file", "run_tests", "finish") else self._since_act + 1
        self._outside += error in ("outside", "unknown-tool", "protected")
        if self._outside >= _MOST_OUTSIDE:
            return Sign(
                "it keeps asking for what no tool gives: paths outside, protected files, other tools", stop=True
            )
        return self._circle(tool) or self._idle()

    def changed(self, digest: str) -> Sign | None:
        """Note the state of the tree after an edit."""
        if digest == self._digest:
            return None
        self._digest = digest
        self._visits[digest] += 1
        visits = self._visits[digest]
        if visits >= _VISITS_STOP + 1:
            return Sign("its edits undo one another", stop=True)
        if visits >= _VISITS_NUDGE:
            return self._once(f"visit {digest}", "The files are again as they were before: edits have been undone.")
        return None

    def failed(self, signature: str, digest: str) -> Sign | None:
        """Note a failing run: the same failure after several different edits refutes the idea behind them."""
        states = self._failures.setdefault(signature, set())
        states.add(digest)
        if len(states) > _SAME_FAILURE + 1:
            return Sign("the failure stayed the same through several different edits", stop=True)
        if len(states) == _SAME_FAILURE + 1:
            return self._once(
                f"failure {signature}",
                "The failure has stayed exactly the same through three different edits: the idea behind them is most "
                "likely wrong. Look for another cause.",
            )
        return None

    def _circle(self, tool: str) -> Sign | None:
        for period in _PERIODS:
            times = self._repeats(period)
            if times >= _STOP_AT:
                return Sign(f"it repeated {tool} with the same result {times} times", stop=True)
            if times >= _NUDGE_AT:
                what = "the same call" if period == 1 else f"the same {period} calls"
                key = f"circle {self._history[-period:]}"
                return self._once(
                    key, f"You have made {what} {times} times, with the same result each time. Do something else."
                )
        return None

    def _repeats(self, period: int) -> int:
        """How often the last `period` actions stand at the end of the history, one after the other."""
        block = self._history[-period:]
        if period > 1 and len(set(block)) == 1:
            return 0  # that is a shorter period
        times, end = 0, len(self._history)
        while end >= period and self._history[end - period : end] == block:
            times, end = times + 1, end - period
        return times

    def _idle(self) -> Sign | None:
        if len(self._history) <= _IDLE_FROM or self._since_act < _IDLE:
            return None
        last_act = len(self._history) - self._since_act
        text = "You have looked around for a while. Make the most likely edit now, and run the tests."
        return self._once(f"idle since {last_act}", text)

    def _once(self, key: str, text: str) -> Sign | None:
        if key in self._told:
            return None
        self._told.add(key)
        return Sign(text)
