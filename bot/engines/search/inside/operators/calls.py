"""Calls: a callee for its kin, arguments swapped, dropped, added or passed on, a call wrapped round or taken off."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode

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
KIN: Dict[str, List[str]] = {}
for _group in KIN_GROUPS:
    for _name in _group:
        KIN.setdefault(_name, []).extend(other for other in _group if other != _name)

WRAPS = (
    "int",
    "str",
    "float",
    "list",
    "sorted",
    "abs",
    "len",
    "set",
    "tuple",
    "sum",
    "max",
    "min",
    "bool",
    "reversed",
    "round",
)
NEUTRAL = ("int", "float", "round", "abs", "str", "sorted", "list", "set", "tuple", "reversed", "len", "sum", "bool")


def _calls(site: Site) -> Iterator[ast.Call]:
    for node in site.nodes:
        if isinstance(node, ast.Call):
            yield node


def _callee(node: ast.Call) -> Tuple[str, Optional[ast.expr]]:
    """The called name, and the expression before its dot."""
    if isinstance(node.func, ast.Name):
        return node.func.id, None
    if isinstance(node.func, ast.Attribute):
        return node.func.attr, node.func.value
    return "", None


def _dotted(site: Site, owner: Optional[ast.expr], name: str) -> str:
    return name if owner is None else "%s.%s" % (site.text(owner), name)


def kin(site: Site) -> Iterator[Change]:
    """`min` for `max`, `append` for `extend`, `lstrip` for `strip` and the like; attributes that have kin too."""
    for node in site.of(ast.Name, ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        owner = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        parent = site.parent(node)
        whole = parent if isinstance(parent, ast.Call) else node
        for rank, other in enumerate(KIN.get(name, ())):
            fault = "uses `%s` where `%s` is meant" % (name, other)
            edits = site.swap(node, _dotted(site, owner, other))
            yield Change(edits, 0.25 * rank, "`%s`" % short(site.text(whole)), fault)


def local_kin(site: Site) -> Iterator[Change]:
    """Another function of the file, or another method of the class, that takes as many arguments."""
    functions = {node.name: node for node in site.source.tree.body if isinstance(node, FunctionNode)}
    methods = {node.name: node for node in site.klass.body if isinstance(node, FunctionNode)} if site.klass else {}
    for node in _calls(site):
        name, owner = _callee(node)
        own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        table = methods if own else functions if owner is None else {}
        if name not in table:
            continue
        count = len(arguments_of(table[name]))
        for other, function in table.items():
            if other != name and len(arguments_of(function)) == count and not other.startswith("__"):
                edits = site.swap(node.func, _dotted(site, owner, other))
                fault = "calls `%s` where `%s` is meant" % (name, other)
                yield Change(edits, 0.3, "`%s`" % short(site.text(node)), fault)


def swapped(site: Site) -> Iterator[Change]:
    """Two arguments exchanged: neighbours first."""
    for node in _calls(site):
        plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        for first in range(len(plain)):
            for second in range(first + 1, len(plain)):
                one, two = plain[first], plain[second]
                if site.text(one) == site.text(two):
                    continue
                edits = site.swap(one, site.text(two)) + site.swap(two, site.text(one))
                what = "`%s`" % short(site.text(node))
                yield Change(edits, 0.3 * (second - first - 1), what, "passes its arguments in the wrong order")


def dropped(site: Site) -> Iterator[Change]:
    for node in _calls(site):
        pieces = [site.text(argument) for argument in node.args] + [_keyword(site, k) for k in node.keywords]
        if len(pieces) < 1 or any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            continue
        for index, gone in enumerate(pieces):
            rest = ", ".join(pieces[:index] + pieces[index + 1 :])
            fault = "should not be given `%s`" % short(gone)
            edits = site.swap(node, "%s(%s)" % (site.text(node.func), rest))
            yield Change(edits, 0.3 if len(pieces) == 1 else 0.0, "`%s`" % short(site.text(node)), fault)


def _keyword(site: Site, keyword: ast.keyword) -> str:
    value = site.text(keyword.value)
    return "**%s" % value if keyword.arg is None else "%s=%s" % (keyword.arg, value)


def _closing(site: Site, node: ast.Call) -> Tuple[int, str]:
    """Where a further argument can be put, and what must stand before it."""
    end = site.source.span(node)[1] - 1
    inside = site.source.data[site.source.span(node.func)[1] : end].rstrip()
    empty = inside.endswith(b"(") and not node.args and not node.keywords
    return end, "" if empty or inside.endswith(b",") else ", "


def added(site: Site) -> Iterator[Change]:
    """A variable passed on that was forgotten, or a small constant."""
    for node in _calls(site):
        if any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            continue
        end, lead = _closing(site, node)
        given = [site.text(argument) for argument in node.args]
        what = "`%s`" % short(site.text(node))
        for name, distance in list(site.live().items())[:8]:
            if name not in given:
                yield Change(((end, end, lead + name),), 0.3 + distance, what, "is not given `%s`" % name)
        for rank, text in enumerate(("1", "0", "2", "None", "True", "-1", '""', "[]", "{}")):
            yield Change(((end, end, lead + text),), 0.9 + 0.15 * rank, what, "lacks a further argument `%s`" % text)


def passed_on(site: Site) -> Iterator[Change]:
    """A parameter of a function of this file that the call does not pass, though a variable of that name is there."""
    functions: Dict[str, ast.AST] = {n.name: n for n in ast.walk(site.source.tree) if isinstance(n, FunctionNode)}
    for node in _calls(site):
        function = functions.get(_callee(node)[0])
        if not isinstance(function, FunctionNode) or any(isinstance(a, ast.GeneratorExp) for a in node.args):
            continue
        given = {keyword.arg for keyword in node.keywords}
        end, lead = _closing(site, node)
        for name in arguments_of(function)[len(node.args) :]:
            if name in site.scope and name not in given:
                edits = ((end, end, "%s%s=%s" % (lead, name, name)),)
                yield Change(edits, 0.0, "`%s`" % short(site.text(node)), "does not pass `%s` on" % name)


KEYWORDS: Dict[str, Tuple[str, ...]] = {
    "sorted": (
        "reverse=True",
        "key=len",
        "key=str.lower",
        "key=lambda item: item[1]",
        "key=lambda item: item[0]",
        "key=abs",
    ),
    "sort": (
        "reverse=True",
        "key=len",
        "key=str.lower",
        "key=lambda item: item[1]",
        "key=lambda item: item[0]",
        "key=abs",
    ),
    "min": ("default=None", "default=0", "key=len", "key=abs"),
    "max": ("default=None", "default=0", "key=len", "key=abs"),
    "dumps": ("sort_keys=True", "ensure_ascii=False", "indent=2", "default=str"),
    "open": ('encoding="utf-8"', 'newline=""'),
    "split": ("maxsplit=1",),
    "enumerate": ("start=1",),
    "sum": ("start=1",),
    "zip": ("strict=True",),
    "makedirs": ("exist_ok=True",),
    "mkdir": ("parents=True", "exist_ok=True", "parents=True, exist_ok=True"),
    "run": ("check=True",),
    "print": ('end=""', 'sep=""'),
    "int": ("base=10", "base=16", "base=2"),
    "decode": ('errors="replace"',),
    "encode": ('errors="replace"',),
    "field": ("default_factory=list", "default_factory=dict"),
}


def keyword_added(site: Site) -> Iterator[Change]:
    for node in _calls(site):
        name = _callee(node)[0]
        given = {keyword.arg for keyword in node.keywords}
        if any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            continue
        for rank, text in enumerate(KEYWORDS.get(name, ())):
            if text.split("=")[0] not in given:
                end, lead = _closing(site, node)
                what = "`%s`" % short(site.text(node))
                yield Change(((end, end, lead + text),), 0.25 * rank, what, "lacks `%s`" % text)


def unwrapped(site: Site) -> Iterator[Change]:
    """`f(x)` becomes `x`; `x.strip()` becomes `x`."""
    for node in _calls(site):
        name, owner = _callee(node)
        what = "`%s`" % short(site.text(node))
        if len(node.args) >= 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
            cost = 0.0 if name in NEUTRAL else 0.7
            edits = site.fit(node, site.operand(node.args[0]), atomic=True)
            yield Change(edits, cost, what, "should be plain `%s`" % short(site.text(node.args[0])))
        if owner is not None and not isinstance(site.parent(node), ast.Expr):
            fault = "should not call `%s`" % name
            yield Change(site.fit(node, site.operand(owner), atomic=True), 0.5, what, fault)


def _wrappable(site: Site) -> Iterator[ast.expr]:
    for node in site.of(ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript, ast.ListComp, ast.GeneratorExp):
        parent = site.parent(node)
        callee = isinstance(parent, ast.Call) and parent.func is node
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if not callee and not stored and not isinstance(parent, (ast.Attribute, ast.Expr, ast.Starred)):
            assert isinstance(node, ast.expr)
            yield node


def wrapped(site: Site) -> Iterator[Change]:
    """`x` becomes `int(x)`, `sorted(x)` and the like."""
    for node in _wrappable(site):
        text = site.text(node)
        inner = text[1:-1] if isinstance(node, ast.GeneratorExp) and text.startswith("(") else text
        outer = site.parent(node)
        weight = 0.0 if isinstance(outer, (ast.Return, ast.Assign, ast.For, ast.Call, ast.Compare)) else 0.5
        for rank, name in enumerate(WRAPS):
            if not text.startswith(name + "("):
                fault = "must go through `%s(…)`" % name
                yield Change(
                    site.swap(node, "%s(%s)" % (name, inner)), weight + 0.12 * rank, "`%s`" % short(text), fault
                )


def clamped(site: Site) -> Iterator[Change]:
    """`x` becomes `max(0, x)`, `max(best, x)` or `min(limit, x)`."""
    for node in _wrappable(site):
        if not isinstance(site.parent(node), (ast.Return, ast.Assign, ast.AugAssign, ast.Call)):
            continue
        text = site.text(node)
        bounds = ["0", "1", *[name for name in site.live() if name != text][:4]]
        for rank, bound in enumerate(bounds):
            for name in ("max", "min"):
                fault = "is not kept %s `%s`" % ("above" if name == "max" else "below", bound)
                edits = site.swap(node, "%s(%s, %s)" % (name, bound, text))
                yield Change(edits, 0.15 * rank + (0.2 if name == "min" else 0.0), "`%s`" % short(text), fault)


METHODS = (
    "strip()",
    "lower()",
    "upper()",
    "copy()",
    "items()",
    "split()",
    "rstrip()",
    "keys()",
    "values()",
    "title()",
)


def method_added(site: Site) -> Iterator[Change]:
    """`x` becomes `x.strip()`, `x.lower()`, `x.items()`, `x.copy()` and the like."""
    around = site.text(site.function) if site.function is not None else ""
    for node in _wrappable(site):
        text = site.operand(node)
        if isinstance(node, (ast.BinOp, ast.GeneratorExp)):
            continue
        for rank, method in enumerate(METHODS):
            if not text.endswith("." + method):
                edits = site.swap(node, "%s.%s" % (text, method))
                # Where one side is stripped or lowered, the other one should be.
                cost = 0.05 * rank - 0.9 if "." + method in around else 0.15 * rank
                yield Change(edits, cost, "`%s`" % short(text), "is used without `.%s`" % method)


AGGREGATES = ("len", "sum", "max", "min", "sorted", "list")


def aggregates(site: Site) -> Iterator[Change]:
    """`len(d)` becomes `sum(d.values())` and the like: counting keys where values count."""
    for node in _calls(site):
        name, owner = _callee(node)
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


def wrapped_by_project(site: Site) -> Iterator[Change]:
    """`x` becomes `clean(x)`, for a function of the file that takes one argument."""
    functions = [
        node for node in site.source.tree.body if isinstance(node, FunctionNode) and node is not site.function
    ]
    single = [node.name for node in functions if len(node.args.args) - len(node.args.defaults) == 1]
    for node in _wrappable(site):
        if isinstance(site.parent(node), (ast.Return, ast.Assign, ast.For, ast.Call, ast.Compare)):
            text = site.text(node)
            for name in single:
                if not text.startswith(name + "("):
                    edits = site.swap(node, "%s(%s)" % (name, text))
                    yield Change(edits, 0.0, "`%s`" % short(text), "does not go through `%s`" % name)


def called(site: Site) -> Iterator[Change]:
    """`x.method` without the call, or a property called by mistake."""
    for node in site.of(ast.Attribute, ast.Name):
        parent = site.parent(node)
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or isinstance(parent, ast.Attribute):
            continue
        if not (isinstance(parent, ast.Call) and parent.func is node):
            text = site.text(node)
            yield Change(
                site.swap(node, text + "()"), 0.4, "`%s`" % short(text), "names a function without calling it"
            )
    for call in _calls(site):
        if not call.args and not call.keywords:
            edits = site.fit(call, site.text(call.func), atomic=True)
            yield Change(edits, 0.2, "`%s`" % short(site.text(call)), "should not be called")


def awaited(site: Site) -> Iterator[Change]:
    """`await` missing inside an `async def`, or standing where nothing is awaited."""
    if isinstance(site.function, ast.AsyncFunctionDef):
        for call in _calls(site):
            if not isinstance(site.parent(call), ast.Await):
                edits = site.fit(call, "await " + site.text(call))
                yield Change(edits, 0.0, "`%s`" % short(site.text(call)), "is not awaited")
    for node in site.of(ast.Await):
        assert isinstance(node, ast.Await)
        edits = site.fit(node, site.operand(node.value), atomic=True)
        yield Change(edits, 0.3, "`%s`" % short(site.text(node)), "awaits what is no awaitable")
