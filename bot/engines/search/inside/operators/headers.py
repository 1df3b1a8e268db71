"""Headers and class bodies: defaults, decorators, `self`, base calls. The slow path tries what runs at import."""

from __future__ import annotations

import ast
from typing import Iterator, List, Optional, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import Function, FunctionNode, neighbours, paired

FUNCTION_DECORATORS = ("staticmethod", "classmethod", "property")


def defaults(site: Site) -> Iterator[Change]:
    """A default argument: another small value, or None with the value made anew inside when it is mutable."""
    function = site.stmt
    if not isinstance(function, FunctionNode):
        return
    for name, node in _defaults(function):
        text = site.text(node)
        what = "the default `%s=%s`" % (name, short(text))
        if text in ("[]", "{}", "set()", "list()", "dict()"):
            yield from _mutable(site, function, name, node)
        for rank, new in enumerate(("None", "0", "1", "True", "False", '""', "2", "10", "()", "-1")):
            if new != text:
                yield Change(site.swap(node, new), 0.15 * rank, what, "should be `%s`" % new)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            for new in (str(node.value + 1), str(node.value - 1)):
                yield Change(site.swap(node, new), 0.1, what, "should be `%s`" % new)


def _defaults(function: Function) -> Iterator[Tuple[str, ast.expr]]:
    spec = function.args
    plain = list(getattr(spec, "posonlyargs", [])) + spec.args
    for argument, default in paired(plain[len(plain) - len(spec.defaults) :], spec.defaults):
        yield argument.arg, default
    for argument, maybe in paired(spec.kwonlyargs, spec.kw_defaults):
        if maybe is not None:
            yield argument.arg, maybe


def _mutable(site: Site, function: Function, name: str, node: ast.expr) -> Iterator[Change]:
    body = function.body
    first = (
        body[1]
        if len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        else body[0]
    )
    if not site.source.alone(first) or site.source.indent(first) == "":
        return
    indent, newline = site.source.indent(first), site.source.newline
    start = site.source.lines_of(first)[0]
    text = "%sif %s is None:%s%s    %s = %s%s" % (indent, name, newline, indent, name, site.text(node), newline)
    what = "the default `%s=%s`" % (name, site.text(node))
    fault = "is one object that all calls share; each call needs its own"
    yield Change((*site.swap(node, "None"), (start, start, text)), -1.0, what, fault)


def decorated(site: Site) -> Iterator[Change]:
    """A decorator too many or too few."""
    function = site.stmt
    if not isinstance(function, FunctionNode) or not site.source.alone(function):
        return
    for decorator in function.decorator_list:
        start = site.source.line_start(decorator.lineno)
        end = site.source.line_end(decorator.end_lineno or decorator.lineno)
        what = "the decorator `@%s`" % short(site.text(decorator))
        yield Change(((start, end, ""),), 0.4, what, "does not belong there")
    if site.klass is not None:
        present = [site.text(decorator) for decorator in function.decorator_list]
        line = site.source.line_start(min([function.lineno] + [d.lineno for d in function.decorator_list]))
        for rank, name in enumerate(FUNCTION_DECORATORS):
            if name not in present:
                text = "%s@%s%s" % (site.source.indent(function), name, site.source.newline)
                yield Change(
                    ((line, line, text),), 0.2 * rank, "`%s`" % function.name, "lacks the decorator `@%s`" % name
                )


def parameters(site: Site) -> Iterator[Change]:
    """`self` missing from a method, a default missing from the last parameter, two parameters exchanged."""
    function = site.stmt
    if not isinstance(function, FunctionNode):
        return
    arguments = function.args.args
    names = [argument.arg for argument in arguments]
    static = any(site.text(d) == "staticmethod" for d in function.decorator_list)
    if site.klass is not None and not static and names[:1] not in (["self"], ["cls"]):
        at = _parameters_start(site, function)
        if at is not None:
            text = "self, " if names else "self"
            yield Change(((at, at, text),), -0.5, "the method `%s`" % function.name, "lacks its `self` parameter")
    bare = (
        arguments[len(arguments) - len(function.args.defaults) - 1 :]
        if len(arguments) > len(function.args.defaults)
        else []
    )
    if bare and bare[0].arg not in ("self", "cls"):
        end = site.source.span(bare[0])[1]
        for rank, value in enumerate(("None", "0", "1", "False", "True", '""', "()")):
            text = "=" + value if bare[0].annotation is None else " = " + value
            fault = "must be optional: `%s` needs a default" % bare[0].arg
            yield Change(((end, end, text),), 0.15 * rank, "`%s`" % function.name, fault)
    for one, two in neighbours(arguments):
        if one.arg not in ("self", "cls"):
            edits = site.swap(one, site.text(two)) + site.swap(two, site.text(one))
            what = "`%s`" % function.name
            yield Change(edits, 0.5, what, "takes `%s` and `%s` in the wrong order" % (one.arg, two.arg))


def _parameters_start(site: Site, function: Function) -> Optional[int]:
    start = site.source.span(function)[0]
    end = site.source.span(function.body[0])[0]
    at = site.source.data.find(b"(", start, end)
    return at + 1 if at >= 0 else None


def _of_bases(site: Site) -> List[str]:
    """Parameters of the constructors of the bases: of this file, else of others of the project."""
    assert site.klass is not None
    bases = dict.fromkeys(site.text(base).rpartition(".")[2] for base in site.klass.bases)
    found: List[str] = []
    for klass in site.source.tree.body:
        if isinstance(klass, ast.ClassDef) and klass.name in bases:
            for node in klass.body:
                if isinstance(node, FunctionNode) and node.name == "__init__":
                    found += arguments_of(node)
    for base in bases if not found else ():
        for parameters in site.hints.signatures.of(base):
            found += [name for name in parameters if name not in found]
    return found


def initialised(site: Site) -> Iterator[Change]:
    """`super().__init__()` missing from a constructor."""
    function = site.function
    if function is None or function.name != "__init__" or site.klass is None or not site.klass.bases:
        return
    if (
        site.stmt is not function.body[0]
        or "super()" in site.source.text(function)
        or not site.source.alone(site.stmt)
    ):
        return
    own = arguments_of(function)
    shared = [name for name in _of_bases(site) if name in own]
    forms: List[str] = [", ".join(shared)] if shared else []
    forms += [", ".join(own), ""] + [", ".join(own[:count]) for count in range(1, len(own))]
    for rank, inside in enumerate(dict.fromkeys(forms)):
        text = "super().__init__(%s)" % inside
        fault = "never calls the constructor of its base class"
        yield Change(site.insert_before(text), 0.2 * rank, "`%s.__init__`" % site.klass.name, fault)
