"""Early ways out by kind and by key: `if isinstance(x, K): return x`, `if k not in d: continue`."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from .asked import kinds_told_apart
from .flow import in_loop
from .guards import step
from .statements import docstring, holds_docstring

MOST_NAMES = 3
MOST_KINDS = 6
ELSEWHERE = 0.6
"""More for a way out that does not stand at the beginning of a function or of a round."""


def by_kind(site: Site) -> Iterator[Change]:
    """In front of a statement: values of a kind, or of no such kind, go another way."""
    function = site.function
    if function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    first = 0.0 if _begins(site) else ELSEWHERE
    for place, name in enumerate(_read(site)):
        for rank, kind in enumerate(kinds_told_apart(site.source)[:MOST_KINDS]):
            for more, test in enumerate(("isinstance(%s, %s)", "not isinstance(%s, %s)")):
                for extra, leave in _exits(site, name, negated=bool(more)):
                    asked = test % (name, kind)
                    lines = "if %s:\n%s%s" % (asked, step(site), leave)
                    cost = first + 0.3 * place + 0.1 * rank + 0.1 * more + extra
                    fault = "does not tell apart what is `%s`: it needs `%s`" % (asked, short(leave))
                    yield Change(site.insert_before(lines), cost, "`%s`" % function.name, fault)


def _begins(site: Site) -> bool:
    """Whether the statement is the first of a function or of a round of a loop."""
    block = [stmt for stmt in site.block() if not docstring(stmt)]
    outer = isinstance(site.parent(site.stmt), (*FunctionNode, ast.For, ast.AsyncFor, ast.While))
    return outer and block[:1] == [site.stmt]


def _read(site: Site) -> List[str]:
    live = site.live()
    read = {n.id for n in walked(site.stmt) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return sorted(read & set(live), key=lambda name: (live[name], name))[:MOST_NAMES]


def _exits(site: Site, name: str, *, negated: bool) -> List[Tuple[float, str]]:
    function = site.function
    assert function is not None
    found: Dict[str, float] = {}
    if function.name.startswith("__") and negated:
        found["return NotImplemented"] = 0.0
    if in_loop(site):
        found["continue"] = 0.0
    found["return " + name] = 0.1
    if not negated:
        found["return " + _each(site, name)] = 0.2
    for node in walked(function):
        if isinstance(node, (ast.Return, ast.Raise)) and node.lineno == node.end_lineno and node is not site.stmt:
            inner = {n.id for n in walked(node) if isinstance(n, ast.Name)}
            if len(site.text(node)) < 60 and inner <= {
                *arguments_of(function),
                name,
                "self",
                "ValueError",
                "TypeError",
            }:
                found.setdefault(site.text(node), 0.2)
    for rank, text in enumerate(("return None", "return False", "return True")):
        found.setdefault(text, 0.3 + 0.1 * rank)
    return sorted((cost, text) for text, cost in found.items())[:6]


def _each(site: Site, name: str) -> str:
    """The function itself, for each of several."""
    function = site.function
    assert function is not None
    given = ", ".join("one" if argument == name else argument for argument in arguments_of(function))
    owner = "self." if site.klass is not None and function.args.args[:1] else ""
    return "[%s%s(%s) for one in %s]" % (owner, function.name, given, name)


def by_key(site: Site) -> Iterator[Change]:
    """In front of `d[k]`: what to do where the key is not there, or is there already."""
    function = site.function
    if function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    failed = 0.8 if any(True for _red in site.hints.of("KeyError")) else 0.0
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        base, key = site.text(node.value), site.text(node.slice)
        if isinstance(node.slice, (ast.Slice, ast.Tuple)) or "\n" in base + key or key == "-1":
            continue
        stored = not isinstance(node.ctx, ast.Load)
        tests = ("%s in %s", "%s not in %s") if stored else ("%s not in %s",)
        for rank, test in enumerate(tests):
            for more, leave in enumerate(_leaves(site, base, key)):
                asked = test % (key, base)
                lines = "if %s:\n%s%s" % (asked, step(site), leave)
                fault = "does not ask for `%s` first" % short(asked)
                cost = 0.2 * rank + 0.12 * more - (0.0 if stored else failed)
                yield Change(site.insert_before(lines), cost, "`%s`" % function.name, fault)


def _leaves(site: Site, base: str, key: str) -> List[str]:
    function = site.function
    assert function is not None
    found = ["continue"] if in_loop(site) else []
    found += ["return " + name for name in arguments_of(function) if "default" in name]
    for node in walked(function):
        if isinstance(node, (ast.Return, ast.Raise)) and node.lineno == node.end_lineno and len(site.text(node)) < 60:
            found.append(site.text(node))
    found += ["return None", "return False", "return %s" % key, "return", "%s[%s] = []" % (base, key)]
    found += ["%s[%s] = {}" % (base, key), "%s[%s] = 0" % (base, key), "raise KeyError(%s)" % key]
    return list(dict.fromkeys(found))[:10]
