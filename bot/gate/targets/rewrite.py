"""Turns the body of a test into a program without assertions: it notes values, and our side compares them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from bot.gate.source.literals import Aliases, Unknown, dotted, evaluate

MAX_UNROLLED = 40
MAX_COPIES = 200


class NotReplayable(Exception):
    """Why a test cannot be replayed, in words that end the sentence "did not apply: ..."."""


@dataclass(frozen=True)
class Known:
    """A side of a comparison whose value we know."""

    value: Any


@dataclass(frozen=True)
class Noted:
    """A side whose value the box notes under a number."""

    number: int


@dataclass(frozen=True)
class Near:
    """A number, or a container of numbers, that may be missed a little: `pytest.approx`."""

    value: Any
    relative: float = 1e-6
    absolute: float = 1e-12


Side = Known | Noted | Near


@dataclass(frozen=True)
class Compares:
    """`left op right` must hold."""

    left: Side
    op: str
    right: Side
    text: str
    said: int = 0
    """Number of what the box itself makes of two values that it gave; 0 where we know one of them."""


@dataclass(frozen=True)
class Holds:
    """A value must be true, or not."""

    value: Noted
    wanted: bool
    text: str


@dataclass(frozen=True)
class Raises:
    """One of these exceptions must be raised; `message` is a text that must stand in it."""

    number: int
    names: tuple[str, ...]
    message: str
    text: str


Check = Compares | Holds | Raises

_OPS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_UNITTEST: dict[str, type[ast.cmpop]] = {
    "assertEqual": ast.Eq, "assertEquals": ast.Eq, "assertListEqual": ast.Eq, "assertDictEqual": ast.Eq,
    "assertTupleEqual": ast.Eq, "assertSetEqual": ast.Eq, "assertSequenceEqual": ast.Eq,
    "assertMultiLineEqual": ast.Eq, "assertNotEqual": ast.NotEq, "assertIs": ast.Is, "assertIsNot": ast.IsNot,
    "assertIn": ast.In, "assertNotIn": ast.NotIn, "assertGreater": ast.Gt, "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE,
}  # fmt: skip


class Rewriter:
    """Rewrites one test. `known`: names whose values we know where the body begins."""

    def __init__(self, aliases: Aliases, known: Mapping[str, object]) -> None:
        self.aliases = aliases
        self.known = dict(known)
        self.checks: list[Check] = []
        self._numbers = 0
        self._copies = 0

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in statements for new in self._statement(statement)] or [ast.Pass()]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        made = self._made(node)
        self._forget(node)
        return made

    def _made(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Assert(test=test):
                return self._assert(test)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call) if (
                name.startswith("assert")
            ):
                return self._unittest(name, call)
            case ast.Expr(value=ast.Call(func=function) as call) if self._pytest(function) == "raises":
                raise NotReplayable("it gives a function to pytest.raises")
            case ast.With():
                return self._with(node)
            case ast.For() if not node.orelse and self._unrolls(node):
                return self._unrolled(node)
            case ast.For() | ast.While():
                self._forget_assigned(node)
                node.body = self.block(node.body)
                return [node]
            case ast.If():
                self._forget_assigned(node)
                node.body, node.orelse = self.block(node.body), self.block(node.orelse)
                return [node]
            case ast.Try():
                self._forget_assigned(node)
                node.body = self.block(node.body)
                return [node]
            case ast.Assign(targets=[target], value=value):
                self.bind(target, value)
        return [node]

    # -- what we know

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Remember an assigned value where it is plain."""
        try:
            self._bind_value(target, self._value(value))
        except Unknown:
            for name in _names(target):
                self.known.pop(name, None)

    def _bind_value(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.known[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, list | tuple):
            if len(target.elts) != len(value):
                raise Unknown("unpacking")
            for inner, item in zip(target.elts, value, strict=True):
                self._bind_value(inner, item)
        else:
            raise Unknown("target")

    def _value(self, node: ast.expr) -> Any:
        return evaluate(node, self.known, self.aliases)

    def _forget(self, node: ast.stmt) -> None:
        """What a call was given it may have changed."""
        for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
            for name in _names(call):
                if not isinstance(self.known.get(name), int | float | str | bytes | None):
                    self.known.pop(name, None)
        if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.Delete | ast.FunctionDef | ast.ClassDef):
            self._forget_assigned(node)

    def _forget_assigned(self, node: ast.stmt) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store | ast.Del):
                self.known.pop(inner.id, None)

    # -- assertions

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _assert(self, test: ast.expr, wanted: bool = True) -> list[ast.stmt]:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._assert(operand, not wanted)
            case ast.BoolOp(op=ast.And(), values=values) if wanted:
                return [made for value in values for made in self._assert(value)]
            case ast.Compare(left=left, ops=[op], comparators=[right]) if wanted:
                return self._compare(left, op, right, ast.unparse(test))
        number = self._number()
        self.checks.append(Holds(Noted(number), wanted, ast.unparse(test)))
        return [_call("__truth__", number, test)]

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, text: str) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        touched = _called_with(left) | _called_with(right)
        sides = [self._side(node, touched, made) for node in (left, right)]
        said = 0
        if all(isinstance(side, Noted) for side in sides):
            said = self._number()
            made = _said(made, said, op)
        if any(isinstance(side, Noted) for side in sides):
            self.checks.append(Compares(sides[0], _OPS[type(op)], sides[1], text[:200], said))
        return made

    def _side(self, node: ast.expr, touched: set[str], made: list[ast.stmt]) -> Side:
        if isinstance(node, ast.IfExp):
            node = self._chosen(node)
        if isinstance(node, ast.Call) and self._pytest(node.func) == "approx":
            return self._approx(node)
        plain = {
            name: value
            for name, value in self.known.items()
            if name not in touched or isinstance(value, int | float | str | bytes | None)
        }
        try:
            return Known(evaluate(node, plain, self.aliases))
        except Unknown:
            number = self._number()
            made.append(_call("__note__", number, node))
            return Noted(number)

    def _chosen(self, node: ast.IfExp) -> ast.expr:
        """The branch of `a if condition else b` where we know the condition."""
        try:
            return node.body if self._value(node.test) else node.orelse
        except Unknown:
            return node

    def _approx(self, node: ast.Call) -> Near:
        try:
            words = {
                str(word.arg): float(self._value(word.value)) for word in node.keywords if word.arg in ("rel", "abs")
            }
            (expected,) = (self._value(argument) for argument in node.args)
        except (Unknown, ValueError, TypeError) as error:
            raise NotReplayable("it compares with pytest.approx of something that is not plain") from error
        relative = words.get("rel", 0.0 if "abs" in words else 1e-6)
        return Near(expected, relative, words.get("abs", 1e-12))

    def _unittest(self, name: str, call: ast.Call) -> list[ast.stmt]:
        arguments, text = call.args, ast.unparse(call)
        if name in _UNITTEST and len(arguments) >= 2:
            return self._compare(arguments[0], _UNITTEST[name](), arguments[1], text)
        if name in ("assertTrue", "assertFalse") and arguments:
            return self._assert(arguments[0], name == "assertTrue")
        if name in ("assertIsNone", "assertIsNotNone") and arguments:
            op = ast.Is() if name == "assertIsNone" else ast.IsNot()
            return self._compare(arguments[0], op, ast.Constant(None), text)
        if name == "assertIsInstance" and len(arguments) >= 2:
            return self._assert(ast.Call(ast.Name("isinstance", ast.Load()), arguments[:2], []))
        if name == "assertAlmostEqual" and len(arguments) >= 2:
            return self._almost(call, text)
        if name in ("assertRaises", "assertRaisesRegex") and len(arguments) >= 2:
            skipped = 2 if name == "assertRaisesRegex" else 1
            inner = ast.Expr(ast.Call(arguments[skipped], arguments[skipped + 1 :], call.keywords))
            return self._raises(arguments[0], arguments[1:skipped], [inner], None, text)
        raise NotReplayable(f"it uses {name}")

    def _almost(self, call: ast.Call, text: str) -> list[ast.stmt]:
        words = {word.arg: word.value for word in call.keywords}
        try:
            places = self._value(call.args[2] if len(call.args) > 2 else words.get("places", ast.Constant(7)))
            delta = self._value(words["delta"]) if "delta" in words else 0.5 * 10.0**-places
            near = Near(self._value(call.args[1]), 0.0, float(delta))
        except (Unknown, TypeError, ValueError) as error:
            raise NotReplayable("it compares with something that is not plain") from error
        made: list[ast.stmt] = []
        side = self._side(call.args[0], set(), made)
        self.checks.append(Compares(side, "==", near, text[:200]))
        return made

    # -- with

    def _with(self, node: ast.With) -> list[ast.stmt]:
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and self._is_raises(call):
                if len(node.items) > 1 or not call.args:
                    raise NotReplayable("it expects an exception in a way that is not known")
                text = ast.unparse(call)
                patterns = call.args[1:2] + [word.value for word in call.keywords if word.arg == "match"]
                return self._raises(call.args[0], patterns, node.body, item.optional_vars, text)
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "self.subTest":
                return self.block(node.body)
        node.body = self.block(node.body)
        return [node]

    def _is_raises(self, call: ast.Call) -> bool:
        return self._pytest(call.func) == "raises" or ast.unparse(call.func) in (
            "self.assertRaises",
            "self.assertRaisesRegex",
        )

    def _raises(
        self,
        kinds: ast.expr,
        patterns: list[ast.expr],
        body: list[ast.stmt],
        name: ast.expr | None,
        text: str,
    ) -> list[ast.stmt]:
        number = self._number()
        nodes = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        names = tuple(ast.unparse(node).rsplit(".", 1)[-1] for node in nodes)
        self.checks.append(Raises(number, names, self._plain_pattern(patterns), text[:200]))
        manager = ast.Call(ast.Name("__raises__", ast.Load()), [ast.Constant(number)], [])
        return [ast.With([ast.withitem(manager, name)], self.block(body))]

    def _plain_pattern(self, patterns: list[ast.expr]) -> str:
        """A pattern without any operators is a text that must be there; others are not judged."""
        try:
            pattern = self._value(patterns[0]) if patterns else ""
        except Unknown:
            return ""
        plain = isinstance(pattern, str) and not set(pattern) & set(r".^$*+?{}[]\|()")
        return pattern if plain else ""

    # -- loops over literals

    def _unrolls(self, node: ast.For) -> bool:
        leaves = any(isinstance(inner, ast.Break | ast.Continue | ast.Return) for inner in ast.walk(node))
        literal = isinstance(node.iter, ast.List | ast.Tuple) and len(node.iter.elts) <= MAX_UNROLLED
        return literal and not leaves

    def _unrolled(self, node: ast.For) -> list[ast.stmt]:
        assert isinstance(node.iter, ast.List | ast.Tuple)
        self._copies += len(node.iter.elts)
        if self._copies > MAX_COPIES:
            raise NotReplayable("its loops are too long")
        made: list[ast.stmt] = []
        for item in node.iter.elts:
            assign = ast.Assign([deepcopy(node.target)], deepcopy(item))
            made += self.block([assign, *(deepcopy(statement) for statement in node.body)])
        return made

    def _pytest(self, node: ast.expr) -> str:
        """The name of something of pytest; empty for anything else."""
        name = dotted(node, self.aliases)
        return name.removeprefix("pytest:") if name.startswith("pytest:") else ""


def _call(function: str, number: int, value: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(function, ast.Load()), [ast.Constant(number), value], []))


def _said(made: list[ast.stmt], number: int, op: ast.cmpop) -> list[ast.stmt]:
    """Two notes, kept in names so that the box can compare them with the project's own rules."""
    kept = []
    for name, note in zip(("__left__", "__right__"), made, strict=True):
        assert isinstance(note, ast.Expr)
        kept.append(ast.Assign([ast.Name(name, ast.Store())], note.value))
    test = ast.Compare(ast.Name("__left__", ast.Load()), [op], [ast.Name("__right__", ast.Load())])
    return [*kept, _call("__truth__", number, test)]


def _names(node: ast.AST) -> Iterator[str]:
    return (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _called_with(node: ast.expr) -> set[str]:
    """Names that stand in a call: what it is given it may change."""
    return {name for inner in ast.walk(node) if isinstance(inner, ast.Call) for name in _names(inner)}
