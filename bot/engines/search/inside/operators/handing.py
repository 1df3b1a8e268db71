"""What is handed on: fields that a class expects, arguments that stand for a literal, chains in the wrong order."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, Source, walked
from .calls import callee, calls_of, closing


def fields_passed_on(site: Site) -> Iterator[Change]:
    """`Money(-self.cents)` becomes `Money(-self.cents, self.currency)`; `super().__init__(a)` passes `x, y` on."""
    constructors = _constructors(site.source)
    for node in calls_of(site):
        known = constructors.get(_made(site, node), ())
        rest = known[len(node.args) :]
        if not rest or any(isinstance(argument, ast.Starred) for argument in node.args) or node.keywords:
            continue
        end, lead = closing(site, node)
        what = "`%s`" % short(site.text(node))
        for rank, given in enumerate(_given(site, rest)):
            fault = "does not pass on `%s`" % short(given)
            yield Change(((end, end, lead + given),), 0.2 * rank, what, fault)


def _made(site: Site, node: ast.Call) -> str:
    """The class that a call makes an instance of."""
    if site.text(node.func) == "super().__init__" and site.klass is not None and site.klass.bases:
        return site.text(site.klass.bases[0])
    own = site.klass.name if site.klass is not None else ""
    name = site.text(node.func)
    return own if name in ("type(self)", "cls", "self.__class__") else name


def _given(site: Site, parameters: Tuple[str, ...]) -> Iterator[str]:
    """All that are at hand, then one by one: as attributes of the object, or as variables of the same name."""
    attributes = site.attributes()
    forms: List[Tuple[str, str]] = []
    for name in parameters:
        if name in site.live():
            forms.append((name, name))
        elif name in attributes:
            forms.append((name, "self." + name))
        else:
            break
    for count in range(len(forms), 0, -1):
        yield ", ".join(text for _name, text in forms[:count])
    for name in parameters[1:]:
        if name in attributes or name in site.live():
            yield "%s=%s" % (name, name if name in site.live() else "self." + name)


@functools.lru_cache(maxsize=100)
def _constructors(source: Source) -> Dict[str, Tuple[str, ...]]:
    """Classes of the file -> what their constructors take; the fields of a dataclass in their order."""
    found: Dict[str, Tuple[str, ...]] = {}
    for klass in walked(source.tree):
        if not isinstance(klass, ast.ClassDef):
            continue
        made = [node for node in klass.body if isinstance(node, FunctionNode) and node.name == "__init__"]
        if made:
            found[klass.name] = tuple(arguments_of(made[0]))
        else:
            fields = [node.target.id for node in klass.body if _is_field(node)]  # type: ignore[attr-defined]
            found[klass.name] = tuple(fields)
    return found


def _is_field(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def literal_for_argument(site: Site) -> Iterator[Change]:
    """A text that is spelled out where an argument says it, first of all an argument that nothing reads."""
    if site.function is None:
        return
    read = {node.id for node in walked(site.function) if isinstance(node, ast.Name)}
    for node in site.of(ast.Constant):
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, (str, bytes)) and not isinstance(site.parent(node), (ast.Expr, ast.JoinedStr)):
            for name in arguments_of(site.function):
                cost = 0.0 if name not in read else 1.0
                fault = "is spelled out where `%s` is meant" % name
                yield Change(site.swap(node, name), cost, "`%s`" % short(site.text(node)), fault)


def chain_swapped(site: Site) -> Iterator[Change]:
    """`x.a().b()` becomes `x.b().a()`: what the first step makes, the second one changes."""
    for outer in calls_of(site):
        inner = callee(outer)[1]
        if not isinstance(inner, ast.Call) or callee(inner)[1] is None:
            continue
        base = callee(inner)[1]
        assert base is not None
        start, middle, end = site.source.span(base)[1], site.source.span(inner)[1], site.source.span(outer)[1]
        first = site.source.data[start:middle].decode("utf-8")
        second = site.source.data[middle:end].decode("utf-8")
        if first != second and first.startswith(".") and second.startswith("."):
            what = "`%s`" % short(site.text(outer))
            yield Change(((start, end, second + first),), 0.0, what, "does its steps in the wrong order")


def everywhere_not_at_ends(site: Site) -> Iterator[Change]:
    """`x.strip(",")` becomes `x.replace(",", "")`, and back."""
    for node in calls_of(site):
        name, owner = callee(node)
        if owner is None or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        what, text = "`%s`" % short(site.text(node)), site.operand(owner)
        if name in ("strip", "lstrip", "rstrip"):
            new = '%s.replace(%s, "")' % (text, site.text(node.args[0]))
            yield Change(site.swap(node, new), 0.0, what, "takes away what stands at the ends only")
        elif name == "replace" and len(node.args) == 2 and site.text(node.args[1]) in ('""', "''"):
            for rank, cut in enumerate(("strip", "lstrip", "rstrip")):
                new = "%s.%s(%s)" % (text, cut, site.text(node.args[0]))
                yield Change(site.swap(node, new), 0.3 * rank, what, "takes away what stands in the middle, too")
