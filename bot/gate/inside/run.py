"""Runs small programs and calls of the project's functions, without a test framework, and says what came of each.

Started as `python -I run.py`. The parent imports nothing of the project; forked children do, one task after the
other. A child that ends, hangs or floods is replaced, and its task has no result. `job.json` beside this file:

    {"paths": [...], "each_s": 1.0, "total_s": 20.0, "elsewhere": true, "helpers": {module: source}, "tasks": [
        {"kind": "case", "source": "..."}            defines case(note, truth, raises)
        {"kind": "call", "function": "module:name", "arguments": [...], "named": {...}, "times": 2},
        {"kind": "forks", "function": "module:name", "arguments": [...], "named": {...}}]}

`elsewhere`: look like another machine, see place.py. A call with `"stopped": true` sees the clock stand still. Tasks
of the kinds `often` and `fresh` are described in often.py and fresh.py.

The report on standard output: {"results": [result or null, ...], "finished": true}. A task that ended the process
has the result {"ended": true}, a call that went on for too long {"slow": true}, one that comes to something else each
time {"unsteady": true}. A task of the kind `forks` has
{"forks": [[number, outcome], ...]}: how the conditions ended that tell of it by `_regreen_forks.went(number, value)`.
"""

from __future__ import annotations

import builtins
import io
import itertools
import json
import os
import select
import signal
import sys
import time
from types import FrameType, ModuleType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(os.path.dirname(HERE), "w")
PRISTINE: dict[str, Any] = dict(vars(builtins))
MAX_LINE = 400_000
MAX_TOTAL = 16_000_000
MAX_CHILDREN = 40
PATIENCE = 4


class TooSlow(BaseException):
    """A task ran into its limit of time."""


def load(name: str) -> ModuleType:
    """A file beside this one, under a name that no project has."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("_regreen_" + name, os.path.join(HERE, name + ".py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    with open(os.path.join(HERE, "job.json"), encoding="utf-8") as stream:
        job = json.load(stream)
    place = load("place") if job["elsewhere"] else None
    if place:
        place.without_flags()
        job["tree"] = place.moved(TREE)
        sys.path[:] = [entry for entry in sys.path if entry != HERE]
    sys.stdout.flush()
    channel = os.dup(1)
    os.set_inheritable(channel, False)
    os.dup2(2, 1)
    values = load("values")
    if any(task["kind"] != "case" for task in job["tasks"]):
        values.GIVEN = load("given")  # type: ignore[attr-defined]
        clock = sys.modules["_regreen_clock"] = load("clock").Clock()
        clock.install()
    for name, source in job.get("helpers", {}).items():
        values.HELPERS[name] = Helper(name, source)
    if place:
        place.pretend()
    results = supervise(job, values)
    data = json.dumps({"results": results, "finished": True}).encode("ascii")
    while data:
        data = data[os.write(channel, data) :]
    os._exit(0)


class Helper:
    """A module of tests without its tests: made when a value of one of its classes is wanted."""

    def __init__(self, name: str, source: str) -> None:
        self._module, self._source = ModuleType(name), source

    def __call__(self) -> ModuleType:
        source, self._source = self._source, ""
        if source:
            exec(compile(source, "<helpers>", "exec"), vars(self._module))
        return self._module


def supervise(job: dict[str, Any], values: ModuleType) -> list[Any]:
    """Results of all tasks; None for those without."""
    tasks = job["tasks"]
    results: list[Any] = [None] * len(tasks)
    until = time.monotonic() + job["total_s"]
    following, children = 0, 0
    while following < len(tasks) and time.monotonic() < until and children < MAX_CHILDREN:
        children += 1
        following = _watch(job, values, results, following, until)
    return results


def _watch(job: dict[str, Any], values: ModuleType, results: list[Any], first: int, until: float) -> int:
    """One child, from task `first` on; returns the first task that the next child should do."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(job, values, first, writing)
        finally:
            os._exit(0)
    os.close(writing)
    os.set_blocking(reading, False)
    try:
        return first + _listen(reading, results, first, job["each_s"] * PATIENCE + 2.0, until)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _listen(reading: int, results: list[Any], first: int, patience: float, until: float) -> int:
    """Takes results until the child ends or is too slow; returns how many tasks are over."""
    buffer, done, total = b"", 0, 0
    while first + done < len(results):
        ready, _, _ = select.select([reading], [], [], max(0.0, min(patience, until - time.monotonic())))
        chunk = os.read(reading, 1 << 16) if ready else b""
        if not chunk:
            results[first + done] = {"ended": True} if ready else None
            return done + 1
        buffer += chunk
        total += len(chunk)
        *lines, buffer = buffer.split(b"\n")
        for line in lines[: len(results) - first - done]:
            try:
                results[first + done] = json.loads(line)
            except (ValueError, RecursionError):
                pass
            done += 1
        if len(buffer) > MAX_LINE or total > MAX_TOTAL:
            return done + 1
    return done


