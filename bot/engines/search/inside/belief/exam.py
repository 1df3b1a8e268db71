"""The survivors on fresh inputs: which of them do the same, and how far each is from the code as it is."""

from __future__ import annotations

import copy
import functools
import math
import os
import pickle
import resource
import signal
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..clock import Clock, OutOfTime
from ..frontier import Candidate
from ..live import Key, restore
from ..runner import Scratch
from ..source import FunctionNode, first_line, walked
from ..table import Table
from ..trace import LineCounter, Paths
from ..trial import Ground, compiled
from ..wire import Wire
from .behaviour import Teller, outcome
from .inputs import Call, CallRecorder, fresh_calls, in_turn
from .rank import LITERAL, texts_of
from .returns import Inside

MOST_CALLS = 240
EXAM_LINES = 5_000_000
"""What all survivors together may run: counted, not timed, so that the same inputs are asked each time."""
CALL_LINES = 25_000
CALL_COSTS_LINES = 1_000
"""What it costs to copy the arguments of a call and to put the state back."""
CALL_S = 0.15
"""Only inputs are asked that the code as it is answers in so long, slowed down by the counting of its lines."""
LEAST_CALL_S, SLOWER = 0.02, 4.0
"""What a survivor gets for a call: never less, and so many times the longest of those; the rest is taken to loop."""
VERSION_S, VERSION_CPU_S = 20.0, 5.0
"""Far more than so many lines take."""
TEST_S = 10.0
SAID_CHARS = 80
MOST_LATE = 2
"""After so many calls without an end, the rest is taken to be without one too."""


class Answers(NamedTuple):
    """What one version of the code did with all inputs. `kinds`: o(k), e(rror), l(ate), one letter for each."""

    kinds: str
    marks: Tuple[int, ...]


def examine(ground: Ground, paths: Paths, candidates: Sequence[Candidate], tests: Sequence[str], wire: Wire) -> None:
    """In a child: collect inputs from the tests, then ask the code as it is, twice, and each survivor."""
    os.chdir(ground.root)
    scratch = Scratch(ground.config)
    examiner = _Examiner(ground)
    calls = _recorded(ground, paths, candidates, tests)
    literals = sorted({text for candidate in candidates for text in LITERAL.findall(texts_of(candidate)[1])})
    asked = examiner.asked(calls, literals, lines=EXAM_LINES // (len(candidates) + 3))
    told = {"fresh": [call.fresh for call in asked], "green": [call.green for call in asked]}
    wire.send({**told, "outer": [call.outer for call in asked], "said": [_said(call) for call in asked]})
    inner = Inside(ground, paths, {(key[0], key[2]) for candidate in candidates for key in _keys(candidate)})
    inner.choose([name for name in tests if name not in ground.targets])
    versions: List[Tuple[int, Optional[Candidate]]] = [(-2, None), (-1, None)]
    versions += [(number, candidate) for number, candidate in enumerate(candidates) if candidate.exact]
    for number, candidate in versions:
        # Each from the same state in a fork: what one leaves behind is none of the others' business.
        _forked(functools.partial(_one, ground, number, candidate, examiner, asked, inner, wire.descriptor))
        scratch.empty()
    scratch.remove()


def _one(
    ground: Ground,
    number: int,
    candidate: Optional[Candidate],
    examiner: _Examiner,
    asked: Sequence[Call],
    inner: Inside,
    descriptor: int,
) -> None:
    if candidate is not None:
        ground.swapped(compiled(candidate))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + VERSION_CPU_S),) * 2)
    answers = examiner.in_fork().answers(asked)
    Wire(descriptor).send({"n": number, "kinds": answers.kinds, "marks": list(answers.marks)})
    Wire(descriptor).send({"n": number, "inner": inner.marks()})


