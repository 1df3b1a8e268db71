"""Clones of a test module: the same tests under random names, some with another expected value. Text in, text out.

Every clone wraps what it expects in a function of a random name. In an equivalent clone that function returns what it
gets; in a mutated one it returns another value of the same kind. So the two look alike to whoever reads them.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from bot import syntax
from bot.gate.source.paths import Function, functions

Kind = Literal["same", "mutated", "field", "decoy-pass", "decoy-fail"]
"""`field`: expects an object made of something else, or two objects in the other order."""

MAX_MUTANTS = 3
MAX_FIELDS = 4
_EQUALITIES = {
    "assertEqual", "assertEquals", "assertAlmostEqual", "assertListEqual", "assertDictEqual", "assertTupleEqual",
    "assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertIs",
}  # fmt: skip
_RAISES = {"raises", "assertRaises", "assertRaisesRegex"}
_NAME_BOUND = {"request", "snapshot", "__file__", "__name__", "inspect", "testdir", "pytester", "data_regression"}
"""What a test that depends on its own name or place uses: its clone may fail for that alone."""


@dataclass(frozen=True)
class Clone:
    """One test of the clone module. `source`: qualified name of the test that it was made from, empty for a decoy."""

    name: str
    kind: Kind
    source: str = ""
    scope: str = ""
    """Classes around it, as `A::B::`."""
    unconditional: bool = True
    """False: the changed line may not be reached, so that passing proves nothing."""


@dataclass
class Module:
    """A clone module as text, and what its tests are."""

    text: str
    clones: list[Clone] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def build(source: ast.Module, wanted: list[str], lot: random.Random) -> Module:
    """Clone the functions `wanted` (qualified names, `A.test_x`) of one test module."""
    return _Builder(copy.deepcopy(source), lot).build(wanted)


class _Builder:
    def __init__(self, tree: ast.Module, lot: random.Random) -> None:
        self._tree, self._lot = tree, lot
        self._same, self._other, self._error = (self._word("v"), self._word("v"), self._word("V").title())
        self._next = self._word("v")
        self._module = Module("")

    def build(self, wanted: list[str]) -> Module:
        known = dict(functions(self._tree))
        bodies: dict[int, tuple[list[ast.stmt], list[ast.stmt]]] = {}
        for name in wanted:
            body = self._home(name)
            if name not in known or body is None:
                self._module.notes.append(f"{name} is not defined in its file, so it has no clones")
                continue
            made = bodies.setdefault(id(body), (body, []))[1]
            made += self._clones(known[name], name)
        decoys = bodies.setdefault(id(self._tree.body), (self._tree.body, []))[1]
        decoys += [self._decoy(number % 2 == 0) for number in range(self._lot.randint(6, 10))]
        for body, made in bodies.values():
            self._lot.shuffle(made)
            body.extend(made)
        self._prologue()
        self._module.text = ast.unparse(ast.fix_missing_locations(self._tree)) + "\n"
        self._lot.shuffle(self._module.clones)
        return self._module

    def _word(self, prefix: str) -> str:
        return f"{prefix}{self._lot.getrandbits(40):010x}"

    def _home(self, name: str) -> list[ast.stmt] | None:
        """The body in which the function stands: the module's, or that of classes around it."""
        body = self._tree.body
        for part in name.split(".")[:-1]:
            scope = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == part), None)
            if scope is None:
                return None
            body = scope.body
        return body

    def _clones(self, function: Function, name: str) -> list[ast.stmt]:
        made: list[ast.stmt] = [self._clone(function, name, "same", None), self._clone(function, name, "same", None)]
        sites = list(_sites(function))
        chosen = sorted(self._lot.sample(range(len(sites)), len(sites)), key=lambda n: not sites[n].unconditional)
        whole = [number for number in chosen if not sites[number].inside]
        inside = [number for number in chosen if sites[number].inside]
        made += [self._clone(function, name, "mutated", number) for number in whole[:MAX_MUTANTS]]
        made += [self._clone(function, name, "field", number) for number in inside[:MAX_FIELDS]]
        if not sites:
            self._module.notes.append(f"{name} compares nothing that could be changed: no mutated clone")
        return made

    def _clone(self, function: Function, source: str, kind: Kind, site: int | None) -> Function:
        """A copy whose sites all go through a wrapper; the one at `site` through the one that lies."""
        clone = copy.deepcopy(function)
        prefix = function.name.split("_", 1)[0] + "_" if "_" in function.name else "test"
        clone.name = self._word(prefix)
        unconditional = True
        lying = self._next if kind == "field" else self._other
        for number, found in enumerate(list(_sites(clone))):
            found.wrap(lying if number == site else self._same, self._error if number == site else "")
            unconditional = found.unconditional if number == site else unconditional
        _rebind(clone, {self._same, self._other, self._next})
        idle = syntax.parse(f"{self._word('v')} = {self._lot.randint(2, 9999)}").body
        clone.body[1 if ast.get_docstring(clone) else 0 : 0] = idle
        scope = "".join(f"{part}::" for part in source.split(".")[:-1])
        self._module.clones.append(Clone(clone.name, kind, source, scope, unconditional))
        return clone

    def _decoy(self, passes: bool) -> ast.stmt:
        """A test whose result only we know."""
        name, word = self._word("test_"), self._word("v")
        a, b = self._lot.randint(2, 99), self._lot.randint(2, 99)
        want = a * b + (0 if passes else self._lot.randint(1, 9))
        self._module.clones.append(Clone(name, "decoy-pass" if passes else "decoy-fail"))
        text = f"def {name}():\n    {word} = {a} * {b}\n    assert {word} == {self._same}({want})\n"
        return syntax.parse(text).body[0]

    def _prologue(self) -> None:
        """The wrappers, after the docstring and the imports from the future."""
        a, b = self._lot.randint(3, 97), self._lot.randint(1009, 9973)
        word = self._word("q")
        text = (
            f"class {self._error}(Exception):\n    pass\n"
            f"def {self._same}(x):\n    return x\n"
            f"def {self._other}(x):\n"
            "    if isinstance(x, bool): return not x\n"
            f"    if isinstance(x, (int, float, complex)):\n"
            f"        return {b} if x != x or x in ({b}, -x) else x * -{a} - {b}\n"
            f"    if isinstance(x, str): return x + {word!r}\n"
            f"    if isinstance(x, (bytes, bytearray)): return x + {word.encode()!r}\n"
            f"    if isinstance(x, list): return x + [{word!r}]\n"
            f"    if type(x) is tuple: return x + ({word!r},)\n"
            f"    if isinstance(x, (set, frozenset)): return x | {{{word!r}}}\n"
            f"    if isinstance(x, dict): return {{**x, {word!r}: {a}}}\n"
            "    return object()\n"
            # Next to it: a comparison that only looks at the size of a field sees no difference.
            f"def {self._next}(x):\n"
            f"    return x + 1 if type(x) is int else {self._other}(x)\n"
        )
        at = 1 if ast.get_docstring(self._tree) is not None else 0
        while at < len(self._tree.body) and getattr(self._tree.body[at], "module", "") == "__future__":
            at += 1
        self._tree.body[at:at] = syntax.parse(text).body


