"""Truth and `None`: zero and empty values that are taken for missing ones."""

from __future__ import annotations

import ast
from typing import Iterator, List

from ..site import Change, Site, short
from ..source import walked
from .boolean import conditions


def for_none(site: Site) -> Iterator[Change]:
    """`if x` becomes `if x is not None`, `if not x` becomes `if x is None`, and back."""
    for test in conditions(site):
        what = "`%s`" % short(site.text(test))
        fault = "takes an empty or zero value for one that is missing"
        if isinstance(test, (ast.Name, ast.Attribute)):
            yield Change(site.swap(test, site.text(test) + " is not None"), 0.0, what, fault)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            if isinstance(test.operand, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
                yield Change(site.swap(test, site.text(test.operand) + " is None"), 0.0, what, fault)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and site.text(test.comparators[0]) == "None":
            lead = "not " if isinstance(test.ops[0], (ast.Is, ast.Eq)) else ""
            fault = "lets an empty or zero value pass"
            yield Change(site.swap(test, lead + site.operand(test.left)), 0.3, what, fault)
        if isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod):
            for rank, more in enumerate((" == 0", " != 0")):
                fault = "is true for every remainder but zero"
                yield Change(site.swap(test, site.text(test) + more), 0.2 * rank, what, fault)


def or_default(site: Site) -> Iterator[Change]:
    """`x or d` replaces zero and empty values too: `d if x is None else x`; and back."""
    for node in site.of(ast.BoolOp, ast.IfExp):
        what = "`%s`" % short(site.text(node))
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            one, two = site.operand(node.values[0]), site.operand(node.values[1])
            for rank, new in enumerate(
                ("%s if %s is None else %s" % (two, one, one), "%s if %s is not None else %s" % (one, one, two))
            ):
                fault = "replaces a zero or empty value as well, not only `None`"
                yield Change(site.fit(node, new), 0.1 * rank, what, fault)
        if isinstance(node, ast.IfExp) and "None" in site.text(node.test):
            value = node.orelse if site.text(node.orelse) in site.text(node.test) else node.body
            other = node.body if value is node.orelse else node.orelse
            new = "%s or %s" % (site.operand(value), site.operand(other))
            yield Change(site.fit(node, new), 0.6, what, "keeps a zero or empty value")


TESTS = ("%s is not None", "%s", "%s %% 2 == 0", "%s %% 2", "%s >= 0", "%s != 0", "not %s", "len(%s) > 1")


def filters(site: Site) -> Iterator[Change]:
    """A comprehension's filter for what is nothing, for parity, sign or kind; a test that a text is not blank."""
    for node in site.of(ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp):
        for part in getattr(node, "generators", []):
            many = isinstance(part.target, ast.Tuple)
            names = [one.id for one in walked(part.target) if isinstance(one, ast.Name)][:3]
            end = site.source.span((part.ifs or [part.iter])[-1])[1]
            for place, name in enumerate(names):
                forms = (*(TESTS[:2] if many else TESTS), *_of_attributes(site))
                for rank, form in enumerate(forms):
                    test = form % name
                    fault = "keeps entries that `if %s` would leave out" % test
                    lead = " and " if part.ifs else " if "
                    cost = 0.2 + 0.15 * rank + 0.2 * place + (0.4 if part.ifs else 0.0)
                    yield Change(((end, end, lead + test),), cost, "`%s`" % short(site.text(node)), fault)
    yield from _blank(site)


def _of_attributes(site: Site) -> List[str]:
    """`%s.size is not None` for attributes that the statement reads of its items."""
    read = [one for one in walked(site.stmt) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load)]
    called = {id(one.func) for one in walked(site.stmt) if isinstance(one, ast.Call)}
    names = [one.attr for one in read if isinstance(one.value, ast.Name) and id(one) not in called]
    return ["%%s.%s is not None" % name for name in dict.fromkeys(names)][:3]


def _blank(site: Site) -> Iterator[Change]:
    for condition in conditions(site):
        for name, distance in sorted(site.live().items(), key=lambda pair: pair[1])[:4]:
            if name not in site.text(condition) or isinstance(condition, (ast.Name, ast.Compare)):
                continue
            guard = "not %s.strip()" % name
            new = "%s or %s" % (guard, site.operand(condition))
            yield Change(
                site.swap(condition, new),
                0.8 + distance,
                "`%s`" % short(site.text(condition)),
                "lets a blank `%s` pass" % name,
            )
