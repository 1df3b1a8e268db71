"""One for many: a value where a list or tuple of it belongs, a tuple without its comma, arguments not spread."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import neighbours, paired
from .calls import callee, calls_of, closing

TAKES_MANY = ("deque", "list", "tuple", "set", "extend", "append", "join", "frozenset", "Counter", "sorted")


def one_of_many(site: Site) -> Iterator[Change]:
    """`x` becomes `[x]` or `(x,)`; `(x)` gets its comma."""
    stmt = site.stmt
    values = [stmt.value] if isinstance(stmt, (ast.Return, ast.Assign, ast.AugAssign)) and stmt.value else []
    values += [one for node in calls_of(site) if callee(node)[0] in TAKES_MANY for one in node.args[:1]]
    for node in values:
        if isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.Call)):
            text, what = site.text(node), "`%s`" % short(site.text(node))
            for rank, form in enumerate(("[%s]", "(%s,)")):
                new = form % text
                fault = "is one value where `%s` is expected" % short(new)
                yield Change(site.swap(node, new), 0.2 * rank, what, fault)
    for atom in site.of(ast.Name, ast.Constant):
        start, end = site.source.span(atom)
        data = site.source.data
        if start and data[start - 1 : start] == b"(" and data[end : end + 1] == b")":
            if not isinstance(site.parent(atom), ast.Call):
                fault = "is no tuple without a comma"
                yield Change(((end, end, ","),), 0.0, "`(%s)`" % short(site.text(atom)), fault)


def empty_start(site: Site) -> Iterator[Change]:
    """A collection that begins empty and must hold the first one already; a bound that begins at infinity."""
    stmt = site.stmt
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    if isinstance(stmt, ast.Assign) and site.text(stmt.value) in ("set()", "[]", "{}", "deque()"):
        forms = {"set()": "{%s}", "[]": "[%s]", "{}": "{%s: 0}", "deque()": "deque([%s])"}
        for name in names:
            new = forms[site.text(stmt.value)] % name
            fault = "begins without `%s`" % name
            yield Change(site.swap(stmt.value, new), 0.4, "`%s`" % short(site.text(stmt)), fault)
    for node in site.of(ast.Constant):
        assert isinstance(node, ast.Constant)
        parent = site.parent(node)
        if (node.value is not None and node.value not in (0, -1, 1)) or isinstance(node.value, bool):
            continue
        if isinstance(parent, ast.Assign) or (
            isinstance(parent, ast.Call) and callee(parent)[0] in ("get", "min", "max")
        ):
            for rank, new in enumerate(('float("inf")', 'float("-inf")')):
                fault = "is no bound that every value passes; `%s` is" % new
                yield Change(site.swap(node, new), 0.3 * rank, "`%s`" % short(site.text(parent)), fault)


def spread(site: Site) -> Iterator[Change]:
    """`f(args)` becomes `f(*args)`, `f(kwargs)` becomes `f(**kwargs)`, and back; keywords are passed on."""
    for node in calls_of(site):
        what = "`%s`" % short(site.text(node))
        for argument in node.args:
            text, start = site.text(argument), site.source.span(argument)[0]
            if isinstance(argument, ast.Starred):
                yield Change(((start, start + 1, ""),), 0.3, what, "spreads `%s`, which is one value" % text[1:])
            elif isinstance(argument, (ast.Name, ast.Attribute, ast.GeneratorExp, ast.ListComp, ast.Call)):
                cost = 0.0 if text in ("args", "rows") else 0.5 + (0.4 if isinstance(argument, ast.Call) else 0.0)
                fault = "hands over `%s` as one value; it must be spread" % short(text)
                yield Change(((start, start, "*"),), cost, what, fault)
                by_name = 0.2 if _too_many_given(site) else 0.8
                yield Change(((start, start, "**"),), cost + by_name, what, fault + " over keywords")
        yield from _rest_passed_on(site, node, what)


def _too_many_given(site: Site) -> bool:
    """Whether a failure says that something takes fewer arguments by position than it got."""
    return bool(site.hints.found(r"(takes .*positional arguments? but)"))


def _rest_passed_on(site: Site, node: ast.Call, what: str) -> Iterator[Change]:
    """`*args` and `**options` of the function, where a call does not hand them on, or not as such."""
    spec = site.function.args if site.function is not None else None
    rest = spec.kwarg.arg if spec is not None and spec.kwarg else ""
    more = spec.vararg.arg if spec is not None and spec.vararg else ""
    keywords = [site.text(keyword.value) for keyword in node.keywords if keyword.arg is None]
    names = {one.id: one for one in node.args if isinstance(one, ast.Name)}
    stars = [one for one in node.args if isinstance(one, ast.Starred)]
    if rest in names:
        edits = site.swap(names[rest], "**" + rest)
        yield Change(edits, 0.1, what, "does not spread `%s`" % rest)
        if more in names:
            yield Change(edits + site.swap(names[more], "*" + more), -0.2, what, "does not spread its arguments")
    elif rest and rest not in keywords and not any(isinstance(one, ast.GeneratorExp) for one in node.args):
        end, lead = closing(site, node)
        yield Change(((end, end, lead + "**" + rest),), -0.5 if stars else 0.0, what, "does not pass `%s` on" % rest)
    if more and more not in names and not stars and not any(isinstance(one, ast.GeneratorExp) for one in node.args):
        if not node.keywords:
            end, lead = closing(site, node)
            yield Change(((end, end, lead + "*" + more),), 0.2, what, "does not pass `%s` on" % more)


def unpacked(site: Site) -> Iterator[Change]:
    """Too many values to unpack: the rest goes into `*_`. A swap that forgot its other half."""
    failed = any(True for _red in site.hints.of("values to unpack"))
    for node in [*site.of(ast.Tuple), *(part.target for part in _generators(site))]:
        if not isinstance(node, ast.Tuple) or not isinstance(node.ctx, ast.Store) or not failed:
            continue
        last = node.elts[-1]
        start = site.source.span(last)[0]
        what = "`%s`" % short(site.text(node))
        if not any(isinstance(one, ast.Starred) for one in node.elts):
            yield Change(((start, start, "*"),), 0.0, what, "does not take more values than it names")
            end = site.source.span(last)[1]
            yield Change(((end, end, ", *_"),), 0.2, what, "does not take more values than it names")
    stmt = site.stmt
    if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Name) and isinstance(stmt.targets[0], ast.Name):
        one, two = stmt.targets[0].id, stmt.value.id
        if one != two:
            new = "%s, %s = %s, %s" % (one, two, two, one)
            fault = "loses `%s`; the two change places" % one
            yield Change(site.swap(stmt, new), 0.6, "`%s`" % site.text(stmt), fault)


def _generators(site: Site) -> Iterator[ast.comprehension]:
    for node in site.of(ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp):
        yield from getattr(node, "generators", [])


ALIKE = {
    "list": ("tuple", "set"),
    "tuple": ("list", "set"),
    "set": ("frozenset", "list"),
    "frozenset": ("set",),
    "int": ("float", "bool"),
    "float": ("int",),
    "str": ("bytes",),
    "bytes": ("bytearray", "str"),
    "dict": ("list",),
}


def kinds(site: Site) -> Iterator[Change]:
    """`isinstance(x, list)` leaves out what is used like it: `(list, tuple)`; a tuple of kinds lacks one."""
    for node in calls_of(site):
        if callee(node)[0] not in ("isinstance", "issubclass") or len(node.args) != 2:
            continue
        named = node.args[1]
        old = named.elts if isinstance(named, ast.Tuple) else [named]
        names = [site.text(one) for one in old]
        for rank, other in enumerate(_alike(site, names)):
            new = "(%s)" % ", ".join([*names, other])
            fault = "does not cover `%s`" % other
            yield Change(site.swap(named, new), 0.2 * rank, "`%s`" % short(site.text(node)), fault)


def _alike(site: Site, names: List[str]) -> List[str]:
    """Kinds that are used like these, then plain ones, then classes of the file."""
    near = [other for name in names for other in ALIKE.get(name, ())]
    plain = ["str", "dict", "type(None)", "list"]
    own = [node.name for node in site.source.tree.body if isinstance(node, ast.ClassDef)]
    return [name for name in dict.fromkeys([*near, *plain, *own[:6]]) if name not in names][:12]


def entry_first(site: Site) -> Iterator[Change]:
    """Entries of a table that is walked through in its order: one of them must come first, or last."""
    for node in site.of(ast.Dict, ast.List, ast.Tuple):
        entries = _entries(site, node)
        if not 2 < len(entries) <= 20 or (isinstance(node, ast.Tuple) and site.function is not None):
            continue
        texts = [site.source.data[start:end].decode("utf-8") for start, end in entries]
        orders = [[at, *range(at), *range(at + 1, len(texts))] for at in (len(texts) - 1, len(texts) - 2)]
        orders += [[*range(1, len(texts)), 0]]
        for rank, order in enumerate(orders):
            edits = tuple((start, end, texts[at]) for (start, end), at in paired(entries, order))
            what = "`%s`" % short(texts[order[0]] if rank < 2 else texts[0])
            fault = "comes too late in its table" if rank < 2 else "comes too early in its table"
            yield Change(edits, 0.2 * rank, what, fault)


def _entries(site: Site, node: ast.AST) -> List[Tuple[int, int]]:
    """Where the entries of a literal stand; of a dictionary, from key to value."""
    if isinstance(node, ast.Dict):
        pairs = list(paired(node.keys, node.values))
        return [(site.source.span(key)[0], site.source.span(value)[1]) for key, value in pairs if key is not None]
    return [site.source.span(one) for one in getattr(node, "elts", [])]


def laid_over(site: Site) -> Iterator[Change]:
    """`{**a, **b}` becomes `{**b, **a}`: which of two tables wins."""
    for node in site.of(ast.Dict):
        assert isinstance(node, ast.Dict)
        parts = [value for key, value in paired(node.keys, node.values) if key is None]
        for one, two in neighbours(parts):
            edits = site.swap(one, site.text(two)) + site.swap(two, site.text(one))
            fault = "lets `%s` win over `%s`" % (short(site.text(two)), short(site.text(one)))
            yield Change(edits, 0.0, "`%s`" % short(site.text(node)), fault)
