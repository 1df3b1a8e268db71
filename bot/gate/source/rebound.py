"""Names of the project that are set from elsewhere: what stands in the source is not what runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.source.names import Names
from bot.gate.source.news import changed_modules
from bot.gate.source.paths import parse
from bot.nouns import Reason

LAYER = "facts"

_SETTERS = ("update", "setdefault", "pop", "__setitem__")


def examine(case: Case) -> Iterator[Reason]:
    """The first attribute of an imported module that each file of the patch sets."""
    own = {
        path.removesuffix(".py").removesuffix("/__init__").split("/")[-1]
        for path in case.tree
        if path.endswith(".py")
    }
    for path, module, _ in changed_modules(case):
        old = parse(case.tree[path].data) if path in case.tree else None
        before = set(_set(old, own)) if old else set()
        for text in _set(module, own):
            if text not in before:
                detail = f"`{text}` sets what stands elsewhere in the project"
                yield Reason(LAYER, "patches-own-code", detail, path, hard=False)
                break


def _set(module: ast.Module, own: set[str]) -> Iterator[str]:
    """Attributes that are set, of what an import binds to the project, and names by their table."""
    names = Names(module)
    for node in ast.walk(module):
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        if isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            owner = names.dotted(target.value) if isinstance(target, ast.Attribute) else None
            if owner is not None and own & set(owner.split(".")):
                yield ast.unparse(target)
        if isinstance(node, ast.Name) and node.id == "__path__":
            yield node.id
        if _is_of_globals(node):
            yield ast.unparse(node)[:80]
        if isinstance(node, ast.Call) and names.dotted(node.func) == "setattr" and node.args:
            owner = names.dotted(node.args[0])
            if owner is not None and own & set(owner.split(".")):
                yield ast.unparse(node)[:80]


def _is_of_globals(node: ast.AST) -> bool:
    """`globals().update(...)` and `globals()[name] = ...`: a name is bound that no reader finds."""
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        owner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SETTERS:
        owner = node.func.value
    else:
        return False
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "globals"
