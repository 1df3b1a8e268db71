"""Parts that change places, methods for attributes, slices by what is at hand, limits that may be `None`."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import FunctionNode, Source, walked
from .asked import decisions
from .calls import callee, calls_of
from .statements import what_of

PARTS = (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
CUTS = ("[1:]", "[:-1]", "[1:-1]", "[:]", "[-1:]", "[:1]", "[::-1]")


def parts(site: Site) -> Iterator[Change]:
    """Two parts of a statement that lie in different calls, or on different sides, stand in each other's place."""
    found = [node for node in site.of(*PARTS) if _is_free(site, node)][:8]
    for at, one in enumerate(found):
        for two in found[at + 1 :]:
            first, second = site.source.span(one), site.source.span(two)
            first_text, second_text = site.text(one), site.text(two)
            apart = first[1] <= second[0] or second[1] <= first[0]
            if not apart or first_text == second_text or "\n" in first_text + second_text:
                continue
            if site.parent(one) is site.parent(two) or (isinstance(one, ast.Name) and isinstance(two, ast.Name)):
                continue  # other operators do these
            edits = site.swap(one, second_text) + site.swap(two, first_text)
            fault = "stands where `%s` belongs" % short(second_text)
            yield Change(edits, 0.1 * at, "`%s`" % short(first_text), fault)


