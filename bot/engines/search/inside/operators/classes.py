"""Classes and wrappers: attributes never stored, the base's method, special methods, lost results."""

from __future__ import annotations

import ast
from typing import Iterator

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from .calls import calls_of
from .guards import step
from .statements import what_of


def stored(site: Site) -> Iterator[Change]:
    """`events = []` in a method becomes `self.events = []`, where the object has no such attribute."""
    stmt = site.stmt
    if (
        site.klass is None
        or site.function is None
        or not isinstance(stmt, (ast.Assign, ast.AugAssign, ast.AnnAssign))
    ):
        return
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
    missing = site.hints.found(r"has no attribute '(\w+)'") + site.hints.found(r"local variable '(\w+)'")
    for target in targets:
        if isinstance(target, ast.Name):
            cost = -0.9 if target.id in missing else 0.5 if site.function.name == "__init__" else 1.2
            fault = "is a variable of the method only; the attribute `self.%s` is meant" % target.id
            yield Change(site.swap(target, "self." + target.id), cost, what_of(site), fault)


def other_of_base(site: Site) -> Iterator[Change]:
    """`super().x` in a method `m` becomes `super().m(…)`: the base is asked for something else, or for data."""
    function = site.function
    if function is None or site.klass is None:
        return
    meant = "super().%s(%s)" % (function.name, ", ".join(arguments_of(function)))
    for dotted in site.of(ast.Attribute):
        text, parent = site.text(dotted), site.parent(dotted)
        if not text.startswith("super().") or text.count(".") > 1 or text == "super()." + function.name:
            continue
        whole = parent if isinstance(parent, ast.Call) and parent.func is dotted else dotted
        fault = "goes past what `%s` of the base class does" % function.name
        yield Change(site.swap(whole, meant), 0.2, "`%s`" % short(site.text(whole)), fault)


def base_method(site: Site) -> Iterator[Change]:
    """`self.m()` inside `m` calls itself: `super().m()` is meant; the base's part is left out; `super` misused."""
    function, klass = site.function, site.klass
    if function is None or klass is None:
        return
    given = ", ".join(arguments_of(function))
    for node in calls_of(site):
        text, what = site.text(node.func), "`%s`" % short(site.text(node))
        if text == "self." + function.name:
            edits = site.swap(node.func, "super()." + function.name)
            yield Change(edits, -0.5, what, "calls itself for ever; the method of the base class is meant")
        if text == "super().__init__":
            own = arguments_of(function)
            if node.args and site.text(node.args[0]) == "self":
                rest = ", ".join(site.text(one) for one in node.args[1:])
                yield Change(site.swap(node, "%s(%s)" % (text, rest)), -0.5, what, "passes `self` twice")
            for count in range(len(own) + 1):
                new = "%s(%s)" % (text, ", ".join(own[:count]))
                if new != site.text(node):
                    fault = "does not give the base class what it needs"
                    yield Change(site.swap(node, new), 0.2 + 0.1 * count, what, fault)
    stmt = site.stmt
    if isinstance(stmt, ast.Return) and stmt.value is not None and klass.bases and "super()" not in site.text(stmt):
        call = "super().%s(%s)" % (function.name, given)
        fault = "leaves out what the base class says"
        for rank, form in enumerate(("%s + {0}", "{0} + %s", "%s and {0}", "%s or {0}")):
            new = (form % call).replace("{0}", site.operand(stmt.value))
            yield Change(site.swap(stmt.value, new), 0.6 + 0.2 * rank, what_of(site), fault)


COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__", "__mul__", "__and__")


def other_kind(site: Site) -> Iterator[Change]:
    """A comparison or sum with something of another kind: `if not isinstance(other, C): return NotImplemented`."""
    function, klass = site.function, site.klass
    if function is None or klass is None or function.name not in COMPARISONS:
        return
    given = arguments_of(function)
    top = site.parent(site.stmt) is function and given and site.source.alone(site.stmt)
    if top and any(isinstance(node, ast.Name) and node.id == given[0] for node in walked(site.stmt)):
        for rank, leave in enumerate(("NotImplemented", "False")):
            lines = "if not isinstance(%s, %s):\n%sreturn %s" % (given[0], klass.name, step(site), leave)
            fault = "takes everything for a `%s`" % klass.name
            cost = 0.1 + 0.5 * rank
            yield Change(site.insert_before(lines), cost, "`%s.%s`" % (klass.name, function.name), fault)


def special(site: Site) -> Iterator[Change]:
    """What special methods must give back: `NotImplemented`, `self`, an iterator, something that can be hashed."""
    function, stmt = site.function, site.stmt
    if function is None or site.klass is None:
        return
    name, what = function.name, "`%s.%s`" % (site.klass.name, function.name)
    if name in COMPARISONS and site.parent(stmt) is not function:
        if isinstance(stmt, (ast.Return, ast.Raise)) and site.text(stmt) != "return NotImplemented":
            fault = "decides for the other side; it must give `NotImplemented`"
            yield Change(site.swap(stmt, "return NotImplemented"), 0.0, what, fault)
    if name in ("__enter__", "__iter__", "__iadd__", "__aenter__") and isinstance(
        stmt, (ast.Pass, ast.Return, ast.Expr)
    ):
        if site.is_last() and site.text(stmt) != "return self":
            edits = (
                site.swap(stmt, "return self") if not isinstance(stmt, ast.Expr) else site.insert_after("return self")
            )
            yield Change(edits, 0.2, what, "does not give back the object itself")
    if isinstance(stmt, ast.Return) and stmt.value is not None:
        text = site.text(stmt.value)
        if name == "__iter__" and not text.startswith("iter("):
            yield Change(site.swap(stmt.value, "iter(%s)" % text), -0.3, what, "gives back what is no iterator")
        if name == "__hash__" and isinstance(stmt.value, ast.Call) and len(stmt.value.args) == 1:
            inner = stmt.value.args[0]
            for rank, kind in enumerate(("tuple", "frozenset", "str")):
                edits = site.swap(inner, "%s(%s)" % (kind, site.text(inner)))
                yield Change(edits, 0.1 * rank, what, "hashes what cannot be hashed")


