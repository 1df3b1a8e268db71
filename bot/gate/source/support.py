"""Tests that live outside test files: assertion helpers, expected values and fixtures that only tests use.

Found from imports and calls of the untouched tree, and from the files that the baseline run opened. The public
functions of a library are called by its tests alone, too: one counts as support only where a test judges with it.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bot.gate.layer import Case
from bot.gate.source.paths import functions, is_test_side, parse, touched
from bot.nouns import Reason

LAYER = "structure"

_FRAMEWORKS = {"pytest", "unittest", "hypothesis", "nose"}
_SUPPORT_NAMES = re.compile(r"^_?(testing|test_?(utils?|tools?|kit|support|helpers?|data|cases))$")


def examine(case: Case) -> list[Reason]:
    """What the patch changes of such files."""
    reasons = list(_opened(case))
    known = _Project(case)
    for path, data in sorted(case.patch.files.items()):
        if data is not None and path.endswith(".py") and path in case.tree and not is_test_side(path, case.before):
            reasons += _module(known, path, data)
    return reasons


def _opened(case: Case) -> Iterator[Reason]:
    """Golden files: opened by the tests themselves and not by the product."""
    for path in sorted(case.patch.files):
        openers = {opener for name, opener in case.before.opened if name == path and opener}
        if openers and all(is_test_side(opener, case.before) for opener in openers):
            detail = f"the tests read this file ({sorted(openers)[0]})"
            yield Reason(LAYER, "test-data-changed", detail, path)


class _Project:
    """The untouched tree as syntax trees: tests on one side, the product on the other."""

    def __init__(self, case: Case) -> None:
        self.case = case

    @cached_property
    def tests(self) -> dict[str, ast.Module]:
        return dict(self._side(tests=True))

    @cached_property
    def product(self) -> dict[str, ast.Module]:
        return dict(self._side(tests=False))

    def _side(self, *, tests: bool) -> Iterator[tuple[str, ast.Module]]:
        for path, file in self.case.tree.items():
            if path.endswith(".py") and not file.link and is_test_side(path, self.case.before) is tests:
                tree = parse(file.data)
                if tree is not None:
                    yield path, tree


def _module(known: _Project, path: str, data: bytes) -> Iterator[Reason]:
    tree = known.product.get(path)
    uses = [_uses(test, name, path) for name, test in known.tests.items()]
    if tree is None or not any(uses):
        return
    others = {name: other for name, other in known.product.items() if name != path}
    if not any(_imports(other, name, path) for name, other in others.items()):
        if _knows_tests(tree) or any(_SUPPORT_NAMES.match(part) for part in path.removesuffix(".py").split("/")):
            yield _reason(path, "only tests import this module, and it is made for them")
            return
    mentioned = {name for other in others.values() for name in _words(other)}
    elsewhere = {name.split(".")[-1] for other in others.values() for name, _ in functions(other)}
    roles = _Roles({name for found in uses for name in found}, elsewhere)
    for test in known.tests.values():
        roles.visit(test)
    yield from _changed_data(path, tree, data, mentioned, roles)
    yield from _changed_helpers(path, tree, known.case.tree[path].data, data, mentioned, roles)


def _reason(path: str, detail: str, *, hard: bool = True) -> Reason:
    return Reason(LAYER, "test-support-changed", detail, path, hard)


def _imports(tree: ast.Module, importer: str, path: str) -> bool:
    return bool(_uses(tree, importer, path))


def _uses(tree: ast.Module, importer: str, path: str) -> set[str]:
    """Names under which `importer` has the module at `path` or what stands in it; `*` for all."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    parent, _, last = module.rpartition(".")
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(item.asname or item.name).split(".")[-1] for item in node.names if _same(item.name, module)}
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, importer)
            if _same(origin, module):
                found |= {item.asname or item.name for item in node.names}
            elif not parent or _same(origin, parent):
                names = [item for item in node.names if item.name == last and (parent or not origin)]
                found |= {item.asname or item.name for item in names}
    return found


def _same(named: str, module: str) -> bool:
    """`shop.pricing` names src/shop/pricing.py too."""
    inner = module.removeprefix("src.").removeprefix("lib.")
    return bool(named) and named in (module, inner)


