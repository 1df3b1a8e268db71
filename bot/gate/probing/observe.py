"""With what arguments the tests call the functions that a patch changes: seen in a box, on the untouched commit."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot import syntax
from bot.gate.baseline import file_of
from bot.gate.inside import values
from bot.gate.layer import Boxes, Case
from bot.gate.outside import tools
from bot.gate.probing.inputs import Call
from bot.gate.probing.touched import Touched, marked
from bot.gate.source.literals import Unknown, evaluate
from bot.gate.targets.compare import nodes
from bot.gate.targets.replayable import programs
from bot.toolchains import python
from sandbox import Files

MOST = 40
MAX_TESTS = 150
_UNBUILT = frozenset({"opaque", "cut", "iter"})


def calls(case: Case, boxes: Boxes, functions: Sequence[Touched]) -> list[list[Call]] | None:
    """For each function the calls that were seen; None where there is no report."""
    tree, specs = marked(case, functions)
    fit, _ = programs(case)
    sources = [one.source for one in fit]
    job = {"paths": list(boxes.paths), "only": _tests(case), "sources": sources, "most": MOST, "functions": specs}
    job["red"] = sorted(case.before.target_ids)
    launched: Files = {**python.launch(case.tree).tools, **tools("watch.py", "values.py", "given.py")}
    ran = boxes.program(tree, launched, ("watch.py",), json.dumps(job).encode("ascii"))
    if ran.report is None:
        return None
    try:
        record = json.loads(ran.report)
        seen = [[_call(call) for call in found] for found in record["calls"][: len(functions)]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    written = [list(_written(case, one, spec)) for one, spec in zip(functions, specs, strict=False)]
    return [_distinct([*one, *other]) for one, other in zip(seen, written, strict=True)]


def _tests(case: Case) -> list[str]:
    """Targets, and green tests in the same files: the work does not grow with the suite."""
    targets = sorted(case.before.target_ids)
    files = {file_of(test) for test in targets}
    green = [test for test in sorted(case.before.green) if file_of(test) in files]
    return [*targets, *green][:MAX_TESTS]


def _call(record: dict[str, Any]) -> Call:
    return Call(tuple(record["arguments"]), tuple(record["named"].items()), red=record["red"] is True)


def _distinct(calls: Sequence[Call]) -> list[Call]:
    """Calls that can be made again, each once; red where one of them is."""
    found: dict[str, Call] = {}
    for call in calls:
        if not _UNBUILT & {node[0] for node in nodes(_parts(call))}:
            known = found.get(call.key, call)
            found[call.key] = replace(call, red=call.red or known.red)
    return list(found.values())


def _parts(call: Call) -> list[Any]:
    return [*call.arguments, *(value for _, value in call.named)]


def _written(case: Case, function: Touched, spec: dict[str, Any]) -> Iterator[Call]:
    """Calls with plain arguments as they stand in the tests: one that stops early never comes to its later ones."""
    if "." in function.name or spec["rest"] or spec["others"] or spec["named"]:
        return
    for path in sorted({file_of(target) for target in case.before.target_ids} & set(case.tree)):
        try:
            module = syntax.parse(case.tree[path].data)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == function.name:
                yield from _plain(node, spec["positional"])


def _plain(node: ast.Call, names: Sequence[str]) -> Iterator[Call]:
    try:
        given = [evaluate(argument, {}, {}) for argument in node.args]
        named = {str(word.arg): evaluate(word.value, {}, {}) for word in node.keywords}
        given += [named[name] for name in names[len(given) :]]
    except (Unknown, KeyError):
        return
    if len(given) == len(names):
        describe = values.Describer()
        yield Call(tuple(describe(value) for value in given))
