"""Fresh inputs: what the tests hand to the functions of the tree, and values near those."""

from __future__ import annotations

import copy
import itertools
import random
import sys
from time import process_time
from types import FrameType, FunctionType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..kinds import Raw
from ..live import Key, Live
from ..trace import Paths
from .named import Named, named_values, with_named
from .near import near

MOST_CALLS = 60
"""So many calls of one function are looked at."""
MOST_OF_ALL = 600
MOST_WAYS = 200
"""So many times it is looked at how a changed function is come to."""
RECORD_S = 10.0
"""Processor time that no suite but an odd one needs for so many: which calls are kept must not hang on the clock."""
TRIES = 10
"""So many fresh inputs are asked for each kept call."""


STEPS = (1, 1, 2, 3)
"""So many changes make a fresh input out of one that was seen."""
SEEN_SHARE, NAMED_SHARE, EQUAL_SHARE = 0.3, 0.25, 0.12
"""How often a change takes a value that a test gave elsewhere, one that the code names, or that of another argument:
where two are equal, `<` and `<=` differ."""


class Call(NamedTuple):
    """A function and what to call it with."""

    key: Key
    function: FunctionType
    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]
    fresh: bool
    green: bool = False
    """A green test makes it: the answer is right as it is, as far as anyone knows."""
    outer: bool = True
    """Of a function that is for others to call, or called from outside the tree."""


class CallRecorder:
    """Notes calls into the tree from outside it, and all calls of the functions that candidates change."""

    def __init__(self, live: Live, paths: Paths, changed: Set[Key]) -> None:
        self._live = live
        self._paths = paths
        self._changed = changed
        self._counts: Dict[Key, int] = {}
        self._entered: Dict[Key, int] = {}
        self._end_s = process_time() + RECORD_S
        self.green = False
        """Whether the test that runs is a green one."""
        self.calls: List[Call] = []
        self.reaching: Set[Key] = set()
        """Functions on the way from a test into one that is changed."""

    def __enter__(self) -> CallRecorder:
        sys.setprofile(self._enter)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def _enter(self, frame: FrameType, event: str, _arg: Raw) -> None:
        if event != "call":
            return
        code = frame.f_code
        path = self._paths.of(code.co_filename)
        if path is None:
            return
        key = (path, code.co_firstlineno, code.co_name)
        if key in self._changed:
            self._note_way(key, frame)
        outer = frame.f_back
        inside = outer is not None and self._paths.of(outer.f_code.co_filename) is not None
        if (inside and key not in self._changed) or self._counts.get(key, 0) >= MOST_CALLS:
            return
        function = self._live.called(key, frame)
        if function is not None and len(self.calls) < MOST_OF_ALL and process_time() < self._end_s:
            self._counts[key] = self._counts.get(key, 0) + 1
            self._keep(key, function, frame, outer=not inside or is_for_others(function))

    def _note_way(self, key: Key, frame: FrameType) -> None:
        count = self._entered[key] = self._entered.get(key, 0) + 1
        at: Optional[FrameType] = frame if count <= MOST_WAYS else None
        while at is not None:
            path = self._paths.of(at.f_code.co_filename)
            if path is not None:
                self.reaching.add((path, at.f_code.co_firstlineno, at.f_code.co_name))
            at = at.f_back

    def telling(self) -> List[Call]:
        """The calls of functions that come to changed code; all of them where no way is known."""
        return [call for call in self.calls if call.key in self.reaching] or self.calls

    def _keep(self, key: Key, function: FunctionType, frame: FrameType, *, outer: bool) -> None:
        call = _call_of(key, function, frame)
        if call is not None:
            self.calls.append(call._replace(green=self.green, outer=outer))


def is_for_others(function: FunctionType) -> bool:
    """No part of its name says that only its own module, class or function calls it."""
    parts = function.__qualname__.split(".")
    return not any(part == "<locals>" or (part[:1] == "_" and part[-2:] != "__") for part in parts)


def _call_of(key: Key, function: FunctionType, frame: FrameType) -> Optional[Call]:
    """The call as it is at its start; None when its arguments cannot be copied."""
    code = frame.f_code
    plain = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    at = code.co_argcount + code.co_kwonlyargcount
    here = frame.f_locals
    try:
        rest = here[code.co_varnames[at]] if code.co_flags & 0x04 else ()
        more = here[code.co_varnames[at + bool(code.co_flags & 0x04)]] if code.co_flags & 0x08 else {}
        args = tuple(here[name] for name in plain) + tuple(rest)
        args, kwargs = copy.deepcopy((args, {**{name: here[name] for name in named}, **more}))
    except Exception:
        return None
    return Call(key, function, args, kwargs, fresh=False)


def fresh_calls(calls: Sequence[Call], most: int, literals: Sequence[str] = ()) -> List[Call]:
    """The calls themselves, and at least as many others with one argument changed; the same for the same calls.

    `literals`: what edits bring in, as it stands in code.
    """
    chance = random.Random(7)
    seen = _seen_values(calls)
    named = named_values(dict.fromkeys(function for _key, function, *_rest in calls), literals)
    found = list(itertools.islice(in_turn(calls), most // 2))
    waiting = [call for call in calls for _ in range(TRIES) if call.args]
    chance.shuffle(waiting)
    for call in itertools.islice(in_turn(waiting), most - len(found)):
        changed = _changed(call, seen, named, chance)
        if changed is not None:
            found.append(changed)
    return found


def _seen_values(calls: Sequence[Call]) -> Dict[Tuple[Key, int], List[Any]]:
    seen: Dict[Tuple[Key, int], List[Any]] = {}
    for call in calls:
        for place, value in enumerate(call.args):
            seen.setdefault((call.key, place), []).append(value)
    return seen


def _changed(
    call: Call, seen: Dict[Tuple[Key, int], List[Any]], named: Named, chance: random.Random
) -> Optional[Call]:
    try:
        args, kwargs = copy.deepcopy((list(call.args), call.kwargs))
        for _ in range(chance.choice(STEPS)):
            place = chance.randrange(len(args))
            lot = chance.random()
            if lot < SEEN_SHARE and (call.key, place) in seen:
                args[place] = copy.deepcopy(chance.choice(seen[(call.key, place)]))
            elif lot > 1.0 - NAMED_SHARE:
                args[place] = with_named(args[place], named, chance)
            elif lot < SEEN_SHARE + EQUAL_SHARE and _alike(args, place):
                args[place] = copy.deepcopy(chance.choice(_alike(args, place)))
            else:
                args[place] = near(args[place], chance)
    except Exception:
        return None
    return call._replace(args=tuple(args), kwargs=kwargs, fresh=True, green=False)


def _alike(args: Sequence[Any], place: int) -> List[Any]:
    """The other arguments of the same type."""
    return [value for at, value in enumerate(args) if at != place and type(value) is type(args[place])]


def in_turn(calls: Sequence[Call]) -> Iterator[Call]:
    """Calls of different functions, the tests' own and fresh ones, by turns: each gets its share of a short time."""
    by_kind: Dict[Tuple[Key, bool, bool], List[Call]] = {}
    for call in calls:
        by_kind.setdefault((call.key, call.fresh, call.green), []).append(call)
    queues = list(by_kind.values())
    for number in range(max((len(queue) for queue in queues), default=0)):
        yield from (queue[number] for queue in queues if number < len(queue))