def _origin(node: ast.ImportFrom, importer: str) -> str:
    if not node.level:
        return node.module or ""
    folder = posixpath.dirname(importer).split("/")
    base = folder[: len(folder) - node.level + 1]
    return ".".join([*filter(None, base), *([node.module] if node.module else [])])


def _knows_tests(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        names = [item.name for item in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        if any(name.split(".")[0] in _FRAMEWORKS for name in names):
            return True
    return False


def _words(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {item.name for item in node.names}
    return found


@dataclass
class _Found:
    """In which roles tests use names of a module."""

    expected: set[str]
    asserting: set[str]
    judging: set[str]


class _Roles(ast.NodeVisitor):
    """Looks for names that a test judges by: tables of cases, assertion helpers, predicates over other results."""

    def __init__(self, names: set[str], elsewhere: set[str]) -> None:
        """`elsewhere`: functions of other modules of the product."""
        self.names, self.elsewhere = names, elsewhere
        self.found = _Found(set(), set(), set())
        self._raising = 0

    def visit_With(self, node: ast.With) -> None:
        raises = any("raises" in ast.unparse(item.context_expr).lower() for item in node.items)
        self._raising += raises
        self.generic_visit(node)
        self._raising -= raises

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            if "parametrize" in ast.unparse(decorator):
                self.found.expected |= self._named(decorator)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.found.expected |= self._named(node.iter, calls=False)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for side in sides:
            others = [other for other in sides if other is not side]
            if any(isinstance(part, ast.Call) for other in others for part in ast.walk(other)):
                self.found.expected |= self._named(side, calls=False)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not self._raising:
            self.found.asserting |= self._named(node.value.func)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        inner = [a.func for arg in getattr(test, "args", []) for a in ast.walk(arg) if isinstance(a, ast.Call)]
        if isinstance(test, ast.Call) and any(_words(function) & self.elsewhere for function in inner):
            self.found.judging |= self._named(test.func)
        self.generic_visit(node)

    def _named(self, node: ast.AST, *, calls: bool = True) -> set[str]:
        """Names of the module in `node`; with `calls` False only where nothing is called."""
        if not calls and any(isinstance(part, ast.Call) for part in ast.walk(node)):
            return set()
        words = _words(node)
        return words if words & self.names else set()


def _changed_data(path: str, tree: ast.Module, data: bytes, used: set[str], roles: _Roles) -> Iterator[Reason]:
    """Module-level values that tests expect and nothing of the product uses."""
    old, new = _values(tree), _values(parse(data))
    own = {word for _, function in functions(tree) for word in _words(function)}
    for name in sorted(old):
        is_told = name.startswith("__") and name.endswith("__")  # such as `__version__`, which others read
        if old[name] != new.get(name) and name in roles.found.expected and name not in used | own and not is_told:
            yield _reason(path, f"only tests use the values in {name}")


def _values(tree: ast.Module | None) -> dict[str, str]:
    found = {}
    for statement in tree.body if tree else ():
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        value = getattr(statement, "value", None)
        if value is not None:
            found.update({node.id: ast.dump(value) for node in targets if isinstance(node, ast.Name)})
    return found


def _changed_helpers(
    path: str, tree: ast.Module, before: bytes, data: bytes, used: set[str], roles: _Roles
) -> Iterator[Reason]:
    """Functions by which tests judge: those that assert by themselves, and predicates over results of others."""
    changed = {name.split(".")[-1] for name in touched(before, data)}
    for name, function in functions(tree):
        if function.name in changed - used:
            if function.name in roles.found.asserting and _asserts(function):
                yield _reason(path, f"tests judge with {name}, and nothing else calls it")
            elif function.name in roles.found.judging:
                yield _reason(path, f"tests judge the results of other functions with {name}", hard=False)


def _asserts(function: ast.AST) -> bool:
    raised = [node.exc for node in ast.walk(function) if isinstance(node, ast.Raise) and node.exc]
    asserts = any(isinstance(node, ast.Assert) for node in ast.walk(function))
    return asserts or any("AssertionError" in ast.unparse(error) for error in raised)
