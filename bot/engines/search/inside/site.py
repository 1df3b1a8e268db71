"""A place where a fault may sit: one statement, with the expressions that are its own and the names it can see."""

from __future__ import annotations

import ast
import builtins
import functools
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .hints import Hints
from .source import EXACT_FSTRINGS, Function, FunctionNode, Source, enclosing_class, enclosing_function, walked
from .table import Swappable
from .unit import Edit

ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set)
ATOMIC = (*ATOMS, ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr)
TIGHT = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Await, ast.Attribute, ast.Starred, ast.IfExp)


_BUILTINS = frozenset(dir(builtins))


class Change(NamedTuple):
    """One edit idea: what to splice, what it costs beside its operator's price, and its reason in two parts.

    The root cause reads: `what` in <function> (<file>:<line>) `fault`.
    """

    edits: Tuple[Edit, ...]
    cost: float
    what: str
    fault: str


class Site:
    """One statement. `nodes` are its own expressions: not those of statements inside it."""

    def __init__(self, source: Source, stmt: ast.stmt, unit: Optional[Swappable], hints: Hints) -> None:
        self.source = source
        self.stmt = stmt
        self.unit = unit
        self.hints = hints
        self.function: Optional[Function] = enclosing_function(source, stmt)
        self.klass = enclosing_class(source, stmt)
        self.nodes = list(_own_expressions(stmt))
        self.first = min([stmt.lineno] + [getattr(node, "lineno", stmt.lineno) for node in self.nodes])
        self.last = max([stmt.lineno] + [getattr(node, "end_lineno", stmt.lineno) for node in self.nodes])
        self._scope: Optional[Dict[str, float]] = None

    def text(self, node: ast.AST) -> str:
        return self.source.text(node)

    def parent(self, node: ast.AST) -> Optional[ast.AST]:
        return self.source.parents.get(node)

    def swap(self, node: ast.AST, text: str) -> Tuple[Edit, ...]:
        """Edits that put `text` in the place of a node, as it stands."""
        start, end = self.source.span(node)
        return ((start, end, text),)

    def fit(self, node: ast.AST, text: str, atomic: bool = False) -> Tuple[Edit, ...]:
        """Edits that put an expression in the place of a node, in parentheses where its parent binds tighter."""
        return self.swap(node, text if atomic or not self.tight(node) else "(%s)" % text)

    def tight(self, node: ast.AST) -> bool:
        parent = self.parent(node)
        if isinstance(parent, ast.Subscript):
            return parent.value is node
        if isinstance(parent, ast.Call):
            return parent.func is node
        if isinstance(parent, ast.comprehension):
            return True
        return isinstance(parent, TIGHT)

    def operand(self, node: ast.AST) -> str:
        """Text of a node that can stand beside any operator."""
        text = self.text(node)
        if isinstance(node, ATOMIC) or (isinstance(node, (ast.Tuple, ast.GeneratorExp)) and text.startswith("(")):
            return text
        return "(%s)" % text

    def side(self, node: ast.AST) -> str:
        """Text of a node that can stand beside `and` and `or`, in no more brackets than people write."""
        text = self.text(node)
        bare = isinstance(node, (ast.Compare, ast.UnaryOp)) and "\n" not in text
        return text if bare else self.operand(node)

    def of(self, *kinds: type) -> Iterator[ast.AST]:
        return (node for node in self.nodes if isinstance(node, kinds))

    def insert_before(self, text: str) -> Tuple[Edit, ...]:
        """Edits that put a line (or lines, unindented) in front of the statement."""
        start = self.source.lines_of(self.stmt)[0]
        return ((start, start, self._indented(text)),)

    def insert_after(self, text: str) -> Tuple[Edit, ...]:
        end = self.source.lines_of(self.stmt)[1]
        lead = "" if self.source.data[:end].endswith((b"\n", b"\r")) else self.source.newline
        return ((end, end, lead + self._indented(text)),)

    def _indented(self, text: str) -> str:
        indent = self.source.indent(self.stmt)
        return "".join(indent + line + self.source.newline for line in text.split("\n"))

    def block(self) -> List[ast.stmt]:
        """The statement list that holds the statement."""
        parent = self.parent(self.stmt)
        if parent is not None:
            for name in ("body", "orelse", "finalbody"):
                block = getattr(parent, name, None)
                if isinstance(block, list) and self.stmt in block:
                    return block
        return [self.stmt]

    def is_last(self) -> bool:
        return self.block()[-1] is self.stmt

    @property
    def scope(self) -> Dict[str, float]:
        """Names the statement can use -> how far away they are (0 near, larger further)."""
        if self._scope is None:
            self._scope = _scope(self)
        return self._scope

    def live(self) -> Dict[str, float]:
        """Names of the function itself that are bound above the statement: arguments, variables, `self.x`."""
        return {name: cost for name, cost in self.scope.items() if cost < 1.0}

    def attributes(self) -> List[str]:
        """Names of attributes that the class uses on its instances."""
        if self.klass is None:
            return []
        return list(_attributes(self.klass))

    def fields(self) -> List[str]:
        """Names of attributes that are no methods of the class."""
        methods = {one.name for one in self.klass.body if isinstance(one, FunctionNode)} if self.klass else set()
        return [name for name in self.attributes() if name not in methods]


