"""The Python files of a patch, and which of their expressions are new."""

from __future__ import annotations

import ast
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
