"""Which functions of a project a patch changes, and a tree in which they tell with what they are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot import syntax
from bot.gate.baseline import file_of
from bot.gate.layer import Case
from bot.gate.outside import bare
from bot.gate.source import bindings, datafiles
from sandbox import File, Files

MAX_FUNCTIONS = 12
WATCH = "_regreen_watch"
"""The module that marked functions tell of their calls; where it is missing they are as they were."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Touched:
    """A function or method that exists before and after the patch, and may do something else after it."""

    path: str
    module: str
    name: str
    """Qualified in its module."""
    bound: bool = False
    """True for a class method: its class is not passed by a caller."""

    @property
    def where(self) -> str:
        """`module:name`, private names as classes store them."""
        *owners, last = self.name.split(".")
        if owners and last.startswith("__") and not last.endswith("__"):
            last = f"_{owners[-1].lstrip('_')}{last}"
        return f"{self.module}:{'.'.join([*owners, last])}"

    @property
    def is_init(self) -> bool:
        return self.name.endswith(".__init__")


def touched(case: Case, paths: Sequence[str]) -> list[Touched]:
    """Changed functions, and those that use a changed name of a module or class; the changed ones first.

    Where there are none, those of which failing tests speak: another module, or data, may have taken their place.
    """
    changed: list[Touched] = []
    users: list[Touched] = []
    names: set[str] = set()
    foreign: set[str] = set()
    for path in sorted(case.patch.files):
        old, new = _parsed(case.tree, path), _parsed(case.after, path)
        if new is None or not _is_product(case, path):
            continue
        foreign |= bindings.set_elsewhere(new) - bindings.set_elsewhere(old)
        if old is None:
            continue
        before, after = dict(_functions(old)), dict(_functions(new))
        other = _replaced(old, new)
        changed += [
            _touched(path, paths, name, before[name])
            for name in before
            if name in other or (name in after and ast.dump(before[name]) != ast.dump(after[name]))
        ]
        fresh = bindings.changed(old, new)
        names |= fresh
        users += [_touched(path, paths, n, f) for n, f in before.items() if _mentions(f, fresh)]
    if names and not users:
        users = list(_elsewhere(case, paths, names))
    users += _elsewhere(case, paths, foreign)
    found = list(dict.fromkeys([*changed, *users]))
    return (found or list(_spoken_of(case, paths)))[:MAX_FUNCTIONS]


def _spoken_of(case: Case, paths: Sequence[str]) -> Iterator[Touched]:
    """Functions whose names stand in the files of failing tests, where the patch may reach them unseen."""
    if not any(path.endswith(".py") or datafiles.grows(case, path) for path in case.patch.files):
        return
    tests = {file_of(target) for target in case.before.target_ids}
    known = {name for path in tests if (module := _parsed(case.tree, path)) for name in bindings.spoken(module)}
    for path in sorted(case.tree):
        module = _parsed(case.tree, path) if _is_product(case, path) else None
        for name, node in _functions(module) if module else ():
            if name.rpartition(".")[2] in known:
                yield _touched(path, paths, name, node)


def _parsed(tree: Files, path: str) -> ast.Module | None:
    if path not in tree or not path.endswith(".py"):
        return None
    try:
        return syntax.parse(tree[path].data)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _is_product(case: Case, path: str) -> bool:
    return path in bare({path: File(b"")}, case.before.test_files)