def _is_free(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    docstring = isinstance(node, ast.Constant) and isinstance(parent, (ast.Expr, ast.JoinedStr))
    held = isinstance(parent, (ast.Attribute, ast.Expr)) or (
        isinstance(parent, ast.Subscript) and parent.value is node
    )
    return not called and not docstring and not held and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def methods(site: Site) -> Iterator[Change]:
    """`x.size` becomes `x.total()`, a method of the file that needs nothing; `x.total()` becomes `x.size`."""
    names = _bare_methods(site.source)
    for node in site.of(ast.Attribute):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        parent, old = site.parent(node), site.text(node)
        owner = site.operand(node.value)
        if "\n" in old or (isinstance(node.value, ast.Name) and node.value.id not in {*site.live(), "self", "cls"}):
            continue
        called = isinstance(parent, ast.Call) and parent.func is node
        if called and isinstance(parent, ast.Call) and not parent.args and not parent.keywords:
            for rank, name in enumerate(_attributes(site.source)):
                fault = "calls a method where `%s` is meant" % name
                yield Change(
                    site.swap(parent, "%s.%s" % (owner, name)), 0.3 + 0.1 * rank, "`%s()`" % short(old), fault
                )
        elif not called:
            for rank, name in enumerate(names):
                own = site.function is not None and site.function.name == name
                if name != node.attr and not (own and owner == "self"):
                    fault = "is read where `%s()` must be asked" % name
                    cost = 0.0 if own else 0.3 + 0.1 * rank
                    yield Change(site.swap(node, "%s.%s()" % (owner, name)), cost, "`%s`" % short(old), fault)


@functools.lru_cache(maxsize=100)
def _bare_methods(source: Source) -> Tuple[str, ...]:
    """Methods that need nothing but their object."""
    found: Dict[str, None] = {}
    for klass in walked(source.tree):
        for node in klass.body if isinstance(klass, ast.ClassDef) else ():
            if isinstance(node, FunctionNode) and not node.name.startswith("__") and not node.decorator_list:
                if len(node.args.args) - len(node.args.defaults) == 1:
                    found[node.name] = None
    return tuple(found)[:10]


@functools.lru_cache(maxsize=100)
def _attributes(source: Source) -> Tuple[str, ...]:
    stored = [n.attr for n in walked(source.tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return tuple(dict.fromkeys(stored))[:8]


def limits(site: Site) -> Iterator[Change]:
    """`x > self.most` fails where there is no limit: `self.most is not None and x > self.most`."""
    said = 0.8 if any(True for _red in site.hints.of("NoneType")) else 0.0
    for condition in decisions(site):
        for node in walked(condition):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ORDERS):
                continue
            for side in (*node.comparators, node.left):
                text = site.text(side)
                if not isinstance(side, (ast.Name, ast.Attribute)) or "\n" in site.text(node):
                    continue
                for rank, form in enumerate(
                    ("%s is not None and %s", "%s is None or %s", "%s and %s", "not %s or %s")
                ):
                    new = form % (text, site.text(node))
                    edits = site.swap(node, new if node is condition else "(%s)" % new)
                    fault = "is asked also where `%s` says that there is no limit" % text
                    yield Change(edits, 0.15 * rank - said, "`%s`" % short(site.text(node)), fault)


def slices(site: Site) -> Iterator[Change]:
    """`x` becomes `x[:n]`, `x[n:]`, `x[-n:]` for a number at hand; `x[:-1]` becomes `x[1:]`, another end."""
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:5]
    names += ["self." + name for name in site.fields()[:4]]
    for node in site.of(ast.Subscript):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and _is_constant(node.slice):
            for rank, cut in enumerate(CUTS):
                new = site.text(node.value) + cut
                fault = "takes the wrong part: `%s` is meant" % short(new)
                yield Change(site.swap(node, new), 0.1 * rank, "`%s`" % short(site.text(node)), fault)
    for node in site.of(ast.Name, ast.Attribute):
        if not _is_free(site, node) or not isinstance(site.parent(node), _CUT_IN):
            continue
        text = site.text(node)
        for rank, name in enumerate(name for name in names if name != text):
            for more, form in enumerate(("%s[:%s]", "%s[%s:]", "%s[-%s:]")):
                fault = "takes all where a part of it is meant"
                yield Change(
                    site.swap(node, form % (text, name)), 0.3 + 0.1 * rank + 0.1 * more, "`%s`" % text, fault
                )


_CUT_IN = (ast.Call, ast.Return, ast.Assign, ast.For, ast.comprehension)


def _is_constant(node: ast.Slice) -> bool:
    return not any(isinstance(inner, (ast.Name, ast.Call)) for inner in walked(node))


def clamped(site: Site) -> Iterator[Change]:
    """`abs(x)` becomes `max(x, 0)`; `min` and `max` of an attribute and a value get the `key` of their like."""
    keys = _keys(site)
    for node in calls_of(site):
        text = site.text(node)
        if callee(node)[0] == "abs" and len(node.args) == 1:
            new = "max(%s, 0)" % site.text(node.args[0])
            yield Change(site.swap(node, new), 0.0, "`%s`" % short(text), "turns what is below zero round")
    for value in site.of(ast.Name, ast.Attribute, ast.Call):
        if not isinstance(site.parent(value), (ast.Call, ast.Assign, ast.Return)) or not _is_free(site, value):
            continue
        for rank, other in enumerate(_of_same_name(site, value)):
            for more, form in enumerate(("max(%s, %s)", "min(%s, %s)")):
                for key in keys:
                    new = "%s, %s)" % ((form % (other, site.text(value)))[:-1], key)
                    fault = "forgets what `%s` was before" % other
                    yield Change(site.swap(value, new), 0.2 * rank + 0.1 * more, what_of(site), fault)


def _keys(site: Site) -> List[str]:
    """How the function compares: with which `key=`."""
    found = [
        "key=" + site.text(keyword.value)
        for node in walked(site.function)
        if isinstance(node, ast.Call) and callee(node)[0] in ("max", "min", "sorted")
        for keyword in node.keywords
        if keyword.arg == "key"
    ] if site.function is not None else []  # fmt: skip
    return list(dict.fromkeys(text for text in found if "\n" not in text))[:2]


def _of_same_name(site: Site, value: ast.AST) -> List[str]:
    """Attributes of the function that are called as a variable is."""
    name = site.text(value)
    found = [
        site.text(node)
        for node in walked(site.function)
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
    ] if site.function is not None else []  # fmt: skip
    return list(dict.fromkeys(text for text in found if "\n" not in text))[:3]


def advanced(site: Site) -> Iterator[Change]:
    """A loop that follows a chain does not go on: `node = node.next` at the end of its body, or for a `break`."""
    loop = site.parent(site.stmt)
    if not isinstance(loop, ast.While) or not site.is_last() or not site.source.alone(site.stmt):
        return
    tested = [node.id for node in walked(loop.test) if isinstance(node, ast.Name)]
    read = [n for n in walked(site.source.tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]
    for place, name in enumerate(dict.fromkeys(tested)):
        own = [n.attr for n in read if isinstance(n.value, ast.Name) and n.value.id == name]
        usual = ["parent", "next", "prev", "left", "right", "__cause__", "__context__", "base", "tail"]
        held = {n.attr for n in read}
        for rank, attribute in enumerate(dict.fromkeys([*own, *(one for one in usual if one in held)])):
            line = "%s = %s.%s" % (name, name, attribute)
            fault = "does not go on: it needs `%s`" % line
            if isinstance(site.stmt, (ast.Break, ast.Continue, ast.Pass)):
                yield Change(site.swap(site.stmt, line), 0.1 * rank + 0.2 * place, what_of(site), fault)
            else:
                yield Change(site.insert_after(line), 0.1 * rank + 0.2 * place, what_of(site), fault)