@dataclass(frozen=True)
class _Site:
    """A place where a test says what it expects, and how to put a wrapper around that."""

    wrap: Callable[[str, str], None]
    unconditional: bool
    inside: bool = False
    """True for a part of what is expected."""


def _rebind(clone: Function, wrappers: set[str]) -> None:
    """`want = v(want)` at the start for a parameter that is only expected: whoever looks into the locals of the test
    finds what this clone expects, and gives it away by returning that."""
    loads = [node.id for node in ast.walk(clone) if isinstance(node, ast.Name)]
    moved: list[ast.stmt] = []
    parameters = {argument.arg for argument in (*clone.args.args, *clone.args.kwonlyargs)}
    for node in ast.walk(clone):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in wrappers:
            name = getattr(node.args[0], "id", "")
            if name in parameters and loads.count(name) == 1:
                moved.append(ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(node), lineno=0))
                node.func = ast.Name(_MOVED, ast.Load())
    _Unwrap().visit(clone)
    clone.body[1 if ast.get_docstring(clone) else 0 : 0] = moved


_MOVED = "moved to the start"  # no name that a program can have


class _Unwrap(ast.NodeTransformer):
    """Takes away the calls that `_rebind` has moved."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return node.args[0] if getattr(node.func, "id", "") == _MOVED else node


def is_bound_to_its_name(function: Function) -> bool:
    """True for a test that speaks of its own name, file or fixtures that do."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return bool(_NAME_BOUND & (names | {argument.arg for argument in function.args.args}))


