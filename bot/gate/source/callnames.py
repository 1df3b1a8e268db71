"""Code that goes by what somebody has called a function or a class, and names of an enumeration that become one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.source.names import Fact, Names
from bot.gate.source.news import changed_modules
from bot.gate.source.paths import parse
from bot.nouns import Reason

LAYER = "facts"

_NAMES = frozenset({"__name__", "__qualname__", "__module__"})
_ASKING = frozenset({"startswith", "endswith", "find", "index", "count", "get", "match", "fullmatch", "search"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"})


# -- names of functions


def asks_for_name(node: ast.AST, names: Names) -> Iterator[Fact]:
    """A function whose way depends on what another function or class is called."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    bearers = _bearers(node)
    for part in _asked(node):
        found = next((inner for inner in ast.walk(part) if _is_name(inner, bearers)), None)
        if found is not None:
            yield "asks-for-name", f"`{ast.unparse(part)[:60]}` asks what something is called", False


def _is_name(node: ast.AST, bearers: set[str]) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        return any(isinstance(one, ast.Constant) and one.value in _NAMES for one in node.args[1:2])
    return (isinstance(node, ast.Attribute) and node.attr in _NAMES) or (
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in bearers
    )


def _bearers(function: ast.AST) -> set[str]:
    """Variables that hold such a name."""
    found: set[str] = set()
    for node in ast.walk(function):
        pairs = [(target, node.value) for target in node.targets] if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.NamedExpr | ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        for target, value in pairs:
            if isinstance(target, ast.Name) and _is_name(value, found):
                found.add(target.id)
    return found


def _asked(function: ast.AST) -> Iterator[ast.expr]:
    """What decides something by a text: comparisons with one, questions to one, keys, subjects of `match`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and any(_has_text(side) for side in (node.left, *node.comparators)):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ASKING:
            yield from (node.func.value, *node.args) if _has_text(node) and not _looks_up(node.func.value) else ()
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
            yield node.slice
        elif isinstance(node, ast.Match):
            yield node.subject


def _looks_up(receiver: ast.expr) -> bool:
    """Whether it is the names of a module or an object: there every name is found that there is."""
    called = receiver.func if isinstance(receiver, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("globals", "locals", "vars")


def _has_text(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


# -- names of an enumeration


def examine(case: Case) -> Iterator[Reason]:
    """Members of an enumeration that had values of their own, and are names of another member now."""
    for path, module, _ in changed_modules(case):
        old = parse(case.tree[path].data) if path in case.tree else None
        before = dict(_members(old)) if old else {}
        for name, members in _members(module):
            known = before.get(name, {})
            for one, other in _twins(members):
                if known.get(one) is not None and known.get(other) is not None and known[one] != known[other]:
                    detail = f"{name}.{other} had a value of its own, and is {name}.{one} now"
                    yield Reason(LAYER, "member-lost", detail, path, hard=False)


def _members(module: ast.Module) -> Iterator[tuple[str, dict[str, str]]]:
    """Each enumeration, and what its members are given."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base).split(".")[-1] in _ENUMS for base in node.bases):
            lines = [line for line in node.body if isinstance(line, ast.Assign)]
            yield (
                node.name,
                {
                    target.id: ast.dump(line.value)
                    for line in lines
                    for target in line.targets
                    if isinstance(target, ast.Name) and not _is_auto(line.value)
                },
            )


def _is_auto(value: ast.expr) -> bool:
    """`auto()` is another value each time."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] == "auto"


def _twins(members: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Members with the same value, or where one is given the other by its name."""
    first: dict[str, str] = {}
    by_name = {ast.dump(ast.Name(name, ast.Load())): value for name, value in members.items()}
    for name, value in members.items():
        given = by_name.get(value, value)
        if given in first:
            yield first[given], name
        else:
            first[given] = name