def hashed(site: Site) -> Iterator[Change]:
    """A class with `__eq__` and no `__hash__` cannot be a key."""
    klass = site.stmt
    if not isinstance(klass, ast.ClassDef) or not any(True for _red in site.hints.of("unhashable")):
        return
    names = {one.name: one for one in klass.body if isinstance(one, FunctionNode)}
    equal = names.get("__eq__")
    if equal is None or "__hash__" in names or not site.source.alone(equal):
        return
    read = [n.attr for n in walked(equal) if isinstance(n, ast.Attribute) and site.text(n.value) == "self"]
    attrs = list(dict.fromkeys(read))
    if attrs:
        indent, newline = site.source.indent(equal), site.source.newline
        parts = ", ".join("self.%s" % attr for attr in attrs) + ("," if len(attrs) == 1 else "")
        lines = ("", indent + "def __hash__(self):", indent * 2 + "return hash((%s))" % parts, "")
        end = site.source.lines_of(equal)[1]
        fault = "says when two objects are equal, and not how they are hashed"
        yield Change(((end, end, newline.join(lines)),), 0.0, "`%s`" % klass.name, fault)


def lost_result(site: Site) -> Iterator[Change]:
    """`text.strip()` as a statement changes nothing: its result must be kept."""
    stmt = site.stmt
    if not isinstance(stmt, ast.Expr) or not isinstance(stmt.value, (ast.Call, ast.BinOp)):
        return
    start = site.source.span(stmt)[0]
    node: ast.AST = stmt.value
    while isinstance(node, (ast.Call, ast.Attribute, ast.BinOp)):
        node = node.func if isinstance(node, ast.Call) else node.left if isinstance(node, ast.BinOp) else node.value
        owner = site.text(node)
        if isinstance(node, ast.Name) and node.id not in ("self", "cls") and node.id in site.live():
            yield Change(((start, start, owner + " = "),), 0.2, what_of(site), "makes a new value that nobody keeps")
        elif (
            isinstance(node, ast.Attribute)
            and site.text(node.value) == "self"
            and node is not getattr(stmt.value, "func", None)
        ):
            yield Change(((start, start, owner + " = "),), 0.3, what_of(site), "makes a new value that nobody keeps")
    for argument in getattr(stmt.value, "args", [])[:1]:
        if isinstance(argument, ast.Name) and argument.id in site.live():
            yield Change(
                ((start, start, argument.id + " = "),), 0.8, what_of(site), "makes a new value that nobody keeps"
            )


WRAPPERS = ("contextmanager", "cached_property", "lru_cache", "total_ordering", "dataclass", "abstractmethod")


def wrapped(site: Site) -> Iterator[Change]:
    """A decorator of those that the file imports; `functools.wraps` on what stands for another function."""
    stmt = site.stmt
    if not isinstance(stmt, (*FunctionNode, ast.ClassDef)) or not site.source.alone(stmt):
        return
    present = [site.text(decorator) for decorator in stmt.decorator_list]
    line = site.source.line_start(min([stmt.lineno] + [d.lineno for d in stmt.decorator_list]))
    for rank, text in enumerate(_decorators(site)):
        if text not in present:
            whole = "%s@%s%s" % (site.source.indent(stmt), text, site.source.newline)
            fault = "lacks the decorator `@%s`" % text
            yield Change(((line, line, whole),), 0.3 + 0.1 * rank, "`%s`" % stmt.name, fault)
    for decorator in stmt.decorator_list:
        for name in ("staticmethod", "classmethod", "property", *_decorators(site)):
            if name != site.text(decorator):
                fault = "should be `@%s`" % name
                yield Change(
                    site.swap(decorator, name), 0.5, "the decorator `@%s`" % short(site.text(decorator)), fault
                )


def _decorators(site: Site) -> Iterator[str]:
    imported = {name for name, cost in site.scope.items() if cost >= 1.5}
    yield from (name for name in WRAPPERS if name in imported)
    outer = site.function
    if outer is not None and arguments_of(outer) and isinstance(site.stmt, FunctionNode):
        given = arguments_of(outer)[0]
        if "functools" in imported or "wraps" in imported:
            yield "%swraps(%s)" % ("functools." if "functools" in imported else "", given)


def own_class(site: Site) -> Iterator[Change]:
    """`Base(…)` in a method of `Base` makes a base also of what is derived: `type(self)(…)`, `cls(…)`."""
    if site.klass is None or site.function is None:
        return
    given = [argument.arg for argument in site.function.args.args[:1]]
    new = {"self": "type(self)", "cls": "cls"}.get("".join(given), "")
    for node in site.of(ast.Name):
        if isinstance(node, ast.Name) and node.id == site.klass.name and new and site.function.name != "__init__":
            parent = site.parent(node)
            if isinstance(parent, ast.Call) and parent.func is node:
                fault = "makes a `%s` of what is derived from it too" % node.id
                yield Change(site.swap(node, new), 0.0, "`%s`" % short(site.text(parent)), fault)
