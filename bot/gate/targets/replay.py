"""Finds the tests that can be replayed without a test framework, and makes a program of each.

A program holds what its test needs of its module (imports, constants, helpers, plain fixtures) and the rewritten
body. Everything is read from the pristine sources.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from bot import syntax
from bot.gate.source.literals import Aliases, Unknown, aliases_of, dotted, evaluate
from bot.gate.targets.rewrite import Check, NotReplayable, Rewriter

_BUILTINS = frozenset(dir(builtins)) | {"__name__"}
_SET_UPS = ("setUp", "setup_method", "asyncSetUp", "setUpClass", "setup_class")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Program:
    """One test as a program: its id, its source for the box, and what our side checks."""

    test: str
    source: str
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Unfit:
    """A test that cannot be replayed, and why."""

    test: str
    why: str


class Module:
    """One test module, read once."""

    def __init__(self, path: str, source: bytes) -> None:
        """Raises SyntaxError, ValueError or RecursionError for a file that is not Python."""
        self.path = path
        self.tree = syntax.parse(source)
        self.aliases: Aliases = aliases_of(self.tree)
        self.binding = {name: node for node in self.tree.body for name in _bound(node)}
        self.constants = self._constants()

    def _constants(self) -> dict[str, object]:
        """Plain values that the module assigns once."""
        known: dict[str, object] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and len(node.targets) == 1:
                try:
                    known[node.targets[0].id] = evaluate(node.value, known, self.aliases)
                except Unknown:
                    known.pop(node.targets[0].id, None)
        return known

    def find(self, names: Sequence[str]) -> tuple[ast.ClassDef | None, Function] | None:
        """A test function and its class, by the parts of its id."""
        body: list[ast.stmt] = self.tree.body
        owner: ast.ClassDef | None = None
        for name in names[:-1]:
            owner = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == name), None)
            if owner is None:
                return None
            body = owner.body
        function = next((n for n in reversed(body) if isinstance(n, Function) and n.name == names[-1]), None)
        return None if function is None else (owner, function)

    def tests(self) -> list[str]:
        """Ids of all test functions, as far as their names say so."""
        found = []
        for node in self.tree.body:
            if isinstance(node, Function) and node.name.startswith("test"):
                found.append(f"{self.path}::{node.name}")
            elif isinstance(node, ast.ClassDef):
                found += [
                    f"{self.path}::{node.name}::{inner.name}"
                    for inner in node.body
                    if isinstance(inner, Function) and inner.name.startswith("test")
                ]
        return found


def program(module: Module, test: str) -> Program | Unfit:
    """The program of one test, named as pytest names it."""
    name, _, row = test.partition("[")
    try:
        found = module.find(name.split("::")[1:])
        if found is None:
            raise NotReplayable("it is not written out in its file")
        return _Maker(module, *found).program(test, row[:-1] if row else None)
    except NotReplayable as error:
        return Unfit(test, str(error))
    except (RecursionError, TypeError, ValueError, LookupError, AttributeError):
        return Unfit(test, "it is written in a way that is not known")  # code of others, in shapes nobody foresaw


class _Maker:
    """Makes the program of one test function."""

    def __init__(self, module: Module, owner: ast.ClassDef | None, function: Function) -> None:
        self.module = module
        self.owner = owner
        self.function = deepcopy(function)

    def program(self, test: str, row: str | None) -> Program:
        if isinstance(self.function, ast.AsyncFunctionDef):
            raise NotReplayable("it is asynchronous")
        arguments = self._row(row)
        start = [*self._fixtures(arguments), *self._assigned(arguments)]
        rewriter = Rewriter(self.module.aliases, self.module.constants)
        body = [*self._self(), *rewriter.block([*start, *self.function.body])]
        if not rewriter.checks:
            raise NotReplayable("it asserts nothing that can be judged outside")
        parameters = [ast.arg(name) for name in ("__note__", "__truth__", "__raises__")]
        case = ast.FunctionDef("case", ast.arguments([], parameters, None, [], [], None, []), body, [], None, None)
        whole = ast.Module([*self._needed(case), case], [])
        return Program(test, ast.unparse(ast.fix_missing_locations(whole)), tuple(rewriter.checks))

    # -- parameters

    def _parameters(self) -> list[str]:
        names = [argument.arg for argument in self.function.args.args]
        return names[1:] if self.owner is not None and names else names

    def _row(self, row: str | None) -> dict[str, ast.expr]:
        """The arguments that parametrize gives to this row."""
        tables = []
        for decorator in self.function.decorator_list:
            name = self._pytest(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if name == "mark.parametrize" and isinstance(decorator, ast.Call):
                tables.append(self._table(decorator))
            elif not name.startswith("mark.") or name.split(".")[1] in (
                "skip", "skipif", "xfail", "usefixtures", "asyncio", "anyio", "django_db",
            ):  # fmt: skip
                raise NotReplayable(f"it is decorated with {ast.unparse(decorator)[:60]}")
        if not tables:
            if row is not None:
                raise NotReplayable("its parameters are not written out")
            return {}
        rows: list[tuple[str, dict[str, ast.expr]]] = [("", {})]
        for table in reversed(tables):
            rows = [(f"{a}-{b}" if a else b, {**x, **y}) for a, x in rows for b, y in table]
        fitting = [arguments for name, arguments in rows if name == row]
        if len(fitting) != 1:
            raise NotReplayable("its row of parameters cannot be told from its id")
        return fitting[0]

    def _table(self, call: ast.Call) -> list[tuple[str, dict[str, ast.expr]]]:
        """Rows of one parametrize: id as pytest makes it, and the arguments."""
        words = {word.arg: word.value for word in call.keywords}
        if set(words) - {"ids", "argnames", "argvalues"} or len(call.args) + len(words) < 2:
            raise NotReplayable("its parameters are not written out")
        names_node = call.args[0] if call.args else words["argnames"]
        values = self._resolved(call.args[1] if len(call.args) > 1 else words["argvalues"])
        names = self._names(names_node)
        if not isinstance(values, ast.List | ast.Tuple):
            raise NotReplayable("its parameters are not written out")
        ids = self._ids(words.get("ids"), len(values.elts))
        return [self._one(names, node, number, ids) for number, node in enumerate(values.elts)]

    def _names(self, node: ast.expr) -> list[str]:
        try:
            value = evaluate(node, {}, {})
        except Unknown as error:
            raise NotReplayable("its parameters are not written out") from error
        return [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)

    def _ids(self, node: ast.expr | None, count: int) -> list[str | None]:
        if node is None:
            return [None] * count
        try:
            value = evaluate(node, self.module.constants, self.module.aliases)
        except Unknown as error:
            raise NotReplayable("its parameters are named by a function") from error
        return list(value)

    def _one(
        self, names: list[str], node: ast.expr, number: int, ids: list[str | None]
    ) -> tuple[str, dict[str, ast.expr]]:
        name = ids[number] if number < len(ids) else None
        if isinstance(node, ast.Call) and self._pytest(node.func) == "param":
            words = {word.arg: word.value for word in node.keywords}
            given = words.get("id")
            name = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else name
            values = node.args
        else:
            node = self._resolved(node) if len(names) > 1 else node
            values = list(node.elts) if len(names) > 1 and isinstance(node, ast.Tuple | ast.List) else [node]
        if len(values) != len(names):
            raise NotReplayable("its parameters are not written out")
        made = [self._id(arg, value, number) for arg, value in zip(names, values, strict=True)]
        return (name if name is not None else "-".join(made)), dict(zip(names, values, strict=True))

    def _id(self, name: str, node: ast.expr, number: int) -> str:
        """The part of an id that pytest makes of one value."""
        try:
            value = evaluate(node, self.module.constants, self.module.aliases)
        except Unknown:
            return f"{name}{number}"
        if isinstance(value, str):
            return value.encode("unicode_escape").decode("ascii")
        if isinstance(value, bytes):
            return value.decode("ascii", "backslashreplace")
        return str(value) if value is None or isinstance(value, bool | int | float | complex) else f"{name}{number}"

    def _resolved(self, node: ast.expr) -> ast.expr:
        """A name of the module as what it was assigned."""
        if isinstance(node, ast.Name):
            binding = self.module.binding.get(node.id)
            if isinstance(binding, ast.Assign) and len(binding.targets) == 1:
                return binding.value
        return node

    def _assigned(self, arguments: Mapping[str, ast.expr]) -> list[ast.stmt]:
        return [_assign(name, value) for name, value in arguments.items()]

    # -- fixtures and classes

    def _fixtures(self, arguments: Mapping[str, ast.expr]) -> list[ast.stmt]:
        """Calls of the plain fixtures of this module, in the order in which they are needed."""
        made: dict[str, ast.stmt] = {}

        def make(name: str, depth: int = 0) -> None:
            if name in made:
                return
            fixture = self._fixture(name)
            if fixture is None or depth > 10:
                raise NotReplayable(f"it uses the fixture {name!r}")
            needs = [argument.arg for argument in fixture.args.args]
            for inner in needs:
                make(inner, depth + 1)
            call = ast.Call(ast.Name(_fixture_name(name), ast.Load()), [ast.Name(n, ast.Load()) for n in needs], [])
            made[name] = _assign(name, call)

        defaults = len(self.function.args.defaults)
        names = self._parameters()
        for name in names[: len(names) - defaults]:
            if name not in arguments:
                make(name)
        return list(made.values())

    def _fixture(self, name: str) -> ast.FunctionDef | None:
        node = self.module.binding.get(name)
        if not isinstance(node, ast.FunctionDef) or len(node.decorator_list) != 1:
            return None
        decorator = node.decorator_list[0]
        words = {word.arg for word in decorator.keywords} if isinstance(decorator, ast.Call) else set()
        is_fixture = self._pytest(decorator.func if isinstance(decorator, ast.Call) else decorator) == "fixture"
        yields = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))
        return node if is_fixture and not yields and not words & {"params", "name"} else None

    def _self(self) -> list[ast.stmt]:
        """An object that stands for the test's own: its class without the tests."""
        if self.owner is None:
            return []
        names = [argument.arg for argument in self.function.args.args]
        kept = [
            deepcopy(node)
            for node in self.owner.body
            if not (isinstance(node, Function) and (node.name.startswith("test") or node is self.function))
        ]
        for node in kept:
            if isinstance(node, Function) and any(self._pytest(d) for d in node.decorator_list):
                raise NotReplayable("its class has fixtures")
        cls = ast.ClassDef("__Self__", [], [], kept or [ast.Pass()], [])
        made: list[ast.stmt] = [cls, _assign(names[0] if names else "self", _named_call("__Self__"))]
        for name in _SET_UPS:
            if any(isinstance(node, ast.FunctionDef) and node.name == name for node in kept):
                attribute = ast.Attribute(ast.Name(names[0], ast.Load()), name, ast.Load())
                made.append(ast.Expr(ast.Call(attribute, [], [])))
        return made

    def _pytest(self, node: ast.expr) -> str:
        name = dotted(node.func if isinstance(node, ast.Call) else node, self.module.aliases)
        return name.removeprefix("pytest:") if name.startswith("pytest:") else ""

    # -- what else of the module is needed

    def _needed(self, case: ast.FunctionDef) -> list[ast.stmt]:
        """Statements of the module that the program needs, in their order."""
        needed: dict[int, ast.stmt] = {}
        waiting: list[ast.AST] = [case]
        while waiting:
            for name in _free(waiting.pop()):
                node = self._statement(name)
                if node is not None and id(node) not in needed:
                    needed[id(node)] = node
                    waiting.append(self._plain(node))
        body = self.module.tree.body
        stars = [n for n in body if isinstance(n, ast.ImportFrom) and n.names[0].name == "*"]
        futures = [n for n in body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        return [*futures, *(self._plain(n) for n in body if id(n) in needed or n in stars)]

    def _statement(self, name: str) -> ast.stmt | None:
        fixture = name.startswith("_fixture_") and name.removeprefix("_fixture_")
        node = self.module.binding.get(fixture or name)
        if node is None:
            return None
        if self.module.aliases.get(name, "").split(":")[0].split(".")[0] in ("pytest", "_pytest", "hypothesis"):
            raise NotReplayable(f"it uses {name} of a test framework")
        return node

    def _plain(self, node: ast.stmt) -> ast.stmt:
        """A statement of the module; a fixture becomes a plain function."""
        if isinstance(node, ast.FunctionDef) and self._fixture(node.name) is node:
            node = deepcopy(node)
            node.name, node.decorator_list = _fixture_name(node.name), []
        return node


def _fixture_name(name: str) -> str:
    return f"_fixture_{name}"


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _named_call(name: str) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [], [])


def _bound(node: ast.stmt) -> Iterator[str]:
    """Names that a statement of a module binds."""
    if isinstance(node, Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.If | ast.Try | ast.With | ast.For):
        inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
        yield from (name for child in inner for name in _bound(child))
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _free(node: ast.AST) -> set[str]:
    """Names that a piece of code uses; those that it binds itself do no harm."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} - _BUILTINS
