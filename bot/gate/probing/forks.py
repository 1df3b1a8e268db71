"""Conditions that a patch brings: which way inputs go at them, and whether any but those of the tests do.

A patch may change much and still hold a way of its own for each test. Seen from outside that way is one input among
thousands; seen from the condition, nobody else comes along.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from bot import syntax
from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Asked, Compared, Entry, Probe, known_constants
from bot.gate.probing.narrow import atoms, is_narrow, sizes
from bot.gate.source.helpers import helpers
from bot.gate.source.news import changed_modules
from bot.nouns import Reason
from sandbox import File

MOST = 40
MANY_BROKEN, BROKEN = 5, 0.05
ENOUGH_REACHED = 40
"""Inputs that come to a condition; of fewer it says nothing that none goes one of its ways."""

_EQUAL = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)

Way = tuple[int, bool]
Taken = Mapping[int, frozenset[Way]]
"""`id` of a probe -> numbers of the conditions that it came to, and how they ended."""


def marked(case: Case) -> tuple[dict[str, File], list[str]]:
    """The patched tree with a mark at each new condition, and the text of each."""
    tree, texts = dict(case.after), list[str]()
    for path, new, known in changed_modules(case):
        fresh = {id(node) for node in _conditions(new) if ast.dump(node) not in known}
        if fresh and len(texts) < MOST:
            module = _Marker(fresh, texts).visit(new)
            tree[path] = File(ast.unparse(ast.fix_missing_locations(module)).encode("utf-8", "surrogatepass"))
    return tree, texts


def _conditions(module: ast.Module) -> Iterator[ast.expr]:
    """Comparisons in functions, what else is asked for there, and look-ups in a table that is written out."""
    functions = (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    for node in (inner for function in functions for part in function.body for inner in ast.walk(part)):
        if isinstance(node, ast.Compare) or _is_look_up(node):
            yield node
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield from leaves(node.test)
        if isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield from leaves(test)


def text_of(node: ast.expr) -> str:
    return ast.unparse(node)[:80]


def leaves(test: ast.expr) -> Iterator[ast.expr]:
    """What is asked for in a condition, part by part."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from leaves(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from leaves(test.operand)
    elif not isinstance(test, ast.Constant):
        yield test


def _is_look_up(node: ast.AST) -> TypeGuard[ast.Call]:
    """`{...}.get(key)`, which is a comparison with each of its keys."""
    is_get = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"
    return is_get and isinstance(node.func.value, ast.Dict) and bool(node.args)  # type: ignore[attr-defined]


class _Marker(ast.NodeTransformer):
    """Lets each new condition tell how it ended."""

    def __init__(self, fresh: set[int], texts: list[str]) -> None:
        self._fresh, self._texts = fresh, texts

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) not in self._fresh or not isinstance(node, ast.expr):
            return self.generic_visit(node)
        number = len(self._texts)
        self._texts.append(text_of(node))
        inner = self.generic_visit(node)
        if isinstance(inner, ast.Call) and _is_look_up(inner):
            assert isinstance(inner.func, ast.Attribute)
            inner.args = [ast.Constant(number), inner.func.value, *inner.args]
            inner.func = recorder("got")
            return inner
        return ast.Call(recorder("went"), [ast.Constant(number), inner], [])  # type: ignore[list-item]


def recorder(name: str) -> ast.expr:
    return syntax.expression(f"__import__('sys').modules['_regreen_forks'].{name}")


def taken(case: Case, boxes: Boxes, tree: Mapping[str, File], probes: Sequence[Probe], total_s: float) -> Taken:
    """Which ways each probe went; empty where the box gave no report."""
    tasks = [one.task("forks") for one in probes]
    found = results(boxes, case, tree, tasks, each_s=0.2, total_s=total_s, helpers=helpers(case)) or []
    return {id(one): frozenset(_ways(result)) for one, result in zip(probes, found, strict=False)}


def _ways(result: Any) -> Iterator[Way]:
    """The box may have written what it liked."""
    told = result.get("forks") if isinstance(result, dict) else None
    for way in told if isinstance(told, list) else ():
        if isinstance(way, list) and len(way) == 2 and isinstance(way[0], int):
            yield way[0], way[1] is True


