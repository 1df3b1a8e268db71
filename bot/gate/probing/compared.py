"""Calls of changed functions on both sides of a patch, and what is known of the constants in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.gate.baseline import file_of
from bot.gate.inside import values
from bot.gate.layer import Case
from bot.gate.probing import telling
from bot.gate.probing.inputs import Call, Tagged, content, normal
from bot.gate.probing.touched import Touched
from bot.gate.source import datafiles
from bot.gate.source.paths import parse
from bot.gate.targets.compare import short, stripped
from sandbox import Files

LAYER = "probe"
MOST_FRESH = 40
_ASKED = re.compile(r"[Rr]aises\w*\(\s*\(?([\w., ]+)")


@dataclass(frozen=True)
class Probe:
    """One call of one function; `seen` where a test made it."""

    function: Touched
    call: Call
    seen: bool

    @property
    def is_twin(self) -> bool:
        return self.call.kin is not None and bool(self.call.kin.twin)

    @property
    def told(self) -> str:
        return telling.call(self.function.name, self.call.arguments, dict(self.call.named))

    def task(self, kind: str) -> dict[str, Any]:
        """What a box is told to do."""
        call = self.call
        return {"kind": kind, "function": self.function.where, "arguments": call.arguments, "named": dict(call.named)}

    def given(self) -> list[Any]:
        """Arguments that say something: an object whose method is called does not. Of a file what it gives."""
        return [content(self.call.at(slot)) for slot in self.call.slots()][len(self.owner()) :]

    def owner(self) -> list[Any]:
        """The object whose method is called, where there are arguments beside it; otherwise nothing."""
        slots = self.call.slots()
        owned = "." in self.function.name and not self.function.is_init
        return [content(self.call.at(slots[0]))] if owned and len(slots) > 1 else []


Entry = tuple[Probe, Any, Any]
"""A call, and what it came to before and after the patch: result, arguments afterwards, what was printed."""


@dataclass
class Compared:
    """The calls that gave a result on both sides, by what became of them."""

    same: list[Entry] = field(default_factory=list)
    differs: list[Entry] = field(default_factory=list)
    endless: list[Probe] = field(default_factory=list)
    """Those that gave a result before the patch, and with it went on until they were stopped."""
    unsteady: list[Probe] = field(default_factory=list)
    """Those that came to the same each time before the patch, and with it to something else each time."""
    worn: list[Probe] = field(default_factory=list)
    """Those of tests that come to something else with the patch once many others were called."""

    @cached_property
    def variety(self) -> int:
        """How many different results there were before the patch."""
        return len({str(old[0]) for _, old, _ in self.entries() if old[0][0] != "raised"})

    @cached_property
    def answers(self) -> list[Any]:
        """What the changed calls of tests come to with the patch, by value."""
        return [normal(stripped(new[0])) for _, _, new in self.seen()]

    def entries(self) -> list[Entry]:
        """All of them."""
        return [*self.same, *self.differs]

    def seen(self) -> list[Entry]:
        return [entry for entry in self.differs if entry[0].seen]

    def tested(self) -> list[Probe]:
        """All calls of tests, those first that the patch changes."""
        return [probe for probe, _, _ in [*self.seen(), *self.same] if probe.seen]

    def beyond(self) -> list[Entry]:
        """Differences at inputs that the tests do not use."""
        return [entry for entry in self.differs if not entry[0].seen]

    def count(self) -> int:
        """Inputs that the tests do not use."""
        return sum(not probe.seen for probe, _, _ in self.entries())

    def of(self, function: Touched) -> Compared:
        """What concerns one function."""
        return self.where(lambda probe: probe.function == function)

    def where(self, holds: Callable[[Probe], bool]) -> Compared:
        """The calls of this kind that have a result on both sides."""
        return Compared(
            [entry for entry in self.same if holds(entry[0])], [entry for entry in self.differs if holds(entry[0])]
        )


def bare(tagged: Any) -> Any:
    """A result without what says how an object was made: only what it is counts."""
    if isinstance(tagged, list):
        if len(tagged) > 2 and tagged[0] == "object":
            return ["object", tagged[1], bare(tagged[2])]
        if len(tagged) > 2 and tagged[0] == "raised" and isinstance(tagged[1], list):
            return ["raised", tagged[1], telling.cut(str(tagged[2]))]
        return [bare(item) for item in tagged]
    return {key: bare(item) for key, item in tagged.items()} if isinstance(tagged, dict) else tagged


class Asked:
    """Which exceptions the tests ask for: in the files of failing tests that name a function, or of its own calls.

    What a failing test calls, and raises with the patch as it did not before, is asked for: that test passes.
    """

    def __init__(self, case: Case, entries: Sequence[Entry] = ()) -> None:
        self._newly: dict[Touched, set[str]] = {}
        for probe, old, new in entries:
            if probe.seen and probe.call.red and old[0][0] != "raised" and new[0][0] == "raised":
                self._newly.setdefault(probe.function, set()).add(short(new[0][1][0]))
        files = sorted({file_of(target) for target in case.before.target_ids} & set(case.tree))
        self._known: dict[str, set[str]] = {}
        self._texts = [case.tree[path].data.decode("utf-8", "replace") for path in files]

    def of(self, function: Touched) -> set[str]:
        """Names of exceptions. Of a function that no test names, those of all tests."""
        if function.name not in self._known:
            self._known[function.name] = self._read(function.name)
        return self._known[function.name] | self._newly.get(function, set())

    def _read(self, function: str) -> set[str]:
        *owners, name = function.split(".")
        known = {name, *owners} - {"__init__"}
        texts = [text for text in self._texts if known & set(re.findall(r"\w+", text))] or self._texts
        found = (names for text in texts for names in _ASKED.findall(text))
        return {name.strip().rpartition(".")[2] for names in found for name in names.split(",")}

    def is_worse(self, entry: Entry) -> bool:
        """A result before, and now an error that no test asks for."""
        probe, old, new = entry
        if old[0][0] == "raised" or new[0][0] != "raised":
            return False
        return self.of(probe.function).isdisjoint(short(name) for name in new[0][1])

    def counts(self, entry: Entry) -> bool:
        """An effect on inputs of the same kind. A new error is none, unless the tests ask for such errors."""
        return entry[0].call.near and not self.is_worse(entry)


def known_constants(case: Case) -> set[object]:
    """Constants of the patched files as they were: a bound or a key of the project, whether tested or not."""
    return {value for path in case.patch.files for value in _constants(case.tree, path)}


def fresh_constants(case: Case) -> list[Tagged]:
    """Numbers and texts that the patch brings, in code and data, as descriptions."""
    known, describe = known_constants(case), values.Describer()
    fresh = {repr(value): value for path in case.patch.files for value in _constants(case.after, path)}
    fresh |= {repr(word): word for path in case.patch.files for word in datafiles.fresh_words(case, path)}
    return [describe(value) for _, value in sorted(fresh.items()) if value not in known][:MOST_FRESH]


def _constants(tree: Files, path: str) -> Iterator[int | float | str]:
    module = parse(tree[path].data) if path in tree and path.endswith(".py") else None
    for node in ast.walk(module) if module else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
            yield node.value
