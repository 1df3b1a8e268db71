"""Patches that only say of comparisons whether what is equal counts, too."""

from __future__ import annotations

import ast

from bot.gate.layer import Case
from bot.gate.source.origins import value_of
from bot.gate.source.paths import parse

_LAX: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.Gt: ast.GtE}


def turns_bounds(case: Case) -> bool:
    """Whether all that changes is `<` and `<=`, or `>` and `>=`, between values that are worked out.

    Nothing but what is equal can come to something else then, wherever the patch stands. A number that is written out
    is a bound of its own, and asked about.
    """
    return bool(case.patch.files) and all(
        path in case.tree and data is not None and _is_turned(parse(case.tree[path].data), parse(data))
        for path, data in case.patch.files.items()
    )


def _is_turned(old: ast.Module | None, new: ast.Module | None) -> bool:
    return old is not None and new is not None and ast.dump(_Lax().visit(old)) == ast.dump(_Lax().visit(new))


class _Lax(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if all(value_of(side) is None for side in (node.left, *node.comparators)):
            node.ops = [_LAX.get(type(one), type(one))() for one in node.ops]
        return node
