"""`None` where something is taken apart that is no variable: `self.supplier[:3]`, `order.customer.name`."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, Tuple

from ..site import Change, Site, short
from .flow import in_loop
from .guards import exits, step
from .statements import holds_docstring

MOST_READ = 4
NAMED = 0.6
"""Less where what the error speaks of is taken from it."""


def handled(site: Site) -> Iterator[Change]:
    """An early way out in front of the line that broke down, or another value in the place of `None`."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    what = "`%s`" % site.function.name
    for rank, (text, likely) in enumerate(_taken_apart(site).items()):
        tests = ((0.0, "%s is None" % text, "`%s` being `None`"), (0.6, "not %s" % text, "an empty `%s`"))
        for cost, test, words in tests:
            for more, leave in sorted(exits(site, in_loop(site), text)):
                fault = "does not handle %s: it needs `if %s: %s`" % (words % short(text), short(test), leave)
                lines = "if %s:\n%s%s" % (test, step(site), leave)
                yield Change(site.insert_before(lines), 0.2 * rank + cost + more - likely, what, fault)


def _taken_apart(site: Site) -> Dict[str, float]:
    """Attributes that the statement, which broke down on `None`, takes an item or an attribute of."""
    here = site.hints.raised_in(site.source.path, range(site.first, site.last + 1))
    if not (here or not any(site.hints.frames())) or not any(True for _red in site.hints.of("NoneType")):
        return {}
    asked = site.hints.found(r"'NoneType' object has no attribute '(\w+)'")
    found: Dict[str, float] = {}
    for node, name in _parts(site):
        text = site.text(node)
        if "\n" not in text:
            found.setdefault(text, NAMED if not asked or name in asked else 0.0)
    return found


def _parts(site: Site) -> Iterator[Tuple[ast.expr, str]]:
    """What something is taken of, with the name of the attribute that is taken; then what else is read."""
    read = [node for node in site.of(ast.Attribute) if isinstance(node, ast.Attribute) and _is_read(site, node)]
    for node in site.of(ast.Subscript, ast.Attribute):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.value, ast.Attribute):
            yield node.value, node.attr if isinstance(node, ast.Attribute) else ""
    yield from ((node, "") for node in read[:MOST_READ])


def _is_read(site: Site, node: ast.Attribute) -> bool:
    """`len(self.rows)`, `for row in self.rows`, `self.rate * 2`; not what is called or only on the way."""
    parent = site.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    return isinstance(node.ctx, ast.Load) and not called and not isinstance(parent, (ast.Attribute, ast.Subscript))
