"""Presence and truth: is a key there or its value true, is it the class's or the object's, `True` or a question."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Set, Tuple

from ..site import Change, Site, short
from ..source import walked
from .atoms import at_hand
from .boolean import conditions, traits
from .calls import callee, calls_of


def asked(site: Site) -> Iterator[Change]:
    """`if d.get(k)` becomes `if k in d`, and back; `hasattr(x, "y")` becomes `getattr(x, "y", None)`."""
    for node in site.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _of_comparison(site, node)
        elif isinstance(node, ast.Call) and _decides(site, node):
            for new in _other_question(site, node):
                fault = "asks for presence or for truth, where the other one is meant"
                yield Change(site.fit(node, new), 0.0, "`%s`" % short(site.text(node)), fault)


def _decides(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    if isinstance(parent, (ast.BoolOp, ast.UnaryOp, ast.comprehension)):
        return True
    return isinstance(parent, (ast.If, ast.While, ast.IfExp)) and parent.test is node


def _other_question(site: Site, node: ast.Call) -> Iterator[str]:
    name, owner = callee(node)
    texts = [site.text(argument) for argument in node.args]
    if name == "get" and owner is not None and len(texts) in (1, 2):
        yield "%s in %s" % (texts[0], site.text(owner))
    elif name == "hasattr" and len(texts) == 2:
        yield "getattr(%s, None)" % ", ".join(texts)
        yield "getattr(%s, None) is not None" % ", ".join(texts)
    elif name == "getattr" and len(texts) == 3:
        yield "hasattr(%s)" % ", ".join(texts[:2])


def _of_comparison(site: Site, node: ast.Compare) -> Iterator[Change]:
    left, right, kind = node.left, node.comparators[0], node.ops[0]
    what, fault = "`%s`" % short(site.text(node)), "asks for presence or for truth, where the other one is meant"
    negated = isinstance(kind, (ast.Is, ast.NotIn))
    if isinstance(kind, (ast.In, ast.NotIn)) and isinstance(right, (ast.Name, ast.Attribute)):
        got = "%s.get(%s)" % (site.text(right), site.text(left))
        forms = (("not " if negated else "") + got, got + (" is None" if negated else " is not None"))
        for rank, new in enumerate(forms):
            yield Change(site.fit(node, new), 0.3 + 0.1 * rank, what, fault)
    if isinstance(kind, (ast.Is, ast.IsNot)) and site.text(right) == "None" and isinstance(left, ast.Call):
        name, owner = callee(left)
        if name == "get" and owner is not None and left.args:
            new = "%s %sin %s" % (site.text(left.args[0]), "not " if negated else "", site.text(owner))
            yield Change(site.fit(node, new), 0.0, what, fault)


def got_or(site: Site) -> Iterator[Change]:
    """`d.get(k) or v` replaces what is empty too: `d.get(k, v)`."""
    for node in site.of(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        call = node.values[0]
        if not isinstance(node.op, ast.Or) or len(node.values) != 2 or not isinstance(call, ast.Call):
            continue
        if callee(call)[0] == "get" and len(call.args) == 1:
            new = "%s(%s, %s)" % (site.text(call.func), site.text(call.args[0]), site.text(node.values[1]))
            fault = "replaces what is empty, not only what is missing"
            yield Change(site.fit(node, new, atomic=True), 0.0, "`%s`" % short(site.text(node)), fault)


def nested(site: Site) -> Iterator[Change]:
    """A part of a condition, not its whole, asks for too little: `not (a and b)` becomes `not (a and b and c)`."""
    outermost = set(conditions(site))
    for node in site.of(ast.BoolOp, ast.Compare, ast.Call):
        if not isinstance(node, ast.expr) or node in outermost or not _is_part(site, node):
            continue
        old, word = site.text(node), _word(site, node)
        for cost, text in [*traits(site, node), *at_hand(site)[:12]]:
            one = text if text.isidentifier() or "." in text else "(%s)" % text
            for more, new in enumerate((text, "not " + one)):
                if text in old or "\n" in old or (text.startswith("not ") and more):
                    continue
                fault = "does not ask for `%s` as well" % new
                edits = site.swap(node, "%s %s %s" % (old, word, new))
                yield Change(edits, cost + 0.2 * more, "`%s`" % short(old), fault)


def _word(site: Site, node: ast.AST) -> str:
    parent = site.parent(node)
    of = node if isinstance(node, ast.BoolOp) else parent
    return "or" if isinstance(of, ast.BoolOp) and isinstance(of.op, ast.Or) else "and"


def _is_part(site: Site, node: ast.expr) -> bool:
    """Behind a `not`, or an alternative among others, or what `any` and `all` ask of each."""
    parent = site.parent(node)
    if isinstance(node, ast.BoolOp):
        return isinstance(parent, (ast.UnaryOp, ast.GeneratorExp, ast.ListComp))
    if isinstance(parent, ast.BoolOp):
        return isinstance(parent.op, ast.Or)
    return isinstance(parent, ast.GeneratorExp) and parent.elt is node and isinstance(node, ast.Compare)


def truths(site: Site) -> Iterator[Change]:
    """`return True` becomes `return not rest`, `open = True` becomes `open = not open`, `== x` of two arguments."""
    for node in site.of(ast.Constant):
        parent = site.parent(node)
        plain = isinstance(parent, (ast.Return, ast.Assign, ast.keyword, ast.Call))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, bool) or not plain:
            continue
        own = [site.text(target) for target in parent.targets] if isinstance(parent, ast.Assign) else []
        names = [*own, *[name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])]][:6]
        for rank, name in enumerate(dict.fromkeys(names)):
            for more, form in enumerate(("not %s", "bool(%s)", "%s is not None", "%s is None")):
                new = form % name
                fault = "is the same always; it depends on `%s`" % name
                yield Change(site.swap(node, new), 0.12 * rank + 0.15 * more, "`%s`" % site.text(node), fault)


def holders(site: Site) -> Iterator[Change]:
    """`self.x` becomes `type(self).x` or `Base.x`, `Base.x` becomes `self.x` or `cls.x`: whose is it?"""
    if site.klass is None or site.function is None:
        return
    first = site.function.args.args[0].arg if site.function.args.args else ""
    if first not in ("self", "cls"):
        return
    forms = (first, "type(self)", site.klass.name) if first == "self" else (first, site.klass.name)
    for node in site.of(ast.Attribute):
        if not isinstance(node, ast.Attribute) or "\n" in site.text(node.value):
            continue
        old = site.text(node.value)
        if old not in (*forms, "self.__class__", "cls"):
            continue
        for rank, form in enumerate(forms):
            if form != old:
                fault = "is asked of `%s`; it belongs to `%s`" % (old, form)
                yield Change(site.swap(node.value, form), 0.2 * rank, "`%s`" % short(site.text(node)), fault)


def joined(site: Site) -> Iterator[Change]:
    """`", ".join(x)` fails for what is no text: `join(map(str, x))`; empty parts are left out."""
    said = 0.8 if any(True for _red in site.hints.of("sequence item", "can only join")) else 0.0
    for node in calls_of(site):
        if callee(node)[0] != "join" or len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
            continue
        given, text = node.args[0], site.text(node.args[0])
        if isinstance(given, (ast.GeneratorExp, ast.ListComp)) or "\n" in text:
            continue
        forms = (
            "map(str, %s)",
            "str(one) for one in %s",
            "one for one in %s if one",
            "filter(None, %s)",
            "sorted(%s)",
        )
        for rank, form in enumerate(forms):
            fault = "joins what is not yet ready for it"
            edits = site.swap(given, form % text)
            yield Change(
                edits, 0.15 * rank - (said if "str" in form else 0.0), "`%s`" % short(site.text(node)), fault
            )


def whole_numbers(site: Site) -> Iterator[Change]:
    """`isinstance(x, int)` takes `True` for a number: `and not isinstance(x, bool)`."""
    for node in calls_of(site):
        if callee(node)[0] == "isinstance" and len(node.args) == 2 and "int" in _names(node.args[1]):
            new = "%s and not isinstance(%s, bool)" % (site.text(node), site.text(node.args[0]))
            fault = "takes `True` and `False` for numbers"
            yield Change(site.fit(node, new), 0.0, "`%s`" % short(site.text(node)), fault)


def _names(node: ast.AST) -> Set[str]:
    return {one.id for one in walked(node) if isinstance(one, ast.Name)}


PAIRS: Tuple[Tuple[str, str], ...] = (("append", "pop"), ("push", "pop"), ("acquire", "release"), ("start", "stop"))


def bracketed(site: Site) -> Iterator[Change]:
    """A line that other functions put between `x.append(…)` and `x.pop()`, and the like, stands alone here."""
    if site.function is None or not site.source.alone(site.stmt) or not isinstance(site.stmt, (ast.Assign, ast.Expr)):
        return
    own = site.text(site.function)
    for rank, (before, after) in enumerate(_brackets(site)):
        if after not in own:
            edits = site.insert_before(before) + site.insert_after(after)
            fault = "is not put between `%s` and `%s`" % (before, after)
            yield Change(edits, 0.15 * rank, "`%s`" % site.function.name, fault)


def _brackets(site: Site) -> List[Tuple[str, str]]:
    """Pairs of lines on one attribute, as the class has them; the value in three forms."""
    found: Dict[Tuple[str, str], None] = {}
    for node in walked(site.klass) if site.klass is not None else ():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = site.text(node.func.value)
        for opens, closes in PAIRS:
            if node.func.attr == opens and owner.startswith("self.") and "\n" not in site.text(node):
                end = "%s.%s()" % (owner, closes)
                values = [site.text(node), *("%s.%s(%s)" % (owner, opens, one) for one in ("False", "True", "None"))]
                if end in site.text(site.klass if site.klass is not None else node):
                    found.update(((value, end), None) for value in values)
    return list(found)[:12]
