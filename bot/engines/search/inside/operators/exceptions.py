"""Exceptions: another type raised or caught, a raise that is missing, an error swallowed."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked

KIN: Tuple[str, ...] = ("ValueError", "TypeError", "KeyError", "IndexError", "LookupError", "AttributeError")
MORE: Tuple[str, ...] = ("RuntimeError", "ZeroDivisionError", "ArithmeticError", "OSError", "NotImplementedError")
WIDE: Tuple[str, ...] = ("Exception", "StopIteration", "OverflowError", "UnicodeDecodeError")


def _known(site: Site) -> Dict[str, float]:
    names: Dict[str, float] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.ClassDef) and (_is_error(node.name) or any(map(_is_error, _bases(node, names)))):
            names[node.name] = 0.1
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if re.search(r"Error|Exception$", alias.name):
                    names[alias.asname or alias.name] = 0.2
    for name in _raised(site):
        names.setdefault(name, 0.0)
    for rank, name in enumerate(_siblings(site) + KIN + MORE + WIDE):
        names.setdefault(name, 0.3 + 0.08 * rank)
    return names


def _is_error(name: str) -> bool:
    return bool(re.search(r"Error|Exception|Failure|Invalid|NotFound", name))


def _bases(klass: ast.ClassDef, known: Dict[str, float]) -> List[str]:
    """Names of its bases; for one that is known to be an error by now, a name that says so."""
    names = [base.id for base in klass.bases if isinstance(base, ast.Name)]
    return ["Exception" if name in known else name for name in names]


def _raised(site: Site) -> Iterator[str]:
    """What the file raises, however it is called, and what the red tests' messages speak of and this file knows."""
    for node in walked(site.source.tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(made, ast.Name) and made.id[:1].isupper():
                yield made.id
    for word in site.hints.found(r"\b([A-Z]\w+)\b"):
        if word[:1].isupper() and word in site.scope and word not in ("True", "False", "None"):
            yield word


FAMILIES: Tuple[Tuple[str, ...], ...] = (
    ("FileNotFoundError", "IsADirectoryError", "NotADirectoryError", "PermissionError", "OSError"),
    ("ConnectionError", "TimeoutError", "BrokenPipeError", "OSError"),
    ("UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "ValueError"),
    ("AttributeError", "TypeError", "NameError"),
    ("ImportError", "ModuleNotFoundError", "SyntaxError"),
    ("StopIteration", "StopAsyncIteration", "GeneratorExit"),
    ("RecursionError", "RuntimeError", "OverflowError", "MemoryError"),
)


def _siblings(site: Site) -> Tuple[str, ...]:
    """Exceptions that come for like reasons as those that the statement names."""
    named = {node.id for node in walked(site.stmt) if isinstance(node, ast.Name)}
    return tuple(name for family in FAMILIES if named & set(family) for name in family if name not in named)


def kind(site: Site) -> Iterator[Change]:
    """Another type in `raise`, or in `except`."""
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if not re.search(r"Error|Exception|StopIteration|LookupError", node.id) or not _raises_or_catches(site, node):
            continue
        given = _given_to_catch(site) if isinstance(site.parent(node), ast.ExceptHandler) else {}
        for name, cost in {**_known(site), **given}.items():
            if name != node.id:
                verb = "raises" if isinstance(site.stmt, ast.Raise) else "catches"
                fault = "%s `%s` where `%s` is expected" % (verb, node.id, name)
                yield Change(site.swap(node, name), cost, _what(site, node), fault)


def _given_to_catch(site: Site) -> Dict[str, float]:
    """Arguments of the functions round the statement that are called so: `errors`, `exceptions`, `catch`."""
    around = [one for one in site.source.ancestors(site.stmt) if isinstance(one, FunctionNode)]
    names = [name for function in around for name in arguments_of(function)]
    return {name: 0.0 for name in names if re.search(r"error|exception|catch|retry_on", name)}


def _raises_or_catches(site: Site, node: ast.AST) -> bool:
    return isinstance(site.stmt, (ast.Raise, ast.Try)) or isinstance(site.parent(node), ast.ExceptHandler)


def _what(site: Site, node: ast.AST) -> str:
    if isinstance(site.stmt, ast.Raise):
        return "`%s`" % short(site.text(site.stmt))
    return "`except %s`" % site.text(node)


def widened(site: Site) -> Iterator[Change]:
    """`except A` becomes `except (A, B)`."""
    if not isinstance(site.stmt, ast.Try):
        return
    for handler in site.stmt.handlers:
        if isinstance(handler.type, (ast.Name, ast.Attribute)):
            old = site.text(handler.type)
            for name, cost in _known(site).items():
                if name != old:
                    fault = "does not catch `%s`" % name
                    edits = site.swap(handler.type, "(%s, %s)" % (old, name))
                    yield Change(edits, cost, "`except %s`" % old, fault)
        elif isinstance(handler.type, ast.Tuple):
            for name, cost in _known(site).items():
                end = site.source.span(handler.type.elts[-1])[1]
                fault = "does not catch `%s`" % name
                yield Change(((end, end, ", " + name),), cost, "`except %s`" % short(site.text(handler.type)), fault)


def raised(site: Site) -> Iterator[Change]:
    """An exception that is created or returned, and should be raised."""
    stmt = site.stmt
    start = site.source.span(stmt)[0]
    what = "`%s`" % short(site.text(stmt))
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call) and _names_error(stmt.value.func):
        yield Change(((start, start, "raise "),), -1.0, what, "creates an exception and never raises it")
    if isinstance(stmt, ast.Return) and isinstance(stmt.value, ast.Call) and _names_error(stmt.value.func):
        yield Change(
            ((start, start + len("return"), "raise"),), -1.0, what, "returns an exception instead of raising it"
        )
    in_handler = any(isinstance(a, ast.ExceptHandler) for a in site.source.ancestors(stmt))
    if in_handler and isinstance(stmt, (ast.Pass, ast.Return, ast.Expr)):
        yield Change(site.swap(stmt, "raise"), 0.5, what, "swallows the error that must be seen")


def _names_error(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return bool(re.search(r"(Error|Exception)$", name))


def checked(site: Site) -> Iterator[Change]:
    """A check in front that refuses a bad argument: `if x < 0: raise ValueError(…)`."""
    function = site.function
    if function is None or not site.source.alone(site.stmt):
        return
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if not body or site.stmt is not body[0] or not isinstance(function, FunctionNode):
        return
    for name, distance in sorted(site.live().items(), key=lambda pair: pair[1])[:4]:
        tests = ("not " + name, name + " is None", name + " < 0", name + " <= 0", name + " == 0")
        for rank, test in enumerate(tests):
            for error, cost in list(_known(site).items())[:6]:
                words = '"%s is not valid"' % name
                text = "if %s:\n    raise %s(%s)" % (test, error, words)
                fault = "accepts a `%s` that it must refuse with `%s`" % (name, error)
                yield Change(site.insert_before(text), distance + 0.2 * rank + cost, "`%s`" % function.name, fault)


def cause(site: Site) -> Iterator[Change]:
    """`raise … from error`, `from None`: what the new error says of the old one."""
    stmt = site.stmt
    handlers = [one for one in site.source.ancestors(stmt) if isinstance(one, ast.ExceptHandler)]
    if not isinstance(stmt, ast.Raise) or stmt.exc is None or not handlers:
        return
    names = [one for one in (handlers[0].name, "None") if one]
    if stmt.cause is not None:
        for name in names:
            if name != site.text(stmt.cause):
                fault = "must come `from %s`" % name
                yield Change(site.swap(stmt.cause, name), 0.2, "`%s`" % short(site.text(stmt)), fault)
        return
    end = site.source.span(stmt.exc)[1]
    for rank, name in enumerate(names):
        fault = "does not say what caused it" if name != "None" else "shows an error that nobody should see"
        yield Change(((end, end, " from " + name),), 0.2 * rank, "`%s`" % short(site.text(stmt)), fault)