def _forked(work: Callable[[], None]) -> None:
    """Do it in a fork, and end that when it takes too long."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    end_s = time.monotonic() + VERSION_S
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > end_s:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return
        time.sleep(0.001)


def _recorded(ground: Ground, paths: Paths, candidates: Sequence[Candidate], tests: Sequence[str]) -> List[Call]:
    """Calls that the tests make; the red ones come further with a survivor in place."""
    changed = {key for candidate in candidates for key in _keys(candidate)}
    recorder = CallRecorder(ground.live, paths, changed)
    clock = Clock()
    exact = [candidate for candidate in candidates if candidate.exact][:1]
    for version in [*exact, None]:
        undo = ground.swapped(compiled(version)) if version is not None else []
        for name in tests:
            ground.forget()
            recorder.green = name not in ground.targets
            clock.arm(TEST_S)
            with recorder:
                ground.run(ground.items[name])
            clock.disarm()
        restore(undo)
    tables = any(isinstance(unit, Table) for one in candidates if one.exact for unit, _edits in one.swaps())
    return recorder.calls if tables else recorder.telling()


def _keys(candidate: Candidate) -> Set[Key]:
    """Of the functions that it changes, and of those inside them: a decorator's wrapper is what others call."""
    if not candidate.exact:
        return set()
    return {
        (unit.source.path, first_line(node), node.name)
        for unit, _edits in candidate.swaps()
        for node in walked(unit.node)
        if isinstance(node, FunctionNode)
    }


class _Examiner:
    """Runs calls, each with arguments of its own and from the same state."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._clock = Clock()
        self._limit_s = CALL_S
        self._copies: Dict[int, Callable[[], Any]] = {}

    def in_fork(self) -> _Examiner:
        """The same with a clock of its own: one of the parent's would end us."""
        self._clock = Clock()
        return self

    def asked(self, calls: Sequence[Call], literals: Sequence[str], lines: int) -> List[Call]:
        """As many calls, fresh ones among them, as the code as it is answers in so many lines."""
        chosen: List[Call] = []
        seen: Set[int] = set()
        left, longest_s = lines, 0.0
        for call in in_turn(fresh_calls(calls, MOST_CALLS, literals)):
            if left <= 0:
                break
            counter, began_s = LineCounter(CALL_LINES, OutOfTime), time.process_time()
            with counter:
                answer = self._answer(call)
            took_s = time.process_time() - began_s
            left -= CALL_COSTS_LINES + counter.lines
            mark = hash((call.key, told_of(call)))
            if answer is not None and answer[0] != "l" and mark not in seen:
                seen.add(mark)
                chosen.append(call)
                longest_s = max(longest_s, took_s)
        self._limit_s = min(CALL_S, max(LEAST_CALL_S, SLOWER * longest_s))
        return chosen

    def answers(self, calls: Sequence[Call]) -> Answers:
        kinds: List[str] = []
        marks: List[int] = []
        late = 0
        for call in calls:
            kind, text = (self._answer(call) if late < MOST_LATE else None) or ("late", "")
            late += kind == "late"
            kinds.append(kind[0])
            marks.append(hash((kind, text)))
        return Answers("".join(kinds), tuple(marks))

    def _answer(self, call: Call) -> Optional[Tuple[str, str]]:
        try:
            args, kwargs = self._copied(call)
        except Exception:
            return None
        self._ground.forget()
        try:
            self._clock.arm(self._limit_s)
            return outcome(call.function, args, kwargs)
        except OutOfTime:
            return "late", ""
        finally:
            self._clock.disarm()

    def _copied(self, call: Call) -> Any:
        """Pickled once where that can be: a deep copy costs ten times as much."""
        if id(call) not in self._copies:
            try:
                data = pickle.dumps((call.args, call.kwargs), protocol=4)
                pickle.loads(data)
                self._copies[id(call)] = lambda: pickle.loads(data)
            except Exception:
                self._copies[id(call)] = lambda: copy.deepcopy((call.args, call.kwargs))
        return self._copies[id(call)]()


def _said(call: Call) -> str:
    """The call as a person would write it; empty when it is too long for a sentence, or shows an address."""
    try:
        given = [repr(value) for value in call.args] + ["%s=%r" % pair for pair in call.kwargs.items()]
    except Exception:
        return ""
    text = "%s(%s)" % (call.key[2], ", ".join(given))
    return text if len(text) <= SAID_CHARS and " at 0x" not in text and text.isprintable() else ""


def told_of(call: Call) -> str:
    """The arguments as text, to tell equal inputs apart from others."""
    try:
        return Teller().told(call.args) + Teller().told(call.kwargs)
    except Exception:
        return str(id(call))
