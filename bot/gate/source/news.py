"""The Python files of a patch, and which of their expressions are new."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.source.paths import parse


def changed_modules(case: Case) -> Iterator[tuple[str, ast.Module, set[str]]]:
    """Path, module with the patch, and a dump of each expression that stood in it before."""
    for path in sorted(case.patch.files):
        new = parse(case.after[path].data) if path in case.after and path.endswith(".py") else None
        old = parse(case.tree[path].data) if path in case.tree else None
        if new is not None:
            yield (
                path,
                new,
                {ast.dump(node) for node in ast.walk(old) if isinstance(node, ast.expr)} if old else set(),
            )


def calls_nothing_new(case: Case) -> bool:
    """Whether the patch calls, in each file, no more than what was called there, nor that more often."""
    for path in case.patch.files:
        old, new = (_called(parse(tree[path].data) if path in tree else None) for tree in (case.tree, case.after))
        if new - old:
            return False
    return True


def _called(module: ast.Module | None) -> Counter[str]:
    nodes = ast.walk(module) if module else ()
    return Counter(ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call))