def _asks_for(case: Case) -> set[object]:
    """Numbers that new conditions of the patch ask for by name."""
    found: set[object] = set()
    for _, new, known in changed_modules(case):
        for node in ast.walk(new):
            is_equal = isinstance(node, ast.Compare) and isinstance(node.ops[0], _EQUAL)
            if (is_equal or _is_look_up(node) or isinstance(node, ast.match_case)) and ast.dump(node) not in known:
                found |= set(_numbers(node.pattern if isinstance(node, ast.match_case) else node))
    return found - known_constants(case)


def _numbers(node: ast.AST) -> Iterator[object]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            yield inner.value


def named(case: Case, compared: Compared) -> Iterator[Reason]:
    """Two or more numbers of the tests that new conditions ask for: each test has a way of its own."""
    tested = {value for entry in compared.seen() for value in (*atoms(entry[0]), *sizes(entry[0]))}
    found = sorted(str(value) for value in _asks_for(case) & tested)
    if len(found) > 1:
        detail = f"new conditions ask for numbers of the tests: {', '.join(found[:5])}"
        yield Reason(LAYER, "tested-branch", detail, compared.seen()[0][0].function.path, hard=False)


def lonely(case: Case, compared: Compared, taken: Taken, texts: Sequence[str]) -> Iterator[Reason]:
    """The first condition of which one way is taken by inputs of the tests alone, among those that change."""
    asked = Asked(case, compared.seen())
    for number, text in enumerate(texts):
        for outcome in (True, False):
            tested = [entry for entry in compared.seen() if (number, outcome) in taken.get(id(entry[0]), ())]
            if not tested or is_narrow(case, tested):
                continue
            others = [entry for entry in [*compared.same, *compared.beyond()] if not entry[0].seen]
            reached = [entry for entry in others if _came(taken, entry, number)]
            along = [entry for entry in reached if (number, outcome) in taken[id(entry[0])]]
            changed = {id(entry[0]) for entry in compared.beyond() if asked.counts(entry)}
            if len(reached) >= ENOUGH_REACHED and not any(id(entry[0]) in changed for entry in along):
                which = f"where `{text}` is {outcome}"
                detail = f"{len(reached)} inputs come to it, and {which} only those of the tests change"
                yield Reason(LAYER, "tested-branch", detail, tested[0][0].function.path, hard=False)
                return


def raising(compared: Compared, taken: Taken, texts: Sequence[str]) -> Iterator[Reason]:
    """A way of the red tests on which inputs raise that gave a value of a kind of which no test asks for that."""
    seen = compared.seen()
    asked = {old[0][0] for _, old, new in seen if new[0][0] == "raised"} | {"raised"}
    known = [value for one in [*compared.same, *seen] if one[0].seen for value in atoms(one[0])]
    least = min([0.0, *(value for value in known if isinstance(value, int | float))])
    worse = [one for one in compared.beyond() if one[2][0][0] == "raised" and one[1][0][0] not in asked]
    worse = [one for one in worse if _is_well_formed(one[0], known, least)]
    for number, text in enumerate(texts):
        for way in ((number, True), (number, False)):
            along = [one for one in [*compared.same, *compared.beyond()] if way in taken.get(id(one[0]), ())]
            broken = [one for one in worse if one[0].call.near and way in taken.get(id(one[0]), ())]
            red = any(way in taken.get(id(one[0]), ()) for one in seen)
            if red and len(broken) >= MANY_BROKEN and len(broken) > BROKEN * len(along):
                probe, _, new = broken[0]
                now = telling.outcome(new[0])
                detail = f"where `{text}` is {way[1]}, {probe.told} worked before and now {now}"
                yield Reason(LAYER, "newly-raises", detail, probe.function.path, hard=False)
                return


def _is_well_formed(probe: Probe, known: Sequence[object], least: float) -> bool:
    """Whether it holds only texts of the tests, and no number below theirs: others may well be malformed."""
    return all(value >= least if isinstance(value, int | float) else value in known for value in atoms(probe))


def _came(taken: Taken, entry: Entry, number: int) -> bool:
    ways = taken.get(id(entry[0]), frozenset())
    return (number, True) in ways or (number, False) in ways
