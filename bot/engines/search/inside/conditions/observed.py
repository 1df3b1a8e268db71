"""What the variables were at a place while tests ran: for each visit, which conditions held."""

from __future__ import annotations

import builtins
import sys
from collections import ChainMap
from types import FrameType, ModuleType
from typing import Any, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ..clock import Clock, OutOfTime
from ..live import NotExact, restore
from ..trial import Ground
from .gaps import SEEN, View
from .terms import Term, Unknown, attributes_of
from .vocabulary import Vocabulary

MOST_VISITS = 40
"""So many visits of one test are looked at."""
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_NOTHING = object()


class Row(NamedTuple):
    """One visit: bit by bit which conditions could be asked, and which held."""

    known: int
    held: int


class Observer:
    """Stands in the code as a call that is always false, and notes what it sees."""

    def __init__(self) -> None:
        self.vocabulary: Optional[Vocabulary] = None
        self.rows: List[Row] = []
        self.known: FrozenSet[str] = frozenset()
        """Variables whose attributes are noted."""
        self.terms: Dict[str, Term] = {}
        self._busy = False

    def __call__(self) -> bool:
        if not self._busy and len(self.rows) < MOST_VISITS:
            self._busy = True  # what is asked may come by here itself
            try:
                self._note(_names(sys._getframe(1)))
            finally:
                self._busy = False
        return False

    def _note(self, names: Mapping[str, Any]) -> None:
        if self.vocabulary is not None:
            self.rows.append(row_of(self.vocabulary, names))
            return
        for name in sorted(self.known):
            if name in names and not isinstance(names[name], (type, ModuleType)) and name != "cls":
                self.terms.update((term.text, term) for term in attributes_of(name, names[name]))


def _names(frame: FrameType) -> Mapping[str, Any]:
    spaces: List[Any] = [frame.f_locals]
    if frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
        spaces.append(frame.f_back.f_locals)
    return ChainMap(*spaces, frame.f_globals, vars(builtins))


def row_of(vocabulary: Vocabulary, names: Mapping[str, Any]) -> Row:
    values: List[Any] = []
    for term in vocabulary.terms:
        try:
            values.append(term.value(names))
        except Unknown:
            values.append(_NOTHING)
    known = held = 0
    for number, atom in enumerate(vocabulary.atoms):
        given = [values[index] for index in atom.terms]
        answer = None if any(value is _NOTHING for value in given) else _answer(atom.holds, given)
        if answer is not None:
            known |= 1 << number
            held |= answer << number
    return Row(known, held)


def _answer(holds: Any, given: Sequence[Any]) -> Optional[bool]:
    try:
        answer: Optional[bool] = holds(given)
    except OutOfTime:
        raise
    except Exception:
        return None
    return answer


class Watch:
    """In a child: runs tests with a place under observation."""

    def __init__(self, ground: Ground, limit_s: float) -> None:
        self._ground = ground
        self._limit_s = limit_s
        self._clock = Clock()
        self._observer = Observer()
        setattr(builtins, SEEN.partition("(")[0], self._observer)

    def vocabulary(self, view: View, tests: Sequence[str]) -> Vocabulary:
        """Of what can be named at the place, and of what the objects hold that tests bring there."""
        self._observer.terms = {}
        self._observer.known = frozenset([*view.site.live(), "self"])
        self._run(view, None, tests)
        return Vocabulary(view.site, view.focus, list(self._observer.terms.values()))

    def rows(self, view: View, vocabulary: Vocabulary, tests: Sequence[str]) -> Dict[str, List[Row]]:
        """By test; empty where the place cannot be watched."""
        return self._run(view, vocabulary, tests)

    def _run(self, view: View, vocabulary: Optional[Vocabulary], tests: Sequence[str]) -> Dict[str, List[Row]]:
        unit = view.site.unit
        assert unit is not None
        try:
            undo = self._ground.swapped([(unit, unit.compiled(view.probe))])
        except (NotExact, SyntaxError, ValueError, RecursionError):
            return {}
        self._observer.vocabulary = vocabulary
        try:
            return {name: self._visits(name) for name in tests}
        finally:
            restore(undo)

    def _visits(self, name: str) -> List[Row]:
        self._observer.rows = []
        self._ground.forget()
        try:
            self._clock.arm(self._limit_s)
            self._ground.run(self._ground.items[name])
        except OutOfTime:
            pass
        finally:
            self._clock.disarm()
        return self._observer.rows


Rows = Tuple[Row, ...]
