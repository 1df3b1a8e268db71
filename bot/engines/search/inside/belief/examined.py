"""What the exam reported, read: what each survivor answers, and how far that is from the code as it is."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..source import paired
from .exam import Answers

ONE_MORE = 1
"""Calls and tests that are taken to be answered as before, beside those there are: one alone says little."""
SEEN_OUTSIDE = 4
"""On so many inputs a change must show from outside before what only the inside of the project sees is left out."""


class Signs(NamedTuple):
    """How a survivor differs from the code as it is, in shares of the fresh inputs."""

    broken: float
    """Inputs that had an answer and now raise, or never end."""
    changed: float
    """Inputs that have another answer now."""
    mended: float
    """Inputs that raised and now have an answer, as a share of those that raised."""
    moved: float
    """Calls that green tests make, or tests in which such calls are made inside, and that have another answer now."""
    inputs: int
    greens: int


class Examined:
    """Reads what the exam reported. A survivor without a report is a cluster of its own."""

    def __init__(self, messages: Sequence[Dict[str, Any]]) -> None:
        self.fresh: List[bool] = []
        self.green: List[bool] = []
        self.outer: List[bool] = []
        self.said: List[str] = []
        """Each input as a call."""
        self.answers: Dict[int, Answers] = {}
        self.inner: Dict[int, List[int]] = {}
        """What the changed functions return in each of some green tests."""
        for message in messages:
            if "fresh" in message:
                self.fresh, self.said = message["fresh"], message.get("said", [])
                self.green, self.outer = message.get("green", []), message.get("outer", [])
            elif "inner" in message:
                self.inner[message["n"]] = message["inner"]
            else:
                self.answers[message["n"]] = Answers(message["kinds"], tuple(message["marks"]))
        before, again = self.answers.get(-2), self.answers.get(-1)
        self.steady: List[int] = []
        """Inputs that the same code answers the same way twice."""
        if before is not None and again is not None:
            self.steady = [n for n, mark in enumerate(before.marks) if mark == again.marks[n]]

    def vector(self, number: int, *, crash: bool = True) -> Optional[Tuple[int, ...]]:
        """What a survivor answers; unless a crash is to be cured, only to what the code as it is can answer.

        Where the change shows from outside, inner functions are left out: two that differ only there are as good.
        """
        answers, before = self.answers.get(number), self.answers.get(-1)
        if answers is None or before is None or not self.steady:
            return None
        sane = [n for n in self.steady if crash or before.kinds[n] == "o"] or self.steady
        outer = {n for n in sane if n >= len(self.outer) or self.outer[n]}
        shown = sum(answers.marks[n] != before.marks[n] for n in outer)
        return tuple(answers.marks[n] if shown < SEEN_OUTSIDE or n in outer else 0 for n in sane)

    def unseen(self, number: int) -> bool:
        """Whether no input shows that anything was changed: then nothing is known of what it does."""
        answers, before = self.answers.get(number), self.answers.get(-1)
        if answers is None or before is None:
            return False
        return all(answers.marks[n] == before.marks[n] for n in self.steady)

    def touched(self, number: int) -> Set[int]:
        """Inputs that a survivor answers otherwise than the code as it is."""
        answers, before = self.answers.get(number), self.answers.get(-1)
        if answers is None or before is None:
            return set()
        return {n for n in self.steady if answers.marks[n] != before.marks[n]}

    def difference(self, one: int, other: int) -> str:
        """A call that two survivors answer differently, the shortest; empty when there is none."""
        first, second = self.answers.get(one), self.answers.get(other)
        if first is None or second is None:
            return ""
        calls = [self.said[n] for n in self.steady if n < len(self.said) and first.marks[n] != second.marks[n]]
        return min((call for call in calls if call), key=len, default="")

    def signs(self, number: int) -> Optional[Signs]:
        """None for a survivor of which nothing is known."""
        before, after, inside = self.answers.get(-1), self.answers.get(number), self._moved_inside(number)
        asked = [n for n in self.steady if self.fresh[n]] or self.steady
        if before is None or after is None or not asked:
            return Signs(0.0, 0.0, 0.0, inside, 0, 0) if inside else None
        green = [n for n in self.steady if n < len(self.green) and self.green[n]]
        moved = sum(after.marks[n] != before.marks[n] for n in green)
        ok = [n for n in asked if before.kinds[n] == "o"]
        broken = sum(after.kinds[n] != "o" for n in ok)
        changed = sum(after.kinds[n] == "o" and after.marks[n] != before.marks[n] for n in ok)
        raised = [n for n in asked if before.kinds[n] != "o"]
        mended = sum(after.kinds[n] == "o" for n in raised)
        return Signs(
            broken=broken / len(asked),
            changed=changed / len(asked),
            mended=mended / max(1, len(raised)),
            moved=max(inside, moved / (len(green) + ONE_MORE)),
            inputs=len(asked),
            greens=len(green),
        )

    def _moved_inside(self, number: int) -> float:
        """The share of green tests in which the changed functions return something else."""
        before, again, after = (self.inner.get(one, []) for one in (-2, -1, number))
        steady = [n for n, (one, other) in enumerate(paired(before, again)) if one == other and n < len(after)]
        return sum(after[n] != before[n] for n in steady) / (len(steady) + ONE_MORE)