def work(job: dict[str, Any], values: ModuleType, first: int, writing: int) -> None:
    """The child: one line for each task."""
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, _alarm)
    tree = job.get("tree", TREE)
    os.chdir(tree)
    for entry in reversed([""] + list(job["paths"])):
        sys.path.insert(0, os.path.join(tree, entry) if entry else tree)
    for task in job["tasks"][first:]:
        result = _timed(task, job["each_s"], values)
        try:
            line = json.dumps(result).encode("ascii")
        except (ValueError, RecursionError):
            line = b"null"
        line = (line if len(line) < MAX_LINE else b"null") + b"\n"
        while line:
            line = line[os.write(writing, line) :]


def _set_alarms(seconds: float) -> None:
    """By the time of the processor, so that a busy machine changes no result; what sleeps is waited for longer."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * PATIENCE)


def _alarm(number: int, frame: FrameType | None) -> None:
    raise TooSlow(number)


def _timed(task: dict[str, Any], seconds: float, values: ModuleType) -> Any:
    printed = io.StringIO()
    before, sys.stdout = sys.stdout, printed
    started = time.process_time()
    try:
        _set_alarms(seconds)
        try:
            if task["kind"] == "case":
                return _case(task, values)
            if task["kind"] == "often":
                return load("often").ask(task, lambda call: _once(call, values), sys.modules["_regreen_clock"])
            if task["kind"] == "fresh":
                return load("fresh").ask(task, lambda call: _once(call, values), values.find)
            return _call(task, values, printed) if task["kind"] == "call" else _forks(task, values)
        finally:
            _set_alarms(0)
    except TooSlow:
        # Not what waits for something in vain: there may be nobody here who would bring it. On a busy machine what
        # computes may not get all its time.
        is_busy = time.process_time() - started >= seconds / PATIENCE
        return {"slow": True} if task["kind"] == "call" and is_busy else None
    except BaseException:
        return None
    finally:
        sys.stdout = before


def raised(error: BaseException) -> list[Any]:
    """An exception: the names of its classes, nearest first, and its text."""
    names = ["%s:%s" % (cls.__module__, cls.__qualname__) for cls in type(error).__mro__]
    try:
        text = str(error)[:2000]
    except Exception:
        text = ""
    return ["raised", names, text]


# -- programs made of tests


class Raises:
    """Stands for `pytest.raises(...)`: notes what was raised."""

    def __init__(self, notes: list[Any], number: int) -> None:
        self._notes = notes
        self._number = number
        self.value: Any = None
        self.exception: Any = None
        self.type: Any = None

    def __enter__(self) -> Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if isinstance(error, TooSlow):
            return False
        self.value = self.exception = error
        self.type = kind
        self._notes.append([self._number, ["nothing"] if error is None else raised(error)])
        return True

    def match(self, pattern: str) -> bool:
        import re

        return re.search(pattern, str(self.value)) is not None


def _case(task: dict[str, Any], values: ModuleType) -> Any:
    notes: list[Any] = []
    describe = values.Describer()

    def note(number: int, value: Any) -> Any:
        if len(notes) < 500:
            notes.append([number, describe(value)])
        return value

    def truth(number: int, value: Any) -> None:
        plain = describe(value)
        notes.append(
            [number, plain if plain[0] in ("none", "bool", "int", "float", "str") else ["bool", bool(value)]]
        )

    space: dict[str, Any] = {"__builtins__": dict(PRISTINE), "__name__": "__main__"}
    try:
        exec(compile(task["source"], "<case>", "exec"), space)
        space["case"](note, truth, lambda number: Raises(notes, number))
    except TooSlow:
        raise
    except BaseException as error:
        return {"notes": notes, "end": raised(error)}
    return {"notes": notes, "end": ["done"]}


# -- calls of functions


def _call(task: dict[str, Any], values: ModuleType, printed: io.StringIO) -> Any:
    """What a call comes to, each time on arguments made anew, or that it differs from itself."""
    sys.modules["_regreen_clock"].stopped = task.get("stopped", False)  # type: ignore[attr-defined]
    first, waited = _told(task, values, printed)
    for _ in range(task["times"] - 1):
        other, again = _told(task, values, printed)
        # A deadline is met a little sooner or later, as the machine is busy.
        if other != first or abs(again - waited) > max(0.1, waited / 10):
            return {"unsteady": True}
    first[-1] += "[waits for %.2g s]" % waited if waited else ""
    return first


def _told(task: dict[str, Any], values: ModuleType, printed: io.StringIO) -> tuple[list[Any], float]:
    """What one call comes to, and how long it waits."""
    printed.seek(0)
    printed.truncate()
    clock: Any = sys.modules["_regreen_clock"]
    before = clock.ahead
    came = _once(task, values)
    return came + [printed.getvalue()[:2000]], round(clock.ahead - before, 2)


class Forks(ModuleType):
    """What marked conditions tell, see forks.py of the gate."""

    def __init__(self) -> None:
        super().__init__("_regreen_forks")
        self.taken: set[tuple[int, bool]] = set()

    def went(self, number: int, value: Any) -> Any:
        if type(value).__module__ in ("builtins", "re"):  # of others it may cost something to be asked
            self.taken.add((number, bool(value)))
        return value

    def did(self, number: int, function: Any) -> Any:
        """A call that tells of itself once its arguments are worked out."""

        def call(*arguments: Any, **named: Any) -> Any:
            self.taken.add((number, True))
            return function(*arguments, **named)

        return call

    def got(self, number: int, table: dict[Any, Any], key: Any, *otherwise: Any) -> Any:
        self.taken.add((number, key in table))
        return table.get(key, *otherwise)


def _forks(task: dict[str, Any], values: ModuleType) -> Any:
    forks = sys.modules["_regreen_forks"] = Forks()
    try:
        _once(task, values)
    except TooSlow:
        pass
    return {"forks": sorted(forks.taken)}


def _once(task: dict[str, Any], values: ModuleType) -> list[Any]:
    arguments = [values.build(argument) for argument in task["arguments"]]
    named = {name: values.build(item) for name, item in task["named"].items()}
    describe = values.Describer()
    waiting = values.Describer(exhaust=False)  # what an argument is to give is still to be given
    before = json.dumps([waiting(value) for value in arguments + list(named.values())])
    function = _bound(task, arguments, values)
    try:
        result = function(*arguments, **named)
        if hasattr(result, "__await__"):
            import asyncio

            result = asyncio.run(result)
        came = describe(result)
    except TooSlow:
        raise
    except BaseException as error:
        result, came = None, raised(error)
    after = [describe(value) for value in arguments + list(named.values())]
    return [_gone_through(result, came, values), after, before]


def _gone_through(value: Any, told: list[Any], values: ModuleType) -> list[Any]:
    """The same, with what an object gives that is gone through, where it is not what stands in one of its fields."""
    kind = type(value)
    if told[0] != "object" or not (hasattr(kind, "__len__") and hasattr(kind, "__iter__")):
        return told
    try:
        items = values.Describer()(list(itertools.islice(value, values.MAX_ITEMS)))
        shown = items if len(items[1]) == len(value) else ["tuple", [items, ["int", hex(len(value))]]]
    except TooSlow:
        raise
    except Exception as error:
        shown = raised(error)
    return told if shown in told[2].values() else [*told[:2], {**told[2], "list()": shown}, *told[3:]]


def _bound(task: dict[str, Any], arguments: list[Any], values: ModuleType) -> Any:
    """The function, found through the object where its first argument is one: as a caller would."""
    module, _, path = task["function"].partition(":")
    owner, _, name = path.rpartition(".")
    if not owner:
        return values.find(task["function"])
    if name == "__init__":
        return values.find("%s:%s" % (module, owner))
    kind = values.find("%s:%s" % (module, owner))
    if arguments and isinstance(kind, type) and isinstance(arguments[0], kind):
        kind = type(arguments[0])  # its class may have a method of its own by now
    plain = vars(kind).get(name)
    if isinstance(plain, property):
        return plain.fget
    if hasattr(plain, "func") and hasattr(plain, "attrname"):
        return plain.func
    return getattr(kind, name)


if __name__ == "__main__":
    main()
