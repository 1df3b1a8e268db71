"""The called thing: a callee for its kin, or another function of the project."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode
from .calls import callee, calls_of, dotted

KIN_GROUPS: Tuple[Tuple[str, ...], ...] = (
    ("min", "max", "sum"),
    ("any", "all"),
    ("floor", "ceil", "trunc"),
    ("int", "float", "str", "round", "bool", "abs"),
    ("list", "set", "sorted", "tuple", "reversed", "frozenset"),
    ("append", "extend", "insert", "add", "update"),
    ("pop", "popleft", "remove", "discard"),
    ("append", "appendleft"),
    ("strip", "lstrip", "rstrip"),
    ("upper", "lower", "title", "capitalize", "casefold", "swapcase"),
    ("startswith", "endswith"),
    ("split", "rsplit", "splitlines"),
    ("partition", "rpartition"),
    ("find", "rfind", "index", "rindex"),
    ("ljust", "rjust", "center", "zfill"),
    ("keys", "values", "items"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("issubset", "issuperset", "isdisjoint"),
    ("isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum"),
    ("isupper", "islower"),
    ("match", "search", "fullmatch", "findall"),
    ("read", "readline", "readlines"),
    ("write", "writelines"),
    ("getattr", "hasattr"),
    ("isinstance", "issubclass"),
    ("bisect_left", "bisect_right", "bisect", "insort"),
    ("heappush", "heappop", "heapify"),
    ("nlargest", "nsmallest"),
    ("permutations", "combinations", "combinations_with_replacement", "product"),
    ("sin", "cos", "tan"),
    ("log", "log2", "log10", "log1p"),
    ("chr", "ord"),
    ("now", "utcnow", "today"),
    ("get", "pop", "setdefault"),
    ("dumps", "dump", "loads", "load"),
    ("map", "filter"),
    ("encode", "decode"),
    ("copy", "deepcopy"),
    ("mean", "median", "mode"),
    ("maketrans", "translate"),
    ("is_file", "is_dir", "exists"),
    ("total_seconds", "seconds"),
    ("removeprefix", "removesuffix"),
    ("days", "seconds", "microseconds"),
)
OTHER_TYPE = 1.0
KIN: Dict[str, List[str]] = {}
for _group in KIN_GROUPS:
    for _name in _group:
        KIN.setdefault(_name, []).extend(other for other in _group if other != _name)


def kin(site: Site) -> Iterator[Change]:
    """`min` for `max`, `append` for `extend`, `lstrip` for `strip` and the like; attributes that have kin too."""
    for node in site.of(ast.Name, ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        owner = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        parent = site.parent(node)
        whole = parent if isinstance(parent, ast.Call) else node
        # Who asks for a type knows which: one that nothing is of only makes the question void.
        far = OTHER_TYPE if _is_type_asked_for(site, node) else 0.0
        for rank, other in enumerate(KIN.get(name, ())):
            fault = "uses `%s` where `%s` is meant" % (name, other)
            edits = site.swap(node, dotted(site, owner, other))
            yield Change(edits, 0.25 * rank + far, "`%s`" % short(site.text(whole)), fault)


def _is_type_asked_for(site: Site, node: ast.AST) -> bool:
    """The second argument of `isinstance`, or in it."""
    parent = site.parent(node)
    call = site.parent(parent) if isinstance(parent, ast.Tuple) else parent
    return isinstance(call, ast.Call) and callee(call)[0] in ("isinstance", "issubclass") and call.func is not node


def local_kin(site: Site) -> Iterator[Change]:
    """Another function of the file, or another method of the class, that takes as many arguments."""
    functions = {node.name: node for node in site.source.tree.body if isinstance(node, FunctionNode)}
    methods = {node.name: node for node in site.klass.body if isinstance(node, FunctionNode)} if site.klass else {}
    for node in calls_of(site):
        name, owner = callee(node)
        own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        table = methods if own else functions if owner is None else {}
        if name not in table:
            continue
        count = len(arguments_of(table[name]))
        for other, function in table.items():
            if other != name and len(arguments_of(function)) == count and not other.startswith("__"):
                edits = site.swap(node.func, dotted(site, owner, other))
                fault = "calls `%s` where `%s` is meant" % (name, other)
                yield Change(edits, 0.3, "`%s`" % short(site.text(node)), fault)


def other_maker(site: Site) -> Iterator[Change]:
    """`Node(x)` becomes `Node.folder(x)`, and back: the class has ways of its own to make one."""
    makers = {node.name: _makers(node) for node in site.source.tree.body if isinstance(node, ast.ClassDef)}
    for node in calls_of(site):
        name, owner = callee(node)
        old = site.text(node.func)
        if owner is None and name in makers:
            others = ["%s.%s" % (name, maker) for maker in makers[name]]
        elif isinstance(owner, ast.Name) and name in makers.get(owner.id, ()):
            others = [owner.id, *("%s.%s" % (owner.id, maker) for maker in makers[owner.id] if maker != name)]
        else:
            continue
        for rank, new in enumerate(others):
            fault = "is made by `%s` where `%s` is meant" % (old, new)
            yield Change(site.swap(node.func, new), 0.1 * rank, "`%s`" % short(site.text(node)), fault)


def _makers(klass: ast.ClassDef) -> List[str]:
    """Methods that are asked of the class itself."""
    found = []
    for one in klass.body:
        decorators = one.decorator_list if isinstance(one, FunctionNode) else []
        if any(isinstance(mark, ast.Name) and mark.id in ("classmethod", "staticmethod") for mark in decorators):
            found.append(getattr(one, "name", ""))
    return found


def first_letter(site: Site) -> Iterator[Change]:
    """`x.capitalize()` and `x.title()` make all other letters small, too: `x[:1].upper() + x[1:]` does not."""
    for node in calls_of(site):
        name, owner = callee(node)
        if name in ("capitalize", "title") and owner is not None:
            text = site.operand(owner)
            new = "%s[:1].upper() + %s[1:]" % (text, text)
            yield Change(site.fit(node, new), 0.0, "`%s`" % short(site.text(node)), "changes the other letters, too")


AGGREGATES = ("len", "sum", "max", "min", "sorted", "list")


def aggregates(site: Site) -> Iterator[Change]:
    """`len(d)` becomes `sum(d.values())` and the like: counting keys where values count."""
    for node in calls_of(site):
        name, owner = callee(node)
        if owner is not None or name not in AGGREGATES or len(node.args) != 1:
            continue
        if isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp, ast.Starred)):
            continue
        inner = site.text(node.args[0])
        forms = ("sum(%s.values())", "sum(%s)", "len(%s)", "len(set(%s))", name + "(%s.values())")
        for rank, form in enumerate(forms):
            new = form % inner
            if new != site.text(node):
                fault = "should be `%s`" % short(new)
                yield Change(site.swap(node, new), 0.4 * rank, "`%s`" % short(site.text(node)), fault)