@functools.lru_cache(maxsize=1000)
def _attributes(klass: ast.ClassDef) -> Tuple[str, ...]:
    found: Dict[str, None] = {}
    for node in walked(klass):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found[node.attr] = None
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node in klass.body:
            found[node.target.id] = None  # a field, which nothing but its declaration may speak of
        elif isinstance(node, FunctionNode):
            found[node.name] = None
    return tuple(found)


def _own_expressions(stmt: ast.stmt) -> Iterator[ast.AST]:
    """Expressions of a statement's own lines. Annotations and f-string innards stay out of reach."""
    for name, value in ast.iter_fields(stmt):
        if name in ("annotation", "returns", "type_comment", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, (ast.expr, ast.keyword, ast.withitem, ast.arguments, ast.ExceptHandler)):
                yield from _expressions(child)


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.expr, ast.keyword, ast.ExceptHandler)):
        yield node
    if isinstance(node, ast.JoinedStr) and not EXACT_FSTRINGS:
        return
    for name, value in ast.iter_fields(node):
        if name == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                yield from _expressions(child)


def _scope(site: Site) -> Dict[str, float]:
    names: Dict[str, float] = {}
    for name in _globals(site.source.tree):
        names[name] = 1.5
    if site.function is not None:
        for name, line in _locals(site.function):
            near = 0.15 + 0.005 * min(20, site.stmt.lineno - line) if line < site.stmt.lineno else 1.2
            names[name] = min(names.get(name, 9.0), near)
        for argument in arguments_of(site.function):
            names[argument] = 0.1
        for name in _unread(site.function):
            if names.get(name, 9.0) < 1.0:
                names[name] = UNREAD
    for node in site.nodes:
        if isinstance(node, ast.Name) and node.id not in _BUILTINS:
            names[node.id] = min(names.get(node.id, 0.4), 0.4) if isinstance(node.ctx, ast.Store) else 0.0
    for name in ("self", "cls"):
        names.pop(name, None)
    return names


UNREAD = 0.02
"""How far away is what the function takes or makes, and nobody reads: who wrote it had a use for it."""


@functools.lru_cache(maxsize=1000)
def _unread(function: Function) -> Tuple[str, ...]:
    """Arguments and variables of a function that nothing in it reads."""
    read = {node.id for node in walked(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    own = [*arguments_of(function), *(name for name, _line in _locals(function))]
    return tuple(name for name in dict.fromkeys(own) if name not in read and not name.startswith("_"))


@functools.lru_cache(maxsize=1000)
def _globals(tree: ast.Module) -> Tuple[str, ...]:
    names: List[str] = []
    for statement in tree.body:
        if isinstance(statement, (*FunctionNode, ast.ClassDef)):
            names.append(statement.name)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            names += [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
        else:
            stored = (n for n in walked(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            names += [node.id for node in stored]
    return tuple(names)


@functools.lru_cache(maxsize=1000)
def _locals(function: Function) -> Tuple[Tuple[str, int], ...]:
    inner: Set[ast.AST] = set()
    found: List[Tuple[str, int]] = []
    for node in walked(function):
        if node is not function and isinstance(node, (*FunctionNode, ast.Lambda, ast.ClassDef)):
            inner.update(child for child in walked(node) if child is not node)
    for node in walked(function):
        if node in inner:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append((node.id, node.lineno))
        elif node is not function and isinstance(node, (*FunctionNode, ast.ExceptHandler)) and node.name:
            found.append((node.name, node.lineno))
    return tuple(found)


def arguments_of(function: Function) -> List[str]:
    spec = function.args
    plain = list(getattr(spec, "posonlyargs", [])) + spec.args + spec.kwonlyargs
    extra = [argument for argument in (spec.vararg, spec.kwarg) if argument is not None]
    return [argument.arg for argument in plain + extra if argument.arg not in ("self", "cls")]


def short(text: str, limit: int = 70) -> str:
    """A snippet of code for a sentence: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
