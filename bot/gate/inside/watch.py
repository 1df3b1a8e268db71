"""Runs a few tests under pytest and notes with what arguments the marked functions of the project are called.

The tree is one of ours: the functions that are wanted begin with a call of `_regreen_watch.seen(number, locals())`.
`job.json` beside this file:

    {"paths": [...], "only": [node ids], "sources": [programs made of tests],
     "most": calls of one function that are kept, "red": [node ids of failing tests],
     "functions": [{"positional": [...], "rest": name or null, "named": [...], "others": name or null,
                    "drop": 1 where the first argument is not passed by a caller, "init": true for a constructor}]}

The report on standard output: {"calls": [[{"arguments": [...], "named": {...},
"red": true where a failing test makes it}, ...], ...], "finished": true}
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from types import ModuleType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_CALL = 20_000  # characters of JSON
MAX_OBJECTS = 5000


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
        self._most = job["most"]
        self._values = values
        self._describe = values.Describer(self._made, exhaust=False)
        self._busy = False
        self._inits: dict[int, Any] = {}
        self._known: list[dict[str, Any]] = [{} for _ in self._functions]
        self._red = set(job["red"])
        self.calls: list[list[Any]] = [[] for _ in self._functions]

    def seen(self, number: int, names: dict[str, Any]) -> None:
        """Called by the marked functions before anything else."""
        if self._busy:
            return
        self._busy = True
        try:
            self._note(number, names)
        except Exception:
            pass  # a value that cannot be described is no call that could be made again
        finally:
            self._busy = False

    def _note(self, number: int, names: dict[str, Any]) -> None:
        function = self._functions[number]
        passed = [names[name] for name in function["positional"]]
        if function["init"]:
            if id(passed[0]) in self._inits or len(self._inits) > MAX_OBJECTS:
                return
        elif len(self.calls[number]) >= self._most:
            return
        call = self._call(function, passed, names)
        if function["init"]:
            # The object is kept, so that no other one can get its id.
            self._inits[id(passed[0])] = (passed[0], call)
        text = json.dumps(call, sort_keys=True)
        if not function["wanted"] or len(text) > MAX_CALL:
            return
        if text not in self._known[number]:
            self._known[number][text] = {**call, "red": False}
            self.calls[number].append(self._known[number][text])
        if os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0] in self._red:
            self._known[number][text]["red"] = True

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


def main() -> None:
    launch = load("launch")
    channel = launch.take_stdout()
    job = launch.read_job()
    import pytest

    watch = Watch(job, load("values"))
    module = ModuleType("_regreen_watch")
    module.seen = watch.seen  # type: ignore[attr-defined]
    sys.modules["_regreen_watch"] = module
    files = list(dict.fromkeys(test.split("::")[0] for test in job["only"]))
    arguments = launch.pytest_arguments({"args": files})
    launch.enter_tree(job)
    pytest.main(arguments, plugins=[Only(job["only"])])
    for source in job["sources"]:
        go_on(source)
    data = json.dumps({"calls": watch.calls, "finished": True}).encode("ascii")
    while data:
        data = data[os.write(channel, data) :]
    os._exit(0)


if __name__ == "__main__":
    main()
