"""What a child of the fast path has under way: a batch of candidates, or one that is checked again."""

from __future__ import annotations

from typing import Callable, List, Optional

from .frontier import Candidate
from .plan import Message, Standing
from .wire import Wire

Heard = Callable[[Candidate, Message], None]


class Work:
    """What one child has under way; `alone`, when nothing else of the fast path runs beside it.

    What happens to the tree meanwhile is then its own doing.
    """

    def __init__(self, candidates: List[Candidate], *, alone: bool) -> None:
        self.candidates = candidates
        self.alone = alone
        self.restored = self.spoiled = 0
        """How often the tree had been put back, and had been spoiled, when it began."""

    def begin(self, standing: Standing) -> None:
        self.restored, self.spoiled = standing.restored, standing.spoiled

    def left(self) -> List[Candidate]:
        return self.candidates


class Batch(Work):
    """Candidates in one child, and which of them has not reported yet."""

    def __init__(
        self, candidates: List[Candidate], limit_s: float, heard: Optional[Heard] = None, *, alone: bool = False
    ) -> None:
        super().__init__(candidates, alone=alone)
        self.limit_s = limit_s
        self.heard = heard
        """Who wants to know how far each one came; then they are tried thoroughly."""
        self.forced = False
        """Nothing that anybody would propose: only who hears of it wants to know."""
        self.next = 0
        self.drifted = False
        self.enough = False

    def left(self) -> List[Candidate]:
        return self.candidates[self.next :]

    def pieces(self, candidates: List[Candidate], size: int, *, alone: bool = False) -> List[Batch]:
        """The same work in smaller batches, the last first: they are taken from the end of a list."""
        starts = reversed(range(0, len(candidates), max(1, size)))
        made = [Batch(candidates[at : at + max(1, size)], self.limit_s, self.heard, alone=alone) for at in starts]
        for batch in made:
            batch.forced = self.forced
        return made


class Checked(Work):
    """A candidate under recheck in one child."""

    passed = False


class Errand(Work):
    """Something to be found out in a child, that tries no candidate."""

    def __init__(self, work: Callable[[Wire], None], heard: Callable[[Message], None]) -> None:
        super().__init__([], alone=False)
        self.work = work
        self.heard = heard
