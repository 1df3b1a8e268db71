"""What a file says: names that are read and left unread, literals, phrases, and habits that people do not have."""

from __future__ import annotations

import ast
import builtins
import functools
from collections import Counter
from typing import FrozenSet, Iterator, List, NamedTuple, Set, Tuple

from ..site import arguments_of
from ..source import Function, FunctionNode, paired

MEASURES = ("len", "sum", "min", "max", "sorted", "set", "list", "tuple", "any", "all", "enumerate", "reversed")
"""What asks for the items of a thing."""
LOOPS = (ast.For, ast.AsyncFor, ast.While)
PHRASES = (ast.Call, ast.Compare, ast.BinOp, ast.BoolOp, ast.Subscript)


class Reading(NamedTuple):
    """What a file mentions."""

    mentions: "Counter[str]"
    """Names and attributes -> how often they are read."""
    unread: Set[Tuple[str, str]]
    """(function, name) for arguments and variables that nothing reads, ("", name) for imports."""
    idle: FrozenSet[str]
    """Functions of the file that nothing in it speaks of."""
    literals: "Counter[str]"
    phrases: "Counter[str]"
    """Calls, comparisons, sums and entries, word for word."""
    texts: int = 0
    """How often the text of a thing is asked for items: `len(str(x))`, `a in str(b)`."""
    late: int = 0
    """Arguments that are made ready, as in `x = list(x)`, after they were used as they came."""
    overwrites: int = 0
    """Variables that a loop counts on, and sets anew in each round all the same."""
    folds: int = 0
    """`x = x + …`: what is built up stands in front, as people write it."""
    handed: int = 0
    """Results of `f(*args, **kwargs)` that a wrapper gives back, or keeps, as they are."""
    numbered: FrozenSet[str] = frozenset()
    """Keys of tables that are numbers, or rows of them."""


@functools.lru_cache(maxsize=64)
def reading(data: bytes) -> Reading:
    """Raises SyntaxError or ValueError."""
    tree = ast.parse(data)
    mentions: "Counter[str]" = Counter()
    literals: "Counter[str]" = Counter()
    phrases: "Counter[str]" = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            mentions[node.id] += 1
        elif isinstance(node, ast.Attribute):
            mentions[node.attr] += 1
        elif isinstance(node, ast.Constant):
            literals[repr(node.value)] += 1
        if isinstance(node, PHRASES) and not _asks_a_builtin(node) and not _only_says(node):
            phrases[ast.dump(node)] += 1
    texts = sum(_is_text(part) for node in ast.walk(tree) for part in _asked_for_items(node))
    late = sum(_late(node) for node in ast.walk(tree) if isinstance(node, FunctionNode))
    overwrites = sum(_overwritten(node) for node in ast.walk(tree) if isinstance(node, LOOPS))
    folds = sum(_folds(node) for node in ast.walk(tree))
    handed = sum(_hands_back(node) for node in ast.walk(tree) if isinstance(node, FunctionNode))
    numbered = frozenset(ast.dump(key) for key in _numbered_keys(tree))
    unread = set(_unread(tree, mentions))
    own = {node.name for node in tree.body if isinstance(node, FunctionNode)}
    idle = frozenset(name for name in own if not mentions[name])
    return Reading(mentions, unread, idle, literals, phrases, texts, late, overwrites, folds, handed, numbered)


def _hands_back(function: Function) -> int:
    """How often a wrapper stores or returns what it was made round, asked with all that it was given itself."""
    rest = [one.arg for one in (function.args.vararg, function.args.kwarg) if one is not None]
    return sum(
        isinstance(stmt, (ast.Return, ast.Assign))
        and isinstance(stmt.value, ast.Call)
        and _gives_all(stmt.value, rest)
        for stmt in ast.walk(function)
    )


def _gives_all(call: ast.Call, rest: List[str]) -> bool:
    starred = [one.value for one in call.args if isinstance(one, ast.Starred)]
    starred += [one.value for one in call.keywords if one.arg is None]
    return len(rest) == 2 and [one.id for one in starred if isinstance(one, ast.Name)] == rest


def _numbered_keys(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        keys = node.keys if isinstance(node, ast.Dict) else node.elts if isinstance(node, ast.Set) else ()
        yield from (key for key in keys if key is not None and _is_number(key))


def _is_number(key: ast.expr) -> bool:
    if isinstance(key, ast.Tuple):
        return bool(key.elts) and all(map(_is_number, key.elts))
    return isinstance(key, ast.Constant) and type(key.value) in (int, float)


def _overwritten(loop: ast.stmt) -> int:
    """Of what the loop counts on, somewhere in it, how much its own block sets to something else in every round."""
    counted = {
        node.target.id
        for node in ast.walk(loop)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    anew = [stmt for stmt in getattr(loop, "body", ()) if isinstance(stmt, ast.Assign)]
    return len({name.id for stmt in anew for name in stmt.targets if isinstance(name, ast.Name)} & counted)


def _folds(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp):
        return False
    left, target = node.value.left, node.targets[0]
    return isinstance(left, ast.Name) and isinstance(target, ast.Name) and left.id == target.id


def _late(function: Function) -> int:
    """Statements of the function's own block alone: under a condition there is a reason to wait."""
    given, found = set(arguments_of(function)), 0
    read: Set[str] = set()
    for stmt in function.body:
        names = {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Call):
            targets = {target.id for target in stmt.targets if isinstance(target, ast.Name)}
            found += len(targets & names & given & read)
        read |= names
    return found


def _asked_for_items(node: ast.AST) -> List[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MEASURES:
        return node.args[:1]
    if isinstance(node, ast.Compare):
        return [right for op, right in paired(node.ops, node.comparators) if isinstance(op, (ast.In, ast.NotIn))]
    return []


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr")


def _asks_a_builtin(node: ast.AST) -> bool:
    """`len(x)` stands everywhere, and is nothing that a project has a way of saying."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)


def _only_says(node: ast.AST) -> bool:
    """`Error("no such thing")`: its words belong to the place where they stand."""
    return isinstance(node, ast.Call) and bool(node.args) and all(_is_prose(one) for one in node.args)


def _is_prose(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def _unread(tree: ast.Module, mentions: "Counter[str]") -> Iterator[Tuple[str, str]]:
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
            yield from (("", name) for name in names if not mentions[name])
    for function in ast.walk(tree):
        if isinstance(function, FunctionNode) and not _is_stub(function.body):
            inside = list(ast.walk(function))
            names_in = [node for node in inside if isinstance(node, ast.Name)]
            read = {node.id for node in names_in if isinstance(node.ctx, ast.Load)}
            bound = {node.id for node in names_in if isinstance(node.ctx, ast.Store)} | set(arguments_of(function))
            free = {name for node in inside if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
            yield from ((function.name, name) for name in bound - read - free if not name.startswith("_"))


def _is_stub(body: List[ast.stmt]) -> bool:
    """A body that does nothing needs no argument."""
    return all(isinstance(stmt, (ast.Pass, ast.Raise)) or _is_bare(stmt) for stmt in body)


def _is_bare(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
