"""Whether two spellings of a function come to the same: in which order tests are joined, arguments by place or by name."""

from __future__ import annotations

import ast

USUAL = ("'utf-8'", "'utf8'")
"""What `encode` and `decode` take where nothing is said."""


def normal(text: bytes) -> str | None:
    """The same for texts that come to the same, and now and then for others. None for what does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return ast.dump(_Plain().visit(tree))


class _Plain(ast.NodeTransformer):
    """From the inside out: one spelling for each thing."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values = _sorted(node.values)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        """Kinds in `isinstance` and `except` have no order; that of other tuples is taken for none too."""
        self.generic_visit(node)
        node.elts = _sorted(node.elts)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("encode", "decode"):
            given = [one for one in given if ast.unparse(one) not in USUAL]
        node.args, node.keywords = _sorted(given), []
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            node.value = None
        return node


def _sorted(nodes: list[ast.expr]) -> list[ast.expr]:
    return sorted(nodes, key=ast.dump)
