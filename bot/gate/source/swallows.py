"""Code that drops errors which it does not know."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bot.gate.source.names import Fact, Names

_REQUESTS = {"BaseException", "CancelledError", "KeyboardInterrupt", "SystemExit", "GeneratorExit"}
"""What asks a program or a task to stop, and what holds all of them."""


def swallows(node: ast.AST, names: Names) -> Iterator[Fact]:
    """Handlers, `finally` and contexts that drop more than one kind of error."""
    if isinstance(node, ast.ExceptHandler):
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        caught = {getattr(kind, "attr", getattr(kind, "id", "BaseException")) for kind in kinds}
        raises = any(isinstance(part, ast.Raise) for line in node.body for part in ast.walk(line))
        if caught & _REQUESTS and not raises:
            yield "swallows-errors", f"a handler drops {min(caught & _REQUESTS)}, a request to stop among them", False
        elif "Exception" in caught and not raises and not _is_raised_later(node, names.tree):
            quiet = (ast.Pass, ast.Return, ast.Continue, ast.Break, ast.Assign)
            if all(isinstance(part, quiet) for part in node.body):
                yield "swallows-errors", "a handler drops every exception", False
    yield from _own_errors(node)
    yield from _leaving(node)
    final = [part for line in getattr(node, "finalbody", []) for part in ast.walk(line)]
    if any(isinstance(part, ast.Return) for part in final):
        yield "swallows-errors", "a `return` in a `finally` drops every exception", False
    if isinstance(node, ast.Call) and names.dotted(node.func) == "contextlib.suppress":
        if any(getattr(arg, "id", "") in ("Exception", "BaseException", "AssertionError") for arg in node.args):
            yield "swallows-errors", "a context drops every exception", False


def _own_errors(node: ast.AST) -> Iterator[Fact]:
    """A `raise` whose exception the same statement drops again."""
    if isinstance(node, ast.Try) and any(isinstance(line, ast.Raise) for line in node.body):
        if any(all(isinstance(line, ast.Pass) for line in handler.body) for handler in node.handlers):
            yield "swallows-errors", "an exception is raised and dropped at once", False


def _leaving(node: ast.AST) -> Iterator[Fact]:
    """The end of a context that says of every error, whatever its class, that it is dealt with."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name not in ("__exit__", "__aexit__"):
        return
    returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value is not None]
    drops = any(not isinstance(value, ast.Constant) or value.value for value in returned)
    named = {part.id for line in node.body for part in ast.walk(line) if isinstance(part, ast.Name)}
    if drops and not any(name in ("isinstance", "issubclass") or name[:1].isupper() for name in named):
        yield "swallows-errors", "a context drops every exception", False


# -- kept for later


def _is_raised_later(handler: ast.ExceptHandler, tree: ast.Module) -> bool:
    """Whether the error is kept by a name that the function raises with, once all else is done."""
    if any(isinstance(line, ast.Return) for line in handler.body):
        return False
    kept = {
        target.id
        for line in handler.body
        if isinstance(line, ast.Assign) and _uses(line.value, handler.name)
        for target in line.targets
        if isinstance(target, ast.Name)
    }
    around = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = [node for node in around if any(part is handler for part in ast.walk(node))]
    return bool(inner) and any(_raises_with(inner[-1], name, handler) for name in kept)


def _raises_with(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, handler: ast.ExceptHandler) -> bool:
    """Whether the function comes to such a `raise` on no other condition than that there is an error."""
    for line in function.body:
        if line.lineno < handler.lineno:
            continue
        raised = line.body[-1] if isinstance(line, ast.If) and _asks_for(line.test, name) else line
        if isinstance(raised, ast.Raise) and _uses(raised, name):
            return True
        if any(isinstance(part, ast.Return) for part in ast.walk(line)):
            return False
    return False


def _asks_for(test: ast.expr, name: str) -> bool:
    """`failed`, `failed is not None`."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        nothing = test.comparators[0]
        test = test.left if isinstance(nothing, ast.Constant) and nothing.value is None else nothing
    return isinstance(test, ast.Name) and test.id == name


def _uses(node: ast.AST, name: str | None) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