def _functions(node: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[tuple[str, Function]]:
    """Functions and methods by qualified name; inner functions belong to the one around them."""
    for inner in node.body:
        if isinstance(inner, Function):
            yield owner + inner.name, inner
        elif isinstance(inner, ast.ClassDef):
            yield from _functions(inner, f"{owner}{inner.name}.")


def _touched(path: str, paths: Sequence[str], name: str, node: Function) -> Touched:
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    return Touched(path, _module(path, paths), name, "classmethod" in decorators)


def _module(path: str, paths: Sequence[str]) -> str:
    root = next((root for root in paths if path.startswith(f"{root}/")), "")
    inner = path.removeprefix(f"{root}/") if root else path
    return inner.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


_HOOKS = frozenset({
    "__init_subclass__", "__getattribute__", "__getattr__", "__new__", "__set_name__", "__class_getitem__",
    "__call__",
})  # fmt: skip


def _replaced(old: ast.Module, new: ast.Module) -> set[str]:
    """Functions of the old module in whose place something else is called now, whatever their own code."""
    before, after = dict(_functions(old)), dict(_functions(new))
    # Imported, an instance, another function: bound in the module by another statement than before.
    found = {name for name in before if name in set(_bound(new)) - set(_bound(old)) or name not in after}
    found -= {
        name for name in before if name not in after and name.split(".")[0] not in {*_bound(new), *_classes(new)}
    }
    taken = bindings.rebound(old, new)
    found |= {name for name in before if name.split(".")[0] in taken or bindings.ALL in taken}
    # Overridden in a class below.
    fresh = {name.rpartition(".")[2] for name in after if "." in name and name not in before} - {"__init__"}
    found |= {name for name in before if "." in name and name.rpartition(".")[2] in fresh}
    # Inherited in another way, or looked up in another way.
    for name, node in _classes(new).items():
        was = _classes(old).get(name)
        hooks = _methods(node) & _HOOKS
        if was is not None and (_header(was) != _header(node) or hooks - _methods(was)):
            found |= {one for one in before if one.startswith(f"{name}.")}
    return found


def _classes(node: ast.Module) -> dict[str, ast.ClassDef]:
    return {inner.name: inner for inner in node.body if isinstance(inner, ast.ClassDef)}


def _methods(node: ast.ClassDef) -> set[str]:
    """Methods that a class has itself."""
    return {inner.name for inner in node.body if isinstance(inner, Function)}


def _header(node: ast.ClassDef) -> str:
    return " ".join(ast.dump(part) for part in (*node.bases, *node.keywords, *node.decorator_list))


def _bound(node: ast.Module) -> Iterator[str]:
    """Names that a module binds otherwise than by a plain `def`, to whatever it may be."""
    for inner in node.body:
        if isinstance(inner, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in inner.names)
        elif isinstance(inner, ast.If | ast.Try | ast.With | ast.For):
            yield from (part.name for part in ast.walk(inner) if isinstance(part, Function | ast.ClassDef))
    yield from (name for name, _ in bindings.statements(node))


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(inner, ast.Name) and inner.id in names)
        or (isinstance(inner, ast.Attribute) and inner.attr in names)
        for inner in ast.walk(node)
    )


def _elsewhere(case: Case, paths: Sequence[str], names: set[str]) -> Iterator[Touched]:
    """Functions of other files that use a changed name, or have it."""
    for path in sorted(case.tree):
        module = _parsed(case.tree, path) if _is_product(case, path) else None
        for name, node in _functions(module) if module else ():
            if name.rpartition(".")[2] in names or _mentions(node, names):
                yield _touched(path, paths, name, node)


# -- a tree that tells


def marked(case: Case, wanted: Sequence[Touched]) -> tuple[dict[str, File], list[dict[str, Any]]]:
    """The untouched tree, with a mark at the start of each wanted function and of every constructor beside it.

    The second result says what each number means, the wanted functions first.
    """
    tree = dict(case.tree)
    specs: list[dict[str, Any]] = [{} for _ in wanted]
    for path in sorted({one.path for one in wanted}):
        module = _parsed(case.tree, path)
        assert module is not None
        numbers = {one.name: number for number, one in enumerate(wanted) if one.path == path}
        bound = {one.name for one in wanted if one.bound}
        for name, node in _functions(module):
            init = name.endswith(".__init__")
            if name not in numbers and not init:
                continue
            number = numbers.get(name, len(specs))
            spec = _spec(node, init=init, drop=init or name in bound, wanted=name in numbers)
            if number < len(wanted):
                specs[number] = spec
            else:
                specs.append(spec)
            _mark(node, number)
        tree[path] = File(ast.unparse(ast.fix_missing_locations(module)).encode("utf-8", "surrogatepass"))
    return tree, specs


def _spec(node: Function, *, init: bool, drop: bool, wanted: bool) -> dict[str, Any]:
    arguments = node.args
    return {
        "positional": [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)],
        "rest": arguments.vararg.arg if arguments.vararg else None,
        "named": [argument.arg for argument in arguments.kwonlyargs],
        "others": arguments.kwarg.arg if arguments.kwarg else None,
        "drop": int(drop),
        "init": init,
        "wanted": wanted,
    }


def _mark(node: Function, number: int) -> None:
    """A function that tells of its arguments; iterators among them come back as such that tell what they give."""
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    values = f"({', '.join(names)},)" if names else "()"
    told = f"__import__('{WATCH}').seen({number}, locals(), {values})"
    mark = f"try:\n {f'{values} = ' if names else ''}{told}\nexcept ImportError: pass"
    has_docstring = ast.get_docstring(node, clean=False) is not None
    node.body[int(has_docstring) : int(has_docstring)] = syntax.parse(mark).body
