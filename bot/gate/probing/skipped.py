"""Effects that a changed function had and has no more: a line for the auditors, a message, a check.

No result shows a call that is made for its effect alone. Calls that stand as statements in the changed functions are
marked, before and after the patch, and the same inputs are asked which of them they come to.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.probing import forks
from bot.gate.probing.compared import LAYER, Probe
from bot.gate.probing.forks import Taken
from bot.gate.probing.touched import Touched
from bot.gate.source.paths import called, functions, parse
from bot.nouns import Reason
from sandbox import File, Files

MOST_INPUTS, TOTAL_S = 300, 40.0
LEAST, ALWAYS = 3, 12
"""Inputs that must lose an effect; and those that worked, all of which must have had it."""
_VALUES = frozenset({
    "append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault", "pop", "popleft",
    "popitem", "remove", "discard", "clear", "sort", "reverse", "__init__", "print",
})  # fmt: skip
"""Their effect is on values and on what is printed, which are compared."""

Raw = tuple[Probe, Any, Any]


def effects(case: Case, boxes: Boxes, raw: Sequence[Raw]) -> Iterator[Reason]:
    """At most one effect that inputs lose although no failing test asks for that.

    `raw`: inputs that came to a sound result on both sides.
    """
    names = _names(case, {probe.function for probe, _, _ in raw})
    if not names:
        return
    some = _some(raw)
    probes = [probe for probe, _, _ in some]
    before, after = (
        forks.taken(case, boxes, _marked(tree, case, names), probes, TOTAL_S) for tree in (case.tree, case.after)
    )
    if not before or not after:
        return
    for number, name in enumerate(names):
        lost = _Lost(number, before, after)
        for probe in [*lost.where_it_was(some), *lost.where_it_belongs(some)][:1]:
            detail = f"{probe.told} does not come to `{name}` with the patch, as such calls did before"
            yield Reason(LAYER, "effect-skipped", detail, probe.function.path, hard=False)
            return


def _some(raw: Sequence[Raw]) -> list[Raw]:
    """Calls of tests, and inputs like theirs; those first that the patch makes work."""
    near = [one for one in raw if one[0].seen or one[0].call.near]
    return sorted(near, key=lambda one: (not one[0].seen, not _is_mended(one)))[:MOST_INPUTS]


def _is_mended(one: Raw) -> bool:
    return bool(one[1][0][0] == "raised" and one[2][0][0] != "raised")


class _Lost:
    """One effect on both sides."""

    def __init__(self, number: int, before: Taken, after: Taken) -> None:
        self._way, self._before, self._after = (number, True), before, after

    def where_it_was(self, raw: Sequence[Raw]) -> list[Probe]:
        """Inputs that worked and had the effect, and work without it; none where a failing test loses it, too."""
        fine = [probe for probe, was, is_now in raw if was[0][0] != "raised" and is_now[0][0] != "raised"]
        lost = [probe for probe in fine if self._had(probe) and not self._has(probe)]
        asked = any(probe.call.red and self._had(probe) and not self._has(probe) for probe, _, _ in raw)
        return lost if len(lost) >= LEAST and not asked else []

    def where_it_belongs(self, raw: Sequence[Raw]) -> list[Probe]:
        """Inputs that work with the patch only, and do something, but not what all others did that worked."""
        fine = [probe for probe, was, _ in raw if was[0][0] != "raised"]
        if len(fine) < ALWAYS or not all(self._had(probe) for probe in fine):
            return []
        mended = [one for one in raw if _is_mended(one) and not self._has(one[0]) and self._does(one)]
        return [probe for probe, _, _ in mended] if len(mended) >= LEAST else []

    def _had(self, probe: Probe) -> bool:
        return self._way in self._before.get(id(probe), ())

    def _has(self, probe: Probe) -> bool:
        return self._way in self._after.get(id(probe), ())

    def _does(self, one: Raw) -> bool:
        """Whether the call changes its arguments, prints, or has an effect: a guard that leaves at once does not."""
        _, after, before, printed = one[2]
        return bool(json.dumps(after) != before or printed or self._after.get(id(one[0])))


def _names(case: Case, changed: set[Touched]) -> list[str]:
    """What changed functions call for its effect, before the patch."""
    found: dict[str, None] = {}
    for path in sorted({one.path for one in changed}):
        known = {one.name for one in changed if one.path == path}
        after = dict(functions(parse(case.after[path].data))) if path in case.after else {}
        for name, node in functions(parse(case.tree[path].data)):
            if name in known:
                own = {_last(name)} if _gives_its_own(_last(name), after.get(name)) else set()
                found |= dict.fromkeys(one for one in _statements(node) if one not in own)
    return [name for name in found if name not in _VALUES]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _gives_its_own(name: str, function: ast.AST | None) -> bool:
    """Whether a function that called itself for its effect now does for what it returns, and returns something.

    What else it does for an effect is looked at anyway.
    """
    nodes = list(ast.walk(function)) if function else []
    calls = sum(isinstance(node, ast.Call) and called(node) == name for node in nodes)
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in nodes)
    return returns and calls > 0 and function is not None and name not in set(_statements(function))


def _statements(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Expr):
            call = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(call, ast.Call) and (name := called(call)):
                yield name


def _marked(tree: Files, case: Case, names: Sequence[str]) -> dict[str, File]:
    """A tree in which each call of these names tells of itself, in the files of the patch."""
    numbers = {name: number for number, name in enumerate(names)}
    marked = dict(tree)
    for path in case.patch.files:
        module = parse(tree[path].data) if path in tree and path.endswith(".py") else None
        if module is not None:
            module = _Marker(numbers).visit(module)
            text = ast.unparse(ast.fix_missing_locations(module))
            marked[path] = File(text.encode("utf-8", "surrogatepass"))
    return marked


class _Marker(ast.NodeTransformer):
    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        number = self._numbers.get(called(node))
        if number is not None:
            node.func = ast.Call(forks.recorder("did"), [ast.Constant(number), node.func], [])
        return node
