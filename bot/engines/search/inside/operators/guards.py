"""Guards: an early way out for what is empty, `None`, zero or alone; a value where none was given."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Set, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import Source, blocks, quoted, walked
from .flow import in_loop
from .statements import docstring, holds_docstring

NAMED_BY_CRASH = 0.6
"""Less for a guard in front of the line that raised, on what that line takes apart."""


def guarded(site: Site) -> Iterator[Change]:
    """An early way out in front: `if not x: return …`, `if x is None: …`, inside a loop `continue`."""
    if (
        site.function is None
        or not site.source.alone(site.stmt)
        or isinstance(site.stmt, (ast.Break, ast.Continue, ast.Pass))
    ):
        return
    if holds_docstring(site):
        return
    looping = in_loop(site)
    crashed = _crashed(site)
    none = any(True for _red in site.hints.of("NoneType"))
    for name, near in sorted(site.live().items(), key=lambda pair: pair[1])[:5]:
        ways = sorted(exits(site, looping, name))
        distance = near + (0.0 if _reads(site.stmt, name) else 0.5) - (NAMED_BY_CRASH if name in crashed else 0.0)
        for cost, test, words in [*_tests(name, none), *_blank(site, name)]:
            for more, exit_text in ways[: 6 if cost >= 0.7 else None]:
                fault = "does not handle %s: it needs `if %s: %s`" % (words, test, exit_text)
                text = "if %s:\n%s%s" % (test, step(site), exit_text)
                yield Change(site.insert_before(text), distance + cost + more, "`%s`" % site.function.name, fault)


def _crashed(site: Site) -> Set[str]:
    """Names that the statement takes apart, where it is the one that raised."""
    if not site.hints.raised_in(site.source.path, range(site.first, site.last + 1)):
        return set()
    taken = (
        node.value
        for node in site.of(ast.Subscript, ast.Attribute)
        if isinstance(node, (ast.Subscript, ast.Attribute))
    )
    return {node.id for node in taken if isinstance(node, ast.Name)}


def _reads(stmt: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in walked(stmt))


def _tests(name: str, none: bool) -> Tuple[Tuple[float, str, str], ...]:
    """Where the error speaks of `None`, nothing else that is empty is meant."""
    return (
        (0.6 if none else 0.0, "not " + name, "an empty `%s`" % name),
        (0.0 if none else 0.1, name + " is None", "`%s` being `None`" % name),
        (0.7, name + " == 0", "`%s` being zero" % name),
        (0.7, name + " < 0", "a negative `%s`" % name),
        (0.8, name + " <= 0", "`%s` being zero or less" % name),
        (0.8, "len(%s) == 1" % name, "a single `%s`" % name),
        (0.9, name + " < 2", "`%s` below two" % name),
        (1.0, name, "`%s` being there" % name),
    )


def _blank(site: Site, name: str) -> List[Tuple[float, str, str]]:
    """Lines of white space alone, in files that strip."""
    stripped = "%s.strip" % name in site.text(site.function) if site.function is not None else False
    return [(0.3, "not %s.strip()" % name, "a blank `%s`" % name)] if stripped else []


def exits(site: Site, looping: bool, name: str) -> List[Tuple[float, str]]:
    """What a guard can do, the values first that this function already gives back or that its description quotes."""
    function = site.function
    assert function is not None
    known: Dict[str, float] = {}
    for node in walked(function):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.Tuple)):
            known.setdefault("return " + site.text(node.value), 0.0)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id in site.live():
            known.setdefault("return " + node.value.id, 0.2)
    for text in quoted(function):
        known.setdefault("return " + text, 0.1)
    for rank, text in enumerate(("None", "[]", "0", '""', "False", "True", "{}", name)):
        known.setdefault("return " + text, 0.3 + 0.1 * rank)
    ways = [(cost, text) for text, cost in known.items() if "\n" not in text]
    if looping:
        ways += [(0.1, "continue"), (0.4, "break")]
    return ways


def step(site: Site) -> str:
    """One level of indentation as this file writes it."""
    return _step(site.source)


@functools.lru_cache(maxsize=100)
def _step(source: Source) -> str:
    for node in walked(source.tree):
        for block in blocks(node):
            outer = node.col_offset if isinstance(node, ast.stmt) else 0
            text = source.indent(block[0])
            if isinstance(node, ast.stmt) and not text.strip() and len(text) > outer:
                return text[outer:]
    return "    "


def defaulted(site: Site) -> Iterator[Change]:
    """`if x is None: x = []` in front, and `self.x = x` or another assignment that is missing."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    first = site.function.body[1:2] if docstring(site.function.body[0]) else site.function.body[:1]
    if site.stmt in first:
        for argument in site.function.args.args + site.function.args.kwonlyargs:
            for rank, value in enumerate(("[]", "{}", "0", '""', "set()", "1")):
                if argument.arg not in ("self", "cls"):
                    text = "if %s is None:\n%s%s = %s" % (argument.arg, step(site), argument.arg, value)
                    fault = "has no value to use when `%s` is `None`" % argument.arg
                    yield Change(site.insert_before(text), 0.15 * rank, "`%s`" % site.function.name, fault)


def in_range(site: Site) -> Iterator[Change]:
    """An early way out where an index lies outside: `if not 0 <= i < len(x): return default`."""
    function = site.function
    if function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    failed = any(True for _red in site.hints.of("IndexError", "out of range"))
    exits = ["return " + name for name in arguments_of(function) if "default" in name]
    exits += ["continue"] if in_loop(site) else []
    exits += ["return " + text for text in ("None", "[]", "0", "False", '""')]
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        if isinstance(node.slice, (ast.Slice, ast.Tuple, ast.Constant, ast.UnaryOp)):
            continue
        owner, index = site.text(node.value), site.text(node.slice)
        if "\n" in owner + index:
            continue
        for place, test in enumerate(("not 0 <= %s < len(%s)", "%s >= len(%s)")):
            for rank, leave in enumerate(exits):
                lines = "if %s:\n%s%s" % (test % (index, owner), step(site), leave)
                cost = 0.15 * rank + 0.2 * place - (0.8 if failed else 0.0)
                fault = "does not handle an index outside of `%s`" % short(owner)
                yield Change(site.insert_before(lines), cost, "`%s`" % function.name, fault)


def divided(site: Site) -> Iterator[Change]:
    """An early way out where the divisor would be zero."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    failed = any(True for _red in site.hints.of("ZeroDivisionError", "division by zero"))
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if not isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
            continue
        by = node.right
        text = site.text(by)
        if isinstance(by, ast.Constant) or "\n" in text:
            continue
        same = isinstance(by, ast.BinOp) and isinstance(by.op, ast.Sub)
        given = by.args[0] if isinstance(by, ast.Call) and text.startswith("len(") and by.args else by
        test = "not " + site.operand(given)
        if same and isinstance(by, ast.BinOp):
            test = "%s == %s" % (site.text(by.left), site.text(by.right))
        results = ["0.0", "0", "None", "[]"]
        if isinstance(site.stmt, ast.Return) and isinstance(site.stmt.value, ast.ListComp):
            items = site.text(site.stmt.value.generators[0].iter)
            results += ["[0.0 for _ in %s]" % items, "[0.0] * len(%s)" % items]
        for rank, result in enumerate(results):
            fault = "divides by zero where `%s`" % test
            lines = "if %s:\n%sreturn %s" % (test, step(site), result)
            cost = 0.15 * rank - (0.8 if failed else 0.0)
            yield Change(site.insert_before(lines), cost, "`%s`" % site.function.name, fault)
