"""What a test module gets from its surroundings under pytest and not in a replay."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from bot import syntax
from sandbox import Files

_HOOKS = {"setup_module", "setUpModule", "setup_function", "pytest_plugins"}
_HARMLESS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
)


def leans_on(tree: Files, path: str) -> str:
    """A clause that says what may make the difference; empty where nothing is known to."""
    if any(line.startswith(b"env") for name in ("pytest.ini", "pyproject.toml") for line in _lines(tree, name)):
        return "the configuration of pytest sets environment variables"
    for name in _conftests(path):
        found = next(_steering(tree, name), "") if name in tree else ""
        if found:
            return f"{name} {found}"
    return next(_module_steering(tree, path), "")


def _lines(tree: Files, name: str) -> list[bytes]:
    return tree[name].data.splitlines() if name in tree else []


def _conftests(path: str) -> list[str]:
    folders = PurePosixPath(path).parents
    return [str(folder / "conftest.py") for folder in folders]


def _parsed(tree: Files, path: str) -> list[ast.stmt] | None:
    try:
        return syntax.parse(tree[path].data).body
    except (SyntaxError, ValueError, RecursionError, KeyError):
        return None


def _steering(tree: Files, path: str) -> Iterator[str]:
    body = _parsed(tree, path)
    if body is None:
        yield "cannot be read"
        return
    for node in body:
        if isinstance(node, ast.FunctionDef) and (node.name.startswith("pytest_") or _is_autouse(node)):
            yield f"has {node.name}, which acts on every test"
        elif not isinstance(node, _HARMLESS) and not _is_docstring(node):
            yield "does something when it is loaded"
        elif isinstance(node, ast.Assign) and not all(isinstance(target, ast.Name) for target in node.targets):
            yield "sets something outside itself"


def _module_steering(tree: Files, path: str) -> Iterator[str]:
    for node in _parsed(tree, path) or []:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in inner:
            if isinstance(part, ast.FunctionDef) and (part.name in _HOOKS or _is_autouse(part)):
                yield f"{path} has {part.name}, which acts on every test"
        if isinstance(node, ast.Expr) and not _is_docstring(node):
            yield f"{path} does something when it is loaded"


def _is_autouse(node: ast.FunctionDef) -> bool:
    return any("autouse=True" in ast.unparse(decorator) for decorator in node.decorator_list)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