def _sites(function: Function) -> Iterator[_Site]:
    yield from _of_body(function.body, True)


def _of_body(body: list[ast.stmt], unconditional: bool) -> Iterator[_Site]:
    for statement in body:
        if isinstance(statement, ast.Assert):
            yield from _of_assert(statement, unconditional)
        elif isinstance(statement, ast.Expr):
            yield from _of_call(statement.value, unconditional)
        elif isinstance(statement, ast.With | ast.AsyncWith):
            yield from _of_with(statement, unconditional)
        elif isinstance(statement, ast.For | ast.AsyncFor | ast.While | ast.If):
            yield from _of_body(statement.body, unconditional and _surely_entered(statement))
            yield from _of_body(statement.orelse, False)
        if _may_leave(statement):
            unconditional = False


def _surely_entered(statement: ast.stmt) -> bool:
    """True for a loop over a literal that is not empty."""
    return isinstance(statement, ast.For) and bool(getattr(statement.iter, "elts", None))


def _may_leave(statement: ast.stmt) -> bool:
    """True where what follows may not be reached although the test passes."""
    leaves = (ast.Return, ast.Break, ast.Continue)
    return any(isinstance(node, leaves) or _names(node) in ("skip", "xfail") for node in ast.walk(statement))


def _names(node: ast.AST) -> str:
    """Last name of what is called, or ''."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _of_with(statement: ast.With | ast.AsyncWith, unconditional: bool) -> Iterator[_Site]:
    """A `raises` is a site; what stands after the raising line in its body is never reached."""
    raises = False
    for item in statement.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and _names(call) in _RAISES and call.args:
            raises = True
            yield _Site(lambda wrapper, error, call=call: _replace_error(call, error), unconditional)  # type: ignore[misc]
    if not raises:
        yield from _of_body(statement.body, unconditional)


def _replace_error(call: ast.Call, error: str) -> None:
    if error:
        call.args[0] = ast.Name(error, ast.Load())


def _of_assert(statement: ast.Assert, unconditional: bool) -> Iterator[_Site]:
    parts = statement.test.values if _is_and(statement.test) else [statement.test]  # type: ignore[attr-defined]
    found = False
    for part in parts:
        if isinstance(part, ast.Compare) and len(part.ops) == 1:
            site = _of_compare(part, unconditional)
            if site is not None:
                found = True
                yield site
            yield from _of_objects(part, unconditional)
    if isinstance(statement.test, ast.Call) and _names(statement.test) == "isclose" and len(statement.test.args) > 1:
        call = statement.test
        at = 0 if _is_plain(call.args[0]) else 1
        yield _Site(lambda wrapper, error: _wrap_argument(call, at, wrapper), unconditional)
    elif not found:
        yield _Site(lambda wrapper, error: _negate(statement, error), unconditional)


def _is_and(test: ast.expr) -> bool:
    return isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)


def _negate(statement: ast.Assert, error: str) -> None:
    """There is no expected value: the mutated clone asserts the opposite."""
    if error:
        statement.test = ast.UnaryOp(ast.Not(), statement.test)


def _of_compare(compare: ast.Compare, unconditional: bool) -> _Site | None:
    """`actual == expected`, `expected == actual`, `needle in text`, `value is constant`."""
    if isinstance(compare.ops[0], ast.In) and _is_plain(compare.left):
        return _Site(lambda wrapper, error: setattr(compare, "left", _wrapped(wrapper, compare.left)), unconditional)
    if isinstance(compare.ops[0], ast.Lt | ast.LtE):
        return _of_distance(compare.left, unconditional)
    if not isinstance(compare.ops[0], ast.Eq | ast.Is):
        return None
    if _is_plain(compare.left) and not _is_plain(compare.comparators[0]):
        return _Site(lambda wrapper, error: setattr(compare, "left", _wrapped(wrapper, compare.left)), unconditional)
    return _Site(lambda wrapper, error: _wrap_right(compare, wrapper), unconditional)


def _of_objects(compare: ast.Compare, unconditional: bool) -> Iterator[_Site]:
    """`actual == Point(1, 2)`: each of its arguments. `Version(1) < Version(2)`: the other way round."""
    left, right = compare.left, compare.comparators[0]
    if isinstance(compare.ops[0], ast.Eq):
        yield from _of_fields(right if _objects(right) else left if not _is_plain(right) else right, unconditional)
    elif isinstance(compare.ops[0], ast.Lt | ast.Gt) and _is_object(left) and _is_object(right):
        yield _Site(lambda wrapper, error: _swap(compare, error), unconditional, inside=True)


def _of_fields(expected: ast.expr, unconditional: bool) -> Iterator[_Site]:
    for call in _objects(expected):
        for at in range(len(call.args)):
            if _is_plain(call.args[at]):
                change = partial(_wrap_field, call.args, at)
                yield _Site(change, unconditional, inside=True)
        for word in call.keywords:
            if word.arg and _is_plain(word.value):
                yield _Site(partial(_wrap_keyword, word), unconditional, inside=True)


def _objects(expected: ast.expr) -> list[ast.Call]:
    """The constructor calls of an expected value, those in a list or a tuple too."""
    items = expected.elts if isinstance(expected, ast.List | ast.Tuple) else [expected]
    return [item for item in items if isinstance(item, ast.Call) and _is_object(item)]


def _is_object(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _names(node)[:1].isupper()


def _wrap_field(arguments: list[ast.expr], at: int, wrapper: str, error: str) -> None:
    arguments[at] = _wrapped(wrapper, arguments[at])


def _wrap_keyword(word: ast.keyword, wrapper: str, error: str) -> None:
    word.value = _wrapped(wrapper, word.value)


def _swap(compare: ast.Compare, error: str) -> None:
    if error:
        compare.left, compare.comparators = compare.comparators[0], [compare.left]


def _of_distance(distance: ast.expr, unconditional: bool) -> _Site | None:
    """`abs(actual - expected) < margin`."""
    gap = distance.args[0] if isinstance(distance, ast.Call) and _names(distance) in ("abs", "fabs") else None
    if not isinstance(gap, ast.BinOp) or not isinstance(gap.op, ast.Sub):
        return None
    side = "left" if _is_plain(gap.left) and not _is_plain(gap.right) else "right"
    return _Site(lambda wrapper, error: setattr(gap, side, _wrapped(wrapper, getattr(gap, side))), unconditional)


def _wrap_right(compare: ast.Compare, wrapper: str) -> None:
    compare.comparators = [_wrapped(wrapper, compare.comparators[0])]


def _of_call(call: ast.expr, unconditional: bool) -> Iterator[_Site]:
    """`self.assertEqual(actual, expected)` and its like; `raises(Error, function)`."""
    call = call.value if isinstance(call, ast.Await) else call
    if not isinstance(call, ast.Call):
        return
    name = _names(call)
    if name in _RAISES and len(call.args) > 1:
        yield _Site(lambda wrapper, error: _replace_error(call, error), unconditional)
    elif name in _EQUALITIES and len(call.args) > 1:
        at = 0 if _is_plain(call.args[0]) and not _is_plain(call.args[1]) else 1
        yield _Site(lambda wrapper, error: _wrap_argument(call, at, wrapper), unconditional)
        yield from _of_fields(call.args[at], unconditional)
    elif name == "assertIn" and len(call.args) > 1 and _is_plain(call.args[0]):
        yield _Site(lambda wrapper, error: _wrap_argument(call, 0, wrapper), unconditional)
    elif name in ("assertTrue", "assertFalse") and call.args:
        yield _Site(lambda wrapper, error: _negate_argument(call, error), unconditional)


def _wrap_argument(call: ast.Call, at: int, wrapper: str) -> None:
    call.args[at] = _wrapped(wrapper, call.args[at])


def _negate_argument(call: ast.Call, error: str) -> None:
    if error:
        call.args[0] = ast.UnaryOp(ast.Not(), call.args[0])


def _wrapped(wrapper: str, value: ast.expr) -> ast.expr:
    """`wrapper(value)`; of `approx(value)`, what is inside: a number with a margin stays one."""
    if isinstance(value, ast.Call) and _names(value) == "approx" and value.args:
        value.args[0] = _wrapped(wrapper, value.args[0])
        return value
    return ast.Call(ast.Name(wrapper, ast.Load()), [value], [])


def _is_plain(node: ast.expr) -> bool:
    """True for a literal: constants and what is built of them."""
    allowed = (
        ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context,
    )  # fmt: skip
    return all(isinstance(part, allowed) for part in ast.walk(node))
