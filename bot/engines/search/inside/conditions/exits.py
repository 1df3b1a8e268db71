"""What can be done where a missing condition holds: ways out of a function or a round, and other values."""

from __future__ import annotations

import ast
import builtins
from typing import Dict, Iterator, List, Tuple

from ..operators.flow import in_loop
from ..operators.refusals import ASKED, awaited, ways_to_raise
from ..site import Site, arguments_of
from ..source import Function, FunctionNode, walked

MOST_EXITS = 12
MOST_RAISES = 3
LONGEST = 90
EMPTY = ("None", "False", "True", "[]", '""', "0", "{}", "()")
KINDS: Tuple[Tuple[Tuple[type, ...], Tuple[str, ...]], ...] = (
    ((ast.Compare, ast.BoolOp), ("False", "True")),
    ((ast.List, ast.ListComp), ("[]", "None")),
    ((ast.Dict, ast.DictComp), ("{}", "None")),
    ((ast.Tuple,), ("()", "None")),
    ((ast.JoinedStr,), ('""', "None")),
)
MADE: Dict[str, Tuple[str, ...]] = {
    **dict.fromkeys(("sorted", "list"), ("[]", "None")),
    **dict.fromkeys(("join", "strip", "lower", "upper", "replace", "str", "format"), ('""', "None")),
    **dict.fromkeys(("dict", "Counter", "defaultdict"), ("{}", "None")),
    **dict.fromkeys(("sum", "len", "int", "round", "float", "abs"), ("0", "None")),
    **dict.fromkeys(("any", "all", "isinstance", "startswith", "endswith", "bool"), ("False", "True")),
}
"""By the name of what is called for the result."""
"""What a function gives back that gives back such a thing elsewhere."""
OF_FILE = 0.6
"""More for an error that another function raises."""


def exits(site: Site) -> List[Tuple[float, str]]:
    """The likeliest first: where all red tests wait for an error, errors alone."""
    found: Dict[str, float] = {}
    refusing = _refusals(site)
    if refusing:
        return refusing[:MOST_EXITS]
    for cost, text in [*_own(site), *_plain(site), *_raises(site)]:
        found[text] = min(cost, found.get(text, 9.0))
    here = site.text(site.stmt)
    return sorted((cost, text) for text, cost in found.items() if text != here)[:MOST_EXITS]


def _refusals(site: Site) -> List[Tuple[float, str]]:
    return [
        (0.2 * rank + 0.1 * place, line)
        for rank, error in enumerate(awaited(site))
        for place, line in enumerate(ways_to_raise(site, error)[:MOST_RAISES])
        if ASKED not in line
    ]


def _own(site: Site) -> Iterator[Tuple[float, str]]:
    """How the function leaves elsewhere."""
    assert site.function is not None
    for node in walked(site.function):
        if isinstance(node, (ast.Return, ast.Raise)) and node.lineno == node.end_lineno and _is_known(site, node):
            text = site.text(node)
            if len(text) < LONGEST:
                yield 0.1 if node is not site.function.body[-1] else 0.3, text


def _is_known(site: Site, node: ast.AST) -> bool:
    """Whether every name in it means something where the statement stands."""
    live, own = site.live(), {name.id for name in walked(node) if isinstance(name, ast.Name)}
    late = {name for name in own if name in site.scope and name not in live and site.scope[name] < 1.5}
    return not late and all(n in site.scope or n in ("self", "cls") or hasattr(builtins, n) for n in own)


def _plain(site: Site) -> Iterator[Tuple[float, str]]:
    function = site.function
    assert function is not None
    if in_loop(site):
        yield 0.0, "continue"
        yield 0.4, "break"
    if function.name == "__init__" or is_generator(function):
        yield 0.2, "return"
        return
    if not _gives_back(function):
        yield 0.1, "return"
        return
    if function.name.startswith("__"):
        yield 0.3, "return NotImplemented"
    values = _values(function)
    for rank, name in enumerate(arguments_of(function)[:3] if "True" not in values[:2] else ()):
        yield 0.35 + 0.1 * rank, "return " + name
    for rank, value in enumerate(values):
        yield 0.3 + 0.08 * rank, "return " + value


def _values(function: Function) -> Tuple[str, ...]:
    given = [node.value for node in walked(function) if isinstance(node, ast.Return) and node.value is not None]
    for kinds, values in KINDS:
        if any(isinstance(value, kinds) or _is_not(value, kinds) for value in given):
            return values
    made = [MADE[name] for name in (_called(value) for value in given) if name in MADE]
    if made:
        return made[0]
    truths = [value for value in given if isinstance(value, ast.Constant) and isinstance(value.value, bool)]
    return ("False", "True") if truths else EMPTY


def _called(value: ast.expr) -> str:
    callee = value.func if isinstance(value, ast.Call) else value
    return callee.id if isinstance(callee, ast.Name) else callee.attr if isinstance(callee, ast.Attribute) else ""


def _is_not(value: ast.expr, kinds: Tuple[type, ...]) -> bool:
    return ast.Compare in kinds and isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)


def is_generator(function: Function) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walked(function))


def _gives_back(function: Function) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in walked(function))


def _raises(site: Site) -> Iterator[Tuple[float, str]]:
    """Errors of other functions of the file, whose words can be said here too."""
    found: Dict[str, None] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Raise) and node.exc is not None and node.lineno == node.end_lineno:
            if len(site.text(node)) < LONGEST and _is_known(site, node):
                found[site.text(node)] = None
    for rank, text in enumerate(list(found)[:MOST_RAISES]):
        yield OF_FILE + 0.1 * rank, text


def assignments(site: Site) -> Iterator[Tuple[float, str, str]]:
    """A name that the statement reads, and another one to be used in its place."""
    if any(True for _name in awaited(site)) or isinstance(site.stmt, FunctionNode):
        return
    live = site.live()
    read = {n.id for n in walked(site.stmt) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    names = sorted(read & set(live), key=lambda name: (live[name], name))[:2]
    for place, name in enumerate(names):
        others = [other for other in arguments_of(site.function) if other != name] if site.function else []
        fields = ["self." + field for field in site.fields() if not field.startswith("__")]
        fields.sort(key=lambda field: field != "self." + name)
        limits = [other for other in site.scope if other.isupper()]
        for rank, value in enumerate([*others[:3], *fields[:4], *limits[:3]]):
            yield 0.2 * place + 0.1 * rank, name, value
