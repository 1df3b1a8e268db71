"""Errors that name their own cure: unknown names, attributes, keywords, types that do not go together."""

from __future__ import annotations

import ast
import builtins
from typing import Iterator, List

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from . import returns
from .known import LIBRARY_KEYWORDS
from .names import likeness, names_of

FOREIGN = {"true": "True", "false": "False", "null": "None", "nil": "None", "undefined": "None", "none": "None"}
FOREIGN.update({"this": "self", "xrange": "range", "unicode": "str", "basestring": "str", "raw_input": "input"})
FOREIGN.update(
    {"long": "int", "unichr": "chr", "TRUE": "True", "FALSE": "False", "NULL": "None", "NaN": 'float("nan")'}
)


def unknown_name(site: Site) -> Iterator[Change]:
    """NameError: the nearest name in scope, the attribute of that name, a builtin, what other languages call it."""
    missing = site.hints.found(r"name '(\w+)' is not defined") + site.hints.found(r"variable '(\w+)'")
    for node in names_of(site):
        if node.id not in missing:
            continue
        what = "`%s`" % node.id
        if node.id in FOREIGN:
            new = FOREIGN[node.id]
            yield Change(site.swap(node, new), -0.2, what, "is called `%s` in Python" % new)
        if site.klass is not None and node.id in site.attributes():
            yield Change(site.swap(node, "self." + node.id), 0.0, what, "lacks `self.` in front")
        near = {name: likeness(name, node.id) for name in dir(builtins) if name != node.id}
        near.update({name: 0.9 * likeness(name, node.id) for name in site.scope if name != node.id})
        for distance, name in sorted((distance, name) for name, distance in near.items())[:8]:
            yield Change(site.swap(node, name), distance, what, "is not defined there; `%s` is meant" % name)


def unknown_attribute(site: Site) -> Iterator[Change]:
    """AttributeError: the nearest attribute that the project or a known type has."""
    missing = site.hints.found(r"has no attribute '(\w+)'")
    if not missing:
        return
    known = site.hints.found(r"Did you mean: '(\w+)'") + site.attributes() + _attributes(site)
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if node.attr in missing:
            for distance, name in sorted((likeness(name, node.attr), name) for name in dict.fromkeys(known))[:10]:
                if name != node.attr:
                    edits = site.swap(node, "%s.%s" % (site.operand(node.value), name))
                    fault = "asks for an attribute that does not exist; `%s` is meant" % name
                    yield Change(edits, distance, "`%s`" % short(site.text(node)), fault)


def _attributes(site: Site) -> List[str]:
    used = [node.attr for node in walked(site.source.tree) if isinstance(node, ast.Attribute)]
    for kind in (str, list, dict, set, int, float, bytes):
        used += [name for name in dir(kind) if not name.startswith("_")]
    return used + list(site.hints.definitions)


def wrong_keyword(site: Site) -> Iterator[Change]:
    """TypeError: an unexpected keyword, to be spelled as the parameter is, or left out."""
    unexpected = site.hints.found(r"unexpected keyword argument '(\w+)'")
    if not unexpected:
        return
    parameters = [a.arg for f in walked(site.source.tree) if isinstance(f, FunctionNode) for a in f.args.args]
    parameters += [k.arg for k in walked(site.source.tree) if isinstance(k, ast.keyword) and k.arg]
    parameters += [*LIBRARY_KEYWORDS, *site.hints.found(r"Did you mean '(\w+)'")]
    for node in site.of(ast.keyword):
        assert isinstance(node, ast.keyword)
        if node.arg in unexpected:
            value = site.text(node.value)
            what = "`%s=%s`" % (node.arg, short(value))
            start = site.source.span(node.value)[0] - len(node.arg) - 1
            for distance, name in sorted((likeness(name, node.arg), name) for name in {*parameters} - {node.arg})[:5]:
                edits = ((start, start + len(node.arg), name),)
                yield Change(edits, distance, what, "passes a keyword that is called `%s`" % name)


def mixed_text(site: Site) -> Iterator[Change]:
    """TypeError between text and numbers: convert the one or the other."""
    if not list(site.hints.of("can only concatenate", "unsupported operand", "must be str", "not supported between")):
        return
    for node in site.of(ast.BinOp, ast.Compare):
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (getattr(node, "left"),)  # noqa: B009
        if isinstance(node, ast.Compare):
            sides = (node.left, node.comparators[0])
        for rank, side in enumerate(reversed(sides)):
            for more, name in enumerate(("str", "int", "float")):
                edits = site.swap(side, "%s(%s)" % (name, site.text(side)))
                fault = "mixes types; `%s` must go through `%s`" % (short(site.text(side)), name)
                yield Change(edits, 0.2 * rank + 0.3 * more, "`%s`" % short(site.text(node)), fault)


def unbound(site: Site) -> Iterator[Change]:
    """UnboundLocalError: a first value at the start of the function, or the global that is meant."""
    missing = site.hints.found(r"local variable '(\w+)'")
    function = site.function
    if function is None or not missing or not site.source.alone(site.stmt):
        return
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if not body or site.stmt is not body[0]:
        return
    for name in missing:
        for rank, value in enumerate(("0", "None", "[]", '""', "{}", "False")):
            fault = "uses `%s` before it has a value" % name
            edits = site.insert_before("%s = %s" % (name, value))
            yield Change(edits, 0.1 * rank, "`%s`" % function.name, fault)
        for rank, word in enumerate(("global", "nonlocal")):
            fault = "assigns `%s` as a local variable; the outer one is meant" % name
            edits = site.insert_before("%s %s" % (word, name))
            yield Change(edits, -0.1 + 0.1 * rank, "`%s`" % function.name, fault)


def unreturned(site: Site) -> Iterator[Change]:
    """Something is `None` that should not be: reserved for sites whose function ends without a value."""
    if list(site.hints.of("NoneType", "None")):
        yield from returns.missing(site)


def self_not_given(site: Site) -> Iterator[Change]:
    """TypeError: an argument is missing where a function that is held gets none of the object that calls it."""
    if site.klass is None or not list(site.hints.of("required positional argument", "positional arguments but")):
        return
    for node in site.of(ast.Call):
        assert isinstance(node, ast.Call)
        start = site.source.span(node.func)[1] + 1
        if site.text(node).startswith(site.text(node.func) + "("):
            lead = "self, " if node.args or node.keywords else "self"
            yield Change(
                ((start, start, lead),), 0.0, "`%s`" % short(site.text(node)), "is not given the object itself"
            )


def never_stored(site: Site) -> Iterator[Change]:
    """AttributeError on `self.x`, where the constructor takes `x` and does not keep it."""
    function = site.function
    if function is None or function.name != "__init__" or not site.source.alone(site.stmt):
        return
    read = {node.id for node in walked(function) if isinstance(node, ast.Name)}
    missing = site.hints.found(r"has no attribute '_?(\w+)'")
    for name in arguments_of(function):
        if name in read or (name not in missing and site.stmt is not function.body[-1]):
            continue
        for rank, attribute in enumerate((name, "_" + name)):
            fault = "takes `%s` and does not keep it" % name
            cost = 0.3 * rank + (0.0 if name in missing else 0.9)
            edits = site.insert_after("self.%s = %s" % (attribute, name))
            yield Change(edits, cost, "`%s`" % function.name, fault)
