"""What the suite does before any edit: how the red tests fail, how long tests take, which lines they run."""

from __future__ import annotations

import re
import select
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from .children import Child
from .clock import Clock
from .elsewhere import Watch
from .runner import WAYS, Protocol, Run, Scratch
from .trace import Lines, Paths, tracer
from .wire import Wire

ITEM_S = 20.0
"""Processor time one test may use here."""
NEIGHBOURS = 6
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def gathered(work: Callable[[Wire], None], limit_s: float) -> List[Dict[str, Any]]:
    """Everything a child reports until it ends, or until its time is up."""
    child = Child(work)
    end = time.monotonic() + limit_s
    messages: List[Dict[str, Any]] = []
    while not child.ended and time.monotonic() < end:
        if select.select([child.descriptor], [], [], 0.1)[0]:
            messages += child.messages()
    child.end()
    return messages


class Measured(NamedTuple):
    """How a test ran in one way."""

    kind: Optional[str]
    """Name of its exception, None when it passed."""
    seconds: float
    message: str


def measure(items: Sequence[Any], protocol: Protocol, wire: Wire) -> None:
    """In a child: run each item in every way, and twice in the cheapest, to see whether a repeat is the same."""
    clock, scratch = Clock(), Scratch(items[0].config)
    for item in items:
        for way in ("protocol", "direct", "hooked", "direct"):
            run: Run = protocol if way == "protocol" else WAYS[way]
            clock.arm(ITEM_S)
            started = time.monotonic()
            fault = run(item)
            seconds = time.monotonic() - started
            clock.disarm()
            kind = None if fault is None else fault.kind
            message = "" if fault is None else plain(fault.message)
            wire.send({"id": item.nodeid, "way": way, "kind": kind, "seconds": seconds, "message": message})
    scratch.remove()


def plain(message: str) -> str:
    """A message without addresses, which differ from process to process."""
    return _ADDRESS.sub("0x", message)


def first_words(item: Any, run: Run, wire: Wire) -> None:
    """In a child of its own: what a red test says when nothing ran before it."""
    clock, scratch = Clock(), Scratch(item.config)
    clock.arm(ITEM_S)
    fault = run(item)
    clock.disarm()
    wire.send({"message": "" if fault is None else plain(fault.message)})
    scratch.remove()


class Baseline:
    """Reads the measurements: the cheap way that is right, the time limits, whether state leaks between runs."""

    def __init__(self, messages: List[Dict[str, Any]], targets: Sequence[str]) -> None:
        self._runs: Dict[str, Dict[str, List[Measured]]] = {}
        for message in messages:
            ways = self._runs.setdefault(message["id"], {})
            measured = Measured(message["kind"], message["seconds"], message["message"])
            ways.setdefault(message["way"], []).append(measured)
        self._targets = targets

    def red(self) -> List[str]:
        """Targets that fail here too, the quickest first."""
        found = [t for t in self._targets if self._ran(t, "protocol") and self._runs[t]["protocol"][0].kind]
        return sorted(found, key=lambda t: self.seconds(t, "direct"))

    def _ran(self, name: str, way: str) -> bool:
        return bool(self._runs.get(name, {}).get(way))

    def seconds(self, name: str, way: str) -> float:
        return min((run.seconds for run in self._runs.get(name, {}).get(way, [])), default=ITEM_S)

    def way(self) -> str:
        """`direct` or `hooked` when they agree with the protocol on every test measured, else `protocol`."""
        for way in ("direct", "hooked"):
            if all(self._agrees(name, way) for name in self._runs):
                return way
        return "protocol"

    def _agrees(self, name: str, way: str) -> bool:
        ways = self._runs[name]
        if not ways.get(way) or not ways.get("protocol"):
            return False
        failed = ways["protocol"][0].kind is not None
        if any((run.kind is not None) != failed for run in ways[way]):
            return False
        hooked = ways.get("hooked")
        return way == "hooked" or not hooked or hooked[0].kind == ways[way][0].kind

    def stateful(self) -> bool:
        """True when a second run in the same process came out differently from the first."""
        return any(len({run.kind for run in ways.get("direct", [])}) > 1 for ways in self._runs.values())

    def changing(self) -> List[str]:
        """Red tests whose message is another one when they run again in the same process."""
        return [t for t in self.red() if len({run.message for run in self._runs[t].get("direct", [])}) > 1]

    def slowest_s(self, way: str) -> float:
        return max((self.seconds(name, way) for name in self._runs), default=1.0)


def trace_items(items: Sequence[Any], run: Run, paths: Paths, wire: Wire, limit_s: float) -> None:
    """In a child: run items under the tracer, and report the lines of each."""
    clock, scratch, tool, watch = Clock(), Scratch(items[0].config), tracer(paths), Watch(paths)
    end = time.monotonic() + limit_s
    for item in items:
        if time.monotonic() > end:
            break
        clock.arm(min(ITEM_S, limit_s))
        with watch:
            tool.start()
            fault = run(item)
            lines: Lines = tool.stop()
        clock.disarm()
        told = {"lines": lines, "elsewhere": watch.lines(), "started": watch.started()}
        wire.send({"id": item.nodeid, "ok": fault is None, **told})
        scratch.empty()
    scratch.remove()
    watch.remove()


def steady(items: Sequence[Any], protocol: Protocol, wire: Wire, limit_s: float) -> None:
    """In a child: which green tests are green here as well, run by the protocol, one after the other."""
    scratch = Scratch(items[0].config)
    end = time.monotonic() + limit_s
    for item in items:
        if time.monotonic() > end:
            break
        wire.send({"id": item.nodeid, "ok": protocol(item) is None})
    scratch.remove()


def nearest(names: Sequence[str], targets: Sequence[str]) -> List[str]:
    """Green tests in the order of their nearness to the red ones: same class, same file, same folder."""
    files = {target.split("::")[0] for target in targets}
    folders = {name.rpartition("/")[0] for name in files}

    def distance(name: str) -> int:
        path = name.split("::", maxsplit=1)[0]
        return 0 if path in files else 1 if path.rpartition("/")[0] in folders else 2

    return sorted(names, key=distance)
