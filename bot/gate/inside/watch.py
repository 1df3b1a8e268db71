"""Runs a few tests under pytest and notes with what arguments the marked functions of the project are called.

The tree is one of ours: the functions that are wanted begin with a call of
`_regreen_watch.seen(number, locals(), arguments)`. In a Python that tests start, a module of that name lies on the
path, and leaves what it sees in a folder.

`job.json` beside this file:

    {"paths": [...], "only": [node ids], "sources": [programs made of tests],
     "most": calls of one function that are kept, "red": [node ids of failing tests],
     "functions": [{"positional": [...], "rest": name or null, "named": [...], "others": name or null,
                    "drop": 1 where the first argument is not passed by a caller, "init": true for a constructor}]}

The report on standard output: {"calls": [[{"arguments": [...], "named": {...},
"red": true where a failing test makes it}, ...], ...], "finished": true}
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import sys
import tempfile
from types import GeneratorType, ModuleType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_CALL = 20_000  # characters of JSON
MAX_OBJECTS = 5000
NAME = "_regreen_watch"
THERE = """
try:
    import importlib.util
    _spec = importlib.util.spec_from_file_location("_regreen_watching", %r)
    _module = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(_module)
    seen = _module.there(%r)
except Exception as error:
    raise ImportError from error
"""


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_regreen_" + name, os.path.join(HERE, name + ".py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Watch:
    """Keeps the arguments of calls, each once."""

    def __init__(self, job: dict[str, Any], values: ModuleType) -> None:
        self._functions = job["functions"]
        self.most = job["most"]
        self._values = values
        self._describe = values.Describer(self._made, exhaust=False)
        self._busy = False
        self._inits: dict[int, Any] = {}
        self._known: list[dict[str, Any]] = [{} for _ in self._functions]
        self._red = set(job["red"])
        self.calls: list[list[Any]] = [[] for _ in self._functions]

    def seen(self, number: int, names: dict[str, Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
        """Called by the marked functions before anything else, which go on with what comes back."""
        if self._busy:
            return given
        self._busy = True
        try:
            passed = tuple(self._values.GIVEN.watched(value, self._later) for value in given)
            self._note(number, names, list(passed))
            return passed
        except Exception:
            return given  # a value that cannot be described is no call that could be made again
        finally:
            self._busy = False

    def _later(self, value: Any) -> Any:
        """The description of what an iterator gives while a function runs."""
        self._busy = True
        try:
            return self._values.Describer(self._made, exhaust=False)(value)
        except Exception:
            return ["cut"]
        finally:
            self._busy = False

    def _note(self, number: int, names: dict[str, Any], passed: list[Any]) -> None:
        function = self._functions[number]
        if function["init"]:
            if id(passed[0]) in self._inits or len(self._inits) > MAX_OBJECTS:
                return
        elif len(self.calls[number]) >= self.most:
            return
        call = self._call(function, passed, names)
        if function["init"]:
            # The object is kept, so that no other one can get its id.
            self._inits[id(passed[0])] = (passed[0], call)
        text = json.dumps(call, sort_keys=True)
        if not function["wanted"] or len(text) > MAX_CALL:
            return
        if any(isinstance(value, GeneratorType) for value in passed):
            text += str(len(self.calls[number]))  # what it gives is not known yet
        if text not in self._known[number]:
            self._known[number][text] = {**call, "red": False}
            self.calls[number].append(self._known[number][text])
        if os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0] in self._red:
            self._known[number][text]["red"] = True

    def told(self) -> list[list[Any]]:
        """The calls of each function, what iterators gave among them."""
        return [[call for call in calls if len(json.dumps(call)) <= MAX_CALL] for calls in self.calls]

    def _call(self, function: dict[str, Any], passed: list[Any], names: dict[str, Any]) -> dict[str, Any]:
        rest = list(names[function["rest"]]) if function["rest"] else []
        named = {name: names[name] for name in function["named"]}
        named.update(names[function["others"]] if function["others"] else {})
        return {
            "arguments": [self._describe(value) for value in passed[function["drop"] :] + rest],
            "named": {name: self._describe(value) for name, value in named.items()},
        }

    def _made(self, value: Any) -> Any:
        """How an object was constructed, and which attributes have changed since."""
        kept = self._inits.get(id(value))
        if kept is None:
            return None
        arguments, named = kept[1]["arguments"], kept[1]["named"]
        twin = self._values.build(["object", self._values.type_name(type(value)), {}, [arguments, named, {}], {}])
        plain = self._values.Describer(exhaust=False)
        fresh = {name: plain(item) for name, item in self._values.fields_of(twin).items()}
        now = {name: plain(item) for name, item in self._values.fields_of(value).items()}
        return [arguments, named, {name: item for name, item in now.items() if fresh.get(name) != item}]


class Only:
    """Keeps the tests that are wanted."""

    def __init__(self, ids: list[str]) -> None:
        self._ids = set(ids)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid in self._ids]


class Anything:
    """Stands for `pytest.raises(...)` in a program made of a test: whatever is raised, it goes on."""

    value = exception = type = None

    def __enter__(self) -> Anything:
        return self

    def __exit__(self, *error: object) -> bool:
        return True


def go_on(source: str) -> None:
    """A test without its assertions: it does not stop at the first that is false, as it does under pytest."""
    space: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile(source, "<case>", "exec"), space)
        space["case"](lambda number, value: value, lambda number, value: None, lambda number: Anything())
    except BaseException:
        pass  # how it ends says nothing here


def elsewhere(job: dict[str, Any]) -> str:
    """Lets each Python that is started with our environment tell of its calls; the folder in which it does."""
    folder = tempfile.mkdtemp(prefix="watch-")
    told = {name: job[name] for name in ("functions", "most", "red")}
    with open(os.path.join(folder, "job.json"), "w", encoding="ascii") as stream:
        json.dump(told, stream)
    with open(os.path.join(folder, NAME + ".py"), "w", encoding="utf-8") as stream:
        stream.write(THERE % (os.path.join(HERE, "watch.py"), folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    return folder


def there(folder: str) -> Any:
    """In another Python: what marked functions call, and what is seen is written down when it ends."""
    with open(os.path.join(folder, "job.json"), encoding="ascii") as stream:
        watch = Watch(json.load(stream), load_values())
    atexit.register(leave, watch, folder)
    return watch.seen


def leave(watch: Watch, folder: str) -> None:
    with open(os.path.join(folder, "%d.told" % os.getpid()), "w", encoding="ascii") as stream:
        json.dump(watch.told(), stream)


def heard(watch: Watch, folder: str) -> list[list[Any]]:
    """What was seen here and in other processes; of one that was stopped in its last words, nothing."""
    calls = watch.told()
    for name in sorted(os.listdir(folder)):
        try:
            with open(os.path.join(folder, name), encoding="ascii") as stream:
                told = json.load(stream) if name.endswith(".told") else []
        except (OSError, ValueError):
            continue
        calls = [here + more for here, more in zip(calls, told)] if told else calls  # noqa: B905
    return [found[: watch.most] for found in calls]


def load_values() -> ModuleType:
    values = load("values")
    values.GIVEN = load("given")  # type: ignore[attr-defined]
    return values


def main() -> None:
    launch = load("launch")
    channel = launch.take_stdout()
    job = launch.read_job()
    import pytest

    watch = Watch(job, load_values())
    module = ModuleType(NAME)
    module.seen = watch.seen  # type: ignore[attr-defined]
    sys.modules[NAME] = module
    folder = elsewhere(job)
    files = list(dict.fromkeys(test.split("::")[0] for test in job["only"]))
    arguments = launch.pytest_arguments({"args": files})
    launch.enter_tree(job)
    pytest.main(arguments, plugins=[Only(job["only"])])
    for source in job["sources"]:
        go_on(source)
    data = json.dumps({"calls": heard(watch, folder), "finished": True}).encode("ascii")
    while data:
        data = data[os.write(channel, data) :]
    os._exit(0)


if __name__ == "__main__":
    main()
