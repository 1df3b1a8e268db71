"""State that is not begun, not set back, or not kept: in the constructor, at an end, in a table of results."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, Optional, Tuple

from ..site import Change, Site
from ..source import FunctionNode, walked
from .statements import holds_docstring

EMPTY = (ast.Constant, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.Call, ast.UnaryOp)
LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
BEGINNINGS = ("None", "[]", "{}", "0", "False", '""', "set()")
MOST_ATTRIBUTES = 8
STACK = 8
"""So many ranks later comes what is begun anew in the middle of a stack's life."""


def _begun(site: Site) -> Dict[str, str]:
    """Attributes of the object -> what the constructor gives them that depends on nothing."""
    found: Dict[str, str] = {}
    for method in site.klass.body if site.klass is not None else ():
        if not isinstance(method, FunctionNode) or method.name != "__init__":
            continue
        for node in walked(method):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, EMPTY):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                names = [n.id for n in walked(node.value) if isinstance(n, ast.Name) and n.id[:1].islower()]
                plain = set(names) <= {"set", "dict", "list", "deque", "defaultdict", "int"}
                text = site.text(node.value)
                if site.text(target).startswith("self.") and plain and "\n" not in text:
                    found[site.text(target)] = text
    return found


def reset(site: Site) -> Iterator[Change]:
    """`self.x = None` as the constructor has it, in a method that leaves what was there before."""
    function = site.function
    if function is None or function.name == "__init__" or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    own = site.text(function)
    begun = sorted(_begun(site).items(), key=lambda pair: pair[0] + " = " in own)[:MOST_ATTRIBUTES]
    for rank, (name, value) in enumerate(begun):
        line = "%s = %s" % (name, value)
        fault = "leaves in `%s` what was there before" % name
        late = rank + (STACK if _is_stack(site, name) else 0)
        if not isinstance(site.stmt, LEAVES):
            yield Change(site.insert_after(line), 0.1 * late, "`%s`" % function.name, fault)
        yield Change(site.insert_before(line), 0.1 * late + 0.05, "`%s`" % function.name, fault)


def _is_stack(site: Site, name: str) -> bool:
    """Whether the class puts things on it and takes them off again: nothing sets such a thing back half-way."""
    whole = site.text(site.klass) if site.klass is not None else ""
    return name + ".append(" in whole and name + ".pop(" in whole


def never_begun(site: Site) -> Iterator[Change]:
    """AttributeError: an attribute that some method sets is read before: the constructor, or the class, begins it."""
    lacking = [name for name in site.hints.found(r"has no attribute '(\w+)'") if name in site.attributes()]
    for name in lacking:
        for rank, value in enumerate(BEGINNINGS):
            line = "self.%s = %s" % (name, value)
            fault = "does not begin `%s`" % name
            if site.function is not None and site.function.name == "__init__" and site.source.alone(site.stmt):
                if site.stmt is site.function.body[-1] and not isinstance(site.stmt, LEAVES):
                    yield Change(site.insert_after(line), 0.1 * rank, "`__init__`", fault)
                if site.stmt is site.function.body[0] and not holds_docstring(site):
                    yield Change(site.insert_before(line), 0.1 * rank + 0.05, "`__init__`", fault)
            elif site.klass is not None and site.function is None and site.stmt in site.klass.body[:2]:
                if site.source.alone(site.stmt) and not holds_docstring(site):
                    edits = site.insert_before("%s = %s" % (name, value))
                    yield Change(edits, 0.2 + 0.1 * rank, "`%s`" % site.klass.name, fault)


def kept(site: Site) -> Iterator[Change]:
    """`return x` keeps nothing, where the function looks its result up first: `d[k] = x` in front."""
    stmt, function = site.stmt, site.function
    if function is None or not isinstance(stmt, ast.Return) or stmt.value is None or not site.source.alone(stmt):
        return
    for table, key in _looked_up(site, function):
        value = site.text(stmt.value)
        if isinstance(stmt.value, ast.Name):
            edits = site.insert_before("%s[%s] = %s" % (table, key, value))
        elif "\n" not in value and not value.startswith(table):
            edits = site.insert_before("%s[%s] = %s" % (table, key, value)) + site.swap(
                stmt.value, "%s[%s]" % (table, key)
            )
        else:
            continue
        yield Change(edits, 0.0, "`%s`" % function.name, "looks into `%s`, and keeps nothing there" % table)


def _looked_up(site: Site, function: ast.AST) -> Iterator[Tuple[str, str]]:
    """Tables and keys that the function asks for, and never sets."""
    seen: Dict[Tuple[str, str], None] = {}
    for node in walked(function):
        pair: Optional[Tuple[ast.expr, ast.expr]] = None
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            pair = node.comparators[0], node.left
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and node.args
        ):
            pair = node.func.value, node.args[0]
        if pair is not None and isinstance(pair[0], (ast.Name, ast.Attribute)):
            seen[site.text(pair[0]), site.text(pair[1])] = None
    whole = site.text(function)
    return ((table, key) for table, key in seen if "%s[%s] =" % (table, key) not in whole and "\n" not in table + key)
