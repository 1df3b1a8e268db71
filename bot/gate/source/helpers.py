"""What tests bring along to call the project with: their own classes and functions, without the tests."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from bot.gate.baseline import file_of
from bot.gate.layer import Case
from bot.gate.source.paths import parse

_KEPT = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def helpers(case: Case) -> dict[str, str]:
    """Name of each module of the failing tests, as pytest may import it -> its source without tests."""
    found: dict[str, str] = {}
    for path in sorted({file_of(target) for target in case.before.target_ids} & set(case.tree)):
        module = parse(case.tree[path].data) if path.endswith(".py") else None
        source = _source(module) if module else ""
        place = PurePosixPath(path).with_suffix("")
        if source:
            found |= {place.name: source, ".".join(place.parts): source}
    return found


def _source(module: ast.Module) -> str:
    """Imports may fail where there is no test framework; empty where there is no class of its own."""
    kept = [node for node in module.body if isinstance(node, _KEPT) and not _is_test(node)]
    if not any(isinstance(node, ast.ClassDef) for node in kept):
        return ""
    body: list[ast.stmt] = [_tried(node) if isinstance(node, ast.Import | ast.ImportFrom) else node for node in kept]
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


def _is_test(node: ast.stmt) -> bool:
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return node.name.lower().startswith("test") or bool(node.decorator_list)


def _tried(node: ast.stmt) -> ast.Try:
    handler = ast.ExceptHandler(ast.Name("ImportError", ast.Load()), None, [ast.Pass()])
    return ast.Try([node], [handler], [], [])
